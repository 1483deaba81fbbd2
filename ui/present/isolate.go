package present

import "golang.org/x/text/unicode/bidi"

// turns reports whether a text has characters that are written from right to left.
func turns(s string) bool {
	for _, r := range s {
		if r < 0x590 {
			continue
		}
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		}
	}
	return false
}

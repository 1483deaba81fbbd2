package agent

import (
	"bytes"
	"encoding/json"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden reports whether a string of a document may hold an escaped secret. Most documents
// have some escapes and no secret, and decoding them whole takes ten times as long.
func (r *Redactor) hidden(raw json.RawMessage) bool {
	mark := []byte(`\u00`)
	if r.quotes() {
		mark = mark[:1]
	}
	if !bytes.Contains(raw, mark) {
		return false
	}
	var said []byte
	for {
		start := bytes.IndexByte(raw, '"')
		if start < 0 {
			return false
		}
		raw = raw[start+1:]
		end := stringEnd(raw)
		if bytes.Contains(raw[:end], mark) {
			said = appendSaid(said[:0], raw[:end])
			if r.suspects(string(said)) {
				return true
			}
		}
		raw = raw[min(end+1, len(raw)):]
	}
}

// stringEnd returns where the string that raw is inside of ends.
func stringEnd(raw []byte) int {
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case '\\':
			i++
		case '"':
			return i
		}
	}
	return len(raw)
}

// appendSaid appends the value of an escaped string. It is only for looking for secrets,
// and accepts invalid strings.
func appendSaid(b, s []byte) []byte {
	for len(s) > 0 {
		slash := bytes.IndexByte(s, '\\')
		if slash < 0 || slash == len(s)-1 {
			return append(b, s...)
		}
		b = append(b, s[:slash]...)
		c := s[slash+1]
		s = s[slash+2:]
		switch c {
		case 'u':
			r, size := escapedRune(s)
			b, s = utf8.AppendRune(b, r), s[size:]
		case 'n', 'r', 't', 'b', 'f':
			b = append(b, ' ') // no secret holds one, but ends there
		default:
			b = append(b, c)
		}
	}
	return b
}

// escapedRune reads the digits after \u, which may be half of a surrogate pair that the
// next escape completes.
func escapedRune(s []byte) (r rune, size int) {
	if len(s) < 4 {
		return utf8.RuneError, 0
	}
	n, err := strconv.ParseUint(string(s[:4]), 16, 16)
	if err != nil {
		return utf8.RuneError, 0
	}
	if r = rune(n); !utf16.IsSurrogate(r) {
		return r, 4
	}
	if len(s) >= 10 && s[4] == '\\' && s[5] == 'u' {
		if low, err := strconv.ParseUint(string(s[6:10]), 16, 16); err == nil {
			if whole := utf16.DecodeRune(r, rune(low)); whole != utf8.RuneError {
				return whole, 10
			}
		}
	}
	return utf8.RuneError, 4
}

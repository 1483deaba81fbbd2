package search

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const maxTerm = 64 // bytes

// foldTerm returns the form under which a word is indexed and found: compatibility forms
// (NFKC) and case are folded, marks on Latin, Greek, Cyrillic, Hebrew and Arabic letters
// are removed, as many people do not type them, and so are invisible joiners and
// separators. In other scripts marks are vowels and stay. The term is cut to 64 bytes.
func foldTerm(word string) string {
	if term, ok := foldSimple(word); ok {
		return cutTerm(term)
	}
	return cutTerm(foldAny(word))
}

func foldAny(word string) string {
	var b strings.Builder
	b.Grow(len(word))
	base := rune(-1)
	for _, r := range norm.NFKD.String(word) {
		switch {
		case isIgnorable(r):
		case unicode.IsMark(r):
			if !marksAreOptional(base) {
				b.WriteRune(r)
			}
		case unicode.IsLetter(r), unicode.IsNumber(r):
			base = r
			writeFolded(&b, r)
		}
	}
	return norm.NFC.String(b.String())
}

// writeFolded writes a letter so that all of its cases are equal. Going through the
// capital unites small letters that share it, such as the two sigmas. (The case folding
// of x/text swaps the cases of Cherokee letters.)
func writeFolded(b *strings.Builder, r rune) {
	if r == 'ß' || r == 'ẞ' {
		b.WriteString("ss")
		return
	}
	b.WriteRune(unicode.ToLower(unicode.ToUpper(r)))
}

// foldSimple folds words of letters that fold to themselves, of ASCII, and of Latin, Greek
// and Cyrillic letters that fold to one letter each, one by one.
func foldSimple(word string) (string, bool) {
	upper, other := false, false
	for _, r := range word {
		switch {
		case r < utf8.RuneSelf:
			upper = upper || r >= 'A' && r <= 'Z'
		case foldsToItself(r):
		case foldsToOne(r) != 0:
			other = true
		default:
			return "", false
		}
	}
	switch {
	case other:
		return strings.Map(func(r rune) rune {
			if c := foldsToOne(r); c != 0 {
				return c
			}
			return unicode.ToLower(r)
		}, word), true
	case upper:
		return strings.ToLower(word), true
	}
	return word, true
}

const firstFolded, lastFolded = 0xc0, 0x45f // Latin letters with marks, Greek, Cyrillic

// foldsToOne returns the one letter that a Latin, Greek or Cyrillic letter folds to,
// whatever other letters are next to it; 0 for all other characters.
func foldsToOne(r rune) rune {
	if r < firstFolded || r > lastFolded {
		return 0
	}
	return rune(folded()[r-firstFolded])
}

var folded = sync.OnceValue(func() *[lastFolded - firstFolded + 1]uint16 {
	var table [lastFolded - firstFolded + 1]uint16
	for i := range table {
		r := rune(firstFolded + i)
		if to := []rune(foldAny(string(r))); unicode.IsLetter(r) && len(to) == 1 && unicode.IsLetter(to[0]) {
			table[i] = uint16(to[0])
		}
	}
	return &table
})

// foldsToItself reports whether r is a common East Asian character, or a small Cyrillic
// letter, that folding never changes whatever is next to it, except for marks.
func foldsToItself(r rune) bool {
	return r >= 0x4e00 && r <= 0x9fff || r >= 0xac00 && r <= 0xd7a3 || // Han, Hangul
		r >= 0x3041 && r <= 0x3096 || r >= 0x30a1 && r <= 0x30fa || r == 0x30fc || // Kana
		r >= 0x430 && r <= 0x44f && r != 0x439 // Cyrillic but й
}

func cutTerm(term string) string {
	if len(term) <= maxTerm {
		return term
	}
	n := maxTerm
	for n > 0 && !utf8.RuneStart(term[n]) {
		n--
	}
	return term[:n]
}

// marksAreOptional reports whether readers do without the marks of a letter.
func marksAreOptional(base rune) bool {
	return base >= 0 && base < 0x780 || // Latin, Greek, Cyrillic, Hebrew, Arabic, Syriac
		base >= 0x870 && base < 0x900 || // Arabic
		base >= 0x1c80 && base < 0x1c90 || base >= 0x2de0 && base < 0x2e00 || base >= 0xa640 && base < 0xa6a0 || // Cyrillic
		base >= 0x2c60 && base < 0x2c80 || base >= 0xa720 && base < 0xa800 // Latin
}

// isIgnorable reports whether r makes no difference inside a word: joiners, soft hyphen,
// tatweel, variation selectors.
func isIgnorable(r rune) bool {
	switch r {
	case 0xad, 0x34f, 0x640, 0x200c, 0x200d, 0x2060, 0xfeff:
		return true
	}
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

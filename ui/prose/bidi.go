package prose

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// firstStrong returns the direction of the first letter that has one: 1 for right to left,
// -1 for left to right, 0 for none.
func firstStrong(s string) int {
	for _, r := range s {
		if r < 0x590 {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= 0xc0 {
				return -1
			}
			continue
		}
		switch p, _ := bidi.LookupRune(r); p.Class() {
		case bidi.L:
			return -1
		case bidi.R, bidi.AL:
			return 1
		}
	}
	return 0
}

// HasRTL reports whether a text has letters that are written from right to left.
func HasRTL(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0xd6 { // the first byte of U+0590
			continue
		}
		r, _ := utf8.DecodeRuneInString(s[i:])
		if r < 0x590 || r >= 0x2000 && r < 0xfb1d {
			continue
		}
		if p, _ := bidi.LookupRune(r); p.Class() == bidi.R || p.Class() == bidi.AL {
			return true
		}
	}
	return false
}

// resolve returns the embedding level of each character from the classes of all.
func resolve(cs []bidi.Class, runes []rune, base int) []int {
	cs = slices.Clone(cs)
	baseClass := bidi.L
	if base == 1 {
		baseClass = bidi.R
	}
	weak(cs, baseClass)
	pairs(cs, runes, baseClass)
	neutral(cs, baseClass)
	levels := make([]int, len(cs))
	for i, c := range cs {
		switch {
		case c == bidi.R:
			levels[i] = 1
		case c == bidi.EN, base == 1: // numbers and left-to-right words within right-to-left text
			levels[i] = 2
		}
	}
	return levels
}

// weak resolves marks and numbers (UAX 9, W1 to W7). EN remains for numbers among
// right-to-left letters.
func weak(cs []bidi.Class, base bidi.Class) {
	prev := base
	for i, c := range cs {
		if c == bidi.NSM {
			cs[i] = prev
		}
		if cs[i] == bidi.AL {
			cs[i] = bidi.R
		}
		if cs[i] == bidi.AN {
			cs[i] = bidi.EN
		}
		prev = cs[i]
	}
	for i, c := range cs {
		between := i > 0 && i < len(cs)-1 && cs[i-1] == bidi.EN && cs[i+1] == bidi.EN
		beside := i > 0 && cs[i-1] == bidi.EN || i < len(cs)-1 && cs[i+1] == bidi.EN
		if (c == bidi.ES || c == bidi.CS) && between || c == bidi.ET && beside {
			cs[i] = bidi.EN
		}
	}
	strong := base
	for i, c := range cs {
		switch c {
		case bidi.L, bidi.R:
			strong = c
		case bidi.EN:
			if strong == bidi.L {
				cs[i] = bidi.L
			}
		}
	}
}

// pairs gives both brackets of a pair one direction (N0): that of the paragraph if a letter
// between them has it or none has the other; else the other, if the text before them has it
// too. Brackets nested deeper than 60 are left alone.
func pairs(cs []bidi.Class, runes []rune, base bidi.Class) {
	var open []int
	for i, r := range runes {
		if cs[i] != bidi.ON {
			continue
		}
		switch k := strings.IndexRune("()[]{}", r); {
		case k < 0 || len(open) > 60:
		case k%2 == 0:
			open = append(open, i)
		default:
			for n := len(open) - 1; n >= 0; n-- {
				if mirror(runes[open[n]]) == string(r) {
					pair(cs, open[n], i, base)
					open = open[:n]
					break
				}
			}
		}
	}
}

func pair(cs []bidi.Class, from, to int, base bidi.Class) {
	other := false
	for _, c := range cs[from+1 : to] {
		if c = side(c); c == base {
			cs[from], cs[to] = base, base
			return
		} else if c == bidi.L || c == bidi.R {
			other = true
		}
	}
	if !other {
		return
	}
	before := base
	for i := from - 1; i >= 0; i-- {
		if c := side(cs[i]); c == bidi.L || c == bidi.R {
			before = c
			break
		}
	}
	cs[from], cs[to] = before, before
}

// side counts a number that remained as EN among right-to-left letters.
func side(c bidi.Class) bidi.Class {
	if c == bidi.EN {
		return bidi.R
	}
	return c
}

// neutral gives characters without a direction that of their neighbours if these agree,
// else that of the paragraph (N1, N2).
func neutral(cs []bidi.Class, base bidi.Class) {
	known := func(c bidi.Class) bool { return c == bidi.L || c == bidi.R || c == bidi.EN }
	for i := 0; i < len(cs); {
		if known(cs[i]) {
			i++
			continue
		}
		end := i
		for end < len(cs) && !known(cs[end]) {
			end++
		}
		before, after := base, base
		if i > 0 {
			before = side(cs[i-1])
		}
		if end < len(cs) {
			after = side(cs[end])
		}
		to := base
		if before == after {
			to = before
		}
		for ; i < end; i++ {
			cs[i] = to
		}
	}
}

// mirror returns the character that replaces r within right-to-left text.
func mirror(r rune) string {
	const pairs = "()[]{}<>«»‹›"
	if i := strings.IndexRune(pairs, r); i >= 0 {
		all := []rune(pairs)
		return string(all[slices.Index(all, r)^1])
	}
	return string(r)
}

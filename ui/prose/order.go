package prose

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// unit is a piece of a line that is drawn as one canvas.Text: one span, one
// direction. text is what is drawn, which differs from the text's own only for
// mirrored brackets and what could not be measured.
type unit struct {
	from, to int
	look     int
	level    int // of direction: odd ones run to the left
	text     string
	ellipsis bool
	x, w     float32
}

// units returns the pieces of a line in the order of the text: its words of one
// look together.
func (f *flow) units(ln line) []unit {
	var us []unit
	for at := int(ln.from); at < int(ln.to); {
		i := f.lookAt(at)
		end := min(int(ln.to), f.looks[i].to)
		us = append(us, unit{from: at, to: end, look: i, text: f.text[at:end]})
		at = end
	}
	if ln.cut {
		i := 0
		if len(us) > 0 {
			i = us[len(us)-1].look
		} else {
			i = f.lookAt(int(ln.from))
		}
		for i > 0 && f.looks[i].chip {
			i--
		}
		us = append(us, unit{from: int(ln.to), to: int(ln.to), look: i, text: ellipsis, ellipsis: true})
	}
	return us
}

// words splits pieces into single words and the spaces between them.
func (f *flow) words(us []unit) []unit {
	var out []unit
	for _, u := range us {
		if f.looks[u.look].chip || u.ellipsis {
			out = append(out, u)
			continue
		}
		for i := f.atomAt(u.from); i < len(f.atoms) && int(f.atoms[i].from) < u.to; i++ {
			part := u
			part.from, part.to = max(u.from, int(f.atoms[i].from)), min(u.to, int(f.atoms[i].to))
			part.text = f.text[part.from:part.to]
			out = append(out, part)
		}
	}
	return out
}

// rtl reports whether the paragraph around a line begins with a letter that is
// written to the left (UAX 9, P2), and whether the line holds any.
func (f *flow) rtl(ln line) (base, mixed bool) {
	mixed = hasRTL(f.text[ln.from:ln.to])
	start := strings.LastIndexByte(f.text[:ln.from], '\n') + 1
	if !mixed && start == int(ln.from) {
		// a line that begins a paragraph and has no such letter need not look on,
		// unless all of it is neutral
		if firstStrong(f.text[ln.from:ln.to]) != 0 {
			return false, false
		}
	}
	end := min(len(f.text), start+chunkBytes)
	if i := strings.IndexByte(f.text[start:end], '\n'); i >= 0 {
		end = start + i
	}
	return firstStrong(f.text[start:end]) > 0, mixed
}

// firstStrong is 1 when the first letter with a direction runs to the left, -1 when
// to the right, 0 when there is none.
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

func hasRTL(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 0xd6 { // U+0590 begins with it
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

// order puts the pieces of a line with letters of both directions into the order
// in which they are drawn from left to right: UAX 9 without its explicit
// characters, which Clean takes out.
func (f *flow) order(us []unit, rtl bool) []unit {
	base := 0
	if rtl {
		base = 1
	}
	var out []unit
	levels := f.levels(us, base)
	at := 0
	for _, u := range us {
		if f.looks[u.look].chip || u.ellipsis {
			u.level = base
			if !u.ellipsis {
				u.level = levels[at]
				at += u.to - u.from
			}
			out = append(out, u)
			continue
		}
		out = append(out, splitLevels(u, levels[at:at+u.to-u.from])...)
		at += u.to - u.from
	}
	reorder(out)
	return out
}

// levels returns the direction level of each byte of the pieces' text.
func (f *flow) levels(us []unit, base int) []int {
	var classes []bidi.Class
	var runes []rune
	for _, u := range us {
		if u.ellipsis {
			continue
		}
		chip := f.looks[u.look].chip
		for _, r := range u.text {
			p, _ := bidi.LookupRune(r)
			c := p.Class()
			if chip {
				c = bidi.ON
			}
			classes = append(classes, c)
			runes = append(runes, r)
		}
	}
	var out []int
	for i, level := range resolve(classes, runes, base) {
		for range utf8.RuneLen(runes[i]) {
			out = append(out, level)
		}
	}
	return out
}

// resolve gives each character its level from the classes of all.
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
		case c == bidi.EN, base == 1: // numbers among such letters, and others' words
			levels[i] = 2
		}
	}
	return levels
}

// weak resolves marks and numbers (UAX 9, W1 to W7): EN is left for a number that
// stands among letters that run to the left.
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

// pairs gives both brackets of a pair one direction (N0): that of the paragraph if a
// letter between them has it or none has another, else the other one if it goes on
// from before them. Brackets deeper than 60 are left.
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

// side counts a number among letters written to the left as one of them.
func side(c bidi.Class) bidi.Class {
	if c == bidi.EN {
		return bidi.R
	}
	return c
}

// neutral gives what has no direction that of its neighbours where they agree, else
// that of the paragraph (N1, N2). A number counts as R.
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

// splitLevels cuts a piece where its level changes.
func splitLevels(u unit, levels []int) []unit {
	var out []unit
	for at := 0; at < len(levels); {
		end := at
		for end < len(levels) && levels[end] == levels[at] {
			end++
		}
		part := u
		part.level = levels[at]
		part.from, part.to = u.from+at, u.from+end
		part.text = u.text[at:end]
		if part.level == 1 {
			out = append(out, splitLeftward(part)...)
		} else {
			out = append(out, part)
		}
		at = end
	}
	return out
}

// splitLeftward cuts a piece that runs to the left into its words and, one by one
// and mirrored, the characters that have no direction of their own: the text
// engine would take those from another font, as a part of its own, and put parts
// from left to right.
func splitLeftward(u unit) []unit {
	var out []unit
	add := func(from, to int, text string) {
		part := u
		part.from, part.to, part.text = u.from+from, u.from+to, text
		out = append(out, part)
	}
	start, end := 0, 0 // the words not yet added, with the spaces within them
	flush := func() {
		if end > start {
			add(start, end, u.text[start:end])
		}
	}
	for i, r := range u.text {
		next := i + utf8.RuneLen(r)
		p, _ := bidi.LookupRune(r)
		switch c := p.Class(); {
		case c == bidi.R || c == bidi.AL:
			if end < i { // what stood between was all spaces
				if end == start {
					for ; start < i; start++ {
						add(start, start+1, " ")
					}
				}
			}
			end = next
		case (c == bidi.NSM || c == bidi.BN) && end == i:
			end = next
		case r == ' ':
		default:
			flush()
			for at := max(end, start); at < i; at++ { // spaces
				add(at, at+1, " ")
			}
			add(i, next, mirror(r))
			start, end = next, next
		}
	}
	flush()
	for at := max(end, start); at < len(u.text); at++ {
		add(at, at+1, " ")
	}
	return out
}

func mirror(r rune) string {
	const pairs = "()[]{}<>«»‹›"
	if i := strings.IndexRune(pairs, r); i >= 0 {
		all := []rune(pairs)
		return string(all[slices.Index(all, r)^1])
	}
	return string(r)
}

// reorder reverses from the highest level to the lowest odd one (L2).
func reorder(us []unit) {
	for level := 2; level >= 1; level-- {
		for i := 0; i < len(us); {
			end := i
			for end < len(us) && us[end].level >= level {
				end++
			}
			slices.Reverse(us[i:end])
			i = max(end, i+1)
		}
	}
}

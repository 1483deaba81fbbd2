package prose

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/bidi"
)

// unit is a piece of a line that is drawn as one canvas.Text: one span, one direction. Its
// text differs from the original only by mirrored brackets and by what could not be
// measured.
type unit struct {
	from, to int
	look     int
	level    int // embedding level: odd ones run from right to left
	text     string
	ellipsis bool
	x, w     float32
}

// units returns the pieces of a line in logical order, one for each span.
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

// words splits pieces into words and the spaces between them.
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

// base reports whether the paragraph that begins at a byte runs from right to left, by its
// first letter (UAX 9, P2).
func (f *flow) base(start int) bool {
	end := min(len(f.text), start+chunkBytes)
	if i := strings.IndexByte(f.text[start:end], '\n'); i >= 0 {
		end = start + i
	}
	return firstStrong(f.text[start:end]) > 0
}

// order returns the pieces of a line of mixed direction in the order in which they are
// drawn from left to right: UAX 9 without the explicit characters, which [Clean] removes.
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
	// Reverse from the highest level to the lowest odd one (L2).
	for level := 2; level >= 1; level-- {
		for i := 0; i < len(out); {
			end := i
			for end < len(out) && out[end].level >= level {
				end++
			}
			slices.Reverse(out[i:end])
			i = max(end, i+1)
		}
	}
	return out
}

// levels returns the embedding level of each byte of the pieces' text.
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

// splitLevels splits a piece where its level changes.
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

// splitLeftward splits a right-to-left piece into words and single, mirrored characters
// without a direction. The text engine would take the latter from another font, as parts of
// their own, and put parts from left to right.
func splitLeftward(u unit) []unit {
	var out []unit
	add := func(from, to int, text string) {
		part := u
		part.from, part.to, part.text = u.from+from, u.from+to, text
		out = append(out, part)
	}
	start, end := 0, 0 // the words not yet added, with the spaces between them
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
			if end == start { // only spaces so far
				for ; start < i; start++ {
					add(start, start+1, " ")
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

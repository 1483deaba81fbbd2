package search

import "strings"

// Emoji are terms of their own, one per picture: what is joined to a picture (a family, a
// profession) belongs to it, and the two letters of a flag are one. Skin tones, the signs
// of gender, and the choice between text and colour are left out, so that one thumb finds
// all thumbs.

const (
	joiner        = 0x200d
	textChoice    = 0xfe0e // and 0xfe0f: draw as text, draw in colour
	keycap        = 0x20e3
	female        = 0x2640
	male          = 0x2642
	firstTone     = 0x1f3fb
	lastTone      = 0x1f3ff
	firstRegional = 0x1f1e6
	lastRegional  = 0x1f1ff
)

// isEmoji reports whether a picture may begin with r. Arrows, frames and text ornaments
// are no pictures, nor are numbers in circles, which are read as numbers.
func isEmoji(r rune) bool {
	switch {
	case r < 0x231a:
		return false
	case r <= 0x23ff, // clocks, keys
		r >= 0x2600 && r <= 0x2775, r >= 0x2794 && r <= 0x27bf, // signs, dingbats
		r >= 0x2b1b && r <= 0x2b59,                                 // squares, stars
		r >= 0x1f000 && r <= 0x1f0ff, r >= 0x1f18e && r <= 0x1f1ff, // tiles, cards, flags
		r >= 0x1f201 && r <= 0x1faff:
		return !isTone(r)
	}
	return false
}

func isTone(r rune) bool     { return r >= firstTone && r <= lastTone }
func isRegional(r rune) bool { return r >= firstRegional && r <= lastRegional }
func isFlagTag(r rune) bool  { return r >= 0xe0020 && r <= 0xe007f }

// emoji yields the picture that begins at start and returns its end.
func (t *tokenizer) emoji(start int) int {
	end := emojiEnd(t.text[start:]) + start
	t.yieldToken(Token{foldEmoji(t.text[start:end]), start, end, TokenEmoji})
	return end
}

// emojiEnd returns the length of the picture at the beginning of s.
func emojiEnd(s string) int {
	last, end, regionals := rune(0), 0, 0
	for i, r := range s {
		switch {
		case i == 0, isTone(r), r == textChoice, r == textChoice+1, r == keycap, isFlagTag(r), r == joiner:
		case isRegional(r) && isRegional(last) && regionals < 2:
		case last == joiner && (isEmoji(r) || r == female || r == male):
		default:
			return end
		}
		if isRegional(r) {
			regionals++
		}
		last = r
		if r != joiner { // a trailing one belongs to nothing
			end = i + len(string(r))
		}
	}
	return end
}

// foldEmoji returns the form of a picture under which it is indexed.
func foldEmoji(picture string) string {
	var b strings.Builder
	joined := false
	for _, r := range picture {
		switch {
		case r == joiner:
			joined = true
		case isTone(r), r == textChoice, r == textChoice+1, r == keycap:
		case joined && (r == female || r == male):
			joined = false
		default:
			if joined {
				b.WriteRune(joiner)
			}
			b.WriteRune(r)
			joined = false
		}
	}
	return cutTerm(b.String())
}

// Package clean makes strangers' text safe to show: a name, a notice, a note.
//
//	name := clean.Line(profile.Name, 64) // one line, at most 64 characters
//	body := clean.Text(note.Content)     // line feeds and tabs stay
package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const maxMarks = 8 // combining marks on one character

// Line makes one line of a stranger's text that is safe to show beside other text: a
// name, a title, a relay's notice. White space of any kind becomes single spaces, with
// none at the ends. Control characters, everything that reorders or hides characters
// (bidirectional controls, zero widths, tags, stray variation selectors) and more than 8
// marks on a character are removed. Joiners stay where they are visible: within emoji,
// and between letters of scripts that are written with them. NUL and invalid UTF-8 become
// U+FFFD. A line of more than maxRunes characters is cut to that length, the last one an
// ellipsis; 0 or less means no limit. Cleaning clean text changes nothing.
func Line(s string, maxRunes int) string {
	c := cleaner{line: true}
	c.clean(s)
	return Cut(c.out.String(), maxRunes)
}

// Text cleans a stranger's text of several lines as Line does, but keeps line feeds,
// tabs, spaces, and the marks that set the direction around them (U+200E, U+200F,
// U+061C). All line ends become line feeds.
func Text(s string) string {
	if isPlain(s) {
		return s
	}
	var c cleaner
	c.clean(s)
	return c.out.String()
}

// isPlain reports whether s is ASCII and already clean as a text of several lines.
func isPlain(s string) bool {
	for _, c := range []byte(s) {
		if c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

type cleaner struct {
	line   bool
	out    strings.Builder
	prev   rune // last one written, 0 at the start
	marks  int  // on the last character
	joiner rune // pending until the character that it may join; 0 if there is none
	space  bool // pending until a character follows
}

func (c *cleaner) clean(s string) {
	c.out.Grow(len(s))
	s = strings.ReplaceAll(s, "\r\n", "\n")
	for _, r := range s {
		switch r {
		case 0:
			r = utf8.RuneError
		case '\r', 0x85, 0x2028, 0x2029:
			r = '\n'
		}
		switch {
		case c.line && isBlank(r):
			c.space, c.joiner = c.prev != 0, 0
		case r == '\n', r == '\t':
			c.write(r)
		case r == 0x200b, r == 0x200c, r == 0x200d:
			c.joiner = r
		case isHidden(r) || c.line && isDirectionMark(r):
		case isVariation(r):
			if selects(c.prev, r) && !c.space {
				c.write(r)
			}
		case unicode.IsMark(r):
			if c.marks < maxMarks && c.prev != 0 && c.prev != '\n' {
				n := c.marks
				c.write(r)
				c.marks = n + 1
			}
		default:
			c.write(r)
		}
	}
}

// write writes a character, and before it the pending space or joiner.
func (c *cleaner) write(r rune) {
	if c.space {
		c.out.WriteByte(' ')
	} else if c.joiner != 0 && joins(c.prev, c.joiner, r) && !(c.line && c.joiner == 0x200b) {
		c.out.WriteRune(c.joiner)
	}
	c.out.WriteRune(r)
	c.prev, c.marks, c.joiner, c.space = r, 0, 0, false
}

// isBlank reports whether r has width but no ink.
func isBlank(r rune) bool {
	switch r {
	case 0x115f, 0x1160, 0x2800, 0x3164, 0xffa0: // fillers, Braille blank
		return true
	}
	return unicode.IsSpace(r)
}

// isHidden reports whether r is never visible, and is neither a joiner nor a direction
// mark.
func isHidden(r rune) bool {
	switch {
	case r < ' ' || r >= 0x7f && r < 0xa0, // controls
		r == 0xad, r == 0x34f, r == 0x180e, r == 0x17b4, r == 0x17b5, r == 0xfeff,
		r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, // bidirectional and invisible
		r >= 0xfff9 && r <= 0xfffb,                     // interlinear
		r >= 0xfdd0 && r <= 0xfdef, r&0xfffe == 0xfffe, // no characters
		r >= 0x1bca0 && r <= 0x1bca3,                               // shorthand controls
		r >= 0x1d173 && r <= 0x1d17a,                               // music controls
		r >= 0xe0000 && r <= 0xe00ff, r >= 0xe01f0 && r <= 0xe0fff: // tags
		return true
	}
	return false
}

func isDirectionMark(r rune) bool { return r == 0x200e || r == 0x200f || r == 0x61c }

func isVariation(r rune) bool {
	return r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0100 && r <= 0xe01ef
}

// selects reports whether a variation selector has a meaning after prev; others are used
// to carry hidden text.
func selects(prev, r rune) bool {
	switch r {
	case 0xfe0e, 0xfe0f:
		return isPictograph(prev) || prev >= '0' && prev <= '9' || prev == '#' || prev == '*'
	case 0xfe00, 0xfe01, 0xfe02:
		return unicode.Is(unicode.Han, prev) || unicode.Is(unicode.Sm, prev)
	}
	return r >= 0xe0100 && unicode.Is(unicode.Han, prev)
}

// joins reports whether a zero-width joiner, non-joiner or space makes a
// difference between two characters.
func joins(prev, joiner, next rune) bool {
	if joiner == 0x200d && isPictograph(next) && (isPictograph(prev) || prev == 0xfe0f) {
		return true
	}
	return usesJoiners(prev) && usesJoiners(next)
}

// usesJoiners reports whether r is a letter or mark of the scripts from Arabic to
// Mongolian, in which joiners choose between forms of letters, or separate words.
func usesJoiners(r rune) bool {
	return r >= 0x600 && r < 0x18b0 && (unicode.IsLetter(r) || unicode.IsMark(r))
}

// isPictograph reports whether r can be an emoji, roughly.
func isPictograph(r rune) bool {
	switch r {
	case 0xa9, 0xae, 0x203c, 0x2049, 0x2122, 0x2139, 0x3030, 0x303d, 0x3297, 0x3299:
		return true
	}
	return r >= 0x1f000 && r <= 0x1faff || r >= 0x2190 && r <= 0x21ff || r >= 0x2300 && r <= 0x27bf ||
		r >= 0x2900 && r <= 0x297f || r >= 0x2b00 && r <= 0x2bff
}

// Cut cuts s to at most n characters, the last one an ellipsis; n of 0 or less means no
// limit. Marks stay with their character.
func Cut(s string, n int) string {
	if n <= 0 || len(s) <= n || utf8.RuneCountInString(s) <= n {
		return s
	}
	end, count := 0, 0
	prev := rune(0)
	for i, r := range s {
		if prev != 0x200d && r != 0x200d && !unicode.IsMark(r) && !(r >= 0x1f3fb && r <= 0x1f3ff) {
			end = i
		}
		if count++; count == n {
			break
		}
		prev = r
	}
	return strings.TrimRightFunc(s[:end], unicode.IsSpace) + "…"
}

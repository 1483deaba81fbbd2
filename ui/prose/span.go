// Package prose draws wrapped text, all that the window has: notes, answers,
// settings. One widget, Text, holds spans of different looks, breaks them into
// lines, and answers quickly how high it is at a width.
//
// What it promises:
//   - the height that HeightFor tells is the height that is drawn;
//   - no line is wider than the width, if one character of it fits; a character
//     (a grapheme cluster: an emoji sequence, a letter with its marks) is never
//     split; nothing is lost but what MaxLines cuts off, with an ellipsis;
//   - work is bounded: a text is cut at 100,000 characters and 2,000 lines, only the
//     lines that are shown are laid out, and no step is quadratic in the text;
//   - characters that order, hide or control others never reach the painter, and
//     what the measuring cannot bear is shown as U+FFFD.
//
// Lines break by UAX 14 and characters by UAX 29, with the tables of the text
// engine that Fyne itself stands on. A line of mixed directions is put in order
// here, since Fyne draws its parts from left to right.
//
// It leaves to others what the text means: who cleans it for reading (ui/present),
// what a link does, and Markdown (ui/markdown).
package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

// maxRunes and maxLines are how much of a text is shown, maxChip how much of a
// chip's; of more links than maxLinks the rest is only seen.
const (
	maxRunes = 100_000
	maxLines = 2_000
	maxChip  = 32
	maxMarks = 8 // combining ones on a character
	maxLinks = 300
)

// Span is a piece of text of one look. A line feed in it ends a line.
type Span struct {
	Text  string
	Size  fyne.ThemeSizeName  // "" is theme.Body
	Color fyne.ThemeColorName // "" is theme.Text, of a link theme.Primary

	Bold, Italic, Mono, Strike, Underline bool

	Mark  bool   // what a search found: on a soft background
	Doubt bool   // what nothing carries: on a warning background; of a chip, in a line
	Code  bool   // a piece of code within a sentence: on a grey background
	Chip  bool   // the number of a citation: small, on a soft rounded box
	Tap   func() // makes it a link
	Tip   string // shown when the mouse rests on a link
	ID    string // of a link, for DumpName
}

// Clean returns s without what must not reach the painter: control characters
// but line feeds (a tab becomes spaces), bidirectional controls, zero widths but
// joiners, stray tags, more than maxMarks marks on a character, bytes that are no
// UTF-8. At most limit characters are kept.
func Clean(s string, limit int) string {
	if isClean(s, limit) {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), 4*limit))
	n, marks := 0, 0
	flag := false // within the sequence of a region's flag
	prev := rune(0)
	for _, r := range s { // bytes that are no UTF-8 come as U+FFFD
		if n >= limit {
			b.WriteString("…")
			break
		}
		was := prev
		prev = r
		switch {
		case r == '\t':
			b.WriteString("    ")
			n += 4
			continue
		case r == '\n' && was == '\r':
			continue
		case r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\v' || r == '\f':
			r = '\n'
		case isTag(r):
			if !flag {
				continue
			}
		case isHidden(r):
			continue
		case r >= 0x300 && unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > maxMarks {
				continue
			}
		default:
			marks = 0
			flag = r == '\U0001f3f4'
		}
		b.WriteRune(r)
		n++
	}
	return b.String()
}

// isClean is the quick way for nearly all texts.
func isClean(s string, limit int) bool {
	if len(s) > limit && utf8.RuneCountInString(s) > limit {
		return false
	}
	marks := 0
	for _, r := range s {
		switch {
		case r < 0x20 && r != '\n', r == utf8.RuneError, r == '\u2028', r == '\u2029', isTag(r), isHidden(r):
			return false
		case r >= 0x300 && r < 0x2e80 && unicode.In(r, unicode.Mn, unicode.Me):
			if marks++; marks > maxMarks {
				return false
			}
		default:
			marks = 0
		}
	}
	return true
}

func isTag(r rune) bool { return r >= 0xe0000 && r <= 0xe007f }

// isHidden reports controls and characters that only order or hide others; the
// joiners of emoji and of Indic and Arabic letters are none of them.
func isHidden(r rune) bool {
	switch {
	case r == '\n' || r >= 0x20 && r < 0x7f:
		return false
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return true
	case r == 0xad, r == 0x061c, r == 0x180e, r == 0x200b, r == 0x200e, r == 0x200f,
		r >= 0x202a && r <= 0x202e, r >= 0x2060 && r <= 0x206f, r == 0xfeff,
		r >= 0xfff9 && r <= 0xfffb:
		return true
	}
	return false
}

// Package prose draws all wrapped text of the window: notes, answers, settings. Its one widget,
// [Text], holds spans in different styles, breaks them into lines, and quickly returns its
// height at a width:
//
//	t := prose.New(prose.Span{Text: "See "}, prose.Span{Text: "the docs", Tap: open})
//	height := t.HeightFor(420)
//
// It guarantees that
//   - the height that HeightFor returns is the height that is drawn;
//   - no line is wider than the width, if one of its characters fits; a character (a grapheme
//     cluster, such as an emoji sequence or a letter with its marks) is never split; and nothing
//     is lost but what MaxLines cuts off, with an ellipsis;
//   - work is bounded: a text is cut at 100,000 characters and 2,000 lines, only the lines shown
//     are laid out, and no step is quadratic in the text;
//   - characters that reorder, hide or control others never reach the painter, and text that
//     makes the text engine panic is shown as U+FFFD.
//
// Lines break by UAX 14 and characters by UAX 29, with the tables of the text engine that Fyne
// uses. Lines of mixed direction are ordered here (UAX 9), since Fyne draws the parts of a line
// from left to right.
//
// ui/present prepares notes for it, ui/markdown answers.
package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
)

const (
	maxRunes = 100_000 // of a text
	maxLines = 2_000   // of a text
	maxChip  = 32      // runes of a chip
	maxMarks = 8       // combining marks on a character
	maxLinks = 300     // that can be clicked; further ones are only drawn
)

// Span is a piece of text in one style. A line feed in it ends a line.
type Span struct {
	Text  string
	Size  fyne.ThemeSizeName  // "" is theme.Body
	Color fyne.ThemeColorName // "" is theme.Text, or theme.Primary for a link

	Bold, Italic, Mono, Strike, Underline bool

	Mark  bool   // a search term: on a soft background
	Doubt bool   // an unsupported claim: on a warning background; a chip gets a border instead
	Code  bool   // code within a sentence: on a grey background
	Chip  bool   // the number of a citation: small, in a soft rounded box
	Tap   func() // makes it a link
	Tip   string // of a link: shown when the mouse rests on it
	// Over is called when the mouse or the keyboard comes to a link and leaves it; may be nil.
	Over func(link fyne.CanvasObject, on bool)
	ID   string // of a link: its name in the dump of rectangles
}

// Clean returns s without what must not reach the painter: control characters other than
// line feeds (a tab becomes four spaces), bidirectional controls, zero-width characters
// other than joiners, stray tags, more than [maxMarks] marks on a character, and invalid
// UTF-8. It keeps at most limit characters.
func Clean(s string, limit int) string {
	if isClean(s, limit) {
		return s
	}
	var b strings.Builder
	b.Grow(min(len(s), 4*limit))
	n, marks := 0, 0
	flag := false // within the sequence of a region's flag
	prev := rune(0)
	for _, r := range s { // invalid bytes become U+FFFD
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

// isClean is the fast path: nearly all texts are clean.
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

// isHidden reports whether r is a control or a character that only orders or hides others.
// The joiners of emoji and of Indic and Arabic letters are not.
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

package present

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"
)

// paragraphs parts a run of spans at empty lines, and removes the places where
// something was taken out, with the space around them.
func paragraphs(spans []Span) []Paragraph {
	var ps []Paragraph
	for _, line := range tidy(lines(spans)) {
		switch {
		case len(line.spans) == 0:
			if len(ps) > 0 && len(ps[len(ps)-1]) > 0 {
				ps = append(ps, nil)
			}
		case len(ps) == 0:
			ps = append(ps, line.spans)
		case len(ps[len(ps)-1]) == 0:
			ps[len(ps)-1] = line.spans
		default:
			p := append(ps[len(ps)-1], Span{Text: "\n"})
			ps[len(ps)-1] = append(p, line.spans...)
		}
	}
	if len(ps) > 0 && len(ps[len(ps)-1]) == 0 {
		ps = ps[:len(ps)-1]
	}
	for i := range ps {
		ps[i] = joined(ps[i])
	}
	return ps
}

// textLine is one line of a note; gone says that something was taken out of it.
type textLine struct {
	spans []Span
	gone  bool
}

func lines(spans []Span) []textLine {
	ls := []textLine{{}}
	for _, s := range spans {
		last := &ls[len(ls)-1]
		if s.Kind == spanGone {
			last.gone = true
			if n := len(last.spans); n > 0 && last.spans[n-1].Kind == spanText {
				last.spans[n-1].Text = strings.TrimRightFunc(last.spans[n-1].Text, unicode.IsSpace) + " "
			}
			continue
		}
		if s.Kind != spanText {
			last.spans = append(last.spans, s)
			continue
		}
		for i, part := range strings.Split(s.Text, "\n") {
			if i > 0 {
				ls = append(ls, textLine{})
				last = &ls[len(ls)-1]
			}
			if n := len(last.spans); last.gone && (n == 0 || strings.HasSuffix(last.spans[n-1].Text, " ")) {
				part = strings.TrimLeftFunc(part, unicode.IsSpace)
			}
			if part != "" {
				last.spans = append(last.spans, Span{Text: part})
			}
		}
	}
	return ls
}

// tidy drops spaces at the ends of lines, and lines of which nothing is left after
// something was taken out.
func tidy(ls []textLine) []textLine {
	kept := ls[:0]
	for _, l := range ls {
		for n := len(l.spans); n > 0 && l.spans[n-1].Kind == spanText; n = len(l.spans) {
			l.spans[n-1].Text = strings.TrimRightFunc(l.spans[n-1].Text, unicode.IsSpace)
			if l.spans[n-1].Text != "" {
				break
			}
			l.spans = l.spans[:n-1]
		}
		if len(l.spans) == 0 && l.gone {
			continue
		}
		kept = append(kept, l)
	}
	return kept
}

// joined makes neighbours of plain text one span.
func joined(p Paragraph) Paragraph {
	out := p[:0:0]
	var text strings.Builder
	for _, s := range p {
		if s.Kind == spanText {
			text.WriteString(s.Text)
			continue
		}
		if text.Len() > 0 {
			out = append(out, Span{Text: text.String()})
			text.Reset()
		}
		out = append(out, s)
	}
	if text.Len() > 0 {
		out = append(out, Span{Text: text.String()})
	}
	return out
}

// clampParagraphs cuts to so many lines and characters, and reports whether it cut.
// What it returns shares nothing with ps that it changes.
func clampParagraphs(ps []Paragraph, maxLines, maxRunes int) ([]Paragraph, bool) {
	out := make([]Paragraph, 0, len(ps))
	for _, p := range ps {
		var kept Paragraph
		maxLines--
		for _, s := range p {
			if maxLines < 0 || maxRunes <= 0 {
				return ellipsis(append(out, kept)), true
			}
			text, cut := s.Text, false
			if s.Kind == spanText {
				text, cut = Clamp(s.Text, maxLines+1, maxRunes)
				maxLines -= strings.Count(text, "\n")
			}
			maxRunes -= len([]rune(text))
			s.Text = strings.TrimSuffix(text, "…")
			if !cut {
				s.Text = text
			}
			kept = append(kept, s)
			if cut {
				return ellipsis(append(out, kept)), true
			}
		}
		out = append(out, kept)
		maxLines-- // the space between
	}
	return out, false
}

// ellipsis ends what was cut.
func ellipsis(ps []Paragraph) []Paragraph {
	for len(ps) > 0 && len(ps[len(ps)-1]) == 0 {
		ps = ps[:len(ps)-1]
	}
	if len(ps) == 0 {
		return []Paragraph{{{Text: "…"}}}
	}
	last := &ps[len(ps)-1]
	if s := &(*last)[len(*last)-1]; s.Kind == spanText {
		s.Text = strings.TrimRightFunc(s.Text, unicode.IsSpace) + "…"
	} else {
		*last = append(*last, Span{Text: " …"})
	}
	return ps
}

const (
	joiner    = '\u200d'
	emojiForm = '\ufe0f'
)

// Width counts the cells that a text takes in a terminal: two for wide characters and
// emoji, none for combining marks.
func Width(s string) int {
	total, last, joined := 0, 0, false
	for _, r := range s {
		w := runeWidth(r)
		switch {
		case joined: // the rest of a joined emoji
			w = 0
		case r == emojiForm && last == 1:
			w = 1
		case r >= 0x1f3fb && r <= 0x1f3ff && last > 0: // skin tones
			w = 0
		}
		joined = r == joiner
		total += w
		if w > 0 {
			last = w
		}
	}
	return total
}

func runeWidth(r rune) int {
	if r == 0 || unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf) || unicode.IsControl(r) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// ClipWidth cuts a text to n cells, with an ellipsis in the place of the rest.
func ClipWidth(s string, n int) string {
	if Width(s) <= n {
		return s
	}
	if n < 2 {
		return "…"
	}
	end := 0
	for i := range s {
		if Width(s[:i]) > n-1 {
			break
		}
		end = i
	}
	return strings.TrimRight(s[:end], string(joiner)) + "…"
}

// PadRight fills a text up to n cells with spaces behind it.
func PadRight(s string, n int) string { return s + strings.Repeat(" ", max(0, n-Width(s))) }

// PadLeft fills a text up to n cells with spaces before it.
func PadLeft(s string, n int) string { return strings.Repeat(" ", max(0, n-Width(s))) + s }

// Clamp cuts a text to so many lines and runes, and reports whether it cut.
func Clamp(text string, lines, runes int) (string, bool) {
	cut := false
	if parts := strings.SplitAfterN(text, "\n", lines+1); len(parts) > lines {
		text, cut = strings.TrimRight(strings.Join(parts[:lines], ""), "\n"), true
	}
	n := 0
	for i := range text {
		if n == runes {
			return strings.TrimRight(text[:i], " \n") + "…", true
		}
		n++
	}
	return text, cut
}

package check

import (
	"fmt"
	"slices"
	"strings"
)

// String describes a mark in a few words.
func (m Mark) String() string {
	switch m.Kind {
	case Uncited:
		return "cites no note"
	case QuoteNotFound:
		if m.Says != "" {
			return fmt.Sprintf("note %d has “%s”", m.Note, m.Says)
		}
		return "not in a note that it cites"
	case NumberUnknown:
		return "this number is in none of its sources"
	case AppOnly:
		return "a model cannot know this"
	case Dangling:
		return "there is no such note"
	case OwnSources:
		return "a list of the model's own"
	}
	return ""
}

// Style is how marks are shown in a text.
type Style struct {
	Open, Close string              // around what is in doubt
	Struck      func(string) string // a reference that names no note
	Words       func(Mark) string   // behind a sentence
	Leave       bool                // out, the sentences, items and rows that have a mark
}

// Show returns a text with its marks, without what is left out. A mark that does not match
// the text is not shown: secrets may have been removed when it was saved.
func Show(text string, marks []Mark, s Style) string {
	type edit struct {
		start, end int
		put        string
	}
	var edits []edit
	var out []span
	if s.Leave {
		out = wholes(text, marks)
	}
	for _, m := range marks {
		if m.Start < 0 || m.End < m.Start || m.After < m.End || m.After > len(text) || text[m.Start:m.End] != m.Text {
			continue
		}
		in := slices.IndexFunc(out, func(w span) bool { return w.start <= m.Start && m.Start < w.end })
		switch {
		case m.Kind == OwnSources:
			end := m.End + len(text[m.End:]) - len(strings.TrimLeft(text[m.End:], "\r\n"))
			edits = append(edits, edit{m.Start, end, ""})
		case in >= 0:
			edits = append(edits, edit{out[in].start, out[in].after, ""})
		case m.Kind == Dangling:
			edits = append(edits, edit{m.Start, m.End, s.Struck(m.Text)})
		case m.Code: // in code nothing can be marked
			edits = append(edits, edit{m.After, m.After, "\n\n" + strings.TrimLeft(s.Words(m), " ") + "\n"})
		default:
			edits = append(edits, edit{m.Start, m.Start, s.Open}, edit{m.End, m.End, s.Close}, edit{m.After, m.After, s.Words(m)})
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var b strings.Builder
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue
		}
		b.WriteString(text[at:e.start] + e.put)
		at = e.end
	}
	return b.String() + text[at:]
}

// wholes returns the parts of a text that are left out as one: sentences of paragraphs, and
// other blocks with their lines. The header of a table is kept, since the table is lost
// without it.
func wholes(text string, marks []Mark) []span {
	kept := []byte(text)
	for _, m := range marks {
		if m.Kind == OwnSources && m.Start >= 0 && m.Start < m.End && m.End <= len(kept) {
			copy(kept[m.Start:m.End], strings.Repeat("\n", m.End-m.Start))
		}
	}
	var out []span
	all := units(string(kept))
	for _, b := range blocks(withoutCode(string(kept))) {
		if b.form == prose {
			for _, u := range all {
				if u.start >= b.start && u.end <= b.end {
					behind := strings.TrimLeft(text[u.end:], " \t")
					out = append(out, span{u.start, u.end, len(text) - len(behind)})
				}
			}
			continue
		}
		line := strings.LastIndexByte(text[:b.start], '\n') + 1
		after := len(text)
		if i := strings.IndexByte(text[b.end:], '\n'); i >= 0 {
			after = b.end + i + 1
		}
		if b.form != heading || !strings.Contains(text[line:b.end], "|") {
			out = append(out, span{line, b.end, after})
		}
	}
	return out
}

package check

import (
	"fmt"
	"slices"
	"strings"
)

// String says in a few words what a mark means.
func (m Mark) String() string {
	switch m.Kind {
	case Uncited:
		return "cites no note"
	case QuoteNotFound:
		if m.Says != "" {
			return fmt.Sprintf("note %d has “%s”", m.Note, m.Says)
		}
		return "not the words of a note that it cites"
	case NumberUnknown:
		return "no tool gave this number"
	case AppOnly:
		return "a model cannot know this"
	case Dangling:
		return "there is no such note"
	case OwnSources:
		return "a list of the model's own"
	}
	return ""
}

// Style says how marks are shown in a text.
type Style struct {
	Open, Close string              // around what is in doubt
	Struck      func(string) string // a reference that names no note
	Words       func(Mark) string   // behind a sentence
	Leave       bool                // out, what has a mark
}

// Show returns a text with its marks in it, without what is left out. A mark that does
// not fit the text (what was saved may lack a secret) is not shown.
func Show(text string, marks []Mark, s Style) string {
	type edit struct {
		start, end int
		put        string
	}
	var edits []edit
	for _, m := range marks {
		if m.Start < 0 || m.End < m.Start || m.After < m.End || m.After > len(text) || text[m.Start:m.End] != m.Text {
			continue
		}
		switch {
		case m.Kind == OwnSources:
			end := m.End + len(text[m.End:]) - len(strings.TrimLeft(text[m.End:], "\r\n"))
			edits = append(edits, edit{m.Start, end, ""})
		case m.Kind == Dangling:
			edits = append(edits, edit{m.Start, m.End, s.Struck(m.Text)})
		case s.Leave:
			edits = append(edits, edit{m.Start, m.After, ""})
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

package builtin

import (
	"regexp"
	"slices"
	"strings"

	"bowerbird/app/builtin/words"
)

// Digest is an answer about what happened, in its parts. It is written as plain Markdown,
// so that a saved chat and an export contain the same sections; [ReadDigest] reads them
// back for the window.
type Digest struct {
	Headline string    // the numbers, or what was asked about
	Time     string    // what it covers; "" where the headline says it
	Status   string    // how complete that is
	Sections []Section // in order; one without a title is the whole answer
	Closing  string    // further figures, what was read, and that no model wrote this
}

// Section is a list under a title.
type Section struct {
	Kind  SectionKind
	Title string // "" for none
	Items []Item
}

// SectionKind is what a section is about.
type SectionKind string

// The sections.
const (
	ForYou  SectionKind = "for-you"
	Stories SectionKind = "stories"
	Rarely  SectionKind = "rarely"
	ToRead  SectionKind = "to-read"
	Brief   SectionKind = "brief" // smaller topics, a line each
)

// Item is one entry of a list: "**Heading** — **Label** text ^1 (note)", further lines
// indented below it. All but the text may be missing.
type Item struct {
	Heading string
	Lines   []Line
	Note    string // figures at the end, such as how many took part
}

// Line is one line of an item. Its text is Markdown with citations.
type Line struct{ Label, Text string }

// titles returns the titles of the sections.
func titles(w *words.Texts) map[SectionKind]string {
	return map[SectionKind]string{ForYou: w.ForYou, Stories: w.TalkedAbout, Rarely: w.Rarely, ToRead: w.ToRead, Brief: w.InBrief}
}

// markdown writes a digest so that ReadDigest reads the same.
func (d *Digest) markdown() string {
	parts := []string{strings.TrimSpace("**" + d.Headline + headlineEnd + d.Time), d.Status}
	for _, s := range d.Sections {
		if s.Title != "" {
			parts = append(parts, sectionMark+s.Title)
		}
		list := make([]string, len(s.Items))
		for i, it := range s.Items {
			list[i] = it.markdown()
		}
		parts = append(parts, strings.Join(list, "\n"))
	}
	return strings.Join(append(parts, d.Closing), "\n\n") + "\n"
}

const (
	sectionMark = "## "
	itemMark    = "- "
	headingEnd  = "** — "
	headlineEnd = "** "
	lineBreak   = "  \n  " // breaks the line in Markdown too
)

func (it *Item) markdown() string {
	lines := make([]string, len(it.Lines))
	for i, l := range it.Lines {
		if lines[i] = l.Text; l.Label != "" {
			lines[i] = "**" + l.Label + "** " + l.Text
		}
	}
	out := itemMark
	if it.Heading != "" {
		out += "**" + it.Heading + headingEnd
	}
	out += strings.Join(lines, lineBreak)
	switch {
	case it.Note == "":
		return out
	case len(lines) > 1: // it is of all of them
		return out + lineBreak + "(" + it.Note + ")"
	}
	return out + " (" + it.Note + ")"
}

// ReadDigest reads an answer of this model; ok is false for other answers.
func ReadDigest(answer string) (d Digest, ok bool) {
	parts := strings.Split(strings.TrimSpace(answer), "\n\n")
	last := len(parts) - 1
	headline, isBold := strings.CutPrefix(parts[0], "**")
	if d.Headline, d.Time, ok = strings.Cut(headline+" ", headlineEnd); !ok || !isBold || last < 3 {
		return Digest{}, false
	}
	d.Time, d.Status, d.Closing = strings.TrimSpace(d.Time), parts[1], parts[last]
	closes, kinds := false, map[string]SectionKind{}
	for _, w := range ownLanguages().words {
		closes = closes || strings.HasSuffix(d.Closing, w.NoModel)
		for kind, title := range titles(w) {
			kinds[title] = kind
		}
	}
	if !closes {
		return Digest{}, false
	}
	s := Section{Kind: Stories}
	for _, part := range parts[2:last] {
		if title, isTitle := strings.CutPrefix(part, sectionMark); isTitle {
			s = Section{Kind: kinds[title], Title: title}
			continue
		}
		s.Items = readItems(part)
		d.Sections = append(d.Sections, s)
	}
	return d, !slices.ContainsFunc(d.Sections, func(s Section) bool { return s.Kind == "" || len(s.Items) == 0 })
}

// readItems reads a list; nil if it is none.
func readItems(list string) []Item {
	list, ok := strings.CutPrefix(list, itemMark)
	if !ok {
		return nil
	}
	var items []Item
	for text := range strings.SplitSeq(list, "\n"+itemMark) {
		items = append(items, readItem(text))
	}
	return items
}

// lastNote matches the figures in brackets behind the last citation of an item, and what is
// said of its note before them.
var lastNote = regexp.MustCompile(`(?s)^(.* \^\d+(?: \([^()^]+\))*)(?: |  \n  )\(([^()^]*\pN[^()^]*)\)$`)

func readItem(text string) Item {
	var it Item
	if m := lastNote.FindStringSubmatch(text); m != nil {
		text, it.Note = m[1], m[2]
	}
	if inner, isBold := strings.CutPrefix(text, "**"); isBold {
		if heading, rest, ok := strings.Cut(inner, headingEnd); ok && !strings.Contains(heading, "**") {
			it.Heading, text = heading, rest
		}
	}
	for line := range strings.SplitSeq(text, lineBreak) {
		var l Line
		l.Text = line
		if inner, isBold := strings.CutPrefix(line, "**"); isBold {
			if label, rest, ok := strings.Cut(inner, "** "); ok {
				l.Label, l.Text = label, rest
			}
		}
		it.Lines = append(it.Lines, l)
	}
	return it
}

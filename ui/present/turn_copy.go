package present

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// Plain returns the answer as text to paste elsewhere, with nostr: links (NIP-21)
// in the place of citations.
func (t Turn) Plain() string {
	links := t.links()
	var parts []string
	for _, b := range t.Blocks {
		switch b := b.(type) {
		case *Notice:
			if b.Name == "unread" {
				parts = append(parts, b.Words.Text)
			}
		case *Said:
			parts = append(parts, cite(b.marked(plainMarks), func(_ string, n int) string { return links[n] }))
		case *Digest:
			parts = append(parts, cite(b.Markdown, func(_ string, n int) string { return links[n] }))
		case *Offer:
			parts = append(parts, b.list())
		case *Refusal:
			parts = append(parts, b.Text)
		case *Table:
			parts = append(parts, tableText(b.TableResult, "\t", ""))
		}
	}
	return strings.Join(parts, "\n\n")
}

// marked returns the text with what was found in it.
func (b *Said) marked(style check.Style) string { return check.Show(b.Markdown, b.Marks, style) }

// What was found, where it is copied to: in English, as the contract of events is.
var (
	plainMarks = check.Style{
		Struck: func(string) string { return "" },
		Words:  func(m check.Mark) string { return " [? " + clean.Line(m.String(), 200) + "]" },
	}
	markdownMarks = check.Style{
		Struck: func(ref string) string { return "~~" + ref + "~~" },
		Words:  func(m check.Mark) string { return ` \[?: ` + plainMarkdown(clean.Line(m.String(), 200)) + `\]` },
	}
)

// Markdown returns the question and the whole answer, with its citations as links,
// tables, and the sources as a list. It holds no image and no HTML.
func (t Turn) Markdown() string {
	links := t.links()
	parts := []string{"> " + strings.ReplaceAll(strings.TrimSpace(t.Question), "\n", "\n> ")}
	for _, b := range t.Blocks {
		switch b := b.(type) {
		case *Said:
			parts = append(parts, linked(b.marked(markdownMarks), links))
		case *Notice:
			if b.Name == "unread" {
				parts = append(parts, "**"+b.Words.Text+"**")
			}
		case *Digest:
			if parts = append(parts, linked(b.Markdown, links)); b.Chart != nil {
				parts = append(parts, chartMarkdown(b.Chart.ChartResult))
			}
		case *Offer:
			parts = append(parts, b.list())
		case *Refusal:
			parts = append(parts, plainMarkdown(b.Text))
		case *Table:
			parts = append(parts, tableMarkdown(b.TableResult))
		case *Chart:
			parts = append(parts, chartMarkdown(b.ChartResult))
		case *Sources:
			parts = append(parts, sourcesMarkdown(b))
		}
	}
	return strings.Join(parts, "\n\n") + "\n"
}

// linked returns Markdown without images and HTML, with its citations as links.
func linked(text string, links map[int]string) string {
	text = strings.NewReplacer("![", `!\[`, "<", "&lt;").Replace(text)
	return cite(text, func(ref string, n int) string {
		if links[n] == "" {
			return ""
		}
		return fmt.Sprintf("[%s](%s)", ref, links[n])
	})
}

// list writes the questions as a list, as they stood in the answer.
func (b *Offer) list() string {
	return "- " + strings.Join(slices.Concat(b.Questions, b.Patterns), "\n- ")
}

// links returns the nostr: links of the sources by their numbers.
func (t Turn) links() map[int]string {
	links := map[int]string{}
	for _, b := range t.Blocks {
		if list, ok := b.(*Sources); ok {
			for _, s := range list.List {
				links[s.Index] = s.Link
			}
		}
	}
	return links
}

// cite puts something else in the place of each citation; one that with returns ""
// for stays.
func cite(text string, with func(ref string, n int) string) string {
	var b strings.Builder
	last := 0
	for _, ref := range check.References(text) {
		if s := with(text[ref.Start:ref.End], ref.Index); s != "" {
			b.WriteString(text[last:ref.Start] + s)
			last = ref.End
		}
	}
	return b.String() + text[last:]
}

func sourcesMarkdown(b *Sources) string {
	var out strings.Builder
	for i, s := range b.List {
		if i > 0 {
			out.WriteByte('\n')
		}
		fmt.Fprintf(&out, "- ^%d %s, %s: “%s” %s", s.Index, plainMarkdown(s.Author), s.At.Format(time.DateOnly), plainMarkdown(s.Quote), s.Link)
	}
	return out.String()
}

func chartMarkdown(c *tools.ChartResult) string {
	title := ""
	if c.Title != "" {
		title = "**" + plainMarkdown(c.Title) + "**\n\n"
	}
	switch {
	case c.Table != nil:
		return title + tableMarkdown(c.Table)
	case strings.Contains(string(c.Spec), "```"):
		return strings.TrimSpace(title)
	}
	return title + "```json\n" + string(c.Spec) + "\n```"
}

func tableMarkdown(t *tools.TableResult) string {
	text := tableText(t, " | ", "| ")
	head, rows, _ := strings.Cut(text, "\n")
	rule := "|"
	for i := range t.Columns {
		if i < len(t.Numeric) && t.Numeric[i] {
			rule += " ---: |"
		} else {
			rule += " --- |"
		}
	}
	out := head + "\n" + rule
	if rows != "" {
		out += "\n" + rows
	}
	if t.Title != "" {
		out = "**" + plainMarkdown(t.Title) + "**\n\n" + out
	}
	return out
}

// tableText writes rows as lines. With an edge they are rows of Markdown.
func tableText(t *tools.TableResult, between, edge string) string {
	names := make([]string, 0, len(t.Columns))
	for _, c := range t.Columns {
		name := c.Label
		if name == "" {
			name = c.Key
		}
		names = append(names, name)
	}
	lines := make([]string, 0, len(t.Rows)+1)
	for _, row := range append([][]string{names}, t.Rows...) {
		cells := make([]string, 0, len(row))
		for _, cell := range row {
			cell = strings.Join(strings.Fields(cell), " ")
			if edge != "" {
				cell = plainMarkdown(cell)
			}
			cells = append(cells, cell)
		}
		line := edge + strings.Join(cells, between)
		if edge != "" {
			line += " |"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// plainMarkdown writes a text so that Markdown shows it as it is.
func plainMarkdown(s string) string {
	var b strings.Builder
	for _, c := range s {
		if strings.ContainsRune("\\`*_[]<>|#!~", c) {
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
	return b.String()
}

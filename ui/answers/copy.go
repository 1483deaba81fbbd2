package answers

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// copier is a block that is copied with its answer, as plain text and as Markdown; "" for
// nothing.
type copier interface {
	plain(paste) string
	markdown(paste) string
}

// paste is what blocks are copied with: the nostr: links (NIP-21) of the sources, by their
// numbers, and the language.
type paste struct {
	links map[int]string
	say   func(Phrase) string
}

// English words a phrase in English.
func English(p Phrase) string {
	var pairs []string
	for name, value := range p.Data {
		pairs = append(pairs, "{{."+name+"}}", fmt.Sprint(value))
	}
	return strings.NewReplacer(pairs...).Replace(p.Text)
}

// Plain returns the answer as text to paste elsewhere, with nostr: links (NIP-21) in place
// of citations.
func (t Turn) Plain() string { return strings.Join(t.copied(copier.plain, English), "\n\n") }

// Markdown returns the question and the whole answer: tables, the sources as a list, and
// citations as links. It contains no images and no HTML. say words what is the program's own.
func (t Turn) Markdown(say func(Phrase) string) string {
	question := "> " + strings.ReplaceAll(strings.TrimSpace(t.Question), "\n", "\n> ")
	return strings.Join(append([]string{question}, t.copied(copier.markdown, say)...), "\n\n") + "\n"
}

func (t Turn) copied(as func(copier, paste) string, say func(Phrase) string) (parts []string) {
	with := paste{t.links(), say}
	for _, b := range t.Blocks {
		if c, ok := b.(copier); ok {
			if text := as(c, with); text != "" {
				parts = append(parts, text)
			}
		}
	}
	return parts
}

func (b *Said) plain(p paste) string    { return cited(b.marked(plainMarks), p.links) }
func (b *Said) markdown(p paste) string { return linked(b.marked(markdownMarks), p.links) }

func (b *Digest) plain(p paste) string { return cited(b.Markdown, p.links) }
func (b *Digest) markdown(p paste) string {
	text := linked(b.Markdown, p.links)
	if b.Chart != nil {
		text += "\n\n" + chartMarkdown(b.Chart.ChartResult)
	}
	return text
}

func (b *Offer) plain(paste) string    { return b.list() }
func (b *Offer) markdown(paste) string { return b.list() }

func (b *Refusal) plain(paste) string    { return b.Text }
func (b *Refusal) markdown(paste) string { return tools.PlainMarkdown(b.Text) }

func (b *Table) plain(paste) string    { return tableText(b.TableResult) }
func (b *Table) markdown(paste) string { return tableMarkdown(b.TableResult) }

func (b *Chart) plain(paste) string    { return "" }
func (b *Chart) markdown(paste) string { return chartMarkdown(b.ChartResult) }

func (b *Sources) plain(paste) string      { return "" }
func (b *Sources) markdown(p paste) string { return sourcesMarkdown(b, p.say) }

func (b *Coverage) plain(paste) string { return "" }
func (b *Coverage) markdown(paste) string {
	return "*Bowerbird: " + tools.PlainMarkdown(coverageLine(b.Summary)) + "*"
}

// Of the notices, only the one that belongs to the answer is copied.
func (b *Notice) plain(paste) string {
	if b.Name == "unread" {
		return b.Words.Text
	}
	return ""
}

func (b *Notice) markdown(p paste) string {
	if b.plain(p) != "" {
		return "**" + p.say(b.Words) + "**"
	}
	return ""
}

// marked returns the text with the marks of the check.
func (b *Said) marked(style check.Style) string { return check.Show(b.Markdown, b.Marks, style) }

// What was found, where it is copied to: in English, as the contract of events is.
var (
	plainMarks = check.Style{
		Struck: func(string) string { return "" },
		Words:  func(m check.Mark) string { return " [? " + clean.Line(m.String(), 200) + "]" },
	}
	markdownMarks = check.Style{
		Struck: func(ref string) string { return "~~" + ref + "~~" },
		Words:  func(m check.Mark) string { return ` \[?: ` + tools.PlainMarkdown(clean.Line(m.String(), 200)) + `\]` },
	}
)

// cited replaces citations by links.
func cited(text string, links map[int]string) string {
	return cite(text, func(_ string, n int) string { return links[n] })
}

// linked returns Markdown without images and HTML, and with its citations as links.
func linked(text string, links map[int]string) string {
	text = strings.NewReplacer("![", `!\[`, "<", "&lt;").Replace(text)
	return cite(text, func(ref string, n int) string {
		if links[n] == "" {
			return ""
		}
		return fmt.Sprintf("[%s](%s)", ref, links[n])
	})
}

// list writes the questions as a list, as in the answer.
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

// cite replaces each citation, unless with returns "" for it.
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

func sourcesMarkdown(b *Sources, say func(Phrase) string) string {
	var out strings.Builder
	out.WriteString("**" + say(phrase("Sources")) + "**\n")
	for _, s := range b.List {
		fmt.Fprintf(&out, "\n- ^%d %s, %s: %s %s", s.Index, tools.PlainMarkdown(s.Author), s.At.Format(time.DateOnly),
			say(phrase("“{{.Text}}”", "Text", tools.PlainMarkdown(s.Quote))), s.Link)
	}
	return out.String()
}

func chartMarkdown(c *tools.ChartResult) string {
	title := ""
	if c.Title != "" {
		title = "**" + tools.PlainMarkdown(c.Title) + "**\n\n"
	}
	switch {
	case c.Refused != "":
		title += "*Not drawn: " + tools.PlainMarkdown(clean.Line(c.Refused, 300)) + "*"
		if c.Table != nil {
			title += "\n\n" + tableMarkdown(c.Table)
		}
		return title
	case c.Table != nil:
		return title + tableMarkdown(c.Table)
	case strings.Contains(string(c.Spec), "```"):
		return strings.TrimSpace(title)
	}
	return title + "```json\n" + string(c.Spec) + "\n```"
}

// widest is how many columns a Markdown table may have; wider ones are unreadable, and
// become rows of text.
const widest = 10

func tableMarkdown(t *tools.TableResult) string {
	title, table := "", t.Markdown()
	if t.Title != "" {
		title = "**" + tools.PlainMarkdown(t.Title) + "**\n\n"
	}
	if len(t.Names()) > widest {
		rows := strings.NewReplacer("\t", " · ", "`", "'").Replace(tableText(t))
		table = "```\n" + rows + "\n```"
	}
	return title + table
}

// coverageLine words what the tools reported of coverage for text that leaves the
// program: in English, which is the language of the events it comes from.
func coverageLine(c tools.CoverageSummary) string {
	if c.Sample {
		return c.Note
	}
	var parts []string
	if all := c.Complete + c.Partly + c.Unreachable; all > 0 {
		parts = append(parts, fmt.Sprintf("complete for %d of the %d people you follow, according to the relays asked.", c.Complete, all))
	}
	if c.AsOf != "" {
		parts = append(parts, "Complete as of "+c.AsOf+".")
	}
	return strings.TrimSpace(strings.Join(append(parts, c.Note), " "))
}

// ended words how a turn ended if not with an answer.
var ended = map[chats.State]string{
	chats.Cancelled: "Stopped by the user.", chats.Waiting: "Waits for an approval.", chats.Interrupted: "Cut off.",
}

// Export writes a chat as Markdown, each turn as [Turn.Markdown] does, with when it was
// asked, of which model, and how it ended if not with an answer. A turn that cannot be read
// is named at the end. Control characters and characters that change the direction of text
// are removed, since a terminal may show the result.
func Export(ctx context.Context, s *chats.Store, id string, find NoteFinder, say func(Phrase) string, w io.Writer) error {
	c, err := s.Load(ctx, id)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", tools.PlainMarkdown(clean.Line(c.Info().Title, 0)))
	for _, saved := range c.Turns {
		fmt.Fprintf(&b, "\n---\n\n*%s*", saved.Asked.Format("2006-01-02 15:04 MST"))
		if saved.Model != "" {
			fmt.Fprintf(&b, " *· %s*", tools.PlainMarkdown(saved.Model))
		}
		b.WriteString("\n\n" + SavedTurn(ctx, saved, "", find).Markdown(say))
		for _, e := range saved.Events {
			if e.Type == agent.EventError {
				fmt.Fprintf(&b, "\n*The answer failed: %s*\n", tools.PlainMarkdown(e.Err.Message))
			}
		}
		if how := ended[saved.State]; how != "" {
			fmt.Fprintf(&b, "\n*%s*\n", how)
		}
	}
	for _, err := range c.Damaged {
		fmt.Fprintf(&b, "\n*Left out: %s*\n", tools.PlainMarkdown(err.Error()))
	}
	if _, err := io.WriteString(w, clean.Text(b.String())); err != nil {
		return fmt.Errorf("export chat %q: %w", id, err)
	}
	return nil
}

// tableText writes rows as lines, with tabs between their cells.
func tableText(t *tools.TableResult) string {
	lines := make([]string, 0, len(t.Rows)+1)
	for _, row := range append([][]string{t.Names()}, t.Rows...) {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = strings.Join(strings.Fields(cell), " ")
		}
		lines = append(lines, strings.Join(cells, "\t"))
	}
	return strings.Join(lines, "\n")
}

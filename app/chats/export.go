package chats

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Export writes a chat as Markdown: questions as quotes, answers as they were
// written with their references as nostr: links (NIP-21), tables, and the
// specifications of charts. What cannot be read is said in its place. Control
// characters and what turns the direction of text are left out: it may be shown in
// a terminal.
func (s *Store) Export(ctx context.Context, id string, w io.Writer) error {
	c, err := s.Load(ctx, id)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n", tools.PlainMarkdown(clean.Line(c.head.Title, maxTitle)))
	for _, t := range c.Turns {
		var turn strings.Builder
		writeTurn(&turn, t)
		fmt.Fprint(out, clean.Text(turn.String()))
	}
	for _, err := range c.Damaged {
		fmt.Fprintf(out, "\n*Left out: %s*\n", tools.PlainMarkdown(err.Error()))
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("export chat %q: %w", id, err)
	}
	return nil
}

func writeTurn(w io.Writer, t Turn) {
	fmt.Fprintf(w, "\n---\n\n*%s*", t.Asked.Format("2006-01-02 15:04 MST"))
	if t.Model != "" {
		fmt.Fprintf(w, " *· %s*", tools.PlainMarkdown(t.Model))
	}
	fmt.Fprintf(w, "\n\n> %s\n", strings.ReplaceAll(strings.TrimSpace(t.Question), "\n", "\n> "))
	links, report := presented(t), checked(t)
	if report != nil && report.Read == 0 {
		fmt.Fprint(w, "\n**Bowerbird: no note was read for this answer.**\n")
	}
	for _, e := range t.Events {
		switch e.Type {
		case agent.EventText, agent.EventRefusal:
			text := e.Delta
			if report != nil && e.Type == agent.EventText {
				text = check.Show(text, report.Of(e.Step), inMarkdown)
			}
			if text = strings.TrimSpace(text); text != "" {
				fmt.Fprintf(w, "\n%s\n", tame(link(text, links)))
			}
		case agent.EventTable:
			writeTable(w, e)
		case agent.EventChart:
			writeChart(w, e)
		case agent.EventError:
			fmt.Fprintf(w, "\n*The answer failed: %s*\n", tools.PlainMarkdown(e.Err.Message))
		}
	}
	switch t.State {
	case Cancelled:
		fmt.Fprint(w, "\n*Stopped by the user.*\n")
	case Waiting:
		fmt.Fprint(w, "\n*Waits for an approval.*\n")
	case Interrupted:
		fmt.Fprint(w, "\n*Cut off.*\n")
	}
}

// checked is what was found in a turn's answer; nil where nothing was looked for.
func checked(t Turn) (report *check.Report) {
	for _, e := range t.Events {
		if e.Type == agent.EventChecked {
			report = e.Checked
		}
	}
	return report
}

// inMarkdown shows marks in Markdown.
var inMarkdown = check.Style{
	Struck: func(ref string) string { return "~~" + ref + "~~" },
	Words:  func(m check.Mark) string { return " \\[?: " + tools.PlainMarkdown(clean.Line(m.String(), 200)) + "\\]" },
}

// presented returns the nostr: links of a turn's notes, by their ^n.
func presented(t Turn) map[int]string {
	links := make(map[int]string)
	for _, e := range t.Events {
		if e.Type != agent.EventPresentNotes {
			continue
		}
		for _, n := range e.Notes.Presented {
			if id, err := nostr.ParseID(n.NoteID); err == nil {
				links[n.Index] = "nostr:" + id.Note()
			}
		}
	}
	return links
}

// link makes the references of a text links; those that name no note stay.
func link(text string, links map[int]string) string {
	var b strings.Builder
	last := 0
	for _, ref := range check.References(text) {
		target, ok := links[ref.Index]
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "%s[%s](%s)", text[last:ref.Start], text[ref.Start:ref.End], target)
		last = ref.End
	}
	return b.String() + text[last:]
}

// widest is how many columns a Markdown table may have; wider ones are unreadable
// as one, and become rows of text.
const widest = 10

// writeTable writes a table event, or the table of a chart that was not drawn.
func writeTable(w io.Writer, e agent.Event) {
	table := e.Table
	if table == nil && e.Chart != nil {
		table = e.Chart.Table
	}
	if table == nil {
		return
	}
	if table.Title != "" {
		fmt.Fprintf(w, "\n**%s**\n", tools.PlainMarkdown(table.Title))
	}
	if names := table.Names(); len(names) > widest {
		fmt.Fprint(w, "\n```\n")
		for _, row := range append([][]string{names}, table.Rows...) {
			line := strings.Join(strings.Fields(strings.Join(row, " · ")), " ")
			fmt.Fprintln(w, strings.ReplaceAll(line, "`", "'"))
		}
		fmt.Fprint(w, "```\n")
		return
	}
	fmt.Fprintf(w, "\n%s\n", table.Markdown())
}

func writeChart(w io.Writer, e agent.Event) {
	if e.Chart.Title != "" {
		fmt.Fprintf(w, "\n**%s**\n", tools.PlainMarkdown(e.Chart.Title))
	}
	if e.Chart.Refused != "" {
		fmt.Fprintf(w, "\n*Not drawn: %s*\n", tools.PlainMarkdown(e.Chart.Refused))
		writeTable(w, e)
		return
	}
	if spec := string(e.Chart.Spec); !strings.Contains(spec, "```") {
		fmt.Fprintf(w, "\n```json\n%s\n```\n", spec)
	}
}

// tame takes from a model's Markdown what would make a viewer fetch something:
// images, and HTML.
func tame(s string) string {
	return strings.NewReplacer("![", `!\[`, "<", "&lt;").Replace(s)
}

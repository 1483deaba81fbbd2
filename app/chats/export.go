package chats

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Export writes a chat as Markdown: questions as quotations, answers with their
// citations as nostr: links (NIP-21), tables, the specifications of charts, the sources
// of each answer and, below a model's answer, how complete the notes behind it are.
// A turn that cannot be read is named in its place. Control characters and characters
// that change the direction of text are removed, since a terminal may show the result.
func (s *Store) Export(ctx context.Context, id string, w io.Writer) error {
	c, err := s.Load(ctx, id)
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "# %s\n", tools.PlainMarkdown(clean.Line(c.head.Title, maxTitle)))
	for _, t := range c.Turns {
		var turn strings.Builder
		s.writeTurn(ctx, &turn, t)
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

func (s *Store) writeTurn(ctx context.Context, w io.Writer, t Turn) {
	fmt.Fprintf(w, "\n---\n\n*%s*", t.Asked.Format("2006-01-02 15:04 MST"))
	if t.Model != "" {
		fmt.Fprintf(w, " *· %s*", tools.PlainMarkdown(t.Model))
	}
	fmt.Fprintf(w, "\n\n> %s\n", strings.ReplaceAll(strings.TrimSpace(t.Question), "\n", "\n> "))
	sources, report := s.sources(ctx, t), checked(t)
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
				fmt.Fprintf(w, "\n%s\n", tame(link(text, sources)))
			}
		case agent.EventTable:
			writeTable(w, e)
		case agent.EventChart:
			writeChart(w, e)
		case agent.EventError:
			fmt.Fprintf(w, "\n*The answer failed: %s*\n", tools.PlainMarkdown(e.Err.Message))
		}
	}
	for i, source := range sources {
		if i == 0 {
			fmt.Fprint(w, "\n**Sources**\n\n")
		}
		fmt.Fprintln(w, source.line())
	}
	if c := coverageOf(t); c != nil && report != nil { // builtin:digest states it in its answer
		fmt.Fprintf(w, "\n*Bowerbird: %s*\n", tools.PlainMarkdown(CoverageLine(*c)))
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

// checked returns the check of a turn's answer, nil if there was none.
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

// FoundNote is what the list of sources shows of a note.
type FoundNote struct {
	Author string
	At     time.Time
	Text   string
}

// source is a presented note, by its number in the answer.
type source struct {
	index int
	link  string
	found *FoundNote // nil if the note is not stored
}

// sources returns the notes that a turn presented, in the order of their numbers.
func (s *Store) sources(ctx context.Context, t Turn) (list []source) {
	known := map[int]bool{}
	for _, e := range t.Events {
		if e.Type != agent.EventPresentNotes {
			continue
		}
		for _, n := range e.Notes.Presented {
			id, err := nostr.ParseID(n.NoteID)
			if err != nil || known[n.Index] { // presented again, it keeps its number
				continue
			}
			known[n.Index] = true
			one := source{index: n.Index, link: "nostr:" + id.Note()}
			if s.opt.FindNote != nil {
				if found, err := s.opt.FindNote(ctx, id); err == nil {
					found.Text = s.opt.Redactor.Text(found.Text) // a list of sources is passed on
					one.found = &found
				}
			}
			list = append(list, one)
		}
	}
	return list
}

func (s source) line() string {
	if s.found == nil {
		return fmt.Sprintf("- ^%d %s", s.index, s.link)
	}
	return fmt.Sprintf("- ^%d %s, %s: “%s” %s", s.index, tools.PlainMarkdown(clean.Line(s.found.Author, 64)),
		s.found.At.Format(time.DateOnly), tools.PlainMarkdown(clean.Line(s.found.Text, 160)), s.link)
}

// coverageOf returns how complete the notes of the people the user follows are for a
// turn: by the coverage tool, else by the turn's first query; nil if neither reported it.
func coverageOf(t Turn) (c *tools.CoverageSummary) {
	for _, e := range t.Events {
		var answer struct {
			Scope             tools.Scope
			Coverage, Summary *tools.CoverageSummary
		}
		if e.Type != agent.EventToolResult || e.Result == nil {
			continue
		}
		raw, err := json.Marshal(e.Result)
		if err != nil || json.Unmarshal(raw, &answer) != nil || answer.Scope.Context != "home" {
			continue
		}
		if answer.Summary != nil || c == nil {
			c = cmp.Or(answer.Summary, answer.Coverage)
		}
	}
	return c
}

// CoverageLine words what the tools reported of coverage for text that leaves the
// program: in English, which is the language of the events it comes from.
func CoverageLine(c tools.CoverageSummary) string {
	var parts []string
	if all := c.Complete + c.Partly + c.Unreachable; all > 0 {
		parts = append(parts, fmt.Sprintf("complete for %d of the %d people you follow, according to the relays asked.", c.Complete, all))
	}
	if c.AsOf != "" {
		parts = append(parts, "Complete as of "+c.AsOf+".")
	}
	return strings.TrimSpace(strings.Join(append(parts, c.Note), " "))
}

// link turns the citations of sources into links; other references stay as they are.
func link(text string, sources []source) string {
	targets := make(map[int]string, len(sources))
	for _, s := range sources {
		targets[s.index] = s.link
	}
	var b strings.Builder
	last := 0
	for _, ref := range check.References(text) {
		target, ok := targets[ref.Index]
		if !ok {
			continue
		}
		fmt.Fprintf(&b, "%s[%s](%s)", text[last:ref.Start], text[ref.Start:ref.End], target)
		last = ref.End
	}
	return b.String() + text[last:]
}

// widest is how many columns a Markdown table may have; wider ones are unreadable, and
// become rows of text.
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

// tame removes from a model's Markdown what would make a viewer fetch something: images and
// HTML.
func tame(s string) string {
	return strings.NewReplacer("![", `!\[`, "<", "&lt;").Replace(s)
}

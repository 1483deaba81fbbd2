package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/app/check"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/answers"
	"bowerbird/ui/chart"
	"bowerbird/ui/present"
)

// defaultWidth is the width of a terminal that does not report one, and of a pipe.
const defaultWidth = 80

// terminal prints a turn as it happens: text to out as it arrives, then tables, charts and
// sources, and progress to err. To a pipe it writes plain text.
type terminal struct {
	out, err io.Writer
	notes    *ndb.Store
	now      time.Time
	width    int
	tty      bool
	line     *progressLine
	charts   string // folder for charts as SVG; "" for bars of text
	dir      string // that charts is relative to; "": the working directory

	screen    *screen                // nil on a pipe
	prose     *wrapper               // for a terminal; nil on a pipe
	held      []part                 // not written yet: it may still be withdrawn, or get marks
	read      bool                   // a tool gave the model notes
	report    *check.Report          // of a model's answer
	marked    map[int]bool           // steps whose texts were written with their marks
	coverage  *tools.CoverageSummary // of what the answer is based on; nil if unknown
	said      bool                   // something was answered
	midLine   bool                   // the last thing written did not end its line
	presented []tools.PresentedNote
	free      bool // no model is asked: there are no costs
	tongue    builtin.Tongue
	drawn     int // charts written so far
	failed    error
}

// part is the text of a step; or, with no step, a table or a chart.
type part struct {
	step int
	text string
}

func newTerminal(p *program, notes *ndb.Store, now time.Time, charts string) *terminal {
	t := &terminal{out: p.out, err: p.err, notes: notes, now: now, width: defaultWidth, line: p.line, charts: charts, dir: p.dir}
	if to, ok := terminalOf(p.out); ok {
		_, height := to.size()
		t.onScreen(p.width(), height)
	}
	return t
}

// onScreen makes it write for a person at a terminal.
func (t *terminal) onScreen(width, height int) {
	t.tty, t.width = true, min(width, 120)
	t.screen = &screen{Writer: t.out, width: width, height: height}
	t.out = t.screen
	t.prose = &wrapper{out: t.out, width: t.width}
}

// draw prints one event of the turn.
func (t *terminal) draw(ctx context.Context, e agent.Event) {
	switch e.Type {
	case agent.EventText, agent.EventRefusal:
		t.say(e.Step, e.Delta)
	case agent.EventToolCall:
		t.step("… " + toolLabel(e.Name))
	case agent.EventToolResult:
		t.reads(readsNotes(e))
		t.learn(e)
		if e.Failure != "" {
			t.progress("… %s: %s", toolLabel(e.Name), clean.Line(e.Failure, 300))
		}
	case agent.EventPresentNotes:
		t.reads(true)
		t.presented = append(t.presented, e.Notes.Presented...)
	case agent.EventTable:
		t.block(tableText(e.Table, t.width))
	case agent.EventChart:
		t.chart(e.Chart)
	case agent.EventRetrying:
		t.takeBack()
		t.held = slices.DeleteFunc(t.held, func(p part) bool { return p.step == e.Step })
		t.reads(false)
		if e.Retry.Reason == "" { // the answer is only withdrawn
			return
		}
		again := "asking again"
		if e.Retry.AfterSeconds >= 1 {
			again = fmt.Sprintf("asking again in %.0f s", e.Retry.AfterSeconds)
		}
		t.warn("%s: %s", again, present.WhyAgain(e.Retry.Reason))
	case agent.EventChecked:
		t.checked(e)
	case agent.EventError:
		t.release()
		t.failed = errors.New(present.ErrorWords(e.Err))
	case agent.EventFinish:
		t.release()
		if t.report != nil {
			t.box()
		}
		t.sources(ctx)
		if spent := spentWords(spentIn(e)); spent != "" && !t.free {
			t.progress("\n%s", spent)
		}
		switch {
		case e.Finish == agent.FinishCancelled:
			t.failed = errStopped
		case e.Finish == agent.FinishFiltered:
			t.warn("The model's server withheld the answer because of its content rules.")
		case e.Trimmed && t.said:
			t.warn("The answer is incomplete: the model did not finish.")
		}
	}
}

func (t *terminal) write(s string) {
	if s == "" {
		return
	}
	_, _ = io.WriteString(t.out, s)
	t.midLine = !strings.HasSuffix(s, "\n")
}

// say prints the assistant's words: to a terminal as they arrive, once notes were read for
// them; to a pipe with their marks.
func (t *terminal) say(step int, s string) {
	if s == "" {
		return
	}
	t.said = true
	if t.holds() {
		t.held = with(t.held, step, s)
		return
	}
	t.screen.parts = with(t.screen.parts, step, s)
	t.put(s)
}

// with appends to the text of a step.
func with(parts []part, step int, s string) []part {
	if last := len(parts) - 1; last >= 0 && parts[last].step == step {
		parts[last].text += s
		return parts
	}
	return append(parts, part{step, s})
}

// takeBack wipes what was said since the last other line from the screen, if it is still
// visible, and holds it again.
func (t *terminal) takeBack() {
	t.endLine()
	if t.screen != nil && t.screen.wipe() {
		t.held, t.screen.parts = append(t.screen.parts, t.held...), nil
	}
}

func (t *terminal) holds() bool { return t.prose == nil || !t.free && !t.read }

// reads records whether the model was given notes.
func (t *terminal) reads(notes bool) {
	t.read = t.read || notes
	if !t.holds() {
		t.release()
	}
}

// put writes words of the assistant.
func (t *terminal) put(s string) {
	if s == "" {
		return
	}
	if !t.free {
		s = foreign(s)
	}
	s = clean.Text(s)
	if t.prose == nil {
		t.write(s)
		return
	}
	t.prose.text(s)
	t.midLine = !strings.HasSuffix(s, "\n")
}

// release writes what is held, with the marks that are known by now.
func (t *terminal) release() {
	held := t.held
	t.held = nil
	for _, p := range held {
		switch {
		case p.step == 0:
			t.endLine()
			t.write(p.text)
		case t.report != nil:
			if t.marked == nil {
				t.marked = make(map[int]bool)
			}
			t.marked[p.step] = true
			t.endLine()
			t.put(strings.TrimRight(check.Show(p.text, t.report.Of(p.step), inTerminal), "\n"))
		default:
			t.endLine()
			t.put(p.text)
		}
	}
	if t.screen != nil && t.report == nil {
		t.screen.parts = append(t.screen.parts, held...)
	}
	t.endLine()
}

func (t *terminal) endLine() {
	switch {
	case !t.midLine:
	case t.prose != nil:
		t.put("\n")
	default:
		t.write("\n")
	}
}

func (t *terminal) block(s string) {
	t.said = true
	s = "\n" + strings.TrimRight(s, "\n") + "\n\n"
	if t.holds() {
		t.held = append(t.held, part{text: s})
		return
	}
	t.screen.parts = append(t.screen.parts, part{text: s})
	t.endLine()
	t.write(s)
}

// step shows what is being done, until something else is said.
func (t *terminal) step(text string) {
	if t.tty {
		t.endLine() // text that was said must not be wiped
		t.line.show(text)
	}
}

// progress is shown at a terminal only: a pipe gets the answer alone.
func (t *terminal) progress(format string, args ...any) {
	if t.tty {
		t.warn(format, args...)
	}
}

// warn writes to err, wherever out goes.
func (t *terminal) warn(format string, args ...any) {
	say(t.err, format, args...)
	if t.screen != nil {
		t.screen.parts, t.screen.rows = nil, 0 // what is above this line stays
	}
}

// sources lists the presented notes once each, with their numbers.
func (t *terminal) sources(ctx context.Context) {
	own := ""
	if t.report != nil {
		own = bar
	}
	var (
		indexes []int
		notes   []answers.FoundNote
		names   []string
		keys    []nostr.PubKey
	)
	for _, n := range t.presented {
		if slices.Contains(indexes, n.Index) {
			continue
		}
		note := t.find(ctx, n.NoteID)
		indexes, notes = append(indexes, n.Index), append(notes, note)
		names, keys = append(names, note.Author), append(keys, note.PubKey)
	}
	for i, name := range present.Distinct(names, keys) {
		if i == 0 {
			t.write(strings.TrimSpace(own) + "\n" + own + t.tongue.Sources() + "\n")
		}
		for line := range strings.Lines(t.source(indexes[i], name, notes[i])) {
			t.write(own + foreign(line))
		}
	}
}

// find reads a note. If it cannot be read it has no link, and its text says why.
func (t *terminal) find(ctx context.Context, hex string) answers.FoundNote {
	id, err := nostr.ParseID(hex)
	if err != nil {
		return answers.FoundNote{Text: "(unknown note)"}
	}
	note, err := answers.StoreNotes{Store: t.notes}.FindNote(ctx, id)
	if err != nil {
		return answers.FoundNote{Text: fmt.Sprintf("(the note cannot be read: %v)", err)}
	}
	// The short code fits into a line; the window uses the long one, with the author.
	note.Link = "nostr:" + id.Note()
	return note
}

func (t *terminal) source(index int, name string, note answers.FoundNote) string {
	if note.Link == "" {
		return fmt.Sprintf("^%d  %s\n", index, note.Text)
	}
	text := clean.Line(cmp.Or(note.Title, note.Spoken, note.Text), 160)
	line := fmt.Sprintf("%-4s %s, %s: %s", fmt.Sprintf("^%d", index), name, t.tongue.When(note.At, t.now), text)
	if t.tty {
		line = present.ClipWidth(line, t.width)
	}
	return line + "\n     " + note.Link + "\n"
}

func (t *terminal) chart(c *tools.ChartResult) {
	if c.Refused != "" || c.Chart == nil {
		t.endLine()
		t.warn("the chart could not be drawn (%s); here is its data", clean.Line(c.Refused, 300))
		if c.Table != nil {
			t.block(tableText(c.Table, t.width))
		}
		return
	}
	if t.charts == "" {
		t.block(chart.Text(c.Chart, t.width, t.when))
		return
	}
	file, err := t.saveChart(c)
	t.endLine()
	if err != nil { // the chart may have cost money: it is shown as text
		t.block(chart.Text(c.Chart, t.width, t.when))
		t.failed = fmt.Errorf("the chart could not be saved in %s and is in the answer as text: %w", t.charts, err)
		return
	}
	t.block("Chart: " + file)
}

// when writes a time of a chart in the language of the answer.
func (t *terminal) when(at time.Time, day bool) string {
	if day {
		return t.tongue.Day(at)
	}
	return t.tongue.When(at, t.now)
}

func (t *terminal) saveChart(c *tools.ChartResult) (string, error) {
	folder := t.charts
	if !filepath.IsAbs(folder) {
		folder = filepath.Join(t.dir, folder)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	t.drawn++
	name := fmt.Sprintf("chart-%d.svg", t.drawn)
	f, err := os.Create(filepath.Join(folder, name))
	if err != nil {
		return "", err
	}
	err = chart.SVG(f, c.Chart)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	return filepath.Join(t.charts, name), err
}

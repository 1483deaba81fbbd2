package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/term"

	"bowerbird/app/agent"
	"bowerbird/app/check"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
	"bowerbird/ui/present"
)

// screen is a terminal from which the last lines can be wiped: it counts their rows and
// keeps their contents.
type screen struct {
	io.Writer
	width, height int
	rows          int
	line          string // the last one, which is not complete yet
	parts         []part
}

// escapes matches the sequences of ECMA-48, which have no width.
var escapes = regexp.MustCompile(`\x1b\[[0-9;]*[A-Za-z]`)

func (s *screen) Write(p []byte) (int, error) {
	s.line += string(p)
	for {
		line, rest, whole := strings.Cut(s.line, "\n")
		if !whole {
			return s.Writer.Write(p)
		}
		cells := present.Width(escapes.ReplaceAllString(line, ""))
		s.rows += max(1, (cells+s.width-1)/s.width)
		s.line = rest
	}
}

// wipe erases the counted rows; false if some of them have scrolled off the screen. The
// cursor must be at the beginning of a line.
func (s *screen) wipe() bool {
	if s.rows >= s.height {
		return false
	}
	if s.rows > 0 {
		_, _ = fmt.Fprintf(s.Writer, "\x1b[%dA\r\x1b[J", s.rows)
	}
	s.rows = 0
	return true
}

// wrapper writes streamed Markdown to a terminal: it breaks lines between words, indents
// list items, and prints **bold** as bold. It holds back at most one word, so that text
// appears as it arrives.
type wrapper struct {
	out    io.Writer
	width  int
	col    int // of the next cell
	indent int // of the further lines of a list item
	lead   int // spaces at the beginning of the line
	space  bool
	word   strings.Builder
	bold   bool
	struck bool
}

// The escape sequences of ECMA-48 that nearly every terminal knows.
const (
	boldOn  = "\x1b[1m"
	boldOff = "\x1b[22m"

	strikeOn  = "\x1b[9m"
	strikeOff = "\x1b[29m"
)

// text receives the next piece, without control characters except line ends.
func (w *wrapper) text(s string) {
	for _, r := range s {
		switch {
		case r == '\n':
			w.newline()
		case r == ' ':
			w.flush()
			if w.space = w.col > 0; !w.space {
				w.lead++
			}
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			w.flush() // scripts without spaces break anywhere
			w.word.WriteRune(r)
			w.flush()
		default:
			w.word.WriteRune(r)
		}
	}
}

// flush writes the word that was held back.
func (w *wrapper) flush() {
	if w.word.Len() == 0 {
		return
	}
	word := w.word.String()
	w.word.Reset()
	cells := present.Width(strings.NewReplacer("**", "", "~~", "").Replace(word))
	gap := 0
	if w.space {
		gap = 1
	}
	if w.col > 0 && w.col+gap+cells > w.width && !closes(word) {
		w.write("\n" + strings.Repeat(" ", w.indent))
		w.col, gap = w.indent, 0
	}
	if w.col == 0 {
		switch {
		case word == "##": // a title
			w.bold, w.lead = true, 0
			w.write(boldOn)
			return
		case word == "-" || word == "*":
			w.indent = 2
		case w.lead >= 2: // further lines of an item
			w.indent, w.col = 2, 2
			w.write("  ")
		}
	}
	w.write(strings.Repeat(" ", gap) + w.styled(word))
	w.col += gap + cells
	w.space = false
}

// closes reports whether a word is punctuation that must not begin a line.
func closes(word string) bool { return strings.Trim(word, ".,;:!?)”»」』。、") == "" }

// styled replaces ** by bold on and off, and ~~ by strike-through.
func (w *wrapper) styled(word string) string {
	word = toggle(word, "**", &w.bold, boldOn, boldOff)
	return toggle(word, "~~", &w.struck, strikeOn, strikeOff)
}

func toggle(word, mark string, on *bool, begin, end string) string {
	for strings.Contains(word, mark) {
		*on = !*on
		style := end
		if *on {
			style = begin
		}
		word = strings.Replace(word, mark, style, 1)
	}
	return word
}

// newline ends a line, and with it bold and strike-through.
func (w *wrapper) newline() {
	w.flush()
	if w.bold {
		w.write(boldOff)
		w.bold = false
	}
	if w.struck {
		w.write(strikeOff)
		w.struck = false
	}
	w.write("\n")
	w.col, w.indent, w.lead, w.space = 0, 0, 0, false
}

func (w *wrapper) write(s string) { _, _ = io.WriteString(w.out, s) }

// progressLine is the line of a terminal that shows progress. The next one replaces it, and
// any other output erases it.
type progressLine struct {
	to    display // nil if there is none
	mu    sync.Mutex
	shown bool
}

func newProgressLine(err io.Writer) *progressLine {
	to, _ := terminalOf(err)
	return &progressLine{to: to}
}

// display is a terminal that is written to.
type display interface {
	io.Writer
	size() (width, height int) // in cells; 0 if unknown
}

// fileDisplay is a terminal of this process.
type fileDisplay struct{ *os.File }

func (f fileDisplay) size() (width, height int) {
	width, height, _ = term.GetSize(int(f.Fd())) // 0 if unknown
	return width, height
}

// terminalOf returns the terminal that w writes to, if it is one.
func terminalOf(w io.Writer) (display, bool) {
	switch under := w.(type) {
	case *stickyWriter:
		return terminalOf(under.out)
	case wiper:
		return terminalOf(under.Writer)
	case display:
		return under, true
	case *os.File:
		if term.IsTerminal(int(under.Fd())) {
			return fileDisplay{under}, true
		}
	}
	return nil, false
}

// wipeLine moves to the beginning of a terminal's line and erases it.
const wipeLine = "\r\x1b[K"

// show replaces the line, cut to the width of the terminal.
func (l *progressLine) show(text string) {
	if l.to == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	width := defaultWidth
	if w, _ := l.to.size(); w > 1 {
		width = w
	}
	_, _ = io.WriteString(l.to, wipeLine+present.ClipWidth(text, width-1))
	l.shown = true
}

func (l *progressLine) wipe() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.shown {
		_, _ = io.WriteString(l.to, wipeLine)
		l.shown = false
	}
}

// wiper erases the progress line before it writes.
type wiper struct {
	io.Writer
	line *progressLine
}

func (w wiper) Write(p []byte) (int, error) {
	w.line.wipe()
	return w.Writer.Write(p)
}

// progress shows progress: in place on a terminal, otherwise as a new line.
func (p *program) progress(format string, args ...any) {
	if p.line.to == nil {
		p.say(format, args...)
		return
	}
	p.line.show(fmt.Sprintf(format, args...))
}

// The limits of a table in a terminal; the window and --json show all of it.
const (
	tableRows = 40
	cellWidth = 40 // cells of the terminal
)

// tableText formats a table with aligned columns, numbers to the right.
func tableText(t *tools.TableResult, width int) string {
	var rows [][]string
	widths := make([]int, len(t.Columns))
	for _, r := range append([][]string{t.Names()}, t.Rows[:min(len(t.Rows), tableRows)]...) {
		line := make([]string, len(t.Columns))
		for i := range min(len(line), len(r)) {
			line[i] = present.ClipWidth(clean.Line(r[i], 2*cellWidth), cellWidth)
			widths[i] = max(widths[i], present.Width(line[i]))
		}
		rows = append(rows, line)
	}
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(clean.Line(t.Title, 120) + "\n")
	}
	for i, r := range rows {
		writeRow(&b, r, widths, t.Numeric)
		if i == 0 {
			total := 2 * (len(widths) - 1)
			for _, w := range widths {
				total += w
			}
			b.WriteString(strings.Repeat("─", min(width, total)) + "\n")
		}
	}
	if left := len(t.Rows) - tableRows; left > 0 {
		b.WriteString("… and " + numberWords(left, "more row") + "\n")
	}
	return b.String()
}

func writeRow(b *strings.Builder, row []string, widths []int, numeric []bool) {
	for i, s := range row {
		if i > 0 {
			b.WriteString("  ")
		}
		switch {
		case i < len(numeric) && numeric[i]:
			b.WriteString(present.PadLeft(s, widths[i]))
		case i == len(row)-1:
			b.WriteString(s)
		default:
			b.WriteString(present.PadRight(s, widths[i]))
		}
	}
	b.WriteByte('\n')
}

// bar begins every line that the program itself adds to a model's answer; foreign removes
// it from the text of others.
const bar = "┃ "

// nothingRead precedes an answer for which no note was read.
const nothingRead = bar + "No note was read for this answer.\n\n"

// foreign makes a text of others distinguishable from the program's lines: upright bars, of
// which many look alike, become that of the keyboard.
func foreign(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 0x2502 && r <= 0x2503, r >= 0x2506 && r <= 0x2507, r >= 0x250a && r <= 0x250b, r >= 0x251c && r <= 0x252b,
			r == 0x2551, r >= 0x255e && r <= 0x2563, r >= 0x2588 && r <= 0x2590, r >= 0x2758 && r <= 0x275a, r == 0x23b8, r == 0x23b9, r == 0xffe8:
			return '|'
		}
		return r
	}, s)
}

// inTerminal shows marks as words, and strikes out in Markdown.
var inTerminal = check.Style{
	Struck: func(ref string) string { return "~~" + ref + "~~" },
	Words:  func(m check.Mark) string { return " [? " + m.String() + "]" },
}

// checkedWords returns what was checked in an answer and what was found, in sentences.
func checkedWords(r *check.Report) []string {
	var out []string
	add := func(n int, one, many string) {
		switch n {
		case 0:
		case 1:
			out = append(out, one)
		default:
			out = append(out, fmt.Sprintf(many, n))
		}
	}
	kinds := map[check.Kind]int{}
	for _, m := range r.Marks {
		kinds[m.Kind]++
	}
	part := func(held, all int, words string) {
		if all > 0 {
			out = append(out, fmt.Sprintf("%d of %d ", held, all)+words)
		}
	}
	part(r.Cited, r.Sentences, "statements cite a note.")
	part(r.Found, r.Quotes, "quotations are in a cited note.")
	part(r.Given, r.Numbers, "counts of people or notes come from a tool or a cited note.")
	add(kinds[check.Dangling], "1 citation leads to no note and is struck out.", "%d citations lead to no note and are struck out.")
	add(kinds[check.AppOnly], "1 sentence claims what a model cannot know: how complete the notes are.", "%d sentences claim what a model cannot know: how complete the notes are.")
	add(kinds[check.OwnSources], "1 list of sources written by the model is left out.", "%d lists of sources written by the model are left out.")
	return out
}

// checked finishes an answer: it adds marks to what can still be changed.
func (t *terminal) checked(e agent.Event) {
	t.report = e.Checked
	if len(t.report.Marks) > 0 {
		t.takeBack() // to be shown with its marks
	}
	if t.report.Read == 0 {
		t.write(nothingRead)
	}
	t.release()
}

// box writes the program's own lines below a model's answer.
func (t *terminal) box() {
	lines := checkedWords(t.report)
	for _, m := range t.report.Marks {
		if !t.marked[m.Step] { // its sentence was written without the mark
			lines = append(lines, fmt.Sprintf("[?] “%s”: %s", present.ClipWidth(clean.Line(m.Text, 200), 60), clean.Line(m.String(), 200)))
		}
	}
	if t.coverage != nil {
		lines = append(lines, coverageWords(*t.coverage)...)
	}
	if len(lines)+len(t.presented) == 0 {
		return
	}
	t.write("\n" + bar + "Checked by Bowerbird. A model cannot write lines that begin with this bar.\n")
	for _, l := range lines {
		t.write(bar + foreign(l) + "\n")
	}
}

// learn keeps the coverage that a tool reports of the people followed: that of the coverage
// tool, otherwise of the first query. It is said where an answer is checked.
func (t *terminal) learn(e agent.Event) {
	if t.free {
		return
	}
	raw, err := json.Marshal(e.Result)
	var said struct {
		Scope             tools.Scope
		Coverage, Summary *tools.CoverageSummary
	}
	if err != nil || json.Unmarshal(raw, &said) != nil || said.Scope.Context != "home" {
		return
	}
	if c := cmp.Or(said.Summary, said.Coverage); c != nil && (t.coverage == nil || c == said.Summary) {
		t.coverage = c
	}
}

// readsNotes reports whether a tool returned notes to the model.
func readsNotes(e agent.Event) bool {
	switch v := any(e.Result).(type) {
	case tools.QueryResult:
		return len(v.Notes) > 0
	case tools.NoteResult, tools.ThreadResult:
		return true
	}
	return false
}

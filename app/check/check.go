// Package check examines what a language model answered, sentence by sentence, and reports
// what can be checked without understanding it:
//
//   - a sentence that states something cites a presented note, or is marked; headings,
//     introductions, questions, advice, "I found nothing", definitions and the like state
//     nothing;
//   - words in quotation marks are in a note that the sentence cites;
//   - a number of people or notes came from a tool or is in such a note; if a sentence cites
//     notes, the tool counted what the sentence or the notes are about, and every other
//     number of some size is in one of them;
//   - ^n names a presented note;
//   - what only the app can know ("you are up to date") is not claimed by the model, unless
//     it cites a note that may say so about somebody else;
//   - the model's own list of sources, footnotes or drawn frame is left out.
//
// It never reports that a sentence is true. It knows no store, no window and no network, and
// its input may be anything.
//
//	report := check.Text(answer, facts)
//	shown := check.Show(answer, report.Marks, style)
package check

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is what is wrong with a piece of an answer.
type Kind string

// The kinds of marks.
const (
	Uncited       Kind = "uncited"
	QuoteNotFound Kind = "quote_not_in_note"
	NumberUnknown Kind = "number_not_given"
	Dangling      Kind = "dangling"
	AppOnly       Kind = "app_only_claim"
	OwnSources    Kind = "own_sources"
)

// Mark is one finding. Its positions are byte offsets in the text that was checked.
type Mark struct {
	Step  int    `json:"step,omitempty"` // the model call whose text it is; set by [Report.Add]
	Start int    `json:"start"`
	End   int    `json:"end"`
	Kind  Kind   `json:"mark"`
	Text  string `json:"text"`               // what is marked: text[Start:End]
	After int    `json:"sentence_end"`       // the end of the sentence, including its citations
	Note  int    `json:"note,omitempty"`     // QuoteNotFound: the note with similar words
	Says  string `json:"note_has,omitempty"` // these words
	Code  bool   `json:"code,omitempty"`     // it is in a block of code, which ends at After
}

// Note is a presented note; ^1 is the first.
type Note struct {
	Author string // identifies the author
	Name   string // of the author, where it is known
	Text   string // title and content
	Counts []int  // of its answers, likes and the like, as tools gave them
}

// Facts are what an answer is checked against.
type Facts struct {
	Notes  []Note
	Counts []int // reported by tools
	// Of lists, for counts that a tool gave of something in particular, names, keys and
	// words that were searched for.
	Of       map[int][]string
	Names    []string // of the authors of what was read
	Question string   // its words and numbers may be repeated
}

// Report is what was found. Its counts are what was checked, and how much of it passed.
type Report struct {
	Read      int    `json:"notes_read"` // in this turn; set by the caller
	Sentences int    `json:"sentences"`  // that state something
	Cited     int    `json:"cited"`
	Quotes    int    `json:"quotes"`
	Found     int    `json:"quotes_found"`
	Numbers   int    `json:"numbers"` // of people and of notes
	Given     int    `json:"numbers_given"`
	Marks     []Mark `json:"marks"`
}

// Of returns the marks of a step's text.
func (r *Report) Of(step int) []Mark {
	var marks []Mark
	for _, m := range r.Marks {
		if m.Step == step {
			marks = append(marks, m)
		}
	}
	return marks
}

// Add adds the report of a later text.
func (r *Report) Add(step int, more Report) {
	r.Sentences += more.Sentences
	r.Cited += more.Cited
	r.Quotes += more.Quotes
	r.Found += more.Found
	r.Numbers += more.Numbers
	r.Given += more.Given
	for _, m := range more.Marks {
		m.Step = step
		r.Marks = append(r.Marks, m)
	}
}

// checker checks an answer against its facts.
type checker struct {
	text   string
	plain  string // without code
	facts  Facts
	asked  string       // the words of the question
	names  []string     // the first names of the authors that were read
	notes  []ready      // as facts.Notes
	counts map[int]bool // from tools, or implied by what was presented
	asks   map[int]bool // the numbers of the question
	report Report

	wasGeneral bool // the previous sentence was general

	looked   int // quotations searched for so far
	compared int // pairs of tokens compared so far; see near
}

// ready is a note that is prepared once, to be searched often.
type ready struct {
	words   string
	tokens  []token
	numbers map[int]bool
}

// Limits of what is checked, since a model can be made to write anything. Nobody reads as
// much, and what is beyond counts as unsupported.
const (
	mostText   = 64 << 10
	mostQuotes = 500
)

// Text checks the text of one step of an answer.
func Text(text string, facts Facts) Report {
	c := &checker{
		facts: facts, asked: wordsOf(facts.Question), notes: make([]ready, len(facts.Notes)), counts: make(map[int]bool), asks: make(map[int]bool),
	}
	c.report.Marks = []Mark{}
	whole := text
	if len(text) > mostText {
		text = strings.ToValidUTF8(text[:mostText], "")
	}
	c.text, c.plain = text, withoutCode(text)
	c.given()
	kept := []byte(text)
	for _, d := range c.ownSources() {
		copy(kept[d.start:d.end], strings.Repeat("\n", d.end-d.start))
	}
	all := units(string(kept))
	for i := range all {
		c.unit(all, i)
	}
	c.codeBlocks()
	if c.text = whole; len(text) < len(whole) {
		c.report.Sentences++
		c.mark(Uncited, len(text), len(whole), len(whole))
	}
	slices.SortStableFunc(c.report.Marks, func(a, b Mark) int { return a.Start - b.Start })
	return c.report
}

// given collects the numbers that need no note.
func (c *checker) given() {
	for _, n := range c.facts.Counts {
		c.counts[n] = true
	}
	for _, n := range numbers(c.facts.Question) {
		c.asks[n.value] = true
	}
	authors := make(map[string]bool)
	for _, n := range c.facts.Notes {
		authors[n.Author] = true
	}
	for _, name := range c.facts.Names {
		first, _, _ := strings.Cut(wordsOf(name), " ")
		if utf8.RuneCountInString(first) >= 2 && !slices.Contains(c.names, first) {
			c.names = append(c.names, first)
		}
	}
	c.counts[len(c.facts.Notes)] = true
	c.counts[len(authors)] = true
}

func (c *checker) note(n int) *ready {
	r := &c.notes[n-1]
	if r.numbers == nil {
		note := c.facts.Notes[n-1]
		r.words, r.tokens, r.numbers = wordsOf(note.Text), tokens(note.Text), make(map[int]bool)
		for _, x := range numbers(note.Text) {
			r.numbers[x.value] = true
		}
		for _, x := range note.Counts {
			r.numbers[x] = true
		}
	}
	return r
}

func (c *checker) mark(kind Kind, start, end, after int) *Mark {
	c.report.Marks = append(c.report.Marks, Mark{Start: start, End: end, Kind: kind, Text: c.text[start:end], After: after})
	return &c.report.Marks[len(c.report.Marks)-1]
}

func (c *checker) unit(all []unit, i int) {
	u := all[i]
	notes := c.struck(u)
	if u.form == quoted && len(u.refs) == 0 {
		notes = c.beside(all, i)
	}
	body := c.body(u)
	words := " " + wordsOf(body) + " "
	// With a citation, it may report what somebody wrote, but not about the reader.
	if c.appOnly(words) && (len(notes) == 0 || c.ofReader(words)) {
		c.mark(AppOnly, u.start, u.end, u.end)
		return
	}
	free := u.form == heading && !c.headline(all, i, words) || c.free(u, body, words)
	c.wasGeneral = free && c.general(body, words)
	badQuote := c.quotes(u, notes, free && u.form != quoted && !c.named(words))
	badCount, counted := c.countsOf(u, all, i, notes)
	c.figures(u, all, i, notes)
	if len(notes) > 0 {
		c.report.Sentences++
		c.report.Cited++
		return
	}
	if free || counted && !badCount || u.form == quoted && !badQuote {
		return
	}
	c.report.Sentences++
	if !badQuote && !badCount && len(u.refs) == 0 {
		c.mark(Uncited, u.start, u.end, u.end)
	}
}

// struck marks the citations of notes that do not exist, and returns the others.
func (c *checker) struck(u unit) []int {
	for _, r := range u.refs {
		if !c.valid(r) {
			c.mark(Dangling, r.Start, r.End, u.end)
		}
	}
	return c.cites(u)
}

func (c *checker) valid(r Reference) bool { return r.Index >= 1 && r.Index <= len(c.facts.Notes) }

func (c *checker) cites(u unit) []int {
	var notes []int
	for _, r := range u.refs {
		if c.valid(r) && !slices.Contains(notes, r.Index) {
			notes = append(notes, r.Index)
		}
	}
	return notes
}

func (c *checker) beside(all []unit, i int) []int {
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(all) {
			continue
		}
		if notes := c.cites(all[j]); len(notes) > 0 {
			return notes
		}
	}
	return nil
}

func (c *checker) body(u unit) string {
	b := []byte(c.plain[u.start:u.end])
	for _, q := range quotations(string(b)) {
		blank(b[q.start:q.end])
	}
	for _, r := range u.refs {
		blank(b[r.Start-u.start : r.End-u.start])
	}
	return string(b)
}

// countsOf checks the numbers of people and notes in a sentence. counted reports that there
// were any.
func (c *checker) countsOf(u unit, all []unit, i int, notes []int) (bad, counted bool) {
	found := c.counted(c.body(u))
	if len(found) == 0 {
		return false, false
	}
	cited, authors := c.below(all, i)
	for _, n := range found {
		if c.asks[n.value] {
			continue
		}
		c.report.Numbers++
		if c.givenOf(n.value, all, i, notes) || c.carried(n.value, notes) || n.value == cited || n.value == authors {
			c.report.Given++
			continue
		}
		bad = true
		c.mark(NumberUnknown, u.start+n.start, u.start+n.end, u.end)
	}
	return bad, true
}

func (c *checker) carried(value int, notes []int) bool {
	return slices.ContainsFunc(notes, func(n int) bool { return c.note(n).numbers[value] })
}

// below counts the notes that a sentence cites, or the list below it if it ends with a
// colon, and their authors.
func (c *checker) below(all []unit, i int) (cited, people int) {
	notes, authors := make(map[int]bool), make(map[string]bool)
	for j := i; j < len(all); j++ {
		if j > i && (!c.introduces(all[i]) || all[j].form == heading && all[i].form == heading || c.introduces(all[j])) {
			break
		}
		for _, r := range all[j].refs {
			if c.valid(r) {
				notes[r.Index] = true
				authors[c.facts.Notes[r.Index-1].Author] = true
			}
		}
	}
	return len(notes), len(authors)
}

func (c *checker) introduces(u unit) bool {
	text := strings.TrimRight(c.plain[u.start:u.end], " *_")
	return strings.HasSuffix(text, ":") || strings.HasSuffix(text, "：")
}

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

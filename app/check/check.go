package check

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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

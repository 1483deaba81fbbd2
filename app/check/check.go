package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// checker holds an answer against its facts.
type checker struct {
	speaks, tells, denies, writes             list
	complete, current, reader, doubts, labels list
	units, wideUnits, years                   list

	text   string
	plain  string // without code
	facts  Facts
	asked  string       // the words of the question
	names  []string     // the first names of who was read
	notes  []ready      // as facts.Notes
	counts map[int]bool // that the tools gave, or that follow from what was presented
	asks   map[int]bool // the numbers of the question
	report Report

	looked   int // passages in quotation marks that were looked for
	compared int // pairs of tokens, when words nearly the same were looked for
}

// ready is a note that was read once, to be looked into often.
type ready struct {
	words   string
	tokens  []token
	numbers map[int]bool
}

// What an answer may hold is bounded: a model can be made to write anything. No person
// reads as much, and what is beyond passes for unsupported.
const (
	mostText   = 64 << 10
	mostQuotes = 500
)

// Text checks what was said in one step of an answer.
func Text(text string, facts Facts) Report {
	c := &checker{
		speaks: newList(speaks), tells: newList(tells), denies: newList(denies), writes: newList(writes),
		complete: newList(complete), current: newList(current), reader: newList(reader), doubts: newList(doubts), labels: newList(labels),
		units: newList(countUnits), wideUnits: newList(wideUnits), years: newList(years),
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

// note returns a note, read.
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

// unit checks one sentence.
func (c *checker) unit(all []unit, i int) {
	u := all[i]
	notes := c.struck(u)
	if u.form == quoted && len(u.refs) == 0 {
		notes = c.beside(all, i)
	}
	body := c.body(u)
	words := " " + wordsOf(body) + " "
	// With a note behind it, it may be what somebody wrote.
	if len(notes) == 0 && c.appOnly(words) {
		c.mark(AppOnly, u.start, u.end, u.end)
		return
	}
	free := u.form == heading || c.free(u, body, words)
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

// struck marks the references of a sentence that name no note, and returns the numbers
// of the others.
func (c *checker) struck(u unit) []int {
	for _, r := range u.refs {
		if !c.valid(r) {
			c.mark(Dangling, r.Start, r.End, u.end)
		}
	}
	return c.cites(u)
}

func (c *checker) valid(r Reference) bool { return r.Index >= 1 && r.Index <= len(c.facts.Notes) }

// cites returns the numbers of the notes that a sentence cites, each once.
func (c *checker) cites(u unit) []int {
	var notes []int
	for _, r := range u.refs {
		if c.valid(r) && !slices.Contains(notes, r.Index) {
			notes = append(notes, r.Index)
		}
	}
	return notes
}

// beside returns the notes that the sentence before a quoted block cites, or behind it.
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

// body is a sentence without code, and without what it quotes.
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

// free reports whether a sentence states nothing that a note would have to carry.
func (c *checker) free(u unit, body, words string) bool {
	trimmed := strings.TrimRight(body, " \t\n*_()[]|\"'”»“」』")
	last, _ := utf8.DecodeLastRuneInString(trimmed)
	if strings.ContainsRune("?？:：;؟", last) {
		return true
	}
	count, letters := strings.Count(words, " ")-1, utf8.RuneCountInString(strings.TrimSpace(words))
	unspaced := strings.ContainsFunc(words, wide)
	named := c.named(words)
	foreign := strings.ContainsFunc(body, func(r rune) bool { return unicode.IsLetter(r) && !unicode.In(r, unicode.Latin) }) &&
		!unicode.In(last, unicode.Latin) && !strings.ContainsFunc(body, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
	switch {
	case !unspaced && count <= 1:
		return true
	case !named && (foreign || unspaced && letters <= 6 || !unspaced && (count <= 2 || count <= 4 && last == '!')):
		return true
	case u.form == row:
		return !c.states(body)
	case u.form == item && !unspaced && count <= 3:
		return true
	case c.speaks.in(words):
		return true
	case c.deniesWriting(words):
		return true
	}
	return c.tells.in(words) && (unspaced && letters <= 30 || !unspaced && count <= 14)
}

// ands begin another clause.
var ands = []string{"and", "but", "und", "aber", "et", "mais", "y", "pero", "e", "mas"}

// deniesWriting reports whether a sentence says that somebody did not write: the verb
// stands near the denial, in the same clause. "Said no" denies something else.
func (c *checker) deniesWriting(words string) bool {
	if !c.denies.in(words) || !c.writes.in(words) || strings.ContainsFunc(words, wide) {
		return c.denies.in(words) && c.writes.in(words)
	}
	all := strings.Fields(words)
	for i := range all {
		first, behind := max(0, i-1), min(len(all), i+2)
		if !c.denies.in(" "+all[i]+" ") && !c.denies.whole(strings.Join(all[i:behind], " ")) {
			continue
		}
		if all[i] == "no" {
			first = i
		}
		for behind < min(len(all), i+6) && !slices.Contains(ands, all[behind]) {
			behind++
		}
		if c.writes.in(" " + strings.Join(all[first:behind], " ") + " ") {
			return true
		}
	}
	return false
}

// states reports whether a row of a table has a cell of four words: figures and names
// state nothing.
func (c *checker) states(row string) bool {
	return slices.ContainsFunc(strings.Split(row, "|"), func(cell string) bool {
		words := wordsOf(cell)
		return strings.Count(words, " ") >= 3 || strings.ContainsFunc(words, wide) && utf8.RuneCountInString(words) >= 8
	})
}

// named reports whether a sentence names somebody whose notes were read.
func (c *checker) named(words string) bool {
	return slices.ContainsFunc(c.names, func(name string) bool { return find(words, name) >= 0 })
}

// appOnly reports whether a sentence claims what only the app can know.
func (c *checker) appOnly(words string) bool {
	at := c.complete.at(words)
	if at < 0 && c.reader.in(words) {
		at = c.current.at(words)
	}
	return at >= 0 && !c.doubts.in(words[:at]+" ")
}

// quotes looks for what a sentence quotes in the notes that it cites; where it cites
// none, in all. It reports whether one is false. What is nobody's, as a question that the
// reader could ask, need not stand anywhere.
func (c *checker) quotes(u unit, notes []int, nobodys bool) (bad bool) {
	inside := quotations(c.plain[u.start:u.end])
	if u.form == quoted {
		inside = []span{{0, u.end - u.start, u.end - u.start}}
	}
	for _, q := range inside {
		passage := c.plain[u.start+q.start : u.start+q.end]
		if u.form == quoted {
			passage = quotedText(passage)
		}
		words := wordsOf(passage)
		if words == "" || scare(words) || u.form != quoted && stands(c.asked, passage) || len(notes) == 0 && nobodys {
			continue
		}
		c.looked++
		if held := c.looked <= mostQuotes && c.held(passage, notes); held && len(notes) == 0 {
			continue // it stands somewhere; no note was named to hold it against
		} else if c.report.Quotes++; held {
			c.report.Found++
			continue
		}
		bad = true
		c.falseQuote(u, q, passage, notes)
	}
	return bad
}

// quotedText is a quoted block without its marks, citations and the line that names its author.
func quotedText(s string) string {
	var lines []string
	for line := range strings.Lines(s) {
		line = strings.TrimSpace(quoteMark.ReplaceAllString(line, ""))
		if !strings.HasPrefix(line, "—") && !strings.HasPrefix(line, "–") && !strings.HasPrefix(line, "-") {
			lines = append(lines, line)
		}
	}
	return refMark.ReplaceAllString(strings.Join(lines, "\n"), "")
}

func (c *checker) held(passage string, notes []int) bool {
	if len(notes) == 0 {
		for n := range c.notes {
			notes = append(notes, n+1)
		}
	}
	return slices.ContainsFunc(notes, func(n int) bool { return stands(c.note(n).words, passage) })
}

// falseQuote marks a passage, or the words of it that a cited note has otherwise.
func (c *checker) falseQuote(u unit, q span, passage string, notes []int) {
	start, end := u.start+q.start, u.start+q.end
	for _, n := range notes {
		if from, to, says, found := c.near(n, passage); found && u.form != quoted {
			m := c.mark(QuoteNotFound, start+from, start+to, u.end)
			m.Note, m.Says = n, says
			return
		}
	}
	c.mark(QuoteNotFound, start, end, u.end)
}

// countsOf checks the numbers of people and notes in a sentence. counted says that there
// were some.
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

// carried reports whether a cited note has a number.
func (c *checker) carried(value int, notes []int) bool {
	return slices.ContainsFunc(notes, func(n int) bool { return c.note(n).numbers[value] })
}

// below counts the notes that a sentence cites, or the list below it where it ends with
// a colon, and their authors.
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

package builtin

import (
	"cmp"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// articlesFor is how many days back they are listed where no time is asked about and
// there are none in the last seven.
const articlesFor = 90

// newestOf is how many of the newest notes of somebody are listed where no number is asked.
const newestOf = 5

// listNewest lists the newest notes of somebody, articles or notes with pictures, each with its first words,
// an article with the minutes that it takes.
func (p *plan) listNewest() string {
	f, who, stop := p.whose()
	if stop != "" || p.waiting() {
		return stop
	}
	w := p.rankingWindow()
	longer := question.Window{Since: p.calendar.DayStart(-articlesFor), Until: p.calendar.Now}
	if p.q.Intent == question.Latest {
		w = p.searchWindow()
	}
	if p.settleWords(f, longer); p.waiting() {
		return ""
	}
	f.search = p.topicWords()
	found := p.newest(f, w)
	if !p.q.Window.Asked && found != nil && found.Total == 0 {
		w = longer
		found = p.newest(f, w)
	}
	covered := ask[tools.CoverageResult](p.turn, "coverage", tools.CoverageArgs{Since: unix(w.Since), Until: unix(w.Until)})
	if p.waiting() {
		return ""
	}
	if found == nil {
		return p.words.Failed
	}
	c := newCorpus(p.me)
	index := p.present(idsOf(found.Notes))
	if p.waiting() {
		return ""
	}
	win := p.words.Window(w, p.calendar.Now)
	if p.q.Intent == question.Latest {
		win = p.words.AllTime
	}
	title := words.Fill(p.texts.Counted, "what", p.counted(found.Total, who), "window", win)
	if p.anyOf != "" {
		title = p.texts.AnyOf + " " + title
	}
	lines := p.covered(&reading{window: w, narrow: f.narrow(), coverage: covered.value})
	if len(index) == 0 {
		return strings.Join(append([]string{title}, lines...), " ") + "\n"
	}
	out := ""
	if p.q.Intent != question.Latest || p.q.N != 1 {
		out = strings.TrimRight(title, ".。") + colonOf(p.texts.Near) + "\n\n"
	}
	for i := range found.Notes {
		n := newNote(&found.Notes[i], c.person(&found.Notes[i]))
		if index[n.id] == 0 {
			continue
		}
		it := Item{Heading: n.title, Lines: []Line{{Text: n.author.name + ", " + p.words.When(p.timeOf(n), p.calendar.Now) + ": " + p.told(n, p.letterText(n), index[n.id])}}}
		if p.q.Articles {
			it.Note = words.Fill(p.words.Minutes, "n", p.words.Number(readingTime(n.text)))
		}
		out += it.markdown() + "\n"
	}
	if found.Total > len(found.Notes) && p.q.N != 1 {
		lines = append([]string{words.Fill(p.words.Showing, "n", p.words.Number(len(found.Notes)))}, lines...)
	}
	return out + "\n" + strings.Join(append(lines, p.words.NoModel), " ") + "\n"
}

// colonOf is the colon that ends a text, as the language writes it: French with a space.
func colonOf(text string) string { return text[len(strings.TrimRight(text, ":： \u00a0")):] }

// newest finds the newest posts that a question is about; nil where that failed.
func (p *plan) newest(f filters, w question.Window) *tools.QueryResult {
	args, most := f.args(p.kinds(), w), maxListed
	if p.q.Intent == question.Latest {
		most = newestOf
	}
	return ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
		Context: args.Context, Author: args.Author, Search: args.Search, Kind: args.Kind, IncludeReplies: true, Since: args.Since, Until: args.Until, Limit: cmp.Or(min(p.q.N, maxListed), most),
	}).value
}

func idsOf(notes []tools.Note) []string {
	ids := make([]string, len(notes))
	for i := range notes {
		ids[i] = notes[i].NoteID
	}
	return ids
}

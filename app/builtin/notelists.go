package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/ndb/clean"
	"bowerbird/tools"
)

// kinds returns the kinds of the posts that a question is about.
func (p *plan) kinds() tools.Kinds {
	if p.q.Articles {
		return tools.Kinds{kindArticle}
	}
	return postKinds
}

// posts reads the posts of a window, as many as fit.
func (p *plan) posts(args tools.CountArgs, w question.Window) (notes []tools.Note, left int) {
	counted := p.buckets(args, w)
	if p.waiting() {
		return nil, 0
	}
	pages, left := pagesOf(counted.value, w, maxPostPages)
	notes, lost := p.pages(args, pages)
	return notes, left + lost
}

// popular lists the notes with most answers, likes, reposts or zaps, by anybody.
func (p *plan) popular() string {
	w := p.rankingWindow()
	f, who, stop, ok := p.begin(w, p.settleTopic)
	if !ok {
		return stop
	}
	args := f.args(p.kinds(), w)
	notes, left := p.posts(args, w)
	r := p.coverage(f, w)
	if p.waiting() {
		return ""
	}
	total := len(notes)
	notes = slices.DeleteFunc(notes, func(n tools.Note) bool { return p.takenUpBy(&n) == 0 })
	slices.SortStableFunc(notes, func(a, b tools.Note) int { return cmp.Compare(p.takenUpBy(&b), p.takenUpBy(&a)) })
	fillIn := []string{"what", p.words.AtLeastIf(left > 0, p.counted(total, who)), "window", p.words.Window(w, p.calendar.Now), "measure", p.measure()}
	lines := p.covered(r)
	if left > 0 {
		lines = slices.Insert(lines, 0, words.Fill(p.words.ReadPart, "unread", p.words.Number(left)))
	}
	if len(notes) == 0 {
		none := p.texts.PopularNone
		if total == 0 {
			none = p.texts.Counted
		}
		return strings.Join(append([]string{words.Fill(none, fillIn...)}, lines...), " ") + "\n"
	}
	title := words.Fill(p.texts.Popular, fillIn...)
	notes = notes[:min(len(notes), cmp.Or(p.q.N, defaultTop), maxTable)]
	list := ""
	if p.q.Form == question.AsText {
		list = title + "\n\n" + p.popularList(notes) + "\n"
	} else {
		p.popularTable(strings.TrimRight(title, ":： "), notes)
	}
	if p.waiting() {
		return ""
	}
	return list + strings.Join(append(lines, p.words.NoModel), " ") + "\n"
}

// measuredBy returns the measures of a question; if it names none, all that count events.
func (p *plan) measuredBy() question.Concept {
	return cmp.Or(p.q.Kinds, question.Replied|question.Liked|question.Reposted)
}

// measure names them.
func (p *plan) measure() string {
	var names []string
	for i, way := range waysToMe {
		if p.measuredBy()&way != 0 {
			names = append(names, p.texts.Sorts[i])
		}
	}
	return p.words.List(names)
}

// takenUpBy is the popularity of a note by these measures.
func (p *plan) takenUpBy(n *tools.Note) int64 {
	var sum int64
	for _, x := range []struct {
		way question.Concept
		n   int64
	}{{question.Replied, int64(n.Replies)}, {question.Liked, int64(n.Reactions)}, {question.Reposted, int64(n.Reposts)}, {question.Zapped, n.ZapSats}} {
		if p.measuredBy()&x.way != 0 {
			sum += x.n
		}
	}
	return sum
}

// popularList quotes notes with their popularity.
func (p *plan) popularList(notes []tools.Note) string {
	c, list := newCorpus(p.me), ""
	index := p.present(idsOf(notes))
	for i := range notes {
		n := newNote(&notes[i], c.person(&notes[i]))
		if index[n.id] == 0 {
			continue
		}
		var counts []string
		for _, x := range []struct {
			noun words.Noun
			n    int
		}{{p.texts.Answer, notes[i].Replies}, {p.words.Reaction, notes[i].Reactions}, {p.words.Repost, notes[i].Reposts}, {words.Noun{One: "{n} sat", Many: "{n} sats"}, int(notes[i].ZapSats)}} {
			if x.n > 0 {
				counts = append(counts, p.words.Of(x.noun, x.n))
			}
		}
		line := n.author.name + ", " + p.when(n.at) + ": " + p.quoted(n, p.letterText(n), index[n.id])
		it := Item{Lines: []Line{{Text: line}}, Note: strings.Join(counts, p.words.ListJoin)}
		list += it.markdown() + "\n"
	}
	return list
}

// popularTable shows notes with their popularity.
func (p *plan) popularTable(title string, notes []tools.Note) {
	heads := []string{p.words.ColTime, p.words.ColName, p.texts.ColNote, p.texts.Sorts[0], p.texts.Sorts[4], p.texts.Sorts[5], "sats"}
	var rows [][]any
	for i := range notes {
		n := &notes[i]
		rows = append(rows, []any{p.when(n.CreatedAtUnix), personName(n.Name, n.PubKey), p.cell(n), n.Replies, n.Reactions, n.Reposts, n.ZapSats})
	}
	p.showTable(title, heads, rows)
}

// articlesFor is how many days back articles are listed if no time is asked about and the
// last seven have none.
const articlesFor = 90

// newestOf is how many of somebody's newest notes are listed if no number is asked.
const newestOf = 5

// listNewest lists somebody's newest notes, articles with the minutes they take to read, or
// notes with pictures.
func (p *plan) listNewest() string {
	w := p.rankingWindow()
	longer := question.Window{Since: p.calendar.DayStart(-articlesFor), Until: p.calendar.Now}
	most := maxListed
	if p.q.Intent == question.Latest {
		w, most = p.searchWindow(), newestOf
	}
	f, who, stop, ok := p.begin(longer, p.settleWords)
	if !ok {
		return stop
	}
	most = cmp.Or(min(p.q.N, maxListed), most)
	found := p.newest(f, w, most)
	if !p.q.Window.Asked && found != nil && found.Total == 0 && !p.waiting() {
		w = longer
		found = p.newest(f, w, most)
	}
	r := p.coverage(f, w)
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
	window := p.words.Window(w, p.calendar.Now)
	if p.q.Intent == question.Latest {
		window = p.words.AllTime
	}
	title := words.Fill(p.texts.Counted, "what", p.words.AtLeastIf(found.TotalAtLeast, p.counted(found.Total, who)), "window", window)
	if p.anyOf != "" {
		title = p.texts.AnyOf + " " + title
	}
	lines := p.covered(r)
	if len(index) == 0 {
		none := strings.Join(append([]string{title}, lines...), " ") + "\n"
		if p.q.Topic == "" {
			return none
		}
		any, words := *p, *p.words
		words.Note = p.Model.words[p.q.Lang].Note
		any.q.Intent, any.q.Articles, any.words = question.Search, false, &words
		return none + "\n" + any.search() // in notes of another kind
	}
	out, theLast := "", p.q.Intent == question.Latest && p.q.N == 1
	if !theLast {
		out = strings.TrimRight(title, ".。") + colonOf(p.texts.Near) + "\n\n"
	}
	for i := range found.Notes {
		n := newNote(&found.Notes[i], c.person(&found.Notes[i]))
		if index[n.id] == 0 {
			continue
		}
		quote := p.letterText(n)
		if asked := p.quoter.quotation(questionIn(n.text), p.words.Marks); p.q.Questions && asked != "" {
			quote = asked
		}
		it := Item{Heading: n.title, Lines: []Line{{Text: n.author.name + ", " + p.when(n.at) + ": " + p.quoted(n, quote, index[n.id])}}}
		if p.q.Articles {
			it.Note = words.Fill(p.words.Minutes, "n", p.words.Number(readingTime(n.text)))
		}
		out += it.markdown() + "\n"
	}
	if found.Total > len(found.Notes) && !theLast {
		lines = append([]string{words.Fill(p.words.Showing, "n", p.words.Number(len(found.Notes)))}, lines...)
	}
	return out + "\n" + strings.Join(append(lines, p.words.NoModel), " ") + "\n"
}

// colonOf returns the colon that ends a text, as its language writes it: in French with a
// space before it.
func colonOf(text string) string { return text[len(strings.TrimRight(text, ":： \u00a0")):] }

// newest returns the newest posts that a question is about, nil if that failed.
func (p *plan) newest(f filters, w question.Window, limit int) *tools.QueryResult {
	args := f.args(p.kinds(), w)
	if p.q.Intent == question.Unanswered {
		notes, left := p.posts(args, w)
		notes = slices.DeleteFunc(notes, func(n tools.Note) bool {
			return n.Replies > 0 || p.q.Questions && questionIn(n.Content) == "" || !p.q.Questions && n.ReplyTo != ""
		})
		slices.SortStableFunc(notes, func(a, b tools.Note) int { return cmp.Compare(b.CreatedAtUnix, a.CreatedAtUnix) })
		return &tools.QueryResult{Total: len(notes), TotalAtLeast: left > 0, Notes: notes[:min(len(notes), limit)]}
	}
	return ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
		Context: args.Context, Author: args.Author, Search: args.Search, Kind: args.Kind, IncludeReplies: true, Since: args.Since, Until: args.Until, Limit: limit,
	}).value
}

// questionIn is the first question in a text; "" for none.
func questionIn(text string) string {
	for _, pc := range pieces(clip(text, maxOpening)) {
		if strings.HasSuffix(pc.text, "?") || strings.HasSuffix(pc.text, "？") {
			return pc.text
		}
	}
	return ""
}

func idsOf(notes []tools.Note) []string {
	ids := make([]string, len(notes))
	for i := range notes {
		ids[i] = notes[i].NoteID
	}
	return ids
}

// maxTable is how many notes a table lists, and maxCell how many runes of each.
const (
	maxTable = 100
	maxCell  = 160
)

// noteTable answers a question about notes with a table of them.
func (p *plan) noteTable() string {
	w := p.windowOrDefault()
	f, who, stop, ok := p.begin(w, p.settleWords)
	if !ok {
		return stop
	}
	got, r := p.newest(f, w, maxTable), p.coverage(f, w)
	if p.waiting() {
		return ""
	}
	switch {
	case got == nil:
		return p.words.Failed
	case len(got.Notes) == 0 && p.q.Intent != question.Digest:
		return p.listNewest() // which says so
	case len(got.Notes) == 0:
		return p.nothing(f, w, r, who)
	}
	title := strings.TrimRight(p.title(w, who), ":： ")
	if p.q.Kinds != 0 {
		p.popularTable(title, got.Notes)
	} else {
		var rows [][]any
		for i := range got.Notes {
			n := &got.Notes[i]
			rows = append(rows, []any{p.when(n.CreatedAtUnix), personName(n.Name, n.PubKey), p.cell(n)})
		}
		p.showTable(title, []string{p.words.ColTime, p.words.ColName, p.texts.ColNote}, rows)
	}
	if p.waiting() {
		return ""
	}
	lines := []string{words.Fill(p.texts.Counted, "what", p.counted(got.Total, who), "window", p.words.Window(w, p.calendar.Now))}
	if p.anyOf != "" {
		lines = slices.Insert(lines, 0, p.texts.AnyOf)
	}
	if got.Total > len(got.Notes) {
		lines = append(lines, words.Fill(p.words.Showing, "n", p.words.Number(len(got.Notes))))
	}
	return strings.Join(append(lines, p.covered(r)...), " ") + "\n"
}

// cell is what a table shows of a note's text.
func (p *plan) cell(n *tools.Note) string { return clean.Line(n.Content, maxCell) }

// showTable shows rows under the headings of their columns.
func (p *plan) showTable(title string, heads []string, rows [][]any) {
	cols := make([]tools.Column, len(heads))
	for i, h := range heads {
		cols[i] = tools.Column{Key: "c" + strconv.Itoa(i), Label: h}
	}
	p.table(title, cols, rows)
}

func (p *plan) table(title string, cols []tools.Column, rows [][]any) found[tools.TableResult] {
	table := tools.TableArgs{Title: title, Columns: cols}
	for _, row := range rows {
		cells := map[string]json.RawMessage{}
		for i, v := range row {
			if raw, err := json.Marshal(v); err == nil {
				cells[cols[i].Key] = raw
			}
		}
		table.Rows = append(table.Rows, cells)
	}
	return ask[tools.TableResult](p.turn, "render_table", table)
}

package builtin

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// defaultTop is how many rows a ranking has when the question does not say.
const defaultTop = 10

// rankedDays is how far back people and notes are ranked and listed if no time is asked about.
const rankedDays = 30

// rankingWindow is the time asked about, else the last thirty days.
func (p *plan) rankingWindow() question.Window {
	if p.q.Window.Asked {
		return p.windowOrDefault()
	}
	return question.Window{Since: p.calendar.DayStart(-rankedDays), Until: p.calendar.Now}
}

// hashtags answers which hashtags were used most.
func (p *plan) hashtags() string {
	return p.ranking("hashtag", p.words.HashtagsTitle, func(b tools.AggregateBucket) string {
		if tag := hashtag(b.Key); tag != "" {
			return "#" + tag
		}
		return ""
	})
}

// ranking counts by hashtag or author and shows the top once: as a table or chart with a
// sentence or two below it.
func (p *plan) ranking(by, title string, label func(tools.AggregateBucket) string) string {
	f, who, stop := p.whose()
	if stop != "" || p.waiting() {
		return stop
	}
	name, empty := "", p.words.Nothing
	switch {
	case who != nil:
		name, title, empty = profileName(who), p.words.HashtagsBy, p.words.NoHashtagsBy
	case by == "hashtag":
		empty = p.words.NoHashtags
	}
	w := p.rankingWindow()
	if f.search = p.withoutExcept(); p.waiting() {
		return ""
	}
	args := f.args(p.kinds(), w)
	limit := p.q.N
	if limit == 0 {
		limit = defaultTop
	}
	got := ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: args, By: by, Limit: min(2*limit+10, 500)})
	r := p.coverage(f, w)
	counted := ask[tools.CountResult](p.turn, "count", args)
	if p.waiting() {
		return ""
	}
	if got.value == nil {
		return p.words.Failed
	}
	var rows []rankRow
	for _, b := range got.value.Buckets {
		if n := label(b); n != "" && len(rows) < limit && b.Count > 0 {
			rows = append(rows, rankRow{n, b.Count, b.Authors})
		}
	}
	win := p.words.Window(w, p.calendar.Now)
	r.count = counted.value
	if len(rows) == 0 {
		return strings.Join(append([]string{words.Fill(empty, "window", win, "name", name)}, p.covered(r)...), " ") + "\n"
	}
	heading := words.Fill(title, "window", win, "name", name)
	shown := p.showRanking(by, strings.TrimRight(heading, ":： "), rows)
	if p.waiting() {
		return ""
	}
	if shown {
		return p.closeRanking(r, name) // the table or chart is there already, with its title
	}
	return p.listRanking(by, heading, rows) + "\n" + p.closeRanking(r, name)
}

type rankRow struct {
	name          string
	notes, people int
}

// listRanking writes the rows as a list, for when no table can be shown.
func (p *plan) listRanking(by, heading string, rows []rankRow) string {
	var b strings.Builder
	b.WriteString(heading + "\n\n")
	for _, row := range rows {
		people := ""
		if by == "hashtag" {
			people = p.words.Of(p.words.Person, row.people) + ", "
		}
		b.WriteString("- " + row.name + ": " + people + p.words.Of(p.words.Note, row.notes) + "\n")
	}
	return b.String()
}

// closeRanking states how many notes were counted, and how complete they are.
func (p *plan) closeRanking(r *reading, name string) string {
	lines := p.covered(r)
	if r.count != nil {
		text := p.words.CountTitle
		if name != "" {
			text = p.words.CountBy
		}
		all := words.Fill(text, "name", name, "notes", p.words.Of(p.words.Note, r.count.Count), "people", p.words.Of(p.words.Person, r.count.Authors),
			"window", p.words.Window(r.window, p.calendar.Now))
		lines = append([]string{all}, lines...)
	}
	return strings.Join(lines, " ") + "\n"
}

// showRanking shows the rows as a chart if one is asked for, else as a table, and reports
// whether they are shown.
func (p *plan) showRanking(by, title string, rows []rankRow) bool {
	if p.q.Form == question.AsChart && len(rows) > 1 && p.drawRanking(by, title, rows) {
		return true
	}
	cols := []tools.Column{{Key: "name", Label: p.words.ColName}, {Key: "notes", Label: p.words.ColNotes}}
	if by == "hashtag" {
		cols = []tools.Column{{Key: "name", Label: p.words.ColTag}, {Key: "people", Label: p.words.ColPeople}, {Key: "notes", Label: p.words.ColNotes}}
	}
	cells := make([][]any, len(rows))
	for i, r := range rows {
		if cells[i] = []any{r.name, r.notes}; by == "hashtag" {
			cells[i] = []any{r.name, r.people, r.notes}
		}
	}
	return p.table(title, cols, cells).value != nil
}

// drawRanking draws the rows as bars, the longest first: for hashtags, how many people used
// each, which is how they are ranked.
func (p *plan) drawRanking(by, title string, rows []rankRow) bool {
	name, measure, people := p.words.ColName, p.words.ColNotes, by == "hashtag" && p.who == nil // the columns of its table are called by the fields
	if by == "hashtag" {
		name = p.words.ColTag
	}
	if people {
		measure = p.words.ColPeople
	}
	values := make([]map[string]any, len(rows))
	for i, r := range rows {
		n := r.notes
		if people {
			n = r.people
		}
		values[i] = map[string]any{name: r.name, measure: n}
	}
	return p.chart(title, "bar", values, map[string]any{
		"y": map[string]any{"field": name, "type": "nominal", "sort": nil, "title": nil},
		"x": map[string]any{"field": measure, "type": "quantitative", "title": measure},
	})
}

// count answers how many notes there are.
func (p *plan) count() string {
	w := p.searchWindow()
	if w.Asked {
		w = p.windowOrDefault()
	}
	f, who, stop, ok := p.begin(w, p.settleTopic)
	if !ok {
		return stop
	}
	name := ""
	if who != nil {
		name = profileName(who)
	}
	got := ask[tools.CountResult](p.turn, "count", f.args(p.kinds(), w))
	r := p.coverage(f, w)
	if p.waiting() {
		return ""
	}
	if got.value == nil {
		return p.words.Failed
	}
	text, win := p.words.CountTitle, p.words.AllTime
	switch {
	case name != "":
		text = p.words.CountBy
	case p.q.Topic != "":
		text = p.words.CountAbout
	}
	if p.q.Window.Asked {
		win = p.words.Window(w, p.calendar.Now)
	}
	line := words.Fill(text, "notes", p.words.Of(p.words.Note, got.value.Count), "people", p.words.Of(p.words.Person, got.value.Authors),
		"topic", p.searchedFor(), "name", name, "window", win)
	return strings.Join(append([]string{line}, p.covered(r)...), " ") + "\n"
}

// tally ranks people by what no tool counts: whom somebody answers and mentions, whose notes
// were taken up most, or who writes in some hours of the day.
func (p *plan) tally() string {
	w := p.rankingWindow()
	f, who, stop, ok := p.begin(w, p.settleTopic)
	if !ok {
		return stop
	}
	notes, left := p.posts(f.args(p.kinds(), w), w)
	r := p.coverage(f, w)
	if p.waiting() {
		return ""
	}
	sums, names := map[string]int{}, map[string]string{}
	for i := range notes {
		n := &notes[i]
		names[n.PubKey] = n.Name
		switch {
		case p.q.Intent == question.Partners:
			for _, key := range partners(n) {
				sums[key]++
			}
		case p.q.Kinds != 0:
			sums[n.PubKey] += int(p.takenUpBy(n))
		case p.q.Hours.Hold(time.Unix(n.CreatedAtUnix, 0).In(p.calendar.Now.Location()).Hour()):
			sums[n.PubKey]++
		}
	}
	keys := slices.DeleteFunc(sortedKeys(sums), func(key string) bool { return sums[key] == 0 })
	slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(sums[b], sums[a]) })
	var rows []rankRow
	for _, key := range keys[:min(len(keys), cmp.Or(p.q.N, defaultTop))] {
		if p.q.Intent == question.Partners {
			if got := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: key}); got.value != nil {
				names[key] = profileName(got.value)
			}
		}
		rows = append(rows, rankRow{name: personName(names[key], key), notes: sums[key]})
	}
	if p.waiting() {
		return ""
	}
	fillIn := []string{"window", p.words.Window(w, p.calendar.Now), "what", p.words.AtLeastIf(left > 0, p.counted(len(notes), who)), "measure", p.measure()}
	title := p.texts.HoursMost
	switch {
	case p.q.Intent == question.Partners:
		title = words.Fill(p.texts.Partners, "name", profileName(who))
	case p.q.Kinds != 0:
		title = p.texts.GotMost
	}
	title = words.Fill(title, append(fillIn, "from", strconv.Itoa(p.q.Hours.From)+":00", "to", strconv.Itoa(p.q.Hours.To%24)+":00")...)
	if p.q.Kinds != 0 {
		ofMeasure := *p.words
		ofMeasure.ColNotes = p.measure()
		p.words = &ofMeasure
	}
	shown := len(rows) == 0 || p.showRanking("author", strings.TrimRight(title, ":： \u00a0"), rows)
	if p.waiting() {
		return ""
	}
	lines := append([]string{words.Fill(p.texts.Counted, fillIn...)}, p.covered(r)...)
	switch {
	case len(rows) == 0 && p.q.Kinds != 0:
		lines[0] = words.Fill(p.texts.PopularNone, fillIn...)
	case len(rows) == 0:
		lines = slices.Insert(lines, 0, title+" 0.")
	case !shown:
		return p.listRanking("author", title, rows) + "\n" + strings.Join(lines, " ") + "\n"
	}
	return strings.Join(lines, " ") + "\n"
}

// partners are the keys of those whom a note answers or mentions.
func partners(n *tools.Note) []string {
	var keys []string
	for _, tag := range n.Event.Tags {
		if len(tag) > 1 && tag[0] == "p" && tag[1] != n.PubKey && !slices.Contains(keys, tag[1]) {
			keys = append(keys, tag[1])
		}
	}
	return keys
}

// quietFor are for how many days somebody must not have written to count as quiet, if no
// time is asked about: the first of these for which anybody has not.
var quietFor = []int{30, 14, 7, 3, 1}

// quiet lists the people followed who wrote nothing in a window, each with their last
// stored note, those who used to write most first.
func (p *plan) quiet() string {
	if stop := p.followsNobody(); stop != "" || p.waiting() {
		return stop
	}
	windows := []question.Window{p.windowOrDefault()}
	if !p.q.Window.Asked {
		windows = nil
		for _, days := range quietFor {
			windows = append(windows, question.Window{Since: p.calendar.DayStart(-days), Until: p.calendar.Now})
		}
	}
	home := filters{context: "home"}
	wrote := func(w question.Window) *tools.AggregateResult {
		return ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: home.args(writtenKinds, w), By: "author", Limit: 500}).value
	}
	me := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: p.me}).value
	ever := wrote(question.Window{Since: oldest(p.calendar), Until: windows[0].Until})
	var w question.Window
	var quiet []tools.AggregateBucket
	for _, w = range windows {
		lately := wrote(w)
		if p.waiting() {
			return ""
		}
		if ever == nil || lately == nil {
			return p.words.Failed
		}
		quiet = slices.DeleteFunc(slices.Clone(ever.Buckets), func(b tools.AggregateBucket) bool {
			return b.Key == p.me || slices.ContainsFunc(lately.Buckets, func(l tools.AggregateBucket) bool { return l.Key == b.Key })
		})
		if len(quiet) > 0 {
			break
		}
	}
	known := len(ever.Buckets)
	if slices.ContainsFunc(ever.Buckets, func(b tools.AggregateBucket) bool { return b.Key == p.me }) {
		known--
	}
	r := p.coverage(home, w)
	if p.waiting() {
		return ""
	}
	if me == nil {
		return p.words.Failed
	}
	listed := quiet[:min(len(quiet), maxListed)]
	var last []tools.Note
	for _, b := range listed {
		got := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
			Context: "profile", Author: b.Key, Kind: postKinds, IncludeReplies: true, Until: unix(w.Until), Limit: 1,
		})
		if got.value != nil {
			last = append(last, got.value.Notes...)
		}
	}
	if p.waiting() {
		return ""
	}
	index := p.present(idsOf(last))
	if p.waiting() {
		return ""
	}
	fillIn := []string{"people", p.words.Of(p.words.Person, len(quiet)), "window", p.words.Window(w, p.calendar.Now)}
	out := words.Fill(p.texts.QuietNone, fillIn...)
	if len(quiet) > 0 {
		out = words.Fill(p.texts.Quiet, fillIn...) + "\n\n"
	}
	c := newCorpus(p.me)
	for _, b := range listed {
		line := personName(b.Label, b.Key)
		if i := slices.IndexFunc(last, func(n tools.Note) bool { return n.PubKey == b.Key }); i >= 0 && index[last[i].NoteID] > 0 {
			n := newNote(&last[i], c.person(&last[i]))
			line += ", " + p.when(n.at) + ": " + p.quoted(n, p.letterText(n), index[n.id])
		}
		out += "- " + line + "\n"
	}
	var lines []string
	if len(quiet) > len(listed) {
		lines = append(lines, words.Fill(p.texts.QuietMore, "n", p.words.Number(len(quiet)-len(listed))))
	}
	if never := me.Follows - known; never > 0 && len(ever.Buckets) < 500 {
		lines = append(lines, words.Fill(p.texts.NeverHeard, "people", p.words.Of(p.words.Person, never)))
	}
	lines = append(lines, p.covered(r)...)
	if len(listed) == 0 {
		return strings.Join(append([]string{out}, lines...), " ") + "\n"
	}
	return out + "\n" + strings.Join(append(lines, p.words.NoModel), " ") + "\n"
}

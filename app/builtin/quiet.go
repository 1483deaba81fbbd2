package builtin

import (
	"slices"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// quietFor is for how many days somebody must not have written to count as quiet, if no
// time is asked about.
const quietFor = 30

// quiet lists the people followed who wrote nothing in a window, each with their last
// stored note, those who used to write most first.
func (p *plan) quiet() string {
	if stop := p.followsNobody(); stop != "" || p.waiting() {
		return stop
	}
	w := p.windowOrDefault()
	if !p.q.Window.Asked {
		w = question.Window{Since: p.calendar.DayStart(-quietFor), Until: p.calendar.Now}
	}
	home := filters{context: "home"}
	wrote := func(w question.Window) *tools.AggregateResult {
		return ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: home.args(writtenKinds, w), By: "author", Limit: 500}).value
	}
	me := ask[tools.ProfileResult](p.turn, "get_profile", tools.GetProfileArgs{Person: p.me}).value
	ever, lately := wrote(question.Window{Since: oldest(p.calendar), Until: w.Until}), wrote(w)
	r := p.coverage(home, w)
	if p.waiting() {
		return ""
	}
	if me == nil || ever == nil || lately == nil {
		return p.words.Failed
	}
	heard := map[string]bool{p.me: true}
	for _, b := range lately.Buckets {
		heard[b.Key] = true
	}
	known := 0
	var quiet []tools.AggregateBucket
	for _, b := range ever.Buckets {
		if b.Key != p.me {
			known++
		}
		if !heard[b.Key] {
			quiet = append(quiet, b)
		}
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

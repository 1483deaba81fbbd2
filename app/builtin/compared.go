package builtin

import (
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// mostCompared is how many topics of each person are listed.
const mostCompared = 3

// daysCompared is the longest window drawn by day: two people are twice as many bars, too
// many for a terminal.
const daysCompared = 15 * 24 * time.Hour

// A comparedPerson is one of two, with what was read of them.
type comparedPerson struct {
	*plan
	who   *tools.ProfileResult
	read  *reading
	draft draft
	asked map[*note]*parent
	days  []tools.AggregateBucket
}

// compare puts two people side by side: how much they wrote and when, and what about.
func (p *plan) compare() string {
	w := question.Window{Since: p.calendar.DayStart(-defaultSeries + 1), Until: p.calendar.Now}
	if p.q.Window.Asked {
		w = p.windowOrDefault()
	}
	by := "day"
	if w.Until.Sub(w.Since) > daysCompared {
		by = "week"
	}
	var two [2]comparedPerson
	for i, name := range []string{p.q.Person, p.q.Other} {
		one := *p
		one.q.Person, one.q.Other, one.q.Self = name, "", p.q.Self && i == 0
		_, who, stop := one.whose()
		if stop != "" {
			return stop
		}
		two[i] = comparedPerson{plan: &one, who: who}
	}
	if p.waiting() {
		return ""
	}
	if p.settleWords(filters{context: "any"}, w); p.waiting() {
		return ""
	}
	for i := range two {
		f := filters{context: "profile", author: two[i].who.PubKey, search: p.topicWords()}
		two[i].read = two[i].plan.read(f, w)
		if days := ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: f.args(postKinds, w), By: by, Limit: 500}).value; days != nil {
			two[i].days = days.Buckets
		}
	}
	if p.waiting() {
		return ""
	}
	var ids []string
	for i := range two {
		one := &two[i]
		one.read.corpus.speaker(one.who.PubKey)
		one.draft = one.plan.draft(one.read)
		one.draft.main = append(one.draft.main, one.draft.also...)
		one.draft.main, one.draft.also, one.draft.articles = one.draft.main[:min(len(one.draft.main), mostCompared)], nil, nil
		one.asked = one.answered(one.draft, one.read.corpus)
		ids = append(ids, one.draft.ids(one.asked, true)...)
	}
	if p.waiting() {
		return ""
	}
	index := p.present(ids)
	when := p.words.Window(w, p.calendar.Now)
	if p.q.Topic != "" {
		when += " (" + p.words.Marks[0].Open + p.searchedFor() + p.words.Marks[0].Close + ")"
	}
	title := words.Fill(p.texts.SideBySide, "name", profileName(two[0].who), "other", profileName(two[1].who), "window", when)
	p.drawTwo(strings.TrimRight(title, ":： "), &two)
	if p.waiting() {
		return ""
	}
	out := title + "\n\n"
	for i := range two {
		out += two[i].write(index)
	}
	return out + p.words.NoModel + "\n"
}

// write states how much the person wrote, and what about.
func (o *comparedPerson) write(index map[string]int) string {
	notes := 0
	if o.read.count != nil {
		notes = o.read.count.Count
	}
	days := max(1, o.read.window.Until.Sub(o.read.window.Since).Hours()/24)
	perDay := strings.Replace(strconv.FormatFloat(float64(notes)/days, 'f', 1, 64), ".", o.texts.Decimal, 1)
	facts := []string{words.Fill(o.texts.ADay, "name", "**"+profileName(o.who)+"**", "notes", o.words.Of(o.words.Note, notes), "n", perDay)}
	if len(o.draft.hashtags) > 0 {
		facts = append(facts, o.words.Tags+" "+o.tagLine(o.draft.hashtags)+".")
	}
	out := strings.Join(append(facts, o.covered(o.read)...), " ") + "\n\n"
	for _, it := range o.items(o.draft.main, index, o.read, o.asked) {
		out += it.markdown() + "\n"
	}
	if len(o.draft.main) > 0 {
		out += "\n"
	}
	return out
}

// drawTwo draws the notes per day or week of both, or lists them if a table is asked for or
// nothing can draw.
func (p *plan) drawTwo(title string, two *[2]comparedPerson) {
	at, notes, name := p.words.ColTime, p.words.ColNotes, p.words.ColName
	names := []string{profileName(two[0].who), profileName(two[1].who)}
	if names[0] == names[1] {
		names[1] += " (2)"
	}
	var values []map[string]any
	for i := range two {
		for _, b := range two[i].days {
			values = append(values, map[string]any{at: b.Key, notes: b.Count, name: names[i]})
		}
	}
	if p.q.Form != question.AsTable && len(two[0].days) > 2 && p.chart(title, "line", values, map[string]any{
		"x":     map[string]any{"field": at, "type": "temporal", "timeUnit": "yearmonthdate", "title": nil},
		"y":     map[string]any{"field": notes, "type": "quantitative", "title": notes},
		"color": map[string]any{"field": name, "type": "nominal", "title": nil},
	}) {
		return
	}
	var rows [][]any
	for i, b := range two[0].days {
		if i < len(two[1].days) {
			rows = append(rows, []any{p.bucketName(b.Key, "day"), b.Count, two[1].days[i].Count})
		}
	}
	p.showTable(title, append([]string{at}, names...), rows)
}

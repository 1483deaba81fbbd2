package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// defaultSeries is how many days a series has if no time is asked about.
const defaultSeries = 30

// clockDays is how many days the hours of a day are counted of: more have too many hours.
const clockDays = 19

// series answers how many notes there were per hour, day or week.
func (p *plan) series() string {
	w := question.Window{Since: p.calendar.DayStart(-defaultSeries + 1), Until: p.calendar.Now}
	if p.q.Window.Asked {
		w = p.windowOrDefault()
	} else if p.q.By == "week" {
		w.Since = p.calendar.Monday(-11)
	}
	by := cmp.Or(p.q.By, "day")
	if p.q.By == "clock" {
		by = "hour"
		if since := p.calendar.DayStart(-clockDays); w.Since.Before(since) {
			w.Since = since
		}
	}
	if p.q.By == "" && w.Until.Sub(w.Since) > dailyFor {
		by = "week"
	}
	f, who, stop, ok := p.begin(w, p.settleWords)
	if !ok {
		return stop
	}
	args := f.args(p.kinds(), w)
	got := ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: args, By: by, Limit: 500})
	r := p.coverage(f, w)
	if p.waiting() {
		return ""
	}
	switch {
	case got.value == nil:
		return p.words.Failed
	case got.value.Total == 0:
		return p.nothing(f, w, r, who)
	}
	if first := &got.value.Buckets[0]; by == "week" {
		if at, err := time.Parse(time.RFC3339, first.Key); err == nil && at.Before(w.Since) {
			first.Key = w.Since.Format(time.RFC3339) // of its week, only this was asked about
		}
	}
	what := p.counted(got.value.Total, who)
	if p.q.By == "clock" {
		by, got.value.Buckets = p.q.By, p.byClock(got.value.Buckets)
	}
	title := words.Fill(map[string]string{"hour": p.words.PerHour, "clock": p.words.PerHour, "day": p.words.PerDay, "week": p.texts.PerWeek}[by], "what", what)
	p.drawSeries(title, by, got.value.Buckets)
	if p.waiting() {
		return ""
	}
	most := slices.MaxFunc(got.value.Buckets, func(a, b tools.AggregateBucket) int { return cmp.Compare(a.Count, b.Count) })
	lines := []string{words.Fill(p.texts.Counted, "what", what, "window", p.words.Window(w, p.calendar.Now)), p.peak(by, most)}
	if p.anyOf != "" {
		lines = slices.Insert(lines, 0, p.texts.AnyOf)
	}
	return strings.Join(append(lines, p.covered(r)...), " ") + "\n"
}

// byClock adds up what was written in the same hour of all days.
func (p *plan) byClock(buckets []tools.AggregateBucket) []tools.AggregateBucket {
	hours := make([]tools.AggregateBucket, 24)
	for h := range hours {
		hours[h].Key = strconv.Itoa(h)
	}
	for _, b := range buckets {
		if at, err := time.Parse(time.RFC3339, b.Key); err == nil {
			hours[at.In(p.calendar.Now.Location()).Hour()].Count += b.Count
		}
	}
	return hours
}

// peak names the day, week or hour with most notes.
func (p *plan) peak(by string, most tools.AggregateBucket) string {
	if by == "clock" {
		hour, _ := strconv.Atoi(most.Key)
		return words.Fill(p.texts.PeakHour, "from", most.Key+":00", "to", strconv.Itoa((hour+1)%24)+":00", "notes", p.words.Of(p.words.Note, most.Count))
	}
	at, err := time.Parse(time.RFC3339, most.Key)
	if err != nil {
		return ""
	}
	text, day := p.texts.Peak, p.dayOf(at)
	switch by {
	case "week":
		text = p.texts.PeakWeek
	case "hour":
		day = p.words.When(at, p.calendar.Now)
	}
	return words.Fill(text, "day", day, "notes", p.words.Of(p.words.Note, most.Count))
}

func (p *plan) dayOf(t time.Time) string {
	return p.words.OnDay(t.In(p.calendar.Now.Location()))
}

// drawSeries draws the buckets as bars, or lists them if a table is asked for or nothing
// can draw.
func (p *plan) drawSeries(title, by string, buckets []tools.AggregateBucket) {
	if p.q.Form != question.AsTable && p.drawCounts(title, by, buckets) {
		return
	}
	var rows [][]any
	for _, b := range buckets {
		rows = append(rows, []any{p.bucketName(b.Key, by), b.Count})
	}
	p.showTable(title, []string{p.words.ColTime, p.words.ColNotes}, rows)
}

// bucketName names an hour, or the day that a bucket begins with.
func (p *plan) bucketName(key, by string) string {
	t, err := time.Parse(time.RFC3339, key)
	switch {
	case err != nil:
		return key
	case by == "hour":
		return p.words.When(t, p.calendar.Now)
	}
	return p.dayOf(t)
}

// Which charts are drawn: fewer notes show nothing, and more days cannot be read.
const (
	hourlyFor  = 49 * time.Hour
	dailyFor   = 62 * 24 * time.Hour
	leastDrawn = 6
)

// times counts the posts of the headline by hour or day, for a chart. It requests nothing
// if none is drawn, because the window is too long or charts are not offered.
func (p *plan) times(args tools.CountArgs, w question.Window) found[tools.AggregateResult] {
	d := w.Until.Sub(w.Since)
	if d > dailyFor || !p.offered["render_chart"] {
		return found[tools.AggregateResult]{}
	}
	by := "day"
	if d <= hourlyFor {
		by = "hour"
	}
	return ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: args, By: by, Limit: 500})
}

// counted states how many notes there are, and whose or about what.
func (p *plan) counted(notes int, who *tools.ProfileResult) string {
	text, name := p.words.NotesHome, ""
	switch {
	case who != nil:
		text, name = p.words.NotesBy, profileName(who)
	case p.q.Topic != "":
		text = p.words.NotesAbout
	}
	return words.Fill(text, "notes", p.words.Of(p.words.Note, notes), "name", name, "topic", p.searchedFor())
}

// drawTimes draws when the notes were written.
func (p *plan) drawTimes(r *reading, who *tools.ProfileResult) {
	if r.times == nil || len(r.times.Buckets) < 3 || r.seen > 0 { // the counts include what is left out
		return
	}
	buckets, total := r.timesOfOthers()
	if total < leastDrawn {
		return
	}
	title := p.words.PerHour
	if r.times.By == "day" {
		title = p.words.PerDay
	}
	p.drawCounts(words.Fill(title, "what", p.counted(total, who)), r.times.By, buckets)
}

// drawCounts draws how many notes there were per hour, day or week as bars, and reports as
// [plan.chart] does.
func (p *plan) drawCounts(title, by string, buckets []tools.AggregateBucket) bool {
	at, notes := p.words.ColTime, p.words.ColNotes // the table below the chart is headed by the names of the fields
	values := make([]map[string]any, 0, len(buckets))
	for _, b := range buckets {
		values = append(values, map[string]any{at: b.Key, notes: b.Count})
	}
	x := map[string]any{"field": at, "type": "temporal", "timeUnit": "yearmonthdate", "title": nil}
	switch by {
	case "hour":
		x["timeUnit"] = "yearmonthdatehours"
	case "clock":
		x = map[string]any{"field": at, "type": "ordinal", "sort": nil, "title": nil}
	}
	return p.chart(title, "bar", values, map[string]any{
		"x": x,
		"y": map[string]any{"field": notes, "type": "quantitative", "title": nil},
	})
}

// chart shows values as a Vega-Lite chart. It reports whether the chart is shown, or has
// only been requested in this step; the caller may list the values otherwise.
func (p *plan) chart(title, mark string, values []map[string]any, encoding map[string]any) bool {
	spec, err := json.Marshal(map[string]any{"mark": mark, "data": map[string]any{"values": values}, "encoding": encoding})
	if err != nil {
		return false
	}
	drawn := ask[tools.ChartResult](p.turn, "render_chart", tools.ChartArgs{Title: title, Spec: spec})
	return drawn.waiting || drawn.value != nil && drawn.value.Refused == ""
}

// timesOfOthers returns the counts without what the user wrote.
func (r *reading) timesOfOthers() (buckets []tools.AggregateBucket, total int) {
	buckets, total = slices.Clone(r.times.Buckets), r.times.Total
	for _, n := range r.toMe.own {
		i, found := slices.BinarySearchFunc(buckets, n.CreatedAtUnix, func(b tools.AggregateBucket, at int64) int {
			from, _ := time.Parse(time.RFC3339, b.Key)
			return cmp.Compare(from.Unix(), at)
		})
		if !found {
			i--
		}
		if i >= 0 && n.CreatedAtUnix >= r.window.Since.Unix() {
			buckets[i].Count--
			total--
		}
	}
	return buckets, total
}

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

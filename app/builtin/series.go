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

// defaultSeries is how many days a series has where no time is asked about.
const defaultSeries = 30

// clockDays is how many days the hours of a day are counted of: more have too many hours.
const clockDays = 19

// series answers how many notes there were per hour, day or week.
func (p *plan) series() string {
	f, who, stop := p.whose()
	if stop != "" || p.waiting() {
		return stop
	}
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
	if p.settleWords(f, w); p.waiting() {
		return ""
	}
	f.search = p.topicWords()
	args := f.args(p.kinds(), w)
	got := ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: args, By: by, Limit: 500})
	covered := ask[tools.CoverageResult](p.turn, "coverage", tools.CoverageArgs{Since: args.Since, Until: args.Until})
	if p.waiting() {
		return ""
	}
	r := &reading{window: w, narrow: f.narrow(), coverage: covered.value}
	switch {
	case got.value == nil:
		return p.words.Failed
	case got.value.Total == 0:
		return p.nothing(f, w, r, who)
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

// peak names the day or week with most notes.
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
	t = t.In(p.calendar.Now.Location())
	return words.Fill(p.texts.Day, "weekday", p.words.Weekdays[t.Weekday()], "day", strconv.Itoa(t.Day()), "month", p.words.Months[t.Month()-1])
}

// drawSeries draws the buckets as bars, or lists them where a table is asked for or
// nothing draws.
func (p *plan) drawSeries(title, by string, buckets []tools.AggregateBucket) {
	at, notes := p.words.ColTime, p.words.ColNotes
	if p.q.Form != question.AsTable {
		values := make([]map[string]any, 0, len(buckets))
		for _, b := range buckets {
			values = append(values, map[string]any{at: b.Key, notes: b.Count})
		}
		unit := map[string]string{"hour": "yearmonthdatehours", "day": "yearmonthdate", "week": "yearmonthdate"}[by]
		scale := map[string]any{"field": at, "type": "temporal", "timeUnit": unit, "title": nil}
		if by == "clock" {
			scale = map[string]any{"field": at, "type": "ordinal", "sort": nil, "title": nil}
		}
		spec, err := json.Marshal(map[string]any{
			"mark": "bar", "data": map[string]any{"values": values},
			"encoding": map[string]any{
				"x": scale,
				"y": map[string]any{"field": notes, "type": "quantitative", "title": nil},
			},
		})
		if err == nil {
			drawn := ask[tools.ChartResult](p.turn, "render_chart", tools.ChartArgs{Title: title, Spec: spec})
			if drawn.waiting || drawn.value != nil && drawn.value.Refused == "" {
				return
			}
		}
	}
	var rows [][]any
	for _, b := range buckets {
		rows = append(rows, []any{p.bucketName(b.Key, by), b.Count})
	}
	p.showTable(title, []string{at, notes}, rows)
}

// bucketName names an hour, or the day with which a bucket begins.
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

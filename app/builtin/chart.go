package builtin

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

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

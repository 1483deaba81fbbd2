package tools

import (
	"fmt"
	"slices"
	"time"
)

// stepOf returns the function that finds the start of a time bucket, or nil.
func stepOf(by string) func(time.Time) time.Time {
	switch by {
	case "hour":
		return func(t time.Time) time.Time {
			return t.Add(-time.Duration(t.Minute())*time.Minute - time.Duration(t.Second())*time.Second).Truncate(time.Second)
		}
	case "day":
		return func(t time.Time) time.Time { return StartOfDay(t.Year(), t.Month(), t.Day(), t.Location()) }
	case "week":
		return func(t time.Time) time.Time {
			return StartOfDay(t.Year(), t.Month(), t.Day()-sinceMonday(t), t.Location())
		}
	}
	return nil
}

// overTime lists the buckets from since (else the oldest note) to until, including empty
// ones, so that a chart of them is true; if there are too many, the newest.
func (t *tally) overTime(step func(time.Time) time.Time, since, until *int64, limit int) ([]AggregateBucket, bool) {
	from := t.oldest
	if since != nil {
		from = *since
	}
	rows := []AggregateBucket{}
	if t.total == 0 && since == nil {
		return rows, false
	}
	// Backwards from the end: a window may reach back for decades.
	first := step(time.Unix(from, 0).In(t.zone))
	at := step(time.Unix(*until, 0).In(t.zone))
	for !at.Before(first) && len(rows) < limit {
		row := t.row(at.Format(time.RFC3339))
		row.Label = timeLabel(t.by, at)
		rows = append(rows, row)
		at = step(at.Add(-time.Second))
	}
	slices.Reverse(rows)
	return rows, !at.Before(first)
}

// timeLabel names a bucket for a person.
func timeLabel(by string, t time.Time) string {
	switch by {
	case "hour":
		return t.Format("Mon 2 Jan 15:04")
	case "day":
		return t.Format("Mon 2 Jan")
	}
	year, week := t.ISOWeek()
	return fmt.Sprintf("week %d of %d", week, year)
}

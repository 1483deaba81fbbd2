package chartspec

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// finite reads a number that can be drawn.
func finite(n json.Number) (float64, bool) {
	f, err := n.Float64()
	return f, err == nil && isFinite(f)
}

func isFinite(f float64) bool { return !math.IsNaN(f) && math.Abs(f) <= maxNumber }

// toNumber reads a row's value as an amount, also from a string, as Vega-Lite does.
func toNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		return finite(v)
	case string:
		f, err := strconv.ParseFloat(strings.TrimSpace(v), 64)
		return f, err == nil && isFinite(f)
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	}
	return 0, false
}

// The times that charts show: years 1 to 9999.
const (
	firstTime = -62135596800000
	lastTime  = 253402300799000
)

// toTime reads a row's value as a time: RFC 3339, a date, a year, or unix
// milliseconds.
func toTime(v any) (time.Time, bool) {
	switch v := v.(type) {
	case json.Number:
		f, ok := finite(v)
		if !ok {
			return time.Time{}, false
		}
		if f == math.Trunc(f) && f >= 1000 && f < 3000 { // a year, not two seconds into 1970
			return time.Date(int(f), 1, 1, 0, 0, 0, 0, time.UTC), true
		}
		return fromMillis(f)
	case string:
		if t, err := time.Parse("2006", strings.TrimSpace(v)); err == nil {
			return t, true
		}
		return readTime(v)
	}
	return time.Time{}, false
}

func fromMillis(f float64) (time.Time, bool) {
	if f < firstTime || f > lastTime {
		return time.Time{}, false
	}
	return time.UnixMilli(int64(f)).UTC(), true
}

// timeLayouts are the accepted forms of times. In numbers with slashes the month comes
// first, as in Vega-Lite.
var timeLayouts = []string{
	time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02T15", "2006-01-02 15:04:05", "2006-01-02 15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04Z07:00", "2006-01-02", "2006/01/02", "2006/01/02 15:04", "2006-01",
	"Jan 2 2006", "Jan 2, 2006", "2 Jan 2006", "2-Jan-2006", "2-Jan-06", "January 2, 2006", "2 January 2006", "Jan 2006", "January 2006",
	"1/2/2006", "1/2/2006 15:04", time.RFC1123, time.RFC1123Z, "Mon, 02 Jan 2006 15:04:05", "2 Jan 2006 15:04:05", "Jan 2, 2006 15:04:05", "Mon Jan 2 2006",
}

// readTime reads times as tools and models write them. It keeps the zone of the text, so
// that a day remains the day for which the notes were counted.
func readTime(s string) (time.Time, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 7 || len(s) > 40 {
		return time.Time{}, false
	}
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			ms := t.UnixMilli()
			return t, ms >= firstTime && ms <= lastTime
		}
	}
	return time.Time{}, false
}

// toText returns a row's value as a category or label.
func toText(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		return clip(v, maxText)
	case json.Number:
		if f, ok := finite(v); ok {
			return FormatNumber(f)
		}
		return clip(v.String(), 40)
	case bool:
		return strconv.FormatBool(v)
	}
	raw, _ := json.Marshal(v) // it was read from JSON
	return clip(string(raw), maxText)
}

// FormatNumber formats a number for people: integers in full, others with six digits.
func FormatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return strconv.FormatFloat(f, 'f', 0, 64)
	}
	return strconv.FormatFloat(f, 'g', 6, 64)
}

func timeValue(t time.Time, layout string) Value {
	_, offset := t.Zone()
	return Value{Kind: Time, Num: float64(t.UnixMilli()), Text: t.Format(layout), Offset: offset}
}

// timeLayout returns a layout that omits a time of day or seconds that are zero.
func timeLayout(t time.Time) string {
	switch {
	case t.Hour() == 0 && t.Minute() == 0 && t.Second() == 0:
		return "2006-01-02"
	case t.Second() == 0:
		return "2006-01-02 15:04"
	}
	return "2006-01-02 15:04:05"
}

// ParseNumber reads a string as a finite number, as [Parse] reads amounts.
func ParseNumber(s string) (float64, bool) { return toNumber(s) }

// reach resolves a field that is a path ("author.name", "counts[0]"): it adds the value to
// each row with the path as the key, so that it is read like any other field. A dot after a
// backslash is part of a name.
func (u *unit) reach(field string) {
	if !strings.ContainsAny(field, ".[\\") || u.anyHas(field) {
		return
	}
	steps := pathOf(field)
	for _, r := range u.rows {
		var v any = r
		found := true
		for _, step := range steps {
			if v, found = child(v, step); !found {
				break
			}
		}
		if found {
			r[field] = v
		}
	}
}

func pathOf(field string) []string {
	field = strings.NewReplacer(`\.`, "\x00", "[", ".", "]", "", `"`, "", `'`, "").Replace(field)
	steps := strings.Split(field, ".")
	for i, s := range steps {
		steps[i] = strings.ReplaceAll(s, "\x00", ".")
	}
	return steps
}

func child(v any, step string) (any, bool) {
	switch v := v.(type) {
	case object:
		found, ok := v[step]
		return found, ok
	case []any:
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(v) {
			return v[i], true
		}
	}
	return nil, false
}

func (u *unit) anyHas(field string) bool {
	return slices.ContainsFunc(u.rows, func(r object) bool {
		_, ok := r[field]
		return ok
	})
}

// guess returns the type of a field by its values.
func (u *unit) guess(field string) fieldType {
	numbers, times, seen := true, true, false
	for _, r := range u.rows {
		switch v := r[field].(type) {
		case nil:
			continue
		case json.Number:
			times = false
		case string:
			numbers = false
			if _, ok := readTime(v); !ok {
				times = false
			}
		default:
			numbers, times = false, false
		}
		seen = true
	}
	switch {
	case seen && numbers:
		return quantitative
	case seen && times:
		return temporal
	}
	return nominal
}

package chartspec

import (
	"fmt"
	"time"
)

// timeUnit truncates times: start returns the beginning of the unit; names returns a category
// for units that recur each year, week or day.
type timeUnit struct {
	start  func(time.Time) time.Time
	layout string
	names  func(time.Time) Value
}

// timeUnits are the supported units, by Vega-Lite's names. Its weeks begin on Sunday.
var timeUnits = map[string]timeUnit{
	"year":                      {start: startOf("2006"), layout: "2006"},
	"yearquarter":               {start: startOfQuarter, layout: "2006-01"},
	"yearmonth":                 {start: startOf("2006-01"), layout: "2006-01"},
	"yearweek":                  {start: startOfWeek, layout: "2006-01-02"},
	"yearmonthdate":             {start: startOf("2006-01-02"), layout: "2006-01-02"},
	"yearmonthdatehours":        {start: startOf("2006-01-02 15"), layout: "2006-01-02 15:04"},
	"yearmonthdatehoursminutes": {start: startOf("2006-01-02 15:04"), layout: "2006-01-02 15:04"},

	"quarter":   {names: named(quarterOf, func(t time.Time) string { return fmt.Sprintf("Q%d", quarterOf(t)) })},
	"month":     {names: named(func(t time.Time) int { return int(t.Month()) }, shown("Jan"))},
	"monthdate": {names: named(func(t time.Time) int { return int(t.Month())*100 + t.Day() }, shown("Jan 2"))},
	"date":      {names: named(time.Time.Day, shown("2"))},
	"day":       {names: named(func(t time.Time) int { return int(t.Weekday()) }, shown("Mon"))},
	"hours":     {names: named(time.Time.Hour, shown("15"))},
	"minutes":   {names: named(time.Time.Minute, shown("04"))},
}

// startOf truncates times to what a layout contains.
func startOf(layout string) func(time.Time) time.Time {
	return func(t time.Time) time.Time {
		cut, err := time.ParseInLocation(layout, t.Format(layout), t.Location())
		if err != nil {
			return t // unreachable for the years that toTime accepts
		}
		return cut
	}
}

func startOfQuarter(t time.Time) time.Time {
	return time.Date(t.Year(), time.Month(3*quarterOf(t)-2), 1, 0, 0, 0, 0, t.Location())
}

func startOfWeek(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day()-int(t.Weekday()), 0, 0, 0, 0, t.Location())
}

func quarterOf(t time.Time) int { return (int(t.Month()) + 2) / 3 }

func shown(layout string) func(time.Time) string {
	return func(t time.Time) string { return t.Format(layout) }
}

// named returns categories that are sorted by number and shown by name.
func named(number func(time.Time) int, name func(time.Time) string) func(time.Time) Value {
	return func(t time.Time) Value { return Value{Kind: Category, Num: float64(number(t)), Text: name(t)} }
}

package question

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Pattern is one way to name a time. Its words are separated by spaces; "a|b" is
// either, "a?" may be absent, and {…} is a value: {n} a number, {unit},
// {weekday}, {month}, {d} a day of the month, {dth} one that is written as such, {y} a
// year, {part} of a day, {date} and {clock} in figures, {h} an hour, {dur} such as 3h,
// {nth} first or second, {third} early or late.
type Pattern struct {
	words []string
	bare  bool // no word such as "since" or "on" is needed before it
	lasts bool // it is a time until now: "the last days"
	make  spanMaker
}

type spanMaker func(Calendar, values) (span, bool)

// values are the values of the placeholders in a pattern.
type values struct {
	n, d, y, h, min int
	unit            unit
	weekday         time.Weekday
	month           time.Month
	part            Hours
	date            time.Time // y, m, d only
}

var slots = []string{"{n}", "{dur}", "{unit}", "{weekday}", "{month}", "{nth}", "{third}", "{part}", "{d}", "{dth}", "{y}", "{h}", "{clock}", "{date}"}

// marked after a meaning: the pattern by itself could too easily mean something else.
const marked = "(marked)"

// UnmarshalText reads "WORDS = MEANING", or "WORDS = MEANING (marked)".
func (p *Pattern) UnmarshalText(text []byte) error {
	words, meaning, ok := strings.Cut(string(text), " = ")
	if p.words = strings.Fields(Fold(words)); !ok || len(p.words) == 0 {
		return fmt.Errorf("%q is not WORDS = MEANING", text)
	}
	meaning, after := strings.CutSuffix(strings.TrimSpace(meaning), marked)
	p.bare = !after
	make, needs, err := meant(strings.TrimSpace(meaning))
	if err != nil {
		return err
	}
	p.make, p.lasts = make, strings.HasPrefix(meaning, "last") && strings.TrimSpace(meaning) != "last visit"
	var has []string
	for _, word := range p.words {
		if word = strings.TrimSuffix(word, "?"); strings.HasPrefix(word, "{") {
			if !slices.Contains(slots, word) {
				return fmt.Errorf("unknown placeholder %s; known are %s", word, strings.Join(slots, " "))
			}
			has = append(has, word)
		}
	}
	for _, need := range needs {
		if !slices.ContainsFunc(strings.Split(need, " or "), func(slot string) bool { return slices.Contains(has, slot) }) {
			return fmt.Errorf("%q needs %s for its meaning", words, need)
		}
	}
	return nil
}

// meant returns the function for a meaning, and the placeholders that it needs.
func meant(meaning string) (make spanMaker, needs []string, err error) {
	if m, ok := plainMeanings[meaning]; ok {
		return m.make, m.needs, nil
	}
	var n, day int
	var from, to int
	fits := func(format string, into ...any) bool {
		read, err := fmt.Sscanf(meaning, format, into...)
		return err == nil && read == len(into) && fmt.Sprintf(format, derefs(into)...) == meaning
	}
	switch {
	case fits("day %d", &n):
		return func(c Calendar, _ values) (span, bool) { return c.day(n), true }, nil, nil
	case fits("part of day %d", &n):
		return func(c Calendar, v values) (span, bool) { return c.partOf(c.day(n), v.part), true }, []string{"{part}"}, nil
	case fits("%d-%d of day %d", &from, &to, &n):
		return func(c Calendar, _ values) (span, bool) { return c.partOf(c.day(n), Hours{from, to}), true }, nil, nil
	case fits("clock of day %d", &n):
		return clockOn(n), []string{"{clock} or {h}"}, nil
	case fits("unit %d", &n):
		return func(c Calendar, v values) (span, bool) { return c.block(v.unit, n), true }, []string{"{unit}"}, nil
	case fits("week %d", &n):
		return blockOf(weeks, n), nil, nil
	case fits("month %d", &n):
		return blockOf(months, n), nil, nil
	case fits("year %d", &n):
		return blockOf(years, n), nil, nil
	case fits("last %d days", &n):
		return func(c Calendar, _ values) (span, bool) { return span{c.back(n, days), c.Now}, true }, nil, nil
	case fits("day %d of week %d", &day, &n) && day >= 1 && day <= 7:
		return func(c Calendar, _ values) (span, bool) { return c.daysOf(c.block(weeks, n), day-1, 1) }, nil, nil
	}
	return nil, nil, fmt.Errorf("unknown meaning %q; known are %s, day N, part of day N, HOUR-HOUR of day N, clock of day N, unit N, week N, month N, year N, day D of week N, last N days",
		meaning, strings.Join(slices.Sorted(maps.Keys(plainMeanings)), ", "))
}

func derefs(pointers []any) []any {
	out := make([]any, len(pointers))
	for i, p := range pointers {
		out[i] = *p.(*int)
	}
	return out
}

func blockOf(u unit, offset int) spanMaker {
	return func(c Calendar, _ values) (span, bool) { return c.block(u, offset), true }
}

func clockOn(offset int) spanMaker {
	return func(c Calendar, v values) (span, bool) {
		from := c.at(c.DayStart(offset), v.h, v.min)
		return span{from, from.Add(time.Minute)}, true
	}
}

// plainMeanings are the meanings without a number, and the placeholders that they need.
var plainMeanings = map[string]struct {
	make  spanMaker
	needs []string
}{
	"last":              {rolling, []string{"{unit} or {dur}"}},
	"ago":               {ago, []string{"{n}", "{unit}"}},
	"running week":      {func(c Calendar, _ values) (span, bool) { return c.runningWeek(), true }, nil},
	"weekday":           {func(c Calendar, v values) (span, bool) { return c.weekday(v.weekday), true }, []string{"{weekday}"}},
	"weekend":           {func(c Calendar, _ values) (span, bool) { return c.weekend(), true }, nil},
	"day of month":      {func(c Calendar, v values) (span, bool) { return c.date(v.y, v.month, v.d) }, []string{"{month}", "{d}"}},
	"day of this month": {dayOfThisMonth, []string{"{d} or {dth}"}},
	"week of month":     {weekOfMonth, []string{"{nth} or {n}", "{month}"}},
	"third of month":    {thirdOfMonth, []string{"{third}", "{month}"}},
	"month":             {func(c Calendar, v values) (span, bool) { return c.month(v.y, v.month), true }, []string{"{month}"}},
	"year":              {func(c Calendar, v values) (span, bool) { return c.year(v.y), true }, []string{"{y}"}},
	"date":              {date, []string{"{date}"}},
	"date and clock":    {dateClock, []string{"{date}", "{clock}"}},
	"clock":             {func(c Calendar, v values) (span, bool) { return c.clockTime(v.h, v.min), true }, []string{"{clock} or {h}"}},
	"am":                {am, []string{"{h}"}},
	"pm":                {pm, []string{"{h}"}},
	"last visit":        {lastVisit, nil},
}

func rolling(c Calendar, v values) (span, bool) {
	n := max(v.n, 1)
	return span{c.back(n, v.unit), c.Now}, n <= maxNumber
}

func ago(c Calendar, v values) (span, bool) { return c.ago(v.n, v.unit), v.n <= maxNumber }

// dayOfThisMonth is the last day of that number that has begun.
func dayOfThisMonth(c Calendar, v values) (span, bool) {
	in := c.block(months, 0)
	if v.d > c.Now.Day() {
		in = c.block(months, -1)
	}
	y, m, _ := in.from.Date()
	return c.date(y, m, v.d)
}

// weekOfMonth is the first, second … seven days of a month.
func weekOfMonth(c Calendar, v values) (span, bool) {
	return c.daysOf(c.month(v.y, v.month), 7*(v.n-1), 7)
}

// thirdOfMonth is about ten days of a month.
func thirdOfMonth(c Calendar, v values) (span, bool) {
	return c.daysOf(c.month(v.y, v.month), 10*v.n, 10+v.n/2)
}

func date(c Calendar, v values) (span, bool) {
	y, m, d := v.date.Date()
	return c.date(y, m, d)
}

func dateClock(c Calendar, v values) (span, bool) {
	day, ok := date(c, v)
	if !ok {
		return span{}, false
	}
	from := c.at(day.from, v.h, v.min)
	return span{from, from.Add(time.Minute)}, true
}

func am(c Calendar, v values) (span, bool) {
	return c.clockTime(v.h%12, v.min), v.h >= 1 && v.h <= 12
}

func pm(c Calendar, v values) (span, bool) {
	return c.clockTime(v.h%12+12, v.min), v.h >= 1 && v.h <= 12
}

// lastVisit fails where no visit is known; the question's default steps in.
func lastVisit(c Calendar, _ values) (span, bool) {
	return span{c.LastVisit, c.Now}, true
}

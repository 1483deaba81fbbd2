package tools

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// latestTime is the last second that an event can have: 2^53.
const latestTime = 1 << 53

const whenForms = `unix seconds, RFC 3339 ("2026-05-03T08:00:00+02:00"), a date ("2026-05-03"), "today", "yesterday", "monday", "last week", "this month", or a span back from now ("24h", "7d", "3 days ago")`

// times reads since and until, both inclusive, as unix seconds; nil where not
// given. Dates mean whole local days: since begins at local midnight, until runs
// to the day's last second.
func (env *Env) times(since, until When) (from, to *int64, err error) {
	if from, err = env.moment("since", since, false); err != nil {
		return nil, nil, err
	}
	if to, err = env.moment("until", until, true); err != nil {
		return nil, nil, err
	}
	if from != nil && to != nil && *from > *to {
		return nil, nil, wrongValue("since", fmt.Sprintf("a time before until (%s)", env.stamp(*to)), env.stamp(*from))
	}
	return from, to, nil
}

// moment reads one time; end asks for the last second of a day.
func (env *Env) moment(path string, w When, end bool) (*int64, error) {
	text := strings.TrimSpace(string(w))
	if text == "" {
		return nil, nil
	}
	if strings.EqualFold(strings.ReplaceAll(text, "_", " "), "last visit") && !env.LastVisit.IsZero() {
		n := env.LastVisit.Unix()
		return &n, nil
	}
	// Four digits are a year: nobody asks for the first hours of 1970.
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && len(text) != 4 {
		// Twelve digits would be the year 5138: anything longer is milliseconds.
		if n < 0 || n >= 100_000_000_000 {
			return nil, wrongValue(path, "unix time in seconds", text)
		}
		return &n, nil
	}
	t, err := readTime(text, env.now(), end)
	if err != nil {
		return nil, wrongValue(path, whenForms, text)
	}
	n := t.Unix()
	if n < 0 || n > latestTime {
		return nil, wrongValue(path, "a time since 1970", text)
	}
	return &n, nil
}

// readTime reads a text that is no number of seconds, in the zone of now.
func readTime(text string, now time.Time, end bool) (time.Time, error) {
	side := func(from, to time.Time) time.Time {
		if end {
			return to.Add(-time.Second)
		}
		return from
	}
	words := strings.Join(strings.Fields(strings.ToLower(strings.ReplaceAll(text, "_", " "))), " ")
	words = strings.TrimPrefix(strings.TrimPrefix(words, "on "), "the ")
	if words == "now" {
		return now, nil
	}
	if from, to, ok := Block(words, now); ok {
		return side(from, to), nil
	}
	if t, ok := spanBack(words, now); ok {
		return t, nil
	}
	if t, err := time.Parse(time.RFC3339, strings.ToUpper(text)); err == nil {
		return t, nil
	}
	for _, layout := range []string{"2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04"} {
		if t, err := time.ParseInLocation(layout, strings.ToUpper(text), now.Location()); err == nil {
			return t, nil
		}
	}
	for layout, one := range map[string][3]int{time.DateOnly: {0, 0, 1}, "2006-01": {0, 1, 0}, "2006": {1, 0, 0}} {
		if t, err := time.Parse(layout, text); err == nil {
			y, m, d := t.Date()
			return side(StartOfDay(y, m, d, now.Location()), StartOfDay(y+one[0], m+time.Month(one[1]), d+one[2], now.Location())), nil
		}
	}
	return time.Time{}, errors.New("no time")
}

// StartOfDay returns the first instant of a local day; m and d may run over, as in
// time.Date. It is not always 0:00: some zones set their clocks forward, or back, at
// midnight.
func StartOfDay(y int, m time.Month, d int, zone *time.Location) time.Time {
	noon := time.Date(y, m, d, 12, 0, 0, 0, zone)
	t := time.Date(y, m, d, 0, 0, 0, 0, zone)
	if t.Day() != noon.Day() {
		if _, end := t.ZoneBounds(); !end.IsZero() {
			return end
		}
	}
	if earlier := t.Add(-time.Hour); earlier.Day() == noon.Day() {
		return earlier
	}
	return t
}

// stamp writes a unix time as the model and the user read it: RFC 3339 in the
// user's zone.
func (env *Env) stamp(unix int64) string {
	return time.Unix(unix, 0).In(env.zone()).Format(time.RFC3339)
}

// stampOr is stamp, or "" for no time.
func (env *Env) stampOr(unix *int64) string {
	if unix == nil {
		return ""
	}
	return env.stamp(*unix)
}

// Times in words, as models write them: a block of the calendar ("yesterday", "last
// week", "monday"), or a span back from now ("3 days ago", "24h"). Weeks begin on Monday,
// as in aggregate.

// Block returns the block of the calendar with a lower-case name ("yesterday", "this
// week"), in the zone of now; its end is exclusive.
func Block(words string, now time.Time) (from, to time.Time, ok bool) {
	y, m, d := now.Date()
	zone := now.Location()
	days := func(first, n int) (time.Time, time.Time, bool) {
		return StartOfDay(y, m, d+first, zone), StartOfDay(y, m, d+first+n, zone), true
	}
	which, unit, _ := strings.Cut(words, " ")
	back := map[string]int{"this": 0, "current": 0, "last": 1, "previous": 1}
	n, relative := back[which]
	switch {
	case words == "today":
		return days(0, 1)
	case words == "yesterday":
		return days(-1, 1)
	case words == "tomorrow":
		return days(1, 1)
	case words == "day before yesterday":
		return days(-2, 1)
	case relative && unit == "week":
		return days(-sinceMonday(now)-7*n, 7)
	case relative && unit == "month":
		return StartOfDay(y, m-time.Month(n), 1, zone), StartOfDay(y, m-time.Month(n)+1, 1, zone), true
	case relative && unit == "year":
		return StartOfDay(y-n, 1, 1, zone), StartOfDay(y-n+1, 1, 1, zone), true
	}
	if !relative {
		unit = words
	}
	for w := time.Sunday; w <= time.Saturday; w++ {
		if strings.EqualFold(unit, w.String()) { // the last one before today
			return days(-((int(now.Weekday())-int(w)+6)%7 + 1), 1)
		}
	}
	return time.Time{}, time.Time{}, false
}

// sinceMonday is how many days of the week have passed; weeks begin as in ISO 8601.
func sinceMonday(t time.Time) int { return (int(t.Weekday()) + 6) % 7 }

var spanWords = regexp.MustCompile(`^(?:(last|past|previous) |-)?(?:(\d{1,6}|an?|one) ?)?(m|h|d|w|y|mins?|minutes?|hrs?|hours?|days?|weeks?|months?|years?)(?: ago| back)?$`)

// spanBack parses "24h", "-2w", "3 days ago", "last 7 days". Days and longer units are
// those of the calendar, so that the time of day stays the same when the clocks change.
func spanBack(words string, now time.Time) (time.Time, bool) {
	found := spanWords.FindStringSubmatch(words)
	if found == nil || found[2] == "" && found[1] != "past" {
		return time.Time{}, false
	}
	n, err := strconv.Atoi(found[2])
	if err != nil {
		n = 1
	}
	switch unit := found[3]; {
	case strings.HasPrefix(unit, "mo"):
		return now.AddDate(0, -n, 0), true
	case unit[0] == 'm':
		return now.Add(-time.Duration(n) * time.Minute), true
	case unit[0] == 'h':
		return now.Add(-time.Duration(n) * time.Hour), true
	case unit[0] == 'd':
		return now.AddDate(0, 0, -n), true
	case unit[0] == 'w':
		return now.AddDate(0, 0, -7*n), true
	}
	return now.AddDate(-n, 0, 0), true
}

package tools

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

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

package present

import "time"

// When says a time the way a person would, seen from now and in t's zone:
// "14:03" today, "yesterday 14:03", "Monday 14:03" within six days, else the date.
func When(t, now time.Time) string {
	now = now.In(t.Location())
	clock := t.Format("15:04")
	switch days := dayNumber(now) - dayNumber(t); {
	case days == 0:
		return clock
	case days == 1:
		return "yesterday " + clock
	case days > 1 && days < 7:
		return t.Format("Monday ") + clock
	case t.Year() == now.Year():
		return t.Format("2 January ") + clock
	}
	return t.Format("2 January 2006 ") + clock
}

// dayNumber counts calendar days in t's zone, so that clock changes do not.
func dayNumber(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 12, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

package present

import "time"

// dayNumber counts calendar days in t's zone, so that clock changes do not.
func dayNumber(t time.Time) int {
	y, m, d := t.Date()
	return int(time.Date(y, m, d, 12, 0, 0, 0, time.UTC).Unix() / (24 * 60 * 60))
}

// Ago says how long before now t was, in little room: "now", "12 min", "3 h",
// "2 d"; from a week on the date, in now's zone: "12 Mar", "12 Mar 2025". A time
// ahead of now is "now" for a quarter of an hour (clocks differ), else a date.
func (w Words) Ago(t, now time.Time) string {
	t = t.In(now.Location())
	switch d := now.Sub(t); {
	case d < -15*time.Minute:
		return w.Date(t, now)
	case d < time.Minute:
		return w.say("now")
	case d < time.Hour:
		return w.say("{{.N}} min", "N", int(d/time.Minute))
	case d < 24*time.Hour:
		return w.say("{{.N}} h", "N", int(d/time.Hour))
	case d < 7*24*time.Hour:
		return w.say("{{.N}} d", "N", int(d/(24*time.Hour)))
	}
	return w.Date(t, now)
}

// exact says a time in full, in its zone: "Thursday, 12 March 2026, 14:03".
func (w Words) exact(t time.Time) string {
	return w.say("{{.Weekday}}, {{.Day}} {{.Month}} {{.Year}}, {{.Clock}}",
		"Weekday", w.say(t.Weekday().String()), "Day", t.Day(), "Month", w.say(t.Month().String()), "Year", t.Year(), "Clock", t.Format("15:04"))
}

// Day names the day of t as seen from now: "Today", "Yesterday", the weekday
// within six days, else the date.
func (w Words) Day(t, now time.Time) string {
	t = t.In(now.Location())
	switch days := dayNumber(now) - dayNumber(t); {
	case days == 0:
		return w.say("Today")
	case days == 1:
		return w.say("Yesterday")
	case days > 1 && days < 7:
		return w.say(t.Weekday().String())
	case t.Year() == now.Year():
		return w.say("{{.Day}} {{.Month}}", "Day", t.Day(), "Month", w.say(t.Month().String()))
	}
	return w.say("{{.Day}} {{.Month}} {{.Year}}", "Day", t.Day(), "Month", w.say(t.Month().String()), "Year", t.Year())
}

// Date is the day of t in little room, in its zone: "12 Mar", "12 Mar 2025".
func (w Words) Date(t, now time.Time) string {
	month := w.say(t.Format("Jan"))
	if t.Year() == now.Year() {
		return w.say("{{.Day}} {{.Month}}", "Day", t.Day(), "Month", month)
	}
	return w.say("{{.Day}} {{.Month}} {{.Year}}", "Day", t.Day(), "Month", month, "Year", t.Year())
}

// Moment says a time in little room, in now's zone: "18:00" today, "Thu 18:00" within six
// days, else "12 Mar 18:00", or "12 Mar 2025".
func (w Words) Moment(t, now time.Time) string {
	t = t.In(now.Location())
	clock, days := t.Format("15:04"), dayNumber(now)-dayNumber(t)
	switch {
	case days == 0:
		return clock
	case days > 0 && days <= 6:
		return w.say("{{.Weekday}} {{.Clock}}", "Weekday", w.say(t.Format("Mon")), "Clock", clock)
	case t.Year() == now.Year():
		return w.say("{{.Day}} {{.Month}} {{.Clock}}", "Day", t.Day(), "Month", w.say(t.Format("Jan")), "Clock", clock)
	}
	return w.say("{{.Day}} {{.Month}} {{.Year}}", "Day", t.Day(), "Month", w.say(t.Format("Jan")), "Year", t.Year())
}

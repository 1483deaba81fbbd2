package question

import (
	"time"

	"bowerbird/tools"
)

// A span is a piece of time: from is inside, to is not.
type span struct{ from, to time.Time }

// A unit is a length of time as people name it.
type unit uint8

const (
	noUnit unit = iota
	minutes
	hours
	days
	weeks
	months
	years
)

// A calendar answers what a day's name means to a person at a place and a time.
type Calendar struct {
	Now       time.Time // in the person's zone
	LastVisit time.Time // zero when unknown
}

// DayStart returns the first instant of the day that is offset days from today.
func (c Calendar) DayStart(offset int) time.Time {
	y, m, d := c.Now.Date()
	return tools.StartOfDay(y, m, d+offset, c.Now.Location())
}

func (c Calendar) day(offset int) span {
	return span{c.DayStart(offset), c.DayStart(offset + 1)}
}

// weekday returns the last day of that name before today.
func (c Calendar) weekday(w time.Weekday) span {
	back := (int(c.Now.Weekday()) - int(w) + 7) % 7
	if back == 0 {
		back = 7
	}
	return c.day(-back)
}

// block returns the calendar week (from Monday), month or year that is offset
// from the present one; for shorter units, the calendar day or the clock's hour.
func (c Calendar) block(u unit, offset int) span {
	y, m, d := c.Now.Date()
	zone := c.Now.Location()
	switch u {
	case weeks:
		monday := -((int(c.Now.Weekday()) + 6) % 7) + 7*offset
		return span{c.DayStart(monday), c.DayStart(monday + 7)}
	case months:
		return span{tools.StartOfDay(y, m+time.Month(offset), 1, zone), tools.StartOfDay(y, m+time.Month(offset+1), 1, zone)}
	case years:
		return span{tools.StartOfDay(y+offset, 1, 1, zone), tools.StartOfDay(y+offset+1, 1, 1, zone)}
	case hours, minutes:
		from := c.back(offset*-1, u)
		return span{from, c.Now}
	default:
		return span{tools.StartOfDay(y, m, d+offset, zone), tools.StartOfDay(y, m, d+offset+1, zone)}
	}
}

// runningWeek is what people mean by "the week": the calendar week, but early in it, when
// that has hardly begun, the last seven days.
func (c Calendar) runningWeek() span {
	if w := c.Now.Weekday(); w == time.Monday || w == time.Tuesday {
		return span{c.DayStart(-7), c.Now}
	}
	return c.block(weeks, 0)
}

// Monday returns the start of the week that is offset weeks from the present one.
func (c Calendar) Monday(offset int) time.Time { return c.block(weeks, offset).from }

// weekend returns the last Saturday and Sunday that have begun.
func (c Calendar) weekend() span {
	back := (int(c.Now.Weekday()) - int(time.Saturday) + 7) % 7
	return span{c.DayStart(-back), c.DayStart(-back + 2)}
}

// back returns the moment n units before now. Days and longer keep the time of day.
func (c Calendar) back(n int, u unit) time.Time {
	switch u {
	case minutes:
		return c.Now.Add(-time.Duration(n) * time.Minute)
	case hours:
		return c.Now.Add(-time.Duration(n) * time.Hour)
	case weeks:
		return c.Now.AddDate(0, 0, -7*n)
	case months:
		return c.Now.AddDate(0, -n, 0)
	case years:
		return c.Now.AddDate(-n, 0, 0)
	default:
		return c.Now.AddDate(0, 0, -n)
	}
}

// ago returns what "n units ago" names: the calendar day, week, month or year, or
// from that hour or minute until now.
func (c Calendar) ago(n int, u unit) span {
	if u == hours || u == minutes {
		return span{c.back(n, u), c.Now}
	}
	return c.block(u, -n)
}

// clockTime returns the last time that the clock showed h:m, until now.
func (c Calendar) clockTime(h, m int) span {
	t := c.at(c.DayStart(0), h, m)
	if t.After(c.Now) {
		t = c.at(c.DayStart(-1), h, m)
	}
	return span{t, c.Now}
}

// at returns h:m on the day that starts at midnight.
func (c Calendar) at(midnight time.Time, h, m int) time.Time {
	y, mon, d := midnight.Date()
	return time.Date(y, mon, d, h, m, 0, 0, c.Now.Location())
}

func (c Calendar) partOf(day span, p Hours) span {
	return span{c.at(day.from, p.From, 0), c.at(day.from, p.To, 0)}
}

// date returns a day; without a year (0) the last such day that has begun.
func (c Calendar) date(y int, m time.Month, d int) (span, bool) {
	zone := c.Now.Location()
	make := func(y int) (span, bool) {
		from := tools.StartOfDay(y, m, d, zone)
		return span{from, tools.StartOfDay(y, m, d+1, zone)}, from.Day() == d && from.Month() == m
	}
	if y != 0 {
		return make(y)
	}
	for back := range 9 { // 29 February is at most eight years ago
		if s, ok := make(c.Now.Year() - back); ok && !s.from.After(c.Now) {
			return s, true
		}
	}
	return span{}, false
}

// month returns a month; without a year (0) the last one that has begun.
func (c Calendar) month(y int, m time.Month) span {
	if y == 0 {
		y = c.Now.Year()
		if m > c.Now.Month() {
			y--
		}
	}
	zone := c.Now.Location()
	return span{tools.StartOfDay(y, m, 1, zone), tools.StartOfDay(y, m+1, 1, zone)}
}

// daysOf returns n days of a span beginning first days after its start.
func (c Calendar) daysOf(s span, first, n int) (span, bool) {
	y, m, d := s.from.Date()
	from, to := tools.StartOfDay(y, m, d+first, c.Now.Location()), tools.StartOfDay(y, m, d+first+n, c.Now.Location())
	if to.After(s.to) {
		to = s.to
	}
	return span{from, to}, from.Before(to)
}

func (c Calendar) year(y int) span {
	zone := c.Now.Location()
	return span{tools.StartOfDay(y, 1, 1, zone), tools.StartOfDay(y+1, 1, 1, zone)}
}

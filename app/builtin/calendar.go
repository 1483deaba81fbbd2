package builtin

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
type calendar struct {
	now       time.Time // in the person's zone
	lastVisit time.Time // zero when unknown
}

// dayStart returns the first instant of the day that is offset days from today.
func (c calendar) dayStart(offset int) time.Time {
	y, m, d := c.now.Date()
	return tools.StartOfDay(y, m, d+offset, c.now.Location())
}

func (c calendar) day(offset int) span {
	return span{c.dayStart(offset), c.dayStart(offset + 1)}
}

// weekday returns the last day of that name before today.
func (c calendar) weekday(w time.Weekday) span {
	back := (int(c.now.Weekday()) - int(w) + 7) % 7
	if back == 0 {
		back = 7
	}
	return c.day(-back)
}

// block returns the calendar week (from Monday), month or year that is offset
// from the present one; for shorter units, the calendar day or the clock's hour.
func (c calendar) block(u unit, offset int) span {
	y, m, d := c.now.Date()
	zone := c.now.Location()
	switch u {
	case weeks:
		monday := -((int(c.now.Weekday()) + 6) % 7) + 7*offset
		return span{c.dayStart(monday), c.dayStart(monday + 7)}
	case months:
		return span{tools.StartOfDay(y, m+time.Month(offset), 1, zone), tools.StartOfDay(y, m+time.Month(offset+1), 1, zone)}
	case years:
		return span{tools.StartOfDay(y+offset, 1, 1, zone), tools.StartOfDay(y+offset+1, 1, 1, zone)}
	case hours, minutes:
		from := c.back(offset*-1, u)
		return span{from, c.now}
	default:
		return span{tools.StartOfDay(y, m, d+offset, zone), tools.StartOfDay(y, m, d+offset+1, zone)}
	}
}

// weekend returns the last Saturday and Sunday that have begun.
func (c calendar) weekend() span {
	back := (int(c.now.Weekday()) - int(time.Saturday) + 7) % 7
	return span{c.dayStart(-back), c.dayStart(-back + 2)}
}

// back returns the moment n units before now. Days and longer keep the time of day.
func (c calendar) back(n int, u unit) time.Time {
	switch u {
	case minutes:
		return c.now.Add(-time.Duration(n) * time.Minute)
	case hours:
		return c.now.Add(-time.Duration(n) * time.Hour)
	case weeks:
		return c.now.AddDate(0, 0, -7*n)
	case months:
		return c.now.AddDate(0, -n, 0)
	case years:
		return c.now.AddDate(-n, 0, 0)
	default:
		return c.now.AddDate(0, 0, -n)
	}
}

// ago returns what "n units ago" names: the calendar day, week, month or year, or
// from that hour or minute until now.
func (c calendar) ago(n int, u unit) span {
	if u == hours || u == minutes {
		return span{c.back(n, u), c.now}
	}
	return c.block(u, -n)
}

// clockTime returns the last time that the clock stood at h:m, until now.
func (c calendar) clockTime(h, m int) span {
	t := c.at(c.dayStart(0), h, m)
	if t.After(c.now) {
		t = c.at(c.dayStart(-1), h, m)
	}
	return span{t, c.now}
}

// at returns h:m on the day that starts at midnight.
func (c calendar) at(midnight time.Time, h, m int) time.Time {
	y, mon, d := midnight.Date()
	return time.Date(y, mon, d, h, m, 0, 0, c.now.Location())
}

// A part is a part of a day, from and to in hours.
type part struct{ from, to int }

func (c calendar) partOf(day span, p part) span {
	return span{c.at(day.from, p.from, 0), c.at(day.from, p.to, 0)}
}

// date returns a day; without a year (0) the last such day that has begun.
func (c calendar) date(y int, m time.Month, d int) (span, bool) {
	zone := c.now.Location()
	make := func(y int) (span, bool) {
		from := tools.StartOfDay(y, m, d, zone)
		return span{from, tools.StartOfDay(y, m, d+1, zone)}, from.Day() == d && from.Month() == m
	}
	if y != 0 {
		return make(y)
	}
	for back := range 9 { // 29 February is at most eight years ago
		if s, ok := make(c.now.Year() - back); ok && !s.from.After(c.now) {
			return s, true
		}
	}
	return span{}, false
}

// month returns a month; without a year (0) the last one that has begun.
func (c calendar) month(y int, m time.Month) span {
	if y == 0 {
		y = c.now.Year()
		if m > c.now.Month() {
			y--
		}
	}
	zone := c.now.Location()
	return span{tools.StartOfDay(y, m, 1, zone), tools.StartOfDay(y, m+1, 1, zone)}
}

// daysOf returns n days of a span from the one on that is first days behind its start.
func (c calendar) daysOf(s span, first, n int) (span, bool) {
	y, m, d := s.from.Date()
	from, to := tools.StartOfDay(y, m, d+first, c.now.Location()), tools.StartOfDay(y, m, d+first+n, c.now.Location())
	if to.After(s.to) {
		to = s.to
	}
	return span{from, to}, from.Before(to)
}

func (c calendar) year(y int) span {
	zone := c.now.Location()
	return span{tools.StartOfDay(y, 1, 1, zone), tools.StartOfDay(y+1, 1, 1, zone)}
}

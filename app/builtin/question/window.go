package question

import (
	"slices"
	"strings"
	"time"
)

// A window is the time that a question asks about; both ends are inside.
type Window struct {
	Since, Until time.Time
	Asked        bool // the question named it
	ByVisit      bool // since the last visit
}

// dawn is the hour until which somebody who is up still calls the day before today: "this
// morning" has passed.
const dawn = 5

// findWindow finds the first time that tw names in words: where it begins, and how
// many words it takes; 0 for none. strict asks for a word such as "since" before it,
// so that "search may" stays a search for may.
func (tw *timeWords) findWindow(c Calendar, words []string, strict bool) (w Window, from, n int) {
	for i := range words {
		s, n := tw.windowAt(c, words[i:], strict)
		if n == 0 {
			continue
		}
		if s.from.After(c.Now) && c.Now.Hour() < dawn && s.from.Before(c.DayStart(1)) {
			if s.from = s.from.AddDate(0, 0, -1); !s.to.Equal(c.Now) {
				s.to = s.to.AddDate(0, 0, -1)
			}
		}
		w := Window{Since: s.from, Until: s.to.Add(-time.Second), Asked: true}
		if s.to.After(c.Now) || s.to.Equal(c.Now) {
			w.Until = c.Now
		}
		if s.from.IsZero() || s.from.Equal(c.LastVisit) {
			w.ByVisit = true
		}
		return w, i, n
	}
	return Window{}, 0, 0
}

// maxDone is how many words may stand behind "since I" before a time.
const maxDone = 5

// windowAt reads a window at the start of words: how many of them, or 0.
func (tw *timeWords) windowAt(c Calendar, words []string, strict bool) (span, int) {
	if s, n := tw.pair(c, words, tw.between, tw.and); n > 0 {
		return s, n
	}
	if s, n := tw.pair(c, words, tw.from, tw.to); n > 0 {
		return s, n
	}
	if k := leads(words, tw.sinceI); k > 0 {
		for i := k; i < min(k+maxDone, len(words)); i++ {
			if s, n := tw.point(c, words[i:]); n > 0 {
				return span{s.from, c.Now}, i + n
			}
		}
	}
	if k := leads(words, tw.since); k > 0 {
		if s, n := tw.point(c, words[k:]); n > 0 {
			used := k + n
			to := c.Now
			if k2 := leads(words[used:], tw.until); k2 > 0 {
				if end, n2 := tw.point(c, words[used+k2:]); n2 > 0 {
					to, used = c.endOf(s, end), used+k2+n2
				}
			}
			return span{s.from, to}, used
		}
	}
	if k := leads(words, tw.until); k > 0 && !tw.lasts(words[k:]) {
		if s, n := tw.point(c, words[k:]); n > 0 {
			return span{time.Unix(0, 0), s.from}, k + n
		}
	}
	if s, n := tw.behind(c, words); n > 0 {
		return s, n
	}
	if k := leads(words, tw.at); k > 0 {
		if s, n := tw.days(c, words[k:], false); n > 0 {
			return s, k + n
		}
		k += leads(words[k:], tw.at) // in der
		if s, n := tw.days(c, words[k:], false); n > 0 {
			return s, k + n
		}
	}
	if strict {
		return span{}, 0
	}
	return tw.days(c, words, true)
}

// lasts reports whether words begin with a time until now, to which nothing reaches up:
// what is Ada up to these days?
func (tw *timeWords) lasts(words []string) bool {
	return slices.ContainsFunc(tw.patterns, func(p Pattern) bool { return p.lasts && tw.match(p.words, words, &values{}) > 0 })
}

// days reads a time, and with it the one that follows: "Tuesday and Wednesday".
func (tw *timeWords) days(c Calendar, words []string, bare bool) (span, int) {
	s, n := tw.matchSpan(c, words, bare)
	if k := n + leads(words[n:], tw.and); n > 0 && k > n {
		k += leads(words[k:], tw.at)
		switch next, used := tw.matchSpan(c, words[k:], true); {
		case used == 0:
		case next.from.Equal(s.to):
			return span{s.from, next.to}, k + used
		case next.to.Equal(s.from): // yesterday or the day before
			return span{next.from, s.to}, k + used
		}
	}
	return s, n
}

// point reads a time behind "since" or "until", where "3 hours" means 3 hours ago.
func (tw *timeWords) point(c Calendar, words []string) (span, int) {
	k := leads(words, tw.at)
	s, n := tw.matchSpan(c, words[k:], false)
	var v values
	if short := tw.match([]string{"{n}", "{unit}"}, words[k:], &v); short > 0 && short >= n && v.n <= maxNumber {
		return span{c.back(v.n, v.unit), c.Now}, k + short
	}
	if n == 0 {
		return span{}, 0
	}
	return s, k + n
}

// pair reads "between A and B"; B is inside when it is a day or longer.
func (tw *timeWords) pair(c Calendar, words, first, second []string) (span, int) {
	k := leads(words, first)
	if k == 0 {
		return span{}, 0
	}
	a, n := tw.point(c, words[k:])
	day, alone := tw.dayAlone(words[k:])
	if n == 0 || k+n < len(words) && leads(words[k+n:], second) == 0 {
		n = alone
	}
	if n == 0 {
		return span{}, 0
	}
	used := k + n
	k2 := leads(words[used:], second)
	if k2 == 0 {
		return span{}, 0
	}
	b, n2 := tw.point(c, words[used+k2:])
	if last, n3 := tw.dayAlone(words[used+k2:]); n2 == 0 && n == alone && last > day { // no month is named
		b, _ = dayOfThisMonth(c, values{d: last})
		n2 = n3
	}
	if n2 == 0 {
		return span{}, 0
	}
	used += k2 + n2
	if length := b.to.Sub(b.from); alone == n && length > 22*time.Hour && length < 26*time.Hour {
		y, m, _ := b.from.Date() // the month is named with the second day
		a, _ = c.date(y, m, day)
	}
	if a.from.IsZero() {
		return span{}, 0
	}
	b.to = c.endOf(a, b)
	if b.from.Before(a.from) {
		_, first := tw.weekdays[words[k+n-1]]
		if _, second := tw.weekdays[words[used-1]]; first && second {
			a.from = a.from.AddDate(0, 0, -7) // "Tuesday to Thursday", asked on a Wednesday
		} else {
			a, b = b, a
		}
	}
	return span{a.from, b.to}, used
}

// dayAlone reads a day of a month without the month: "the 3rd" of "the 3rd to the 9th
// of May".
func (tw *timeWords) dayAlone(words []string) (day, n int) {
	k := leads(words, tw.at)
	if k >= len(words) {
		return 0, 0
	}
	if day, ok := tw.dayNumber(words[k]); ok {
		return day, k + 1
	}
	return 0, 0
}

// behind reads a time with its word behind it, as Japanese has it.
func (tw *timeWords) behind(c Calendar, words []string) (span, int) {
	s, n := tw.matchSpan(c, words, false)
	if n == 0 {
		return span{}, 0
	}
	if k := leads(words[n:], tw.upTo); k > 0 {
		return span{time.Unix(0, 0), s.to}, n + k
	}
	k := leads(words[n:], tw.after)
	if k == 0 {
		return span{}, 0
	}
	used := n + k
	to := c.Now
	if end, n2 := tw.matchSpan(c, words[used:], false); n2 > 0 {
		if k2 := leads(words[used+n2:], tw.upTo); k2 > 0 {
			to, used = c.endOf(s, end), used+n2+k2
		}
	}
	return span{s.from, to}, used
}

// endOf returns where a window ends that is said to reach to end: behind a day or
// longer, but at a time of the clock, which by itself reaches until now.
func (c Calendar) endOf(start, end span) time.Time {
	if end.to.Equal(c.Now) && end.from.After(start.from) {
		return end.from
	}
	return end.to
}

// leads returns the length in words of the longest phrase that words start with.
func leads(words, phrases []string) int {
	longest := 0
	for _, p := range phrases {
		ws := strings.Fields(p)
		if len(ws) > longest && len(ws) <= len(words) && equalWords(ws, words) {
			longest = len(ws)
		}
	}
	return longest
}

func equalWords(prefix, words []string) bool {
	for i, w := range prefix {
		if words[i] != w {
			return false
		}
	}
	return true
}

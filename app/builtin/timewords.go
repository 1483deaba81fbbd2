package builtin

import (
	"strconv"
	"strings"
	"time"
)

// timeWords is how a language names times. Patterns are words separated by
// spaces; "a|b" is either, "a?" may be absent, and {…} stands for a value: {n} a
// number, {unit}, {weekday}, {month}, {d} a day of the month, {y} a year, {part}
// of a day, {date} and {clock} in figures, {h} an hour.
type timeWords struct {
	since, until []string // before a time: "since Monday", "until noon"
	after        []string // behind a time that things began at: 昨日から
	upTo         []string // behind a time that things ended at: 今日まで
	between      []string // "between A and B"
	and          []string
	from, to     []string // "from A to B"
	at           []string // "on Monday", "in May"
	parts        map[string]part
	units        map[string]unit
	weekdays     map[string]time.Weekday
	months       map[string]time.Month
	numbers      map[string]int
	spans        []spanPattern
}

// spanPattern is one way to name a time. bare patterns may stand without a word
// such as "since" or "on" before them, others are too easily something else.
type spanPattern struct {
	pattern string
	bare    bool
	make    spanMaker
}

type spanMaker func(calendar, values) (span, bool)

// values are what a pattern's {…} stood for.
type values struct {
	n, d, y, h, min int
	unit            unit
	weekday         time.Weekday
	month           time.Month
	part            part
	date            time.Time // y, m, d only
}

func dayOffset(offset int) spanMaker {
	return func(c calendar, _ values) (span, bool) { return c.day(offset), true }
}

func dayPart(offset int) spanMaker {
	return func(c calendar, v values) (span, bool) { return c.partOf(c.day(offset), v.part), true }
}

func fixedPart(offset int, p part) spanMaker {
	return func(c calendar, _ values) (span, bool) { return c.partOf(c.day(offset), p), true }
}

func block(offset int) spanMaker {
	return func(c calendar, v values) (span, bool) { return c.block(v.unit, offset), true }
}

func blockOf(u unit, offset int) spanMaker {
	return func(c calendar, _ values) (span, bool) { return c.block(u, offset), true }
}

func rolling(c calendar, v values) (span, bool) {
	n := max(v.n, 1)
	return span{c.back(n, v.unit), c.now}, n <= maxNumber
}

func ago(c calendar, v values) (span, bool) { return c.ago(v.n, v.unit), v.n <= maxNumber }

func weekday(c calendar, v values) (span, bool) { return c.weekday(v.weekday), true }

func weekdayPart(c calendar, v values) (span, bool) {
	return c.partOf(c.weekday(v.weekday), v.part), true
}

func weekend(c calendar, _ values) (span, bool) { return c.weekend(), true }

func dayOfMonth(c calendar, v values) (span, bool) { return c.date(v.y, v.month, v.d) }

func month(c calendar, v values) (span, bool) { return c.month(v.y, v.month), true }

func year(c calendar, v values) (span, bool) { return c.year(v.y), true }

func date(c calendar, v values) (span, bool) {
	y, m, d := v.date.Date()
	return c.date(y, m, d)
}

func dateClock(c calendar, v values) (span, bool) {
	day, ok := date(c, v)
	if !ok {
		return span{}, false
	}
	from := c.at(day.from, v.h, v.min)
	return span{from, from.Add(time.Minute)}, true
}

func clockTime(c calendar, v values) (span, bool) { return c.clockTime(v.h, v.min), true }

func clockOn(offset int) spanMaker {
	return func(c calendar, v values) (span, bool) {
		from := c.at(c.dayStart(offset), v.h, v.min)
		return span{from, from.Add(time.Minute)}, true
	}
}

func am(c calendar, v values) (span, bool) {
	return c.clockTime(v.h%12, v.min), v.h >= 1 && v.h <= 12
}

func pm(c calendar, v values) (span, bool) {
	return c.clockTime(v.h%12+12, v.min), v.h >= 1 && v.h <= 12
}

// lastVisit fails where no visit is known; the question's default steps in.
func lastVisit(c calendar, _ values) (span, bool) {
	return span{c.lastVisit, c.now}, true
}

// maxNumber bounds "the last N years", so that no date arithmetic overflows.
const maxNumber = 100_000

// matchSpan returns the longest time that tw names at the start of words, and how
// many words that takes; 0 when there is none.
func (tw *timeWords) matchSpan(c calendar, words []string, bare bool) (span, int) {
	var best span
	longest := 0
	for _, p := range tw.spans {
		if bare && !p.bare {
			continue
		}
		var v values
		n := tw.match(strings.Fields(p.pattern), words, &v)
		if n <= longest {
			continue
		}
		if s, ok := p.make(c, v); ok {
			best, longest = s, n
		}
	}
	return best, longest
}

// match returns how many words the pattern takes; 0 when it does not fit.
func (tw *timeWords) match(pattern, words []string, v *values) int {
	used := 0
	for i, el := range pattern {
		optional := strings.HasSuffix(el, "?")
		el = strings.TrimSuffix(el, "?")
		if used < len(words) && tw.matchOne(el, words[used], v) {
			if optional && i+1 < len(pattern) {
				rest := *v
				if n := tw.match(pattern[i+1:], words[used+1:], &rest); n > 0 {
					*v = rest
					return used + 1 + n
				}
				continue // the word may belong to what follows
			}
			used++
			continue
		}
		if !optional {
			return 0
		}
	}
	return used
}

func (tw *timeWords) matchOne(el, word string, v *values) bool {
	var ok bool
	switch el {
	case "{n}":
		if v.n, ok = tw.numbers[word]; !ok {
			v.n, ok = smallNumber(word, maxNumber)
		}
	case "{unit}":
		v.unit, ok = tw.units[word]
	case "{weekday}":
		v.weekday, ok = tw.weekdays[strings.TrimSuffix(word, "'s")]
	case "{month}":
		v.month, ok = tw.months[word]
	case "{part}":
		v.part, ok = tw.parts[word]
	case "{d}":
		v.d, ok = dayNumber(word)
	case "{y}":
		v.y, ok = smallNumber(word, 2200)
		ok = ok && v.y >= 1970
	case "{h}":
		v.h, ok = smallNumber(word, 24)
	case "{clock}":
		v.h, v.min, ok = readClock(word)
	case "{date}":
		v.date, ok = readDate(word)
	default:
		for alt := range strings.SplitSeq(el, "|") {
			ok = ok || alt == word
		}
	}
	return ok
}

func smallNumber(word string, most int) (int, bool) {
	if word == "" || len(word) > 6 || strings.Trim(word, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(word)
	return n, err == nil && n <= most
}

// dayNumber reads 3, 3rd, 3. and 3日.
func dayNumber(word string) (int, bool) {
	for _, suffix := range []string{"st", "nd", "rd", "th", ".", "er", "º"} {
		word = strings.TrimSuffix(word, suffix)
	}
	n, ok := smallNumber(word, 31)
	return n, ok && n >= 1
}

// readClock reads 20:30, 20.30h, 8am, 8:15pm, 20h, 20h30 and 8uhr.
func readClock(word string) (h, m int, ok bool) {
	half := -1
	switch {
	case strings.HasSuffix(word, "am"):
		half, word = 0, strings.TrimSuffix(word, "am")
	case strings.HasSuffix(word, "pm"):
		half, word = 12, strings.TrimSuffix(word, "pm")
	}
	hour, minute, split := strings.Cut(word, ":")
	if !split {
		if hour, minute, split = strings.Cut(word, "h"); split && minute == "" {
			minute = "00"
		}
	}
	if !split && half < 0 {
		return 0, 0, false
	}
	if minute == "" {
		minute = "00"
	}
	h, okH := smallNumber(hour, 24)
	m, okM := smallNumber(minute, 59)
	if half >= 0 {
		okH = okH && h >= 1 && h <= 12
		h = h%12 + half
	}
	return h, m, okH && okM && len(minute) == 2
}

// readDate reads 2026-11-20, 2026/11/20, 20.11.2026 and 20.11. (year 0).
func readDate(word string) (time.Time, bool) {
	for _, layout := range []string{"2006-1-2", "2006/1/2", "2.1.2006"} {
		if t, err := time.Parse(layout, word); err == nil && t.Year() >= 1970 && t.Year() <= 2200 {
			return t, true
		}
	}
	if t, err := time.Parse("2.1.2006", strings.TrimSuffix(word, ".")+".0000"); err == nil {
		return t, true
	}
	return time.Time{}, false
}

// A window is the time that a question asks about; both ends are inside.
type window struct {
	since, until time.Time
	asked        bool // the question named it
	byVisit      bool // since the last visit
}

// findWindow cuts the first time that tw names out of words. It returns the
// words left, and whether a time was there. strict asks for a word such as
// "since" before it, so that "search may" stays a search for may.
func (tw *timeWords) findWindow(c calendar, words []string, strict bool) (window, []string, bool) {
	for i := range words {
		s, n := tw.windowAt(c, words[i:], strict)
		if n == 0 {
			continue
		}
		w := window{since: s.from, until: s.to.Add(-time.Second), asked: true}
		if s.to.After(c.now) || s.to.Equal(c.now) {
			w.until = c.now
		}
		if s.from.IsZero() || s.from.Equal(c.lastVisit) {
			w.byVisit = true
		}
		rest := append(append([]string{}, words[:i]...), words[i+n:]...)
		return w, rest, true
	}
	return window{}, words, false
}

// windowAt reads a window at the start of words: how many of them, or 0.
func (tw *timeWords) windowAt(c calendar, words []string, strict bool) (span, int) {
	if s, n := tw.pair(c, words, tw.between, tw.and); n > 0 {
		return s, n
	}
	if s, n := tw.pair(c, words, tw.from, tw.to); n > 0 {
		return s, n
	}
	if k := leads(words, tw.since); k > 0 {
		if s, n := tw.point(c, words[k:]); n > 0 {
			used := k + n
			to := c.now
			if k2 := leads(words[used:], tw.until); k2 > 0 {
				if end, n2 := tw.point(c, words[used+k2:]); n2 > 0 {
					to, used = c.endOf(s, end), used+k2+n2
				}
			}
			return span{s.from, to}, used
		}
	}
	if k := leads(words, tw.until); k > 0 {
		if s, n := tw.point(c, words[k:]); n > 0 {
			return span{time.Unix(0, 0), s.from}, k + n
		}
	}
	if s, n := tw.behind(c, words); n > 0 {
		return s, n
	}
	if k := leads(words, tw.at); k > 0 {
		if s, n := tw.matchSpan(c, words[k:], false); n > 0 {
			return s, k + n
		}
	}
	if strict {
		return span{}, 0
	}
	return tw.matchSpan(c, words, true)
}

// point reads a time behind "since" or "until", where "3 hours" means 3 hours ago.
func (tw *timeWords) point(c calendar, words []string) (span, int) {
	k := leads(words, tw.at)
	s, n := tw.matchSpan(c, words[k:], false)
	var v values
	if short := tw.match([]string{"{n}", "{unit}"}, words[k:], &v); short > 0 && short >= n && v.n <= maxNumber {
		return span{c.back(v.n, v.unit), c.now}, k + short
	}
	if n == 0 {
		return span{}, 0
	}
	return s, k + n
}

// pair reads "between A and B"; B is inside when it is a day or longer.
func (tw *timeWords) pair(c calendar, words, first, second []string) (span, int) {
	k := leads(words, first)
	if k == 0 {
		return span{}, 0
	}
	a, n := tw.point(c, words[k:])
	if n == 0 {
		return span{}, 0
	}
	used := k + n
	k2 := leads(words[used:], second)
	if k2 == 0 {
		return span{}, 0
	}
	b, n2 := tw.point(c, words[used+k2:])
	if n2 == 0 {
		return span{}, 0
	}
	used += k2 + n2
	b.to = c.endOf(a, b)
	if b.from.Before(a.from) {
		a, b = b, a
	}
	return span{a.from, b.to}, used
}

// behind reads a time with its word behind it, as Japanese has it.
func (tw *timeWords) behind(c calendar, words []string) (span, int) {
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
	to := c.now
	if end, n2 := tw.matchSpan(c, words[used:], false); n2 > 0 {
		if k2 := leads(words[used+n2:], tw.upTo); k2 > 0 {
			to, used = c.endOf(s, end), used+n2+k2
		}
	}
	return span{s.from, to}, used
}

// endOf returns where a window ends that is said to reach to end: behind a day or
// longer, but at a time of the clock, which by itself reaches until now.
func (c calendar) endOf(start, end span) time.Time {
	if end.to.Equal(c.now) && end.from.After(start.from) {
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

package question

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/tools"
)

// timeWords is how a language names times. Patterns are words separated by
// spaces; "a|b" is either, "a?" may be absent, and {…} stands for a value: {n} a
// number, {unit}, {weekday}, {month}, {d} a day of the month, {y} a year, {part}
// of a day, {date} and {clock} in figures, {h} an hour, {nth} first or second, {third}
// early or late.
type timeWords struct {
	since, until []string // before a time: "since Monday", "until noon"
	after        []string // behind a time that things began at: 昨日から
	upTo         []string // behind a time that things ended at: 今日まで
	between      []string // "between A and B"
	and          []string
	from, to     []string // "from A to B"
	at           []string // "on Monday", "in May"
	toPart       []string // between a day and a part of it, besides those of at
	parts        map[string]part
	units        map[string]unit
	weekdays     map[string]time.Weekday
	months       map[string]time.Month
	numbers      map[string]int
	thirds       map[string]int // early, mid, late: which ten days of a month
	ordinals     map[string]int // of the lexicon
	spans        []spanPattern
}

// fold writes all words of the tables as words are compared.
func (tw *timeWords) fold() {
	for _, list := range []*[]string{&tw.since, &tw.until, &tw.after, &tw.upTo, &tw.between, &tw.and, &tw.from, &tw.to, &tw.at, &tw.toPart} {
		for i, phrase := range *list {
			(*list)[i] = strings.Join(folds(tokenize(phrase)), " ")
		}
	}
	tw.parts, tw.units, tw.weekdays = foldKeys(tw.parts), foldKeys(tw.units), foldKeys(tw.weekdays)
	tw.months, tw.numbers, tw.thirds = foldKeys(tw.months), foldKeys(tw.numbers), foldKeys(tw.thirds)
	for i := range tw.spans {
		tw.spans[i].pattern = Fold(tw.spans[i].pattern)
	}
}

func foldKeys[V any](table map[string]V) map[string]V {
	out := make(map[string]V, len(table))
	for word, v := range table {
		out[Fold(word)] = v
	}
	return out
}

// words returns each word that is part of a name of a time.
func (tw *timeWords) words() []string {
	var out []string
	for _, list := range [][]string{tw.since, tw.until, tw.after, tw.upTo, tw.between, tw.and, tw.from, tw.to, tw.at} {
		for _, phrase := range list {
			out = append(out, strings.Fields(phrase)...)
		}
	}
	for _, p := range tw.spans {
		for el := range strings.FieldsFuncSeq(p.pattern, func(r rune) bool { return r == ' ' || r == '|' || r == '?' }) {
			if el[0] != '{' {
				out = append(out, el)
			}
		}
	}
	out = slices.AppendSeq(out, maps.Keys(tw.parts))
	out = slices.AppendSeq(out, maps.Keys(tw.units))
	out = slices.AppendSeq(out, maps.Keys(tw.weekdays))
	out = slices.AppendSeq(out, maps.Keys(tw.months))
	out = slices.AppendSeq(out, maps.Keys(tw.thirds))
	return slices.AppendSeq(out, maps.Keys(tw.numbers))
}

// spanPattern is one way to name a time. bare patterns may stand without a word
// such as "since" or "on" before them, others are too easily something else.
type spanPattern struct {
	pattern string
	bare    bool
	make    spanMaker
}

type spanMaker func(Calendar, values) (span, bool)

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
	return func(c Calendar, _ values) (span, bool) { return c.day(offset), true }
}

func dayPart(offset int) spanMaker {
	return func(c Calendar, v values) (span, bool) { return c.partOf(c.day(offset), v.part), true }
}

func fixedPart(offset int, p part) spanMaker {
	return func(c Calendar, _ values) (span, bool) { return c.partOf(c.day(offset), p), true }
}

func block(offset int) spanMaker {
	return func(c Calendar, v values) (span, bool) { return c.block(v.unit, offset), true }
}

func blockOf(u unit, offset int) spanMaker {
	return func(c Calendar, _ values) (span, bool) { return c.block(u, offset), true }
}

func rolling(c Calendar, v values) (span, bool) {
	n := max(v.n, 1)
	return span{c.back(n, v.unit), c.Now}, n <= maxNumber
}

func ago(c Calendar, v values) (span, bool) { return c.ago(v.n, v.unit), v.n <= maxNumber }

func weekday(c Calendar, v values) (span, bool) { return c.weekday(v.weekday), true }

func weekend(c Calendar, _ values) (span, bool) { return c.weekend(), true }

func dayOfMonth(c Calendar, v values) (span, bool) { return c.date(v.y, v.month, v.d) }

// dayOfThisMonth is the last day of that number that has begun.
func dayOfThisMonth(c Calendar, v values) (span, bool) {
	in := c.block(months, 0)
	if v.d > c.Now.Day() {
		in = c.block(months, -1)
	}
	y, m, _ := in.from.Date()
	return c.date(y, m, v.d)
}

func month(c Calendar, v values) (span, bool) { return c.month(v.y, v.month), true }

// weekOfMonth is the first, second … seven days of a month.
func weekOfMonth(c Calendar, v values) (span, bool) {
	return c.daysOf(c.month(v.y, v.month), 7*(v.n-1), 7)
}

// thirdOfMonth is about ten days of a month.
func thirdOfMonth(c Calendar, v values) (span, bool) {
	return c.daysOf(c.month(v.y, v.month), 10*v.n, 10+v.n/2)
}

func year(c Calendar, v values) (span, bool) { return c.year(v.y), true }

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

func clockTime(c Calendar, v values) (span, bool) { return c.clockTime(v.h, v.min), true }

func clockOn(offset int) spanMaker {
	return func(c Calendar, v values) (span, bool) {
		from := c.at(c.DayStart(offset), v.h, v.min)
		return span{from, from.Add(time.Minute)}, true
	}
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

// maxNumber bounds "the last N years", so that no date arithmetic overflows.
const maxNumber = 100_000

// matchSpan returns the longest time that tw names at the start of words, and how
// many words that takes; 0 when there is none.
func (tw *timeWords) matchSpan(c Calendar, words []string, bare bool) (span, int) {
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
	if longest > 0 {
		s, n := tw.narrower(c, best, words[longest:])
		best, longest = s, longest+n
	}
	return best, longest
}

// narrower reads what behind a time names a part of it, and how many words that takes:
// the evening of a day, the Friday of a week, and the week of a Friday.
func (tw *timeWords) narrower(c Calendar, s span, words []string) (span, int) {
	k := max(leads(words, tw.at), leads(words, tw.toPart))
	k += leads(words[k:], tw.at)
	if k == len(words) {
		return s, 0
	}
	length := s.to.Sub(s.from).Round(24 * time.Hour)
	if y, m, d := s.from.Date(); length == 24*time.Hour && s.from.Equal(tools.StartOfDay(y, m, d, c.Now.Location())) {
		if p, ok := tw.parts[words[k]]; ok {
			return c.partOf(s, p), k + 1
		}
		var v values
		for _, p := range tw.spans {
			n := tw.match(strings.Fields(p.pattern), words[k:], &v)
			if n == 0 || !p.bare {
				continue
			}
			other, ok := p.make(c, v)
			switch length := other.to.Sub(other.from).Round(24 * time.Hour); {
			case !ok:
			case length == 7*24*time.Hour && other.from.Weekday() == time.Monday: // Friday of last week
				day, _ := c.daysOf(other, (int(s.from.Weekday())+6)%7, 1)
				return day, k + n
			case k > 0 && length == 24*time.Hour && s == c.day(0): // the day of yesterday
				return other, k + n
			}
		}
	}
	if k > 0 && s.from.Before(s.to) && s.to.Sub(s.from) <= 12*time.Hour && !s.from.Before(c.DayStart(0)) && s.to.After(c.DayStart(0)) {
		if day, n := tw.matchSpan(c, words[k:], true); n > 0 && day.to.Sub(day.from).Round(24*time.Hour) == 24*time.Hour { // the morning of yesterday
			return c.partOf(day, part{s.from.Hour(), s.from.Hour() + int(s.to.Sub(s.from).Hours())}), k + n
		}
	}
	if day, ok := tw.weekdays[words[k]]; ok && length == 7*24*time.Hour && s.from.Weekday() == time.Monday {
		s, _ = c.daysOf(s, (int(day)+6)%7, 1)
		return s, k + 1
	}
	return s, 0
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
	case "{dur}":
		digits := strings.TrimRight(word, "abcdefghijklmnopqrstuvwxyz")
		if v.n, ok = smallNumber(digits, maxNumber); ok {
			v.unit, ok = tw.units[word[len(digits):]]
		}
	case "{unit}":
		v.unit, ok = tw.units[word]
	case "{weekday}":
		v.weekday, ok = tw.weekdays[strings.TrimSuffix(word, "'s")]
	case "{month}":
		v.month, ok = tw.months[word]
	case "{nth}":
		v.n, ok = tw.ordinals[word]
	case "{third}":
		v.n, ok = tw.thirds[word]
	case "{part}":
		v.part, ok = tw.parts[word]
	case "{d}":
		v.d, ok = dayNumber(word)
	case "{dth}": // a 16th, not just 16
		v.d, ok = dayNumber(word)
		ok = ok && strings.Trim(word, "0123456789") != ""
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

// readDate reads 2026-11-20, 2026/11/20, 20.11.2026, 20/11/2026 and 20.11. (year 0).
func readDate(word string) (time.Time, bool) {
	for _, layout := range []string{"2006-1-2", "2006/1/2", "2.1.2006", "2/1/2006"} {
		if t, err := time.Parse(layout, word); err == nil && t.Year() >= 1970 && t.Year() <= 2200 {
			return t, true
		}
	}
	word = strings.ReplaceAll(strings.TrimSuffix(word, "."), "/", ".")
	for _, layout := range []string{"2.1.2006", "1.2.2006"} {
		if t, err := time.Parse(layout, word+".0000"); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

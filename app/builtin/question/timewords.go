package question

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/tools"
)

// timeWords is how a language names times, its words written as words are compared.
type timeWords struct {
	since, sinceI, until, after, upTo, between, and, from, to, at, toPart []string

	parts    map[string]Hours
	units    map[string]unit
	weekdays map[string]time.Weekday
	months   map[string]time.Month
	numbers  map[string]int
	thirds   map[string]int // which ten days of a month
	ordinals map[string]int
	patterns []Pattern

	dayEndings []string
}

func compileTimes(t *Times, s *spelling) timeWords {
	list := func(phrases Phrases) []string {
		out := make([]string, len(phrases))
		for i, p := range phrases {
			out[i] = strings.Join(folds(s.tokenize(p)), " ")
		}
		return out
	}
	return timeWords{
		since: list(t.Since), sinceI: list(t.SinceI), until: list(t.Until), after: list(t.After), upTo: list(t.UpTo), between: list(t.Between), and: list(t.And),
		from: list(t.From), to: list(t.To), at: list(t.At), toPart: list(t.ToPart),
		parts: foldKeys(t.Parts), numbers: foldKeys(t.Numbers),
		units:    byName(minutes, t.Units.Minutes, t.Units.Hours, t.Units.Days, t.Units.Weeks, t.Units.Months, t.Units.Years),
		weekdays: byName(time.Sunday, t.Weekdays[:]...),
		months:   byName(time.January, t.Months[:]...),
		thirds:   byName(0, t.Thirds.Early, t.Thirds.Middle, t.Thirds.Late),
		patterns: t.Patterns, dayEndings: s.dayEndings,
	}
}

func foldKeys[V any](table map[string]V) map[string]V {
	out := make(map[string]V, len(table))
	for word, v := range table {
		out[Fold(word)] = v
	}
	return out
}

// byName gives the words of each list one value, the first list the first.
func byName[V ~int | ~uint8](first V, lists ...Phrases) map[string]V {
	out := map[string]V{}
	for i, words := range lists {
		for _, w := range words {
			out[Fold(w)] = first + V(i)
		}
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
	for _, p := range tw.patterns {
		for _, words := range p.words {
			for el := range strings.SplitSeq(strings.TrimSuffix(words, "?"), "|") {
				if el != "" && el[0] != '{' {
					out = append(out, el)
				}
			}
		}
	}
	return append(out, tw.names()...)
}

// names returns the words that name times, and those that stand before one.
func (tw *timeWords) names() []string {
	out := slices.Concat(tw.since, tw.until)
	out = slices.AppendSeq(out, maps.Keys(tw.parts))
	out = slices.AppendSeq(out, maps.Keys(tw.units))
	out = slices.AppendSeq(out, maps.Keys(tw.weekdays))
	out = slices.AppendSeq(out, maps.Keys(tw.months))
	out = slices.AppendSeq(out, maps.Keys(tw.thirds))
	return slices.AppendSeq(out, maps.Keys(tw.numbers))
}

// maxNumber bounds "the last N years", so that no date arithmetic overflows.
const maxNumber = 100_000

// matchSpan returns the longest time that tw names at the start of words, and how
// many words that takes; 0 when there is none.
func (tw *timeWords) matchSpan(c Calendar, words []string, bare bool) (span, int) {
	var best span
	longest := 0
	for _, p := range tw.patterns {
		if bare && !p.bare {
			continue
		}
		var v values
		n := tw.match(p.words, words, &v)
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
		for _, p := range tw.patterns {
			n := tw.match(p.words, words[k:], &v)
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
			return c.partOf(day, Hours{s.from.Hour(), s.from.Hour() + int(s.to.Sub(s.from).Hours())}), k + n
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
		v.d, ok = tw.dayNumber(word)
	case "{dth}": // a 16th, not just 16
		v.d, ok = tw.dayNumber(word)
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
func (tw *timeWords) dayNumber(word string) (int, bool) {
	n, ok := smallNumber(tw.bareDay(word), 31)
	return n, ok && n >= 1
}

// bareDay takes off what follows the number of a day.
func (tw *timeWords) bareDay(word string) string {
	for _, ending := range tw.dayEndings {
		word = strings.TrimSuffix(word, ending)
	}
	return word
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

package check

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type number struct {
	start, end int
	value      int
}

// numberWords are numbers in words; "one" is an article in most languages.
var numberWords = wordNumbers(2, 1,
	"two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
	"zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn",
	"deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf",
	"dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve",
	"dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze dezasseis dezassete dezoito dezanove",
	"duas - - - - - - - - - - - quatorze - dezesseis dezessete - dezenove",
)

var tenWords = wordNumbers(20, 10,
	"twenty thirty forty fifty sixty seventy eighty ninety", "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
	"vingt trente quarante cinquante soixante - - -", "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
	"vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
)

var hundredWords = map[string]int{
	"hundred": 100, "hundert": 100, "cent": 100, "cents": 100, "cien": 100, "ciento": 100, "cem": 100, "cento": 100,
	"thousand": 1000, "tausend": 1000, "mille": 1000, "mil": 1000,
}

func wordNumbers(first, step int, lists ...string) map[string]int {
	m := make(map[string]int)
	for _, l := range lists {
		for i, w := range strings.Fields(l) {
			m[w] = first + i*step
		}
	}
	return m
}

func numbers(text string) []number {
	var out []number
	for i := 0; i < len(text); {
		switch r := rune(text[i]); {
		case r >= '0' && r <= '9':
			n, whole := digits(text, i)
			if whole {
				out = append(out, n)
			}
			i = n.end
		default:
			i++
		}
	}
	words := tokens(text)
	for i := 0; i < len(words); {
		n, used := spelled(words[i:])
		if used == 0 {
			i++
			continue
		}
		out = append(out, n)
		i += used
	}
	return out
}

// digits reads a number with its separators; whole is false for 3,20 and 17:40.
func digits(text string, i int) (n number, whole bool) {
	j := i
	var groups []string
	for {
		k := j
		for k < len(text) && text[k] >= '0' && text[k] <= '9' {
			k++
		}
		groups = append(groups, text[j:k])
		j = k
		sep := strings.TrimLeft(text[k:min(len(text), k+3)], ",.'’:\u00a0\u202f\u2009")
		width := min(len(text), k+3) - k - len(sep)
		if width == 0 || sep == "" && k+width >= len(text) || k+width >= len(text) || text[k+width] < '0' || text[k+width] > '9' {
			break
		}
		if text[k] == ':' {
			groups = append(groups, "x")
		}
		j = k + width
	}
	n = number{start: i, end: j}
	for _, g := range groups[1:] {
		if len(g) != 3 || strings.ContainsFunc(g, func(r rune) bool { return r > '9' }) {
			return n, false
		}
	}
	value, err := strconv.Atoi(strings.Join(groups, ""))
	n.value = value
	return n, err == nil
}

func spelled(words []token) (n number, used int) {
	total := 0
	if strings.ContainsFunc(words[0].word, wide) {
		return han(words)
	}
	for used < len(words) {
		w := words[used].word
		small, tens, hundred := numberWords[w], tenWords[w], hundredWords[w]
		switch {
		case hundred > 0:
			total = max(total, 1) * hundred
		case small > 0 && total%10 == 0, tens > 0 && total%100 == 0:
			total += small + tens
		case used > 0 && used+1 < len(words) && (w == "and" || w == "et" || w == "y" || w == "e") && numberWords[words[used+1].word]+tenWords[words[used+1].word] > 0 && total%10 == 0:
		default:
			if v := compound(w); v > 0 && total == 0 {
				total = v
				used++
			}
			if total == 0 {
				return number{}, 0
			}
			return number{words[0].start, words[used-1].end, total}, used
		}
		used++
	}
	return number{words[0].start, words[used-1].end, total}, used
}

// compound reads German numbers of one word: dreiundzwanzig, zweihundert.
func compound(w string) int {
	if unit, tens, found := strings.Cut(w, "und"); found && tenWords[tens] > 0 {
		if unit == "ein" {
			return tenWords[tens] + 1
		}
		if numberWords[unit] > 0 {
			return tenWords[tens] + numberWords[unit]
		}
	}
	if times, found := strings.CutSuffix(w, "hundert"); found && numberWords[times] > 0 {
		return 100 * numberWords[times]
	}
	return 0
}

func han(words []token) (n number, used int) {
	total, part := 0, 0
	for ; used < len(words); used++ {
		if used > 0 && words[used].start != words[used-1].end {
			break
		}
		w := words[used].word
		if i := slices.Index([]string{"〇", "一", "二", "三", "四", "五", "六", "七", "八", "九"}, w); i >= 0 {
			part = part*10 + i
			continue
		}
		times := map[string]int{"十": 10, "百": 100, "千": 1000}[w]
		if times == 0 {
			break
		}
		total += max(part, 1) * times
		part = 0
	}
	if used == 0 {
		return number{}, 0
	}
	return number{words[0].start, words[used-1].end, total + part}, used
}

// unitWithin is how far from a number, in bytes, its unit is looked for.
const unitWithin = 120

// counted returns the numbers of people and of notes in a text: with the unit behind
// them, two words between at most. What is one is none.
func (c *checker) counted(text string) []number {
	var out []number
	for _, n := range numbers(text) {
		rest := text[n.end:min(len(text), n.end+unitWithin)]
		if n.value == 1 || rest == "" || n.value >= 1900 && n.value < 2100 && c.years.in(" "+lastWord(text[max(0, n.start-unitWithin):n.start])+" ") {
			continue
		}
		for _, u := range c.wideUnits.wide {
			if strings.HasPrefix(strings.TrimLeft(rest, " "), u) {
				n.end += strings.Index(rest, u) + len(u)
				out = append(out, n)
				rest = ""
				break
			}
		}
		// What follows a full stop or a bracket is counted by nobody.
		if i := strings.IndexFunc(rest, func(r rune) bool {
			return unicode.IsPunct(r) && r != '-' && r != '*' && r != '_' && r != '\'' && r != '’'
		}); i >= 0 {
			rest = rest[:i]
		}
		for i, w := range tokens(rest) {
			if i > 3 {
				break
			}
			if c.units.in(" " + w.word + " ") {
				n.end += w.end
				out = append(out, n)
				break
			}
		}
	}
	return out
}

func lastWord(text string) string {
	words := wordsOf(text)
	return words[strings.LastIndexByte(words, ' ')+1:]
}

// leastFigure is from where on a number that is no count of people or notes is looked for
// in the notes that its sentence cites. Those below are days, hours, and what a reader
// counts up: “two photos”.
const leastFigure = 32

// figures marks the numbers in digits of a sentence that stand in none of the notes that it
// cites, and that no tool gave for what it speaks of. Years are not looked for.
func (c *checker) figures(u unit, all []unit, i int, notes []int) {
	if len(notes) == 0 {
		return
	}
	body := c.body(u)
	counted := c.counted(body)
	for _, n := range numbers(body) {
		switch {
		case body[n.start] < '0' || body[n.start] > '9' || n.value < leastFigure || n.value >= 1900 && n.value < 2100 || partOfMore(body, n),
			slices.ContainsFunc(counted, func(o number) bool { return o.start == n.start }), // which is looked at by itself
			c.asks[n.value], c.carried(n.value, notes), c.givenOf(n.value, all, i, notes):
		default:
			c.mark(NumberUnknown, u.start+n.start, u.start+n.end, u.end)
		}
	}
}

// partOfMore reports whether a number is part of a name, an address, a formula or a number
// that is written with spaces.
func partOfMore(text string, n number) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:n.start])
	after, _ := utf8.DecodeRuneInString(text[n.end:])
	joined := func(r rune) bool { return unicode.IsLetter(r) && !wide(r) || strings.ContainsRune("-_/#@=^:.", r) }
	spaced := func(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }
	rest := strings.TrimLeft(text[n.end:], " ")
	head := strings.TrimRight(text[:n.start], " ")
	return joined(before) || unicode.IsLetter(after) && !wide(after) || strings.ContainsRune("_/@=^:", after) && len(rest) > 1 ||
		spaced(rest) || head != "" && spaced(head[len(head)-1:])
}

// sectionWithin is how far before a sentence, in bytes, that is looked for what a count is
// of.
const sectionWithin = 1000

// givenOf reports whether tools gave a number; where a sentence cites notes, for what the
// sentence, those before it or the notes speak of.
func (c *checker) givenOf(value int, all []unit, i int, notes []int) bool {
	of := c.facts.Of[value]
	if !c.counts[value] || len(notes) == 0 || len(of) == 0 {
		return c.counts[value]
	}
	from := strings.ToValidUTF8(c.plain[max(0, all[i].start-sectionWithin):all[i].end], "")
	words := wordsOf(from) + " " + c.asked
	return slices.ContainsFunc(of, func(name string) bool {
		return slices.ContainsFunc(notes, func(n int) bool { return c.facts.Notes[n-1].Author == name || saysAny(c.note(n).words, name) }) || saysAny(words, name)
	})
}

// saysAny reports whether words hold one of those of a name, of three letters or more.
func saysAny(words, name string) bool {
	return slices.ContainsFunc(strings.Fields(wordsOf(name)), func(w string) bool {
		return (utf8.RuneCountInString(w) >= 3 || strings.ContainsFunc(w, wide)) && find(words, w) >= 0
	})
}

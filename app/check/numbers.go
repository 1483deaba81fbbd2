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

// numberWords are numbers in words, except "one", which is an article in most languages.
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

var hundredWords = wordNumbers(100, 100,
	"- doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos",
	"- doscientas trescientas cuatrocientas quinientas seiscientas setecientas ochocientas novecientas",
	"- duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
	"- duzentas trezentas quatrocentas quinhentas seiscentas setecentas oitocentas novecentas",
)

var timesWords = map[string]int{
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
	for i := 0; i < len(text); i++ {
		if text[i] < '0' || text[i] > '9' {
			continue
		}
		n, whole := digits(text, i)
		if whole {
			out = append(out, n)
		}
		i = n.end - 1
	}
	for words := tokens(text); len(words) > 0; {
		n, used := spelled(words)
		if used > 0 {
			out = append(out, n)
		}
		words = words[max(used, 1):]
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
	if strings.ContainsFunc(words[0].word, wide) {
		return han(words)
	}
	total, part := 0, 0
	for used < len(words) {
		w := words[used].word
		times, hundreds, tens, small := timesWords[w], hundredWords[w], tenWords[w], numberWords[w]
		switch {
		case times == 1000:
			total, part = total+max(part, 1)*1000, 0
		case times > 0 && part < 10:
			part = max(part, 1) * times
		case hundreds > 0 && part == 0, tens > 0 && part%100 == 0, small > 0 && part%10 == 0:
			part += hundreds + tens + small
		case part%100 == 4 && strings.HasPrefix(w, "vingt"): // quatre-vingts
			part += 76
		case used > 0 && used+1 < len(words) && (w == "and" || w == "et" || w == "y" || w == "e") && numberWords[words[used+1].word]+tenWords[words[used+1].word] > 0 && part%10 == 0:
		default:
			if v := compound(w); v > 0 && total+part == 0 {
				part = v
				used++
			}
			if total+part == 0 {
				return number{}, 0
			}
			return number{words[0].start, words[used-1].end, total + part}, used
		}
		used++
	}
	return number{words[0].start, words[used-1].end, total + part}, used
}

// compound reads German numbers of one word: dreiundzwanzig, zweihundertzwölf.
func compound(w string) int {
	for _, times := range []string{"tausend", "hundert"} {
		before, behind, found := strings.Cut(w, times)
		if !found {
			continue
		}
		first, rest := germanUnit(before), compound(behind)
		if before == "" {
			first = 1
		}
		if first == 0 || behind != "" && rest == 0 {
			return 0
		}
		return first*timesWords[times] + rest
	}
	if unit, tens, found := strings.Cut(w, "und"); found && tenWords[tens] > 0 && germanUnit(unit) > 0 {
		return tenWords[tens] + germanUnit(unit)
	}
	return numberWords[w] + tenWords[w]
}

func germanUnit(w string) int {
	if w == "ein" {
		return 1
	}
	return numberWords[w]
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

// unitWithin is how many bytes after a number its unit is searched for.
const unitWithin = 120

// counted returns the numbers of people and notes in a text, which have the unit after
// them, with at most two words between. 1 is left out.
func (c *checker) counted(text string) []number {
	var out []number
	for _, n := range numbers(text) {
		rest := text[n.end:min(len(text), n.end+unitWithin)]
		if n.value == 1 || rest == "" || isYear(n) && years.in(" "+lastWord(text[max(0, n.start-unitWithin):n.start])+" ") {
			continue
		}
		for _, u := range wideUnits.wide {
			if strings.HasPrefix(strings.TrimLeft(rest, " "), u) {
				n.end += strings.Index(rest, u) + len(u)
				out = append(out, n)
				rest = ""
				break
			}
		}
		// A unit after a full stop or bracket belongs to something else.
		if i := strings.IndexFunc(rest, func(r rune) bool {
			return unicode.IsPunct(r) && r != '-' && r != '*' && r != '_' && r != '\'' && r != '’'
		}); i >= 0 {
			rest = rest[:i]
		}
		for i, w := range tokens(rest) {
			if i > 3 || otherwise.in(" "+w.word+" ") {
				break
			}
			if countUnits.in(" " + w.word + " ") {
				n.end += w.end
				out = append(out, n)
				break
			}
		}
	}
	return out
}

// isYear reports whether a number may be a year: four digits without a separator.
func isYear(n number) bool { return n.end-n.start == 4 && n.value >= 1900 && n.value < 2100 }

func lastWord(text string) string {
	words := wordsOf(text)
	return words[strings.LastIndexByte(words, ' ')+1:]
}

// leastFigure is the least number, other than a count of people or notes, that is searched
// for in the cited notes. Smaller ones are days, hours, and what a reader can count: “two
// photos”.
const leastFigure = 32

// figures marks the numbers in digits that are in none of the notes which their sentence
// cites, and that no tool gave for its subject. Years are left out.
func (c *checker) figures(u unit, all []unit, i int, notes []int) {
	if len(notes) == 0 {
		return
	}
	body := c.body(u)
	counted := c.counted(body)
	for _, n := range numbers(body) {
		switch {
		case body[n.start] < '0' || body[n.start] > '9' || n.value < leastFigure || isYear(n) || partOfMore(body, n),
			slices.ContainsFunc(counted, func(o number) bool { return o.start == n.start }), // which is looked at by itself
			c.asks[n.value], c.carried(n.value, notes), c.givenOf(n.value, all, i, notes):
		default:
			c.mark(NumberUnknown, u.start+n.start, u.start+n.end, u.end)
		}
	}
}

// partOfMore reports whether a number is part of a name, an address, a formula, or a number
// written with spaces.
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

// sectionWithin is how many bytes before a sentence are searched for the subject of a
// count.
const sectionWithin = 1000

// givenOf reports whether tools gave a number; if a sentence cites notes, for a subject of
// the sentence, of those before it, or of the notes.
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

// saysAny reports whether words contain a word of a name, of at least three letters.
func saysAny(words, name string) bool {
	return slices.ContainsFunc(strings.Fields(wordsOf(name)), func(w string) bool {
		return (utf8.RuneCountInString(w) >= 3 || strings.ContainsFunc(w, wide)) && find(words, w) >= 0
	})
}

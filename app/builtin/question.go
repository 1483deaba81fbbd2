package builtin

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// intent is what a question wants.
type intent uint8

const (
	unknown intent = iota
	help
	digest // what happened, perhaps only by one person or about one topic
	search
	thread
	longestThread
	topHashtags
	topPosters
	count
	whoIs
)

func (i intent) String() string {
	return [...]string{"unknown", "help", "digest", "search", "thread", "longest thread", "top hashtags", "top posters", "count", "who is"}[i]
}

// question is what was understood of the user's words.
type question struct {
	intent intent
	lang   string // in which it was asked, and is answered
	window window
	self   bool   // the person is the user
	person string // a name or key as written; "" for all the people followed
	topic  string // words that the notes must hold
	note   string // a note's id as written, for thread
	n      int    // how many were asked for; 0 when not said
	chart  bool   // asked to be drawn
}

// maxQuestion is how many bytes of a question are read; nobody types more.
const maxQuestion = 2000

// parser reads questions. It is made once and may be used from any goroutine.
type parser struct {
	langs []*compiled
	note  *regexp.Regexp
	key   *regexp.Regexp
	hex   *regexp.Regexp
}

func newParser() *parser {
	return &parser{
		langs: lexicons(),
		note:  regexp.MustCompile(`(?i)\b(?:nostr:)?(?:note1|nevent1|naddr1)[a-z0-9]{3,}`),
		key:   regexp.MustCompile(`(?i)\b(?:nostr:)?(?:npub1|nprofile1)[a-z0-9]{20,}`),
		hex:   regexp.MustCompile(`(?i)\b[0-9a-f]{64}\b`),
	}
}

// parse reads a question as a person asks it in the calendar's place and time.
func (p *parser) parse(text string, c calendar) question {
	text = strings.TrimSpace(clip(strings.ToValidUTF8(text, " "), maxQuestion))
	if text == "" {
		return question{intent: help, lang: "en"}
	}
	note := p.note.FindString(text)
	if note == "" && !p.key.MatchString(text) {
		note = p.hex.FindString(text)
	}
	rest := text
	if note != "" {
		rest = strings.Replace(text, note, " ", 1)
	}
	words := splitWords(rest)
	langs := p.byLanguage(words, rest)
	for _, lx := range langs {
		if q, ok := lx.read(words, c, note); ok {
			return q
		}
	}
	return question{lang: langs[0].lang}
}

// byLanguage orders the languages, the question's own first.
func (p *parser) byLanguage(words []string, text string) []*compiled {
	best, most := 0, 0
	for i, lx := range p.langs {
		hits := 0
		for _, w := range words {
			if lx.hintSet[w] {
				hits++
			}
		}
		if lx.vocabulary != nil && strings.ContainsFunc(text, func(r rune) bool {
			return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han)
		}) {
			hits = 1000
		}
		if hits > most {
			best, most = i, hits
		}
	}
	order := []*compiled{p.langs[best]}
	for i, lx := range p.langs {
		if i != best {
			order = append(order, lx)
		}
	}
	return order
}

// read reads the words of a question in one language.
func (lx *compiled) read(words []string, c calendar, note string) (question, bool) {
	q := question{lang: lx.lang, note: note}
	if lx.vocabulary != nil {
		words = lx.cutWords(words)
	}
	// First as it stands with only an unmistakable time taken out, so that
	// "search today" looks for today; then with every time taken out.
	for _, strict := range []bool{true, false} {
		w, left, _ := lx.time.findWindow(c, words, strict)
		if !q.fill(lx, strings.Join(left, " "), w) {
			continue
		}
		if strict && q.intent != search && q.intent != count {
			if w2, left2, found := lx.time.findWindow(c, words, false); found {
				q2 := question{lang: lx.lang, note: note}
				if q2.fill(lx, strings.Join(left2, " "), w2) {
					q = q2
				}
			}
		}
		return q, true
	}
	return question{}, false
}

// fill matches what is left of a question beside its time.
func (q *question) fill(lx *compiled, text string, w window) bool {
	text = lx.bare(text)
	if drawn := lx.drawn.ReplaceAllString(text, ""); drawn != text {
		text, q.chart = lx.bare(drawn), true
	}
	if text == "" {
		switch {
		case q.note != "":
			q.intent = thread
		case w.asked:
			q.intent = digest
		default:
			return false
		}
		q.window = w
		return true
	}
	for _, a := range lx.patterns {
		if q.note != "" && a.intent != thread || q.note == "" && a.intent == thread && w.asked {
			continue
		}
		m := a.re.FindStringSubmatch(text)
		if m == nil {
			continue
		}
		got := question{intent: a.intent, lang: q.lang, note: q.note, window: w, chart: q.chart}
		for i, name := range a.re.SubexpNames() {
			value := strings.TrimSpace(m[i])
			switch {
			case value == "":
			case name == "person" && !lx.all[value]:
				got.person, got.self = cleanPerson(value), lx.selfSet[value]
			case name == "topic":
				got.topic = lx.withoutArticle(value)
			case name == "n":
				got.n, _ = strconv.Atoi(value)
			}
		}
		if len(strings.Fields(got.person)) > maxNameWords {
			continue // no name: the pattern read a whole sentence as one
		}
		*q = got
		return true
	}
	if q.note == "" && lx.asksToSearch(text) {
		q.intent, q.window = search, w
		return true
	}
	return false
}

// bare drops the polite words around a question.
func (lx *compiled) bare(text string) string {
	for _, re := range lx.trim {
		text = re.ReplaceAllString(text, "")
	}
	return strings.TrimSpace(text)
}

// asksToSearch reports whether only the words to search for are lacking.
func (lx *compiled) asksToSearch(text string) bool {
	const blank = "…"
	for _, a := range lx.patterns {
		if a.intent != search {
			continue
		}
		if m := a.re.FindStringSubmatch(text + " " + blank); m != nil && m[a.re.SubexpIndex("topic")] == blank {
			return true
		}
	}
	return false
}

// maxNameWords is how many words a person's name may have in a question.
const maxNameWords = 5

func cleanPerson(s string) string {
	s = strings.TrimPrefix(strings.TrimPrefix(s, "@"), "nostr:")
	return strings.TrimSuffix(s, "'s")
}

// splitWords cuts a text into lower-case words without the punctuation around them.
func splitWords(text string) []string {
	text = strings.NewReplacer("’", "'", "‘", "'", "“", `"`, "”", `"`, "　", " ").Replace(strings.ToLower(text))
	var words []string
	for w := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune("?!¿¡,;()[]{}…。？！、「」", r)
	}) {
		w = strings.Trim(w, ":")
		if day, clock, ok := strings.Cut(w, "t"); ok && len(day) == 10 && strings.Count(day, "-") == 2 && strings.Contains(clock, ":") {
			words, w = append(words, day), clip(clock, len("15:04")) // RFC 3339
		}
		if t := strings.TrimRight(w, "."); t != w && (len(t) > 2 || strings.Trim(t, "0123456789") != "") && !dotted(t) {
			w = t
		}
		if w != "" {
			words = append(words, w)
		}
	}
	return words
}

// dotted reports whether s is a date such as 20.11, whose last dot belongs to it.
func dotted(s string) bool {
	return strings.Contains(s, ".") && strings.Trim(s, "0123456789.") == ""
}

// cutWords cuts words written without spaces at the lexicon's own vocabulary,
// the longest word first; figures and what is between stay in one piece.
func (lx *compiled) cutWords(words []string) []string {
	var out []string
	for _, w := range words {
		start := 0
		for i := 0; i < len(w); {
			n := lx.longest(w[i:])
			if n == 0 {
				_, size := utf8.DecodeRuneInString(w[i:])
				i += size
				continue
			}
			if start < i {
				out = append(out, w[start:i])
			}
			out = append(out, w[i:i+n])
			i += n
			start = i
		}
		if start < len(w) {
			out = append(out, w[start:])
		}
	}
	return out
}

// maxVocabulary is the length in bytes of the longest word of a vocabulary.
const maxVocabulary = 48

func (lx *compiled) longest(s string) int {
	for n := min(len(s), maxVocabulary); n > 0; n-- {
		if lx.vocabulary[s[:n]] {
			return n
		}
	}
	return 0
}

// clip cuts s to at most n bytes, at the end of a rune.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}

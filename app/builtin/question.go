package builtin

import (
	"regexp"
	"slices"
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
	textSearch
	thread
	longestThread
	topHashtags
	topPosters
	count
	whoIs
	forMe      // who answered, mentioned, quoted or zapped me
	series     // notes per day or week
	popular    // the notes that were taken up most
	following  // how many people I follow
	compared   // two people side by side
	articles   // what there is to read
	conversed  // what two people said to each other
	findThread // the thread of a note that is described
	laterStory // the thread behind a story of the answer before
	fragment   // only what changes in the question before
	cannot     // asks for something that this app does not do
)

func (i intent) String() string {
	return [...]string{
		"unknown", "help", "digest", "search", "thread", "longest thread", "top hashtags", "top posters", "count", "who is",
		"for me", "series", "popular", "following", "compared", "articles", "conversed", "find thread", "later story", "fragment", "cannot",
	}[i]
}

// A form is how the answer is to look.
type form uint8

const (
	asText form = iota
	asChart
	asTable
)

// question is what was understood of the user's words.
type question struct {
	intent   intent
	lang     string // in which it was asked, and is answered
	window   window
	self     bool   // the person is the user
	person   string // a name or key as written; "" for all the people followed
	other    string // a second person
	topic    string // words that the notes must hold
	note     string // a note's id as written, for thread
	n        int    // how many were asked for; 0 when not said
	back     int    // how many answers lie between it and this question
	nth      int    // which story of the answer before
	form     form
	by       string  // of a series: hour, day or week
	kinds    concept // of what came to me; 0: all
	people   bool    // people are counted, not notes
	articles bool    // of all notes, only articles are meant
	filter   string  // operators of a search that have no field here
	was      intent  // of the question of which laterStory is a story
	definite bool    // an article stood before what is a name or a topic
	again    bool    // "what about" stood before the topic
	either   bool    // the topic may be a misspelt name: it stood alone
	timeOnly bool    // nothing but a time was named
	details  bool    // of a digest: all that is known of what was read
	thanks   bool    // of help: nothing is asked, it only thanks
	unread   string  // another question in the same text, to be asked by itself
}

// maxQuestion is how many bytes of a question are read; nobody types more.
const maxQuestion = 2000

// maxWords is how many words a sentence that asks something has at most, and maxCuts
// at how many commas it is cut to be read in parts: reading takes time.
const (
	maxWords = 60
	maxCuts  = 6
)

// maxNameWords is how many words a person's name may have in a question.
const maxNameWords = 5

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

// talk is where a question is asked: what stands around it. The zero value is a
// question by itself.
type talk struct {
	before []string               // questions asked before in the chat, oldest first
	lang   string                 // of the window, "" when not known
	known  func(name string) bool // whether somebody goes by a name; nil: nobody is known
}

func (t *talk) knows(name string) bool {
	return t.known != nil && t.known(strings.TrimPrefix(name, "@"))
}

// parse reads a question by itself as a person asks it in the calendar's place and time.
func (p *parser) parse(text string, c calendar) question { return p.read(text, c, &talk{}) }

// read reads a question in a chat.
func (p *parser) read(text string, c calendar, t *talk) question {
	q := p.alone(text, c, t)
	if q.person == thatPerson && len(t.before) > 0 {
		earlier := talk{before: t.before[:len(t.before)-1], known: t.known}
		if before := p.read(t.before[len(t.before)-1], c, &earlier); before.person != "" {
			q.person, q.self = before.person, before.self
		}
	}
	if len(t.before) > 0 {
		earlier := *t
		earlier.before = t.before[:len(t.before)-1]
		if q.intent == fragment || q.intent == digest && q.bare() {
			before := p.read(t.before[len(t.before)-1], c, &earlier)
			q = before.follow(q, t)
		}
	}
	if q.intent == fragment {
		q = q.byItself(t)
	}
	q.lang = answerLang(q.lang, text, t.lang)
	return q
}

// shortQuestion is how many words a question has, at most, that does not tell for
// sure in which language its asker wants to be answered.
const shortQuestion = 4

// answerLang is the language of the answer: the window's, where a question is short
// or in a language that is not spoken here.
func answerLang(lang, text, window string) string {
	words := wordsIn(lang)
	switch {
	case window == "" && !words:
		return "en"
	case window == "" || !wordsIn(window):
		if !words {
			return "en"
		}
		return lang
	case !words || len(tokenize(text)) <= shortQuestion && lang != "ja":
		return window
	}
	return lang
}

func wordsIn(lang string) bool {
	return slices.Contains([]string{"en", "de", "fr", "es", "pt", "ja"}, lang)
}

// alone reads a question as if it were the first.
func (p *parser) alone(text string, c calendar, t *talk) question {
	text = strings.TrimSpace(clip(strings.ToValidUTF8(text, " "), maxQuestion))
	if text == "" {
		return question{intent: help, lang: "en"}
	}
	note := p.note.FindString(text)
	if note == "" && !p.key.MatchString(text) {
		note = p.hex.FindString(text)
	}
	if note != "" {
		text = strings.Replace(text, note, " ", 1)
	}
	ops, text := operators(text, c)
	langs := p.byLanguage(text)
	if ops.used {
		return ops.question(langs, text, c, t)
	}
	for _, lx := range langs {
		q, ok := lx.questionOf(text, note, c, t, false)
		if odd := q.intent == fragment && q.person != "" && !t.knows(q.person); ok && (!odd || lx == langs[0]) { // else "why" is a name in German
			return q
		}
	}
	if q, ok := langs[0].questionOf(text, note, c, t, true); ok {
		return q
	}
	if q, ok := langs[0].topicAlone(text, c, t); ok && note == "" {
		return q
	}
	return question{lang: langs[0].lang}
}

// byLanguage orders the languages, the question's own first.
func (p *parser) byLanguage(text string) []*compiled {
	hits := map[*compiled]int{}
	toks := tokenize(text)
	spaced := !strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana, unicode.Han) })
	kana := strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Hiragana, unicode.Katakana) })
	for _, lx := range p.langs {
		for _, t := range toks {
			if lx.vocabulary[t.fold] {
				hits[lx] += 2
			}
			if lx.spelt[t.text] {
				hits[lx]++
			}
		}
		if lx.unspaced {
			switch {
			case spaced:
				hits[lx] = 0
			case lx.lang == "ja" && kana:
				hits[lx] = 2000
			default:
				for _, t := range lx.cut(toks) {
					if lx.vocabulary[t.fold] {
						hits[lx] += len(t.fold)
					}
				}
				hits[lx] += 1000
			}
		}
	}
	order := slices.Clone(p.langs)
	slices.SortStableFunc(order, func(a, b *compiled) int { return hits[b] - hits[a] })
	return order
}

// questionOf reads all sentences of a text in one language: the first that asks
// something is the question, one that only tells since when, or as what, completes it.
func (lx *compiled) questionOf(text, note string, c calendar, t *talk, corrected bool) (question, bool) {
	var read []question
	var asked []string    // in their words
	var beside []question // sentences that only greet
	var told window
	odd := 0
	parts := sentencesOf(text)
	if note != "" && len(parts) == 0 {
		parts = []string{""}
	}
	for _, s := range parts {
		q, ok := lx.sentence(tokenize(s), note, c, t, corrected)
		switch {
		case !ok:
			if w, _, n := lx.time.findWindow(c, folds(lx.parted(tokenize(s))), true); n > 0 && len(parts) > 1 && !told.asked {
				told = w
			}
			odd++
		case q.intent == cannot:
			return q, true
		case q.intent == help:
			beside = append(beside, q)
		default:
			read, asked = append(read, q), append(asked, strings.TrimSpace(s))
		}
	}
	if len(read) == 0 {
		if odd > 0 || len(beside) == 0 {
			return question{}, false
		}
		return beside[0], true
	}
	if odd > 0 && len(parts) == odd+len(read) && !told.asked && odd >= len(read) && !corrected {
		return question{}, false // the greater part was not read; perhaps it is misspelt
	}
	q := read[0]
	for i, more := range read[1:] {
		if more.intent == fragment && more.topic == "" && more.person == "" {
			q.complete(more)
		} else if q.unread == "" {
			q.unread = asked[i+1]
		}
	}
	if told.asked && !q.window.asked {
		q.window = told
	}
	return q, true
}

// complete takes over what a sentence adds that only names a form or a time.
func (q *question) complete(more question) {
	q.details = q.details || more.details && q.intent == digest
	if more.form != asText {
		q.form = more.form
	}
	if more.window.asked && !q.window.asked {
		q.window = more.window
	}
	if more.by != "" {
		q.by = more.by
	}
}

// sentence reads one sentence; where it cannot be read as it stands, its parts between
// commas, and then with the words that may be misspelt.
func (lx *compiled) sentence(toks []token, note string, c calendar, t *talk, corrected bool) (question, bool) {
	if len(toks) > maxWords {
		return question{}, false
	}
	two, cuts := -1, 0 // where a second question begins, and how many parts were tried
	for i := 1; i < len(toks) && two < 0; i++ {
		if lx.beginsAnother(toks, i) {
			two = i
		}
	}
	if two < 0 {
		if q, ok := lx.plain(toks, note, c, t); ok {
			return q, true
		}
	}
	for i := 1; i < len(toks); i++ {
		if !toks[i].apart && i != two {
			continue
		}
		if cuts++; cuts > maxCuts {
			break
		}
		first, ok1 := lx.plain(toks[:i], note, c, t)
		rest, ok2 := lx.plain(toks[i:], note, c, t)
		switch {
		case ok1 && ok2 && first.intent != help && rest.intent != help:
			if rest.intent == fragment || rest.intent == digest && rest.bare() {
				first.complete(rest)
			} else {
				first.unread = said(toks[i:])
			}
			return first, true
		case ok1 && first.intent != help && first.intent != fragment && i == two:
			first.unread = said(toks[i:])
			return first, true
		case ok2 && rest.intent != fragment && i <= 3 && !lx.asks(toks[:i]):
			return rest, true // a name or a greeting before it
		}
	}
	if corrected {
		if fixed, ok := lx.respell(toks, func(toks []token) bool { _, ok := lx.plain(toks, note, c, t); return ok }); ok {
			return lx.plain(fixed, note, c, t)
		}
	}
	return question{}, false
}

// beginsAnother reports whether a second question begins at i: "and whether …".
func (lx *compiled) beginsAnother(toks []token, i int) bool {
	if i+1 >= len(toks) {
		return false
	}
	_, first := (&clause{compiled: lx}).phraseAt(folds(toks[i : i+1]))
	_, second := (&clause{compiled: lx}).phraseAt(folds(toks[i+1:]))
	return first&cAlso != 0 && (second&(cWhether|cWho|cTimes|cWhat) != 0 || second&cDid != 0 && !lx.unspaced)
}

// asks reports whether words hold what a question is made of.
func (lx *compiled) asks(toks []token) bool {
	for i := range toks {
		if _, m := (&clause{compiled: lx}).phraseAt(folds(toks[i:])); m&(cWhat|cWho|cWrote|cNotes|cNews|cSummary|cFind|cToMe|cTags) != 0 && m&cFiller == 0 {
			return true
		}
	}
	return false
}

// plain reads a sentence as it stands: with every time taken out, and where that is
// nothing, or what is searched for, with only an unmistakable one.
func (lx *compiled) plain(toks []token, note string, c calendar, t *talk) (question, bool) {
	cl := lx.clause(toks, c, t, false)
	q, ok := cl.read(note)
	if ok && !(q.intent == textSearch && q.topic == "") {
		return q, true
	}
	if strict := lx.clause(toks, c, t, true); strict.window != cl.window {
		if q, ok := strict.read(note); ok {
			return q, true
		}
	}
	return q, ok
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

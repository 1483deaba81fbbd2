package question

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

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

// A Reader reads questions. It is made once and may be used from any goroutine.
type Reader struct {
	*spelling
	langs []*compiled
	note  *regexp.Regexp
	key   *regexp.Regexp
	hex   *regexp.Regexp
}

// New makes a reader of questions in these languages. The first must have answers: it is
// used when no other language is recognised, and for the operators of a search.
func New(lexicons []*Lexicon) *Reader {
	s := spellingOf(lexicons)
	langs := make([]*compiled, len(lexicons))
	for i, lx := range lexicons {
		langs[i] = compile(lx, s)
	}
	return &Reader{
		spelling: s, langs: langs,
		note: regexp.MustCompile(`(?i)\b(?:nostr:)?(?:note1|nevent1|naddr1)[a-z0-9]{3,}`),
		key:  regexp.MustCompile(`(?i)\b(?:nostr:)?(?:npub1|nprofile1)[a-z0-9]{20,}`),
		hex:  regexp.MustCompile(`(?i)\b[0-9a-f]{64}\b`),
	}
}

// Talk is where a question is asked: what stands around it. The zero value is a
// question by itself.
type Talk struct {
	Before []string               // questions asked before in the chat, oldest first
	Lang   string                 // of the window, "" when not known
	Known  func(name string) bool // whether somebody goes by a name; nil: nobody is known
}

func (t *Talk) knows(name string) bool {
	return t.Known != nil && t.Known(strings.TrimPrefix(name, "@"))
}

// Read reads a question in a chat.
func (p *Reader) Read(text string, c Calendar, t *Talk) Question {
	text, unseen := p.onlyUnseen(text)
	rest, except := p.withoutExcept(text, t)
	q := p.read(rest, c, t)
	q.Unseen, q.Except = unseen, except
	return q
}

// read reads a question without "only what I have not seen".
func (p *Reader) read(text string, c Calendar, t *Talk) Question {
	q := p.alone(text, c, t)
	if q.Person == thatPerson && len(t.Before) > 0 {
		earlier := Talk{Before: t.Before[:len(t.Before)-1], Known: t.Known}
		if before := p.read(t.Before[len(t.Before)-1], c, &earlier); before.Person != "" {
			q.Person, q.Self = before.Person, before.Self
		}
	}
	window := t.Lang
	if len(t.Before) > 0 {
		earlier := *t
		earlier.Before = t.Before[:len(t.Before)-1]
		if q.Intent == fragment || q.Intent == Digest && q.bare() {
			before := p.read(t.Before[len(t.Before)-1], c, &earlier)
			q = before.follow(q, t)
			window = cmp.Or(window, before.Lang) // "and Ada?" is in many languages
		}
	}
	if q.Intent == fragment {
		q = q.byItself(t)
	}
	q.Lang = p.answerLang(q.Lang, text, window)
	return q
}

// shortQuestion is how many words a question has, at most, that does not tell for
// sure in which language its asker wants to be answered.
const shortQuestion = 4

// answerLang returns the language of the answer: the window's if the question is short or
// in a language without answers.
func (p *Reader) answerLang(lang, text, window string) string {
	in := p.answered(lang)
	if p.answered(window) != nil && (in == nil || !in.Unspaced && len(p.tokenize(text)) <= shortQuestion) {
		return window
	}
	if in == nil {
		return p.langs[0].Lang
	}
	return lang
}

// answered returns a language that has answers; nil for others.
func (p *Reader) answered(lang string) *compiled {
	for _, lx := range p.langs {
		if lx.Lang == lang && lx.Answered {
			return lx
		}
	}
	return nil
}

// alone reads a question as if it were the first.
func (p *Reader) alone(text string, c Calendar, t *Talk) Question {
	text = strings.TrimSpace(strings.ToValidUTF8(text[:min(len(text), maxQuestion)], " "))
	if text == "" {
		return Question{Intent: Help, Lang: p.langs[0].Lang}
	}
	note := p.note.FindString(text)
	if note == "" && !p.key.MatchString(text) {
		note = p.hex.FindString(text)
	}
	if note != "" {
		text = strings.Replace(text, note, " ", 1)
	}
	ops, text := operators(text, c)
	langs := p.byLanguage(text, t.Lang)
	if !ops.used && langs[0].beginsOutside(text) {
		return Question{Intent: Cannot, Lang: langs[0].Lang, Outside: true}
	}
	if ops.used {
		return ops.question(p, langs, text, c, t)
	}
	q, lx := p.inWords(text, note, langs, c, t)
	if lx != nil && !slices.Contains([]Intent{Unknown, Help, Cannot, fragment}, q.Intent) {
		q.passes(lx, text, c, t)
	}
	return q
}

// inWords reads a question without operators, in the language that it returns: as it
// stands, then with common words passed over, then with words that may be misspelt.
func (p *Reader) inWords(text, note string, langs []*compiled, c Calendar, t *Talk) (Question, *compiled) {
	kana := strings.ContainsFunc(text, isKana)
	for _, lx := range langs {
		if kana && lx.Unspaced && !lx.kana {
			continue
		}
		q, ok := lx.questionOf(text, note, c, t, false)
		odd := q.Intent == fragment && q.Person != "" && !t.knows(q.Person) || lx != langs[0] && langs[0].drops(text, &q, c, t)
		if ok && (!odd || lx == langs[0]) { // else "why" is a name in German
			if langs[0].Answered && !langs[0].Unspaced && !lx.Unspaced && len(p.tokenize(text)) > shortQuestion {
				q.Lang = langs[0].Lang // it is its words that the question has most
			}
			return q, lx.eased
		}
		if lx == langs[0] && lx.clause(lx.tokenize(text), c, t, false).has&cNot != 0 {
			break // "no" is another word elsewhere
		}
	}
	eased := langs[0].eased
	if q, ok := eased.questionOf(text, note, c, t, false); ok {
		return q, eased
	}
	if q, ok := eased.questionOf(text, note, c, t, true); ok {
		q.respelt = true
		return q, eased
	}
	if q, ok := langs[0].topicAlone(text, c, t); ok && note == "" {
		return q, eased
	}
	if note != "" {
		return Question{Lang: langs[0].Lang}, nil
	}
	if q, ok := eased.loosely(text, c, t); ok {
		return q, eased
	}
	if q, ok := eased.cued(text, c, t); ok {
		return q, eased
	}
	return Question{Lang: langs[0].Lang}, nil
}

// drops reports whether a question as another language reads it lacks a time that is told
// in this one, or takes words of this one for a topic.
func (lx *compiled) drops(text string, q *Question, c Calendar, t *Talk) bool {
	known := 0
	for _, w := range strings.Fields(q.Topic) {
		if lx.vocabulary[Fold(w)] {
			known++
		}
	}
	return known > 1 || !q.Window.Asked && lx.clause(lx.tokenize(text), c, t, true).window.Asked
}

// byLanguage orders the languages, the question's own first: whose words it has, or else whose
// letters, or else that of the window.
func (p *Reader) byLanguage(text, window string) []*compiled {
	hits, signs := map[*compiled]int{}, map[*compiled]int{}
	toks := p.tokenize(text)
	spaced := !strings.ContainsFunc(text, func(r rune) bool { return isKana(r) || unicode.Is(unicode.Han, r) })
	kana := strings.ContainsFunc(text, isKana)
	for _, lx := range p.langs {
		for _, t := range toks {
			if lx.vocabulary[t.fold] {
				hits[lx] += 2
			}
			if lx.spelt[t.text] {
				hits[lx]++
			}
			if strings.ContainsFunc(t.text, func(r rune) bool { return r > unicode.MaxASCII && lx.letters[r] }) {
				hits[lx]++
			}
			if slices.ContainsFunc(lx.Signs, func(sign string) bool { return strings.Contains(t.text, sign) }) {
				signs[lx] += 2
			}
		}
		if lx.Lang == window {
			signs[lx]++
		}
		if lx.Unspaced {
			switch {
			case spaced:
				hits[lx] = 0
			case lx.kana && kana:
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
	slices.SortStableFunc(order, func(a, b *compiled) int { return cmp.Or(hits[b]-hits[a], signs[b]-signs[a]) })
	return order
}

// questionOf reads all sentences of a text in one language: the first that asks
// something is the question, one that only tells since when, or as what, completes it.
func (lx *compiled) questionOf(text, note string, c Calendar, t *Talk, corrected bool) (Question, bool) {
	var read []Question
	var asked []string    // in their words
	var beside []Question // sentences that only greet
	var told Window
	odd := 0
	parts := lx.sentencesOf(text)
	if note != "" && len(parts) == 0 {
		parts = []string{""}
	}
	stated := -1 // the last of those read that tells of who asks before it asks anything
	for _, s := range parts {
		toks := lx.tokenize(s)
		q, ok := lx.sentence(toks, note, c, t, corrected)
		states := len(parts) > 1 && lx.tellsOfSelf(toks)
		switch {
		case !ok:
			if len(parts) > 1 && !told.Asked {
				told = lx.told(toks, c, t)
			}
			if !states {
				if len(parts) > 1 && lx.clause(toks, c, t, false).has&restricts&^(cNumber|cUntold) != 0 {
					return Question{}, false
				}
				odd++
			}
		case q.Intent == Cannot:
			return q, true
		case q.Intent == Help:
			beside = append(beside, q)
		default:
			if states && stated == len(read)-1 {
				stated++
			}
			read, asked = append(read, q), append(asked, strings.TrimSpace(s))
		}
	}
	if len(read) == 0 {
		if odd > 0 || len(beside) == 0 {
			return Question{}, false
		}
		return beside[0], true
	}
	if odd > 0 && len(parts) == odd+len(read) && !told.Asked && odd >= len(read) && !corrected {
		return Question{}, false // the greater part was not read; perhaps it is misspelt
	}
	if next := stated + 1; stated >= 0 && next < len(read) && read[next].Intent != fragment && !read[next].bare() {
		told = read[stated].Window
		read, asked = read[next:], asked[next:]
	}
	q := read[0]
	for i, more := range read[1:] {
		if more.Intent == fragment && more.Topic == "" && more.Person == "" {
			q.complete(more)
		} else if q.Unread == "" {
			q.Unread = asked[i+1]
		}
	}
	if told.Asked && !q.Window.Asked {
		q.Window = told
	}
	return q, true
}

// complete takes over what a sentence adds that only names a form or a time.
func (q *Question) complete(more Question) {
	q.Details = q.Details || more.Details && q.Intent == Digest
	if more.Form != AsText {
		q.Form = more.Form
	}
	if more.Window.Asked && !q.Window.Asked {
		q.Window = more.Window
	}
	if more.By != "" {
		q.By = more.By
	}
}

// sentence reads one sentence; where it cannot be read as it stands, its parts between
// commas, and then with the words that may be misspelt.
func (lx *compiled) sentence(toks []token, note string, c Calendar, t *Talk, corrected bool) (Question, bool) {
	if len(toks) > maxWords {
		return Question{}, false
	}
	toks = lx.withoutTag(toks)
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
		case ok1 && !ok2 && first.Intent == Cannot && !lx.asks(toks[i:]):
			return first, true
		case ok1 && ok2 && first.Intent != Help && rest.Intent != Help:
			if first.Intent == Compared && rest.Kinds != 0 {
				return Question{}, false // Ada or Bruno, whose notes got more likes?
			}
			if rest.Intent == fragment || rest.Intent == Digest && rest.bare() {
				first.complete(rest)
			} else {
				first.Unread = said(toks[i:])
			}
			return first, true
		case ok1 && first.Intent != Help && first.Intent != fragment && i == two:
			first.Unread = said(toks[i:])
			return first, true
		case ok1 && first.Intent != Help && first.Intent != fragment && first.Unread == "" && lx.isAside(toks[i:], c, t):
			first.Unread = said(toks[i:])
			return first, true
		case ok2 && rest.Intent != fragment && lx.leadsUp(toks[:i], &rest, c, t, i < len(toks) && toks[i].colon):
			return rest, true
		}
	}
	if corrected {
		for _, strangers := range []bool{false, true} { // else "peple" is somebody's name
			if fixed, ok := lx.respell(toks, func(toks []token) bool {
				q, ok := lx.plain(toks, note, c, t)
				return ok && (strangers || q.Person == "" || q.Self || t.knows(q.Person))
			}); ok {
				return lx.plain(fixed, note, c, t)
			}
		}
	}
	return Question{}, false
}

// withoutTag drops what stands behind the last comma if it asks nothing: "right?"
func (lx *compiled) withoutTag(toks []token) []token {
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].apart {
			if leads(folds(toks[i:]), lx.tags) == len(toks)-i {
				return toks[:i]
			}
			break
		}
	}
	return toks
}

// beginsAnother reports whether a second question begins at i: "and whether …".
func (lx *compiled) beginsAnother(toks []token, i int) bool {
	if i+1 >= len(toks) {
		return false
	}
	n, first := (&clause{compiled: lx}).phraseAt(folds(toks[i:]))
	if n > 1 {
		return false // é que
	}
	_, second := (&clause{compiled: lx}).phraseAt(folds(toks[i+1:]))
	return first&cAlso != 0 && (second&(cWhether|cWho|cTimes|cWhat|cUntold) != 0 || second&cDid != 0 && !lx.Unspaced)
}

// leadsUp reports whether words before a question ask nothing themselves: a greeting, the
// name of who is asked, or why it is asked. The question takes over the time that they tell,
// and the topic before a colon.
func (lx *compiled) leadsUp(toks []token, q *Question, c Calendar, t *Talk, colon bool) bool {
	cl := lx.clause(toks, c, t, false)
	runs := cl.runs()
	if lx.asks(toks) || slices.ContainsFunc(runs, func(r oddRun) bool { return cl.names(r) }) {
		return false
	}
	topic := ""
	if wished := cl.has&cMore != 0 || cl.has&cPolite != 0 && cl.has&cSelf == 0; wished || colon && len(toks) <= 3 {
		if topic = cl.topic; topic == "" && len(runs) == 1 {
			topic = runs[0].text
		}
	}
	mine := cl.has&(cSelf|cMe|cMy) != 0 || leads(folds(toks), lx.tellers) > 0
	if uncommon := slices.ContainsFunc(runs, func(r oddRun) bool { return !cl.common(r) }); !mine && cl.has&restricts&^cNumber != 0 && (uncommon || cl.has&restricts&^cNumber != cNot) {
		return false // without time, it is nothing that is left out
	}
	if !mine && q.Intent == Digest && q.Topic == "" && !q.Window.Asked && topic == "" && cl.thing() != "" {
		return false // they say what it is about
	}
	if topic != "" && q.Topic == "" && q.Intent == Digest {
		q.Topic = topic
	} else if topic != "" && !colon {
		return false
	}
	if !q.Window.Asked {
		q.Window = lx.told(toks, c, t)
	}
	return true
}

// isAside reports whether words behind a question restrict nothing in it: no time, name
// or topic, and nothing is taken back.
func (lx *compiled) isAside(toks []token, c Calendar, t *Talk) bool {
	cl := lx.clause(toks, c, t, false)
	return !cl.window.Asked && cl.topic == "" && cl.has&(cNot|cOf|cChart|cTable|cToMe) == 0 && cl.has&(cDid|cSelf|cWhat|cPerson|cEveryone) != 0 &&
		!slices.ContainsFunc(cl.runs(), func(r oddRun) bool { return cl.names(r) || cl.beginsTime(r.from) })
}

// tellsOfSelf reports whether words begin with who asks: "I slept all day".
func (lx *compiled) tellsOfSelf(toks []token) bool {
	cl := &clause{compiled: lx}
	n, m := cl.phraseAt(folds(toks))
	if m&cGreeting != 0 {
		_, m = cl.phraseAt(folds(toks[n:]))
	}
	return m&(cSelf|cMy) != 0 && m&cPolite == 0
}

// told is the time that words tell of that ask nothing, where "three days" are the last.
func (lx *compiled) told(toks []token, c Calendar, t *Talk) Window {
	cl := lx.clause(toks, c, t, false)
	for i := range cl.toks {
		var v values
		if !cl.window.Asked && lx.time.match([]string{"{n}", "{unit}"}, folds(cl.toks[i:]), &v) > 0 && v.n <= maxNumber {
			return Window{Since: c.back(v.n, v.unit), Until: c.Now, Asked: true}
		}
	}
	return cl.window
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
func (lx *compiled) plain(toks []token, note string, c Calendar, t *Talk) (Question, bool) {
	cl := lx.clause(toks, c, t, false)
	q, ok := cl.read(note)
	if ok && !(q.Intent == Search && q.Topic == "") {
		return q, true
	}
	if strict := lx.clause(toks, c, t, true); strict.window != cl.window {
		if q, ok := strict.read(note); ok {
			return q, true
		}
	}
	return q, ok
}

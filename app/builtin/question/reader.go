package question

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// maxQuestion is how many bytes a question may have to be read.
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

// Talk is where a question is asked: what surrounds it. The zero value is a
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

// shortQuestion is how many words a question has, at most, that does not show for
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
	text = strings.TrimSpace(strings.ToValidUTF8(text, " "))
	if text == "" {
		return Question{Intent: Help, Lang: p.langs[0].Lang}
	}
	if len(text) > maxQuestion {
		return Question{Intent: Cannot, Lang: p.byLanguage(strings.ToValidUTF8(text[:maxQuestion], ""), t.Lang)[0].Lang, TooLong: true}
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
// is, then with common words passed over, then with words that may be misspelt.
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

// drops reports whether a question as another language reads it is missing a time that is given
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
// something is the question, one that only says since when, or as what, completes it.
func (lx *compiled) questionOf(text, note string, c Calendar, t *Talk, corrected bool) (Question, bool) {
	var read []Question
	var asked []string    // in their words
	var beside []Question // sentences that only greet
	var before Window
	odd := 0
	parts := lx.sentencesOf(text)
	if note != "" && len(parts) == 0 {
		parts = []string{""}
	}
	stated := -1 // the last of those read that is about who asks before it asks anything
	for _, s := range parts {
		toks := lx.tokenize(s)
		q, ok := lx.sentence(toks, note, c, t, corrected)
		states := len(parts) > 1 && lx.isAboutSelf(toks)
		switch {
		case !ok:
			if len(parts) > 1 && !before.Asked {
				before = lx.statedTime(toks, c, t)
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
	if odd > 0 && len(parts) == odd+len(read) && !before.Asked && odd >= len(read) && !corrected {
		return Question{}, false // the greater part was not read; perhaps it is misspelt
	}
	if next := stated + 1; stated >= 0 && next < len(read) && read[next].Intent != fragment && !read[next].bare() {
		before = read[stated].Window
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
	if before.Asked && !q.Window.Asked {
		q.Window = before
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

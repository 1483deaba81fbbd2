package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLoose is how many words a question may hold that are not understood, for their
// notes to be looked for.
const maxLoose = 5

// A part is the text between two commas of a text, or the ends of its sentences.
type part struct {
	*clause
	said []token
	mine bool     // it is about who asks, and asks nothing
	why  []string // its words that ask for a reason or a place, which notes may give
}

// maxParts is how many parts of a text are looked at.
const maxParts = 8

// restricts are the words that make another question of one, so that none of them may be
// passed over.
const restricts = cNot | cCompare | cTags | cMost | cTop | cLongest | cChart | cTable | cPerDay | cPerWeek | cPerHour | cQuiet | cFollow | cUntold | cOrdinal | cNumber

// partsOf cuts a text into its parts; those that only greet are left out.
func (lx *compiled) partsOf(text string, c Calendar, t *Talk) (parts []part) {
	for _, s := range lx.sentencesOf(text) {
		toks, from := lx.withoutTag(lx.tokenize(s)), 0
		for i := 1; i <= len(toks); i++ {
			if i < len(toks) && !toks[i].apart {
				continue
			}
			from += lx.reported(toks[from:i])
			cl := lx.clause(slices.Clone(toks[from:i]), c, t, false)
			why := cl.passWhy()
			self := cl.has&(cSelf|cMe|cMy) != 0 || leads(folds(toks[from:i]), lx.tellers) > 0
			if mine := self && (!lx.asks(toks[from:i]) || from > 0 && cl.has&cNot != 0); mine || cl.window.Asked || cl.topic != "" || cl.has&^(cFiller|cGreeting|cThanks|cPolite|cDid|cIs|cAlso) != 0 || len(cl.runs()) > 0 {
				parts = append(parts, part{cl, toks[from:i], mine, why})
			}
			from = i
		}
	}
	return parts
}

// reported is how many words at the beginning show that somebody said what follows: "my
// sister says that".
func (lx *compiled) reported(toks []token) int {
	cl := &clause{compiled: lx, toks: toks, talk: &Talk{}}
	if cl.mark(); len(toks) < 4 || cl.marks[0]&cMy == 0 {
		return 0
	}
	for i := 2; i < 4; i++ {
		if cl.marks[i]&cWrote != 0 && cl.marks[i]&cNotes == 0 {
			if i+1 < len(toks) && cl.marks[i+1]&(cFiller|cWhat|cWhether) != 0 {
				i++
			}
			return i + 1
		}
	}
	return 0
}

// passWhy treats the words that ask for a reason or a place as words that ask nothing.
func (cl *clause) passWhy() (passed []string) {
	words := folds(cl.toks)
	for i := range words {
		n := leads(words[i:], cl.why)
		if n == 0 || cl.marks[i]&cUntold == 0 {
			continue
		}
		passed = append(passed, said(cl.toks[i:i+n]))
		for k := range n {
			cl.marks[i+k] = cFiller
		}
	}
	cl.marked()
	return passed
}

// marked sums up the marks.
func (cl *clause) marked() {
	cl.has = 0
	for _, m := range cl.marks {
		cl.has |= m
	}
}

// loosely reads a question with words that are not understood. Where the rest of one part
// is a question, or somebody known is asked about, or something said of one thing, the
// words may be what it is about; whoever answers looks whether notes have them, and says
// which were not looked for. What is asked of the world is refused.
func (lx *compiled) loosely(text string, c Calendar, t *Talk) (Question, bool) {
	parts := lx.partsOf(text, c, t)
	if len(parts) == 0 || len(parts) > maxParts || len(lx.tokenize(text)) > maxWords {
		return Question{}, false
	}
	outside := false
	for _, s := range lx.sentencesOf(text) {
		outside = outside || lx.isOutside(lx.tokenize(s))
	}
	if outside && !slices.ContainsFunc(parts, func(p part) bool { return !p.mine && slices.ContainsFunc(p.runs(), p.names) }) {
		return Question{Lang: lx.Lang, Intent: Cannot, Outside: true}, true
	}
	for i := range slices.Backward(parts) {
		if q, odd, ok := parts[i].passing(); ok && !parts[i].mine && !q.timeOnly {
			q.Sure, q.Passed = q.Person != "" || parts[i].has&(cMissed|cSummary) != 0 || q.Intent != Digest, parts[i].why
			q.catchesUp = q.Intent == Digest && q.Topic == "" && parts[i].topic == "" && parts[i].thing() == "" &&
				parts[i].has&cSomeone == 0 && (parts[i].window.Asked || parts[i].has&cMissed != 0 || parts[i].has&cSummary != 0 && len(odd) == 0)
			return lx.beside(q, odd, slices.Delete(slices.Clone(parts), i, i+1), c, t)
		}
	}
	q := Question{Lang: lx.Lang, Intent: Digest}
	return lx.beside(q, nil, parts, c, t)
}

// content is what a word that is not known says; "" for the stem of a verb.
func (cl *clause) content(i int) string {
	if !strings.ContainsFunc(cl.toks[i].text, unicode.IsLetter) && !strings.ContainsFunc(cl.toks[i].text, unicode.IsNumber) {
		return ""
	}
	if next := i + 1; cl.Postposed && utf8.RuneCountInString(cl.toks[i].text) == 1 && next < len(cl.toks) && !strings.Contains("はがをのも", cl.toks[next].fold) && cl.marks[next]&cNamed == 0 {
		return ""
	}
	return cl.stem(cl.toks[i].text)
}

// asksHowMuch reports whether "how" precedes a word that is not known: how old.
func (cl *clause) asksHowMuch() bool {
	for i, tok := range cl.toks[:max(0, len(cl.toks)-1)] {
		if next := cl.marks[i+1]; slices.Contains(cl.how, tok.fold) && (next == 0 || next == cFiller) {
			return true
		}
	}
	return false
}

// passing reads a part without the words that are not known, where it is about them or
// can do without; odd are those words.
func (cl part) passing() (q Question, odd []string, ok bool) {
	without := *cl.clause
	without.marks = slices.Clone(cl.marks)
	for _, r := range cl.runs() {
		if cl.namesTime(r) || cl.toks[r.from].quoted {
			return q, nil, false
		}
		_, from, to := cl.nameIn(r)
		for i := r.from; i < r.to; i++ {
			if i >= from && i < to {
				continue
			}
			if without.marks[i] = cFiller; cl.content(i) != "" {
				odd = append(odd, cl.content(i))
			}
		}
	}
	without.marked()
	if q, ok = without.read(""); q.Topic != "" && q.Intent == Digest && len(odd) > 0 {
		q.Topic, odd = "", append(odd, strings.Fields(cl.topic)...)
	}
	if !ok || len(odd) > 0 && (cl.has&(restricts|cTimes) != 0 || cl.asksHowMuch()) {
		return q, nil, false
	}
	if q.Intent == ForMe && cl.kinds() == 0 {
		return q, odd, len(odd) == 0 // it may be of anything else
	}
	return q, odd, slices.Contains([]Intent{Digest, ForMe, Articles, Pictures, Links, Latest}, q.Intent) || len(odd) == 0 && !slices.Contains([]Intent{Help, Cannot, Search, fragment, Unknown}, q.Intent)
}

// beside completes a question by the other parts of a text, and by its own odd words: with
// a time, a name, and what it may be about.
func (lx *compiled) beside(q Question, odd []string, parts []part, c Calendar, t *Talk) (Question, bool) {
	read := q.Sure || len(odd) > 0
	for _, p := range parts {
		if p.mine {
			if !q.Window.Asked {
				q.Window = lx.statedTime(p.said, c, t)
			}
			continue
		}
		if p.has&(restricts|cToMe|cMe|cMy|cSelf|cTimes) != 0 || p.aboutMe || read && lx.asks(p.toks) || p.hours != (Hours{}) || p.asksHowMuch() || p.window.Asked && q.Window.Asked && p.window != q.Window {
			return q, false
		}
		if q.Passed = append(q.Passed, p.why...); p.window.Asked {
			q.Window = p.window
		}
		for _, r := range p.runs() {
			if p.namesTime(r) || p.toks[r.from].quoted {
				return q, false
			}
			name, from, to := p.nameIn(r)
			if name != "" && q.Person != "" && Fold(q.Person) != Fold(name) {
				return q, false // of two people it may be anything
			}
			if name != "" {
				q.Person = name
			}
			for i := r.from; i < r.to; i++ {
				if word := p.content(i); word != "" && (name == "" || i < from || i >= to) {
					odd = append(odd, word)
				}
			}
		}
		if p.thing() != "" && q.Person == "" {
			q.Sure, q.catchesUp = false, false
		}
		for w := range strings.FieldsSeq(p.topic) {
			if w = p.stem(w); w != "" && !p.vocabulary[Fold(w)] {
				odd = append(odd, w)
			}
		}
		q.Must = p.definite()
	}
	if q.Person != "" {
		q.Must = ""
	}
	if len(odd) > maxLoose || len(odd) == 0 && !read && !(lx.Unspaced && q.Person != "") {
		return q, false
	}
	if q.Topic == "" && len(odd) > 0 && slices.Contains([]Intent{Digest, Articles, Pictures, Links}, q.Intent) && (!q.catchesUp || q.Person != "") {
		q.Topic, q.Loose = strings.Join(odd, " "), true
	}
	return q, true
}

// definite returns the word by which a clause names the one thing that it asks after:
// "contest" of how the contest ended; "" where it names none, or several.
func (cl *clause) definite() (word string) {
	if cl.has&(cDid|cWhat) == 0 || cl.has&(cNotes|cWho|cHelping|cProfile|cTimes) != 0 {
		return ""
	}
	for _, r := range cl.runs() {
		if r.from == 0 || !cl.articles[cl.toks[r.from-1].fold] {
			continue
		}
		if word != "" {
			return ""
		}
		word = cl.toks[r.from].text
	}
	return word
}

// thing is the first word that is not known behind an article: the one thing that words
// are about.
func (cl *clause) thing() string {
	for _, r := range cl.runs() {
		if (r.before&(cOf|cAbout) != 0 || cl.Unspaced && cl.content(r.from) != "") && !cl.common(r) {
			return cl.toks[r.from].text
		}
		at := r.from - 1
		for at > 0 && cl.marks[at] == cFiller && !cl.articles[cl.toks[at].fold] {
			at--
		}
		if at >= 0 && cl.articles[cl.toks[at].fold] && !cl.common(r) {
			return cl.toks[r.from].text
		}
	}
	return ""
}

// namesTime reports whether a run holds a word of a time that was not understood.
func (cl *clause) namesTime(r oddRun) bool {
	for i := r.from; i < r.to; i++ {
		if _, month := cl.time.months[cl.toks[i].fold]; cl.beginsTime(i) || month && !cl.talk.knows(cl.toks[i].text) {
			return true
		}
	}
	return false
}

// nameIn is the longest name of somebody known in a run, and where it is.
func (cl *clause) nameIn(r oddRun) (name string, from, to int) {
	for n := min(r.to-r.from, maxNameWords); n > 0; n-- {
		for i := r.from; i+n <= r.to; i++ {
			if s := said(cl.toks[i : i+n]); r.after&cNamed != 0 || n == 1 && cl.toks[i].at || cl.talk.knows(s) {
				return strings.TrimPrefix(s, "@"), i, i + n
			}
		}
	}
	return "", 0, 0
}

// stem is a word that may be a topic: of a Japanese one, without the ending in syllables;
// "" for one that is too short.
func (cl *clause) stem(word string) string {
	if cl.Unspaced {
		stem := strings.TrimRightFunc(word, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
		if stem != word && utf8.RuneCountInString(stem) == 1 {
			if utf8.RuneCountInString(word) > 2 {
				return word // 駅そば
			}
			return "" // of a verb
		}
		if end := strings.IndexFunc(stem, func(r rune) bool { return !unicode.Is(unicode.Katakana, r) && r != 'ー' }); end >= 2*len("ー") {
			return stem[:end] // ゲーム of ゲーム作り
		}
		return stem
	}
	if utf8.RuneCountInString(word) < 3 {
		return ""
	}
	return word
}

// isOutside reports whether words ask for what is in no note.
func (lx *compiled) isOutside(toks []token) bool {
	words := folds(toks)
	if lx.Unspaced {
		return slices.ContainsFunc(lx.outside, func(w string) bool { return strings.Contains(strings.Join(words, ""), w) })
	}
	for i := range words {
		if leads(words[i:], lx.outside) > 0 {
			return true
		}
	}
	return false
}

// beginsOutside reports whether a text begins, but for a greeting, with a phrase of several
// words for what is in no note: "what time is it".
func (lx *compiled) beginsOutside(text string) bool {
	if lx.Unspaced {
		return false
	}
	words := folds(lx.tokenize(text))
	for i := range min(len(words), 3) {
		if leads(words[i:], lx.outside) > 1 {
			return true
		}
		if (&clause{compiled: lx}).marksOnly(words[i], cFiller|cGreeting|cPolite) {
			continue
		}
		break
	}
	return false
}

// marksOnly reports whether a word does nothing but what is given.
func (cl *clause) marksOnly(word string, c Concept) bool {
	m := cl.phrases[word]
	return m&c != 0 && m&^c == 0
}

// passes names the words of a text that a question, as it was read, takes no account of.
func (q *Question) passes(lx *compiled, text string, c Calendar, t *Talk) {
	used := Fold(strings.Join([]string{q.Person, q.Other, q.Topic, q.Choice, q.Filter, q.Unread}, " "))
	for _, s := range lx.sentencesOf(text) {
		cl := lx.clause(lx.tokenize(s), c, t, false)
		if !q.respelt && slices.ContainsFunc(cl.runs(), func(r oddRun) bool { return cl.namesTime(r) && !strings.Contains(used, Fold(r.text)) }) {
			*q = Question{Lang: q.Lang} // another time than the one that was read
			return
		}
		for i, tok := range cl.toks {
			known := cl.marks[i] != 0 && (cl.marks[i]&cInTopic == 0 || cl.vocabulary[tok.fold]) || cl.usual[tok.fold] || cl.ending(i)
			word := strings.Trim(tok.text, `"`)
			if !tok.quoted {
				word = cl.stem(word)
			}
			if known || !strings.ContainsFunc(word, unicode.IsLetter) || strings.Contains(used, Fold(word)) || slices.Contains(q.Passed, word) || q.respelt && lx.misspelt(tok.fold) {
				continue
			}
			q.Passed = append(q.Passed, word)
		}
	}
}

// misspelt reports whether a word is one letter away from one that is known.
func (lx *compiled) misspelt(word string) bool {
	for w := range lx.vocabulary {
		if len(w) >= leastLetters-1 && oneEdit(word, w) {
			return true
		}
	}
	return false
}

package builtin

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A clause is a sentence as one language reads it: its time taken out, and what each
// of its words does.
type clause struct {
	*compiled
	toks    []token
	marks   []concept // of each token; 0 for one that is not known
	has     concept   // all marks together
	window  window
	topic   string
	aboutMe bool
	n       int
	nth     int // of an ordinal
	talk    *talk
}

// An odd run are words that are not known, side by side: a name, or what it is about.
type oddRun struct {
	from, to int
	text     string
	before   concept // of the word before, articles passed over
	after    concept
}

// clause takes the time out of a sentence and marks its words. strict asks for a word
// such as "since" before the time, so that "search today" looks for today.
func (lx *compiled) clause(toks []token, c calendar, t *talk, strict bool) *clause {
	if lx.unspaced {
		toks = lx.cut(toks)
	}
	toks = lx.parted(toks)
	cl := &clause{compiled: lx, talk: t}
	words := folds(toks)
	w, from, n := lx.time.findWindow(c, words, strict)
	if n > 0 {
		toks = append(append([]token{}, toks[:from]...), toks[from+n:]...)
		if from < len(toks) {
			toks[from].apart, toks[from].joined = true, false
		}
	}
	cl.toks, cl.window = toks, w
	cl.mark()
	cl.dropPolite()
	cl.findTopic()
	for _, m := range cl.marks {
		cl.has |= m
	}
	return cl
}

// parted cuts a weekday and a part of it that are written in one: Samstagabend.
func (lx *compiled) parted(toks []token) []token {
	out := make([]token, 0, len(toks))
	for _, t := range toks {
		cut := 0
		for day := range lx.time.weekdays {
			if rest, ok := strings.CutPrefix(t.fold, day); ok && !lx.unspaced {
				if _, ok := lx.time.parts[rest]; ok && len(day) > cut {
					cut = len(day)
				}
			}
		}
		if cut > 0 {
			out = append(out, token{text: t.fold[:cut], fold: t.fold[:cut], apart: t.apart}, token{text: t.fold[cut:], fold: t.fold[cut:], joined: true})
			continue
		}
		out = append(out, t)
	}
	return out
}

// mark finds the longest phrase at each place.
func (cl *clause) mark() {
	cl.marks = make([]concept, len(cl.toks))
	words := folds(cl.toks)
	for i := 0; i < len(words); {
		n, m := cl.phraseAt(words[i:])
		for k := range n {
			cl.marks[i+k] = m
			if k > 0 {
				cl.toks[i+k].apart = false
			}
		}
		if m&cOrdinal != 0 {
			cl.nth = cl.compiled.nth[strings.Join(words[i:i+n], " ")]
		}
		if n == 0 {
			if d := cl.time.numbers[words[i]]; d > 0 {
				cl.marks[i], cl.n = cNumber, d
			} else if d, err := strconv.Atoi(words[i]); err == nil && d > 0 && d < 1000 {
				cl.marks[i], cl.n = cNumber, d
			}
			n = 1
		}
		i += n
	}
}

func (cl *clause) phraseAt(words []string) (int, concept) {
	for n := min(cl.longest, len(words)); n > 0; n-- {
		if m, ok := cl.phrases[strings.Join(words[:n], " ")]; ok {
			return n, m
		}
	}
	return 0, 0
}

// dropPolite drops the request around an indirect question: "could you tell me" of
// "could you tell me who answered".
func (cl *clause) dropPolite() {
	asked := -1
	for i, m := range cl.marks {
		if m&cPolite != 0 {
			asked = i
		}
		if asked >= 0 && i > asked && m&(cWhat|cWho|cWhether|cTimes) != 0 && m&cPolite == 0 {
			cl.toks, cl.marks = cl.toks[i:], cl.marks[i:]
			return
		}
	}
}

// ends are what a topic does not end with: the verb of a German sentence, thanks.
const ends = cWrote | cFiller | cHappened | cMissed | cSomeone | cChart | cTable | cNews | cWhat | cGreeting | cEveryone | cNotes | cBetween

// findTopic takes what stands by the word that marks a topic.
func (cl *clause) findTopic() {
	for i, m := range cl.marks {
		if m&cAbout == 0 || m&cToldApart != 0 {
			continue
		}
		from, to := i, i
		if cl.postposed {
			for from > 0 && cl.inTopic(from-1) {
				from--
			}
		} else {
			from, to = i+1, cl.topicEnd(i+1)
			for from < to && cl.marks[from]&(cFiller|cAbout|cOf) != 0 && !cl.toks[from].quoted {
				from++
			}
			for to > from && cl.marks[to-1]&ends != 0 && cl.marks[to-1]&cArticles == 0 {
				to--
			}
		}
		if from >= to {
			continue
		}
		if cl.marks[from]&cMe != 0 || to-from == 1 && cl.marks[from]&cSelf != 0 {
			cl.aboutMe = true
			continue
		}
		if to-from <= 2 && cl.marks[to-1]&cOrdinal != 0 {
			continue // more about the second
		}
		if cl.namesADay(from, to) { // that there is not: it was not taken out with the time
			for k := from; k < to; k++ {
				cl.marks[k] = cUntold
			}
			continue
		}
		topic := said(cl.toks[from:to])
		if to-from == 1 && cl.nearFiller(cl.toks[from].fold) {
			cl.marks[from] = cFiller
		}
		if cl.nothingTold(from, to) {
			continue
		}
		cl.topic = topic
		for k := from; k < to; k++ {
			cl.marks[k] = cToldApart
		}
		return
	}
}

// namesADay reports whether a part is a day of a month and nothing else.
func (cl *clause) namesADay(from, to int) bool {
	days, months := 0, 0
	for k := from; k < to; k++ {
		word := strings.TrimRight(cl.toks[k].fold, "stndrh.")
		if _, month := cl.time.months[cl.toks[k].fold]; month {
			months++
		} else if _, err := strconv.Atoi(word); err == nil {
			days++
		} else if cl.marks[k]&(cFiller|cOf) == 0 {
			return false
		}
	}
	return days > 0 && months == 1
}

// nothingTold reports whether all words of a part only hold a sentence together, or name
// a measure: “with the most likes”.
func (cl *clause) nothingTold(from, to int) bool {
	holds := cFiller | cMe | cSelf | cMy | cNumber | cAlso | cOf | cWhat | cAgain
	for k := from; k < to; k++ {
		if m := cl.marks[k]; m&cMost != 0 {
			holds |= cMost | measures
		} else if m&holds == 0 {
			return false
		}
	}
	return true
}

// nearFiller reports whether a word is a long one misspelt that tells nothing, such as
// "someting".
func (cl *clause) nearFiller(word string) bool {
	for w, m := range cl.phrases {
		if m == cFiller && len(w) >= 8 && oneEdit(word, w) {
			return true
		}
	}
	return false
}

// topicEnd is where a topic ends that begins at from: where another part of the
// question begins.
func (cl *clause) topicEnd(from int) int {
	for i := from; i < len(cl.toks); i++ {
		m := cl.marks[i]
		switch {
		case m&(cChart|cTable|cPerDay|cPerWeek|cPerHour) != 0, cl.unspaced && m&cOf != 0, i > from && cl.toks[i].apart:
			return i
		case i > from && m&cAbout != 0 && m&cFiller == 0 && cl.marks[i-1] != 0:
			return i
		case i > from && m&cOf != 0:
			if r := cl.runAt(i + 1); r.to > 0 && cl.talk.knows(r.text) {
				return i
			}
		}
	}
	return len(cl.toks)
}

// inTopic reports whether a token belongs to a topic whose mark stands behind it.
func (cl *clause) inTopic(i int) bool {
	return (cl.marks[i] == 0 || !inKana(cl.toks[i].fold) && cl.marks[i]&(cWhat|cWho|cNamed|cSelf|cMe) == 0) && (cl.toks[i+1].joined || cl.marks[i+1]&cAbout != 0)
}

func inKana(s string) bool {
	for _, r := range s {
		if !unicode.Is(unicode.Hiragana, r) {
			return false
		}
	}
	return true
}

// runAt returns the run that begins at i, articles before it passed over.
func (cl *clause) runAt(i int) oddRun {
	for i < len(cl.toks) && cl.marks[i] == cFiller {
		i++
	}
	r := oddRun{from: i, to: i}
	for r.to < len(cl.toks) && cl.marks[r.to] == 0 && (r.to == i || !cl.toks[r.to].apart) {
		r.to++
	}
	if r.to == r.from {
		return oddRun{}
	}
	r.text = said(cl.toks[r.from:r.to])
	return r
}

// runs returns all that is not known. In languages without spaces, endings of verbs
// are not.
func (cl *clause) runs() []oddRun {
	var out []oddRun
	for i := 0; i < len(cl.toks); {
		if cl.marks[i] != 0 || cl.unspaced && inKana(cl.toks[i].fold) {
			i++
			continue
		}
		r := cl.runAt(i)
		for k := r.from - 1; k >= 0; k-- {
			if r.before = cl.marks[k]; r.before != cFiller {
				break
			}
		}
		if r.to < len(cl.toks) {
			r.after = cl.marks[r.to]
		}
		if cl.toks[r.from].at {
			r.before |= cOf
		}
		if r.to-r.from == 1 && cl.toks[r.from].quoted {
			r.before &^= cOf
		}
		out = append(out, r)
		i = r.to
	}
	return out
}

// persons returns the names that a clause speaks of, at most two; ok is false where
// something in it is no name.
func (cl *clause) persons() (names []string, ok bool) {
	runs := cl.runs()
	for i, r := range runs {
		name, is := cl.name(r)
		linked := i > 0 && (runs[i-1].to < r.from && cl.hasBetween(runs[i-1].to, r.from, cAlso))
		if !is && !(linked && len(names) == i) || i > 1 || i == 1 && !linked || len(strings.Fields(r.text)) > maxNameWords {
			return nil, false
		}
		names = append(names, name)
	}
	return names, true
}

func (cl *clause) hasBetween(from, to int, c concept) bool {
	for k := from; k < to; k++ {
		if cl.marks[k]&c != 0 {
			return true
		}
	}
	return false
}

// name returns the name that a run is, where the words around say that it is one.
func (cl *clause) name(r oddRun) (string, bool) {
	if cl.toks[r.from].quoted || strings.HasPrefix(r.text, "#") {
		return "", false
	}
	if cl.beginsTime(r.from) {
		return "", false
	}
	if r.before&cBy != 0 || r.after&cOwned != 0 || cl.clitic(r.to) || r.after&cNamed != 0 {
		return r.text, true
	}
	if s, ok := strings.CutSuffix(r.text, "s"); ok && r.after&cNotes != 0 && cl.talk.knows(s) && !cl.talk.knows(r.text) {
		return s, true // Adas Notizen
	}
	if r.before&cOf != 0 && cl.has&(cNotes|cTimes|cChart|cTable|cPerDay|cPerWeek|cProfile|cConversation|cToMe|cTags) != 0 {
		return r.text, true
	}
	if cl.has&cTags != 0 && cl.has&cWhat != 0 || cl.has&cWrote != 0 && cl.has&(cTimes|cWhat|cDid|cWhether|cAbout|cSummary) != 0 && !cl.postposed {
		return r.text, true
	}
	if cl.postposed && cl.has&cWrote != 0 && cl.has&cWhat != 0 && r.to < len(cl.toks) && strings.Contains("はが", cl.toks[r.to].fold) {
		return r.text, true
	}
	return r.text, cl.talk.knows(r.text)
}

// beginsTime reports whether a word is one that begins a time, which then was none.
func (cl *clause) beginsTime(i int) bool {
	words := folds(cl.toks[i:])
	return leads(words, cl.time.since) > 0 || leads(words, cl.time.until) > 0
}

// clitic reports whether an 's stands at i.
func (cl *clause) clitic(i int) bool { return i < len(cl.toks) && cl.toks[i].fold == "'s" }

// cut cuts tokens of a language without spaces at its own words, the longest first;
// what is between stays in one piece.
func (lx *compiled) cut(toks []token) []token {
	var out []token
	for _, t := range toks {
		if t.quoted || t.at {
			out = append(out, t)
			continue
		}
		first := len(out)
		start, w := 0, t.fold
		add := func(s string) {
			if s != "" {
				out = append(out, token{text: s, fold: s, joined: len(out) > first})
			}
		}
		for i := 0; i < len(w); {
			n := lx.longestWord(w[i:])
			if n == 0 || latin(w[i]) && (i > 0 && latin(w[i-1]) || i+n < len(w) && latin(w[i+n])) {
				_, size := utf8.DecodeRuneInString(w[i:])
				i += size
				continue
			}
			add(w[start:i])
			add(w[i : i+n])
			i += n
			start = i
		}
		add(w[start:])
		if first < len(out) {
			out[first].apart, out[first].joined = t.apart, t.joined
		}
	}
	return out
}

func latin(b byte) bool { return b >= 'a' && b <= 'z' }

// maxVocabulary is the length in bytes of the longest word of a vocabulary.
const maxVocabulary = 48

func (lx *compiled) longestWord(s string) int {
	for n := min(len(s), maxVocabulary); n > 0; n-- {
		if lx.vocabulary[s[:n]] {
			return n
		}
	}
	return 0
}

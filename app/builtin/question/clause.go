package question

import (
	"slices"
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
	marks   []Concept // of each token; 0 for one that is not known
	has     Concept   // all marks together
	window  Window
	topic   string
	aboutMe bool
	n       int
	nth     int // of an ordinal
	talk    *Talk
}

// An odd run are words that are not known, side by side: a name, or what it is about.
type oddRun struct {
	from, to int
	text     string
	before   Concept // of the word before, articles passed over
	after    Concept
}

// clause takes the time out of a sentence and marks its words. strict asks for a word
// such as "since" before the time, so that "search today" looks for today.
func (lx *compiled) clause(toks []token, c Calendar, t *Talk, strict bool) *clause {
	if lx.Unspaced {
		toks = lx.cut(lx.honoured(toks, t))
	}
	toks = lx.parted(lx.spelledOut(toks))
	cl := &clause{compiled: lx, talk: t}
	words := folds(toks)
	w, from, n := lx.time.findWindow(c, words, strict)
	if end := lx.within(words, from); n > 0 && end > from { // "been up to this week": not until
		if w, from, n = lx.time.findWindow(c, words[end:], strict); n > 0 {
			from += end
		}
	}
	if n > 0 && from > 0 && lx.phrases[words[from]]&cOf != 0 && lx.phrases[words[from-1]]&(cNotes|cNews|cTags|cSummary|cConversation) != 0 {
		if of, n2, k := lx.time.findWindow(c, words[from+1:], false); n2 == 0 && k == n-1 {
			w = of // notes of a day, not since then
		}
	}
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

// within returns where a phrase of several words ends that begins before i and reaches
// beyond it; i where there is none.
func (lx *compiled) within(words []string, i int) int {
	for first := max(0, i-lx.longest+1); first < i; first++ {
		if n, m := (&clause{compiled: lx}).phraseAt(words[first:]); n > 1 && first+n > i && m&(cWrote|cSummary) != 0 {
			return first + n
		}
	}
	return i
}

// mark finds the longest phrase at each place.
func (cl *clause) mark() {
	cl.marks = make([]Concept, len(cl.toks))
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
		if k, nth := cl.numbered(words[i:]); k > 0 {
			n, cl.nth = k, nth
			for j := range k {
				cl.marks[i+j] = cOrdinal
			}
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

// numbered reads the number of a story: "number 3", "#3".
func (cl *clause) numbered(words []string) (used, nth int) {
	figure := strings.TrimPrefix(words[0], "#")
	if used = 1; figure == words[0] {
		if used = leads(words, cl.items); used == 0 || used == len(words) {
			return 0, 0
		}
		figure = strings.TrimSuffix(words[used], ".")
		used++
	}
	nth, ok := smallNumber(figure, 99)
	if !ok {
		nth = cl.time.numbers[figure]
	}
	if nth == 0 {
		return 0, 0
	}
	return used, nth
}

func (cl *clause) phraseAt(words []string) (int, Concept) {
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
		if cl.Postposed {
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
		if m&cOf != 0 && cl.talk.knows(said(cl.toks[from:to])) {
			continue // what is new with Ada
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
		case m&(cChart|cTable|cPerDay|cPerWeek|cPerHour) != 0, cl.Unspaced && m&cOf != 0, i > from && cl.toks[i].apart:
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
		if cl.marks[i] != 0 || cl.ending(i) {
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

// ending reports whether a token that is not known is the ending of the word before it,
// as verbs have them: not at the start, nor behind を, where an unknown verb begins.
func (cl *clause) ending(i int) bool {
	if !cl.Unspaced || cl.toks[i].at || !cl.toks[i].joined || !inKana(cl.toks[i].fold) {
		return false
	}
	for i--; i > 0 && cl.toks[i].fold != "を" && utf8.RuneCountInString(cl.toks[i].fold) == 1 && inKana(cl.toks[i].fold); {
		i--
	}
	return cl.toks[i].fold != "を"
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
		names = append(names, cl.described(name))
	}
	return names, true
}

// described is the name in a description that ends with it, "my neighbour called Ada",
// and else the name as it was.
func (cl *clause) described(name string) string {
	words := strings.Fields(name)
	if len(words) < 3 || cl.talk.knows(name) {
		return name
	}
	for first := 1; first < len(words); first++ {
		if tail := strings.Join(words[first:], " "); cl.talk.knows(tail) {
			return tail
		}
	}
	return name
}

func (cl *clause) hasBetween(from, to int, c Concept) bool {
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
	if r.before&cBy != 0 || cl.clitic(r.to) || r.after&cNamed != 0 {
		return r.text, true
	}
	if s, ok := strings.CutSuffix(r.text, "s"); ok && r.after&cNotes != 0 && cl.talk.knows(s) && !cl.talk.knows(r.text) {
		return s, true // Adas Notizen
	}
	if r.before&cOf != 0 && cl.has&(cNotes|cTimes|cChart|cTable|cPerDay|cPerWeek|cProfile|cConversation|cToMe|cTags) != 0 {
		return r.text, true
	}
	if cl.by && r.before&cOf != 0 || cl.asksHow() {
		return r.text, cl.talk.knows(r.text) // what is said of bread, how one makes it
	}
	if cl.has&cTags != 0 && cl.has&cWhat != 0 || cl.has&cWrote != 0 && cl.has&(cTimes|cWhat|cDid|cWhether|cAbout|cSummary) != 0 && !cl.Postposed {
		return r.text, true
	}
	if cl.Postposed && cl.has&cWrote != 0 && cl.has&cWhat != 0 && r.to < len(cl.toks) && strings.Contains("はが", cl.toks[r.to].fold) {
		return r.text, true
	}
	return r.text, cl.talk.knows(r.text)
}

func (cl *clause) asksHow() bool {
	for i, t := range cl.toks {
		if cl.marks[i]&cTimes == 0 && slices.Contains(cl.how, t.fold) {
			return true
		}
	}
	return false
}

// beginsTime reports whether a word is one that begins a time, which then was none.
func (cl *clause) beginsTime(i int) bool {
	words := folds(cl.toks[i:])
	if _, day := cl.time.weekdays[words[0]]; day && !cl.talk.knows(words[0]) {
		return true
	}
	return leads(words, cl.time.since) > 0 || leads(words, cl.time.until) > 0
}

// clitic reports whether an 's stands at i.
func (cl *clause) clitic(i int) bool { return i < len(cl.toks) && cl.toks[i].fold == "'s" }

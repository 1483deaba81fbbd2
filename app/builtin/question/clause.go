package question

import (
	"slices"
	"strconv"
	"strings"
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
	choice  string // of things that the topic may be
	aboutMe bool
	n       int
	nth     int   // of an ordinal
	hours   Hours // of any day
	talk    *Talk
}

// clause takes the time out of a sentence and marks its words. strict asks for a word
// such as "since" before the time, so that "search today" looks for today.
func (lx *compiled) clause(toks []token, c Calendar, t *Talk, strict bool) *clause {
	if lx.Unspaced {
		toks = lx.cut(lx.honoured(toks, t))
	}
	toks = lx.owners(lx.parted(lx.withoutEndings(lx.spelledOut(toks), t)), t)
	for i, tok := range toks {
		if word := Fold(strings.Trim(tok.text, `"`)); tok.quoted && lx.Unspaced && lx.phrases[word]&cToMe != 0 { // of a button's name
			toks[i] = token{text: word, fold: word, apart: tok.apart, joined: true}
		}
	}
	cl := &clause{compiled: lx, talk: t}
	toks, cl.hours = lx.withoutHabit(toks, c)
	words := folds(toks)
	w, from, n := lx.time.findWindow(c, words, strict)
	if end := lx.within(words, from); n > 0 && end > from { // "been up to this week": not until
		if w, from, n = lx.time.findWindow(c, words[end:], strict); n > 0 {
			from += end
		}
	}
	if w.ByVisit && slices.ContainsFunc(lx.when, func(when string) bool { return slices.Contains(words, when) }) {
		w, n = Window{}, 0 // when was the last time
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

// withoutHabit takes the hours of any day out of a sentence that asks who, unless they are
// those of a day: yesterday at night.
func (lx *compiled) withoutHabit(toks []token, c Calendar) ([]token, Hours) {
	if !slices.ContainsFunc(toks, func(t token) bool { return lx.phrases[t.fold]&cWho != 0 }) {
		return toks, Hours{}
	}
	words := folds(toks)
	_, from, used := lx.time.findWindow(c, words, false)
	for i := range words {
		for n := len(words) - i; n > 0; n-- {
			if hours, ok := lx.habits[strings.Join(words[i:i+n], " ")]; ok && (used == 0 || i+n <= from || i >= from+used || from >= i && from+used <= i+n) {
				return slices.Concat(toks[:i], toks[i+n:]), hours
			}
		}
	}
	return toks, Hours{}
}

// within returns where a phrase of several words ends that begins before i and reaches
// beyond it; i where there is none.
func (lx *compiled) within(words []string, i int) int {
	for first := max(0, i-lx.longest+1); first < i; first++ {
		if n, m := (&clause{compiled: lx}).phraseAt(words[first:]); n > 1 && first+n > i && m&(cWrote|cSummary|cHappened|cUntold) != 0 {
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
		if m&cTitle != 0 && i+n < len(words) && !cl.vocabulary[words[i+n]] {
			cl.toks[i+n].at = true
		}
		if n == 0 {
			if words[i] == "'s" {
				cl.marks[i] = cFiller
			} else if d := cl.time.numbers[words[i]]; d > 0 {
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
		if asked >= 0 && i > asked && !slices.Contains(cl.marks[asked:i], 0) && !cl.hasBetween(asked, i, cChart|cTable) && m&(cWhat|cWho|cWhether|cTimes) != 0 && m&cPolite == 0 {
			cl.toks, cl.marks = cl.toks[i:], cl.marks[i:]
			return
		}
	}
}

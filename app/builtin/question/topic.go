package question

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// ends are what a topic does not end with: the verb of a German sentence, thanks.
const ends = cWrote | cFiller | cHappened | cMissed | cSomeone | cChart | cTable | cNews | cWhat | cGreeting | cEveryone | cNotes | cBetween | cOf

// findTopic takes the words beside the one that marks a topic.
func (cl *clause) findTopic() {
	for i, m := range cl.marks {
		if m&cAbout == 0 || m&cInTopic != 0 || cl.weakAt(i) {
			continue
		}
		from, to := i, i
		if cl.Postposed {
			for from > 0 && (cl.inTopic(from-1) || from > 1 && from < i && cl.or[cl.toks[from-1].fold] && cl.inTopic(from-2)) {
				from--
			}
		} else {
			from, to = i+1, cl.topicEnd(i+1)
			for from < to && cl.marks[from]&(cFiller|cAbout|cOf) != 0 && !cl.toks[from].quoted {
				cl.marks[from] &^= cPerson // an article, though "él" is written alike
				from++
			}
			for to > from && (cl.marks[to-1]&ends != 0 || cl.VerbsLast && to-from > 1 && cl.marks[to-1]&cToMe != 0) && cl.marks[to-1]&(cArticles|cPictures) == 0 {
				to--
			}
		}
		if to-from > 1 && cl.marks[from]&cPerson != 0 && cl.marks[from+1] == 0 && !cl.Unspaced {
			from++ // her garden
		}
		if from >= to || cl.marks[from]&(cWhat|cWho) != 0 && !cl.Postposed && !cl.toks[from].quoted {
			continue
		}
		if cl.marks[from]&cMe != 0 || to-from == 1 && cl.marks[from]&cSelf != 0 {
			cl.aboutMe = true
			continue
		}
		if cl.marks[from]&cMy != 0 && !slices.ContainsFunc(cl.marks[from+1:to], func(m Concept) bool { return m&(cNotes|cToMe|cWrote|cFiller) == 0 }) && to-from > 1 { // who reacted on my notes
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
		if cl.nothingTold(from, to) || cl.measured(from, to) {
			continue
		}
		cl.topic, cl.choice = topic, cl.either(from, to)
		for k := from; k < to; k++ {
			cl.marks[k] = cInTopic | cl.marks[k]&cNot
		}
		return
	}
}

// either is the search for any of the things with "or" between them; "" where it is
// between none.
func (cl *clause) either(from, to int) string {
	var parts []string
	for k := from; k <= to; k++ {
		if k < to && !cl.or[cl.toks[k].fold] {
			continue
		}
		for from < k && cl.marks[from]&cFiller != 0 {
			from++
		}
		if from == k {
			return ""
		}
		parts = append(parts, "("+said(cl.toks[from:k])+")")
		from = k + 1
	}
	if len(parts) < 2 {
		return ""
	}
	return strings.Join(parts, " OR ")
}

// weakAt reports whether another word than the one that always marks a topic is at i,
// and that one behind it: "the talk in town about the ferry".
func (cl *clause) weakAt(i int) bool {
	if cl.Postposed || len(cl.Words["about"]) == 0 {
		return false
	}
	always := Fold(cl.Words["about"][0])
	return cl.toks[i].fold != always && slices.Contains(folds(cl.toks[i+1:]), always) && cl.marks[i+1]&cAbout == 0
}

// namesADay reports whether a part is a day of a month and nothing else.
func (cl *clause) namesADay(from, to int) bool {
	days, months := 0, 0
	for k := from; k < to; k++ {
		if _, month := cl.time.months[cl.toks[k].fold]; month {
			months++
		} else if _, err := strconv.Atoi(cl.time.bareDay(cl.toks[k].fold)); err == nil {
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
	if slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cTable != 0 }) {
		holds |= measures | cPerson // a table with their likes
	}
	for k := from; k < to; k++ {
		if m := cl.marks[k]; m&cMost != 0 {
			holds |= cMost | measures
		} else if m&holds == 0 {
			return false
		}
	}
	return true
}

// measured reports whether a part says how often something was done to a note: “with more
// than 5 likes”.
func (cl *clause) measured(from, to int) bool {
	return cl.hasBetween(from, to, cNumber) && cl.hasBetween(from, to, measures)
}

// nearFiller reports whether a word is a long one misspelt that means nothing, such as
// "someting".
func (cl *clause) nearFiller(word string) bool {
	for w, m := range cl.phrases {
		if m == cFiller && len(w) >= 8 && oneEdit(word, w) && !strings.HasPrefix(word, w) {
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

// inTopic reports whether a token belongs to a topic whose mark follows it.
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

// topicAlone reads what asks nothing but names something: "the bridge", "what about the
// bridge". It is the last that is tried, as a word may also be a misspelt one.
func (lx *compiled) topicAlone(text string, c Calendar, t *Talk) (Question, bool) {
	parts := lx.sentencesOf(text)
	if len(parts) != 1 {
		return Question{}, false
	}
	cl := lx.clause(lx.tokenize(parts[0]), c, t, false)
	runs := cl.runs()
	for cl.Postposed && len(runs) > 1 && cl.joins(runs[0].to, runs[1].from) { // 干潟の鳥
		runs[1].from, runs[1].text = runs[0].from, runs[0].text+" "+runs[1].text
		runs = runs[1:]
	}
	if len(runs) != 1 || cl.topic != "" || cl.beginsTime(runs[0].from) || cl.toks[runs[0].from].at || len(strings.Fields(runs[0].text)) > 2 {
		return Question{}, false
	}
	for _, word := range cl.toks[runs[0].from:runs[0].to] {
		if runs[0].to-runs[0].from > 1 && t.knows(word.text) {
			return Question{}, false // something is asked of a person
		}
	}
	if !cl.only(cAgain|cAbout|cOf) || cl.has&(cDid|cPolite|cWhether|cGreeting) != 0 {
		return Question{}, false
	}
	definite := runs[0].from > 0 && cl.marks[runs[0].from-1] == cFiller
	return Question{Intent: Digest, Lang: lx.Lang, Window: cl.window, Form: cl.form(), Topic: runs[0].text, definite: definite, Either: !definite}, true
}

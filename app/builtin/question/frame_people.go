package question

import (
	"slices"
	"strings"
)

// takesNames puts the names of a clause into q; it fails where one is left over.
func (cl *clause) takesNames(q *Question, cMost int) bool {
	names, ok := cl.persons()
	if !ok || len(names) > cMost {
		return false
	}
	if len(names) == 0 && cl.has&cPerson != 0 && cl.has&(cEveryone|cSelf|cMe|cMy) == 0 {
		names = []string{thatPerson}
	}
	for i, name := range names {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "@"), "nostr:")
		if i == 0 {
			q.Person = name
		} else {
			q.Other = name
		}
	}
	return true
}

// saysWrote reports whether a clause has a verb of writing that is not its word for
// notes.
func (cl *clause) saysWrote() bool {
	for _, m := range cl.marks {
		if m&cWrote != 0 && m&cNotes == 0 {
			return true
		}
	}
	return false
}

// asksWhatTheySaid asks what two people said to each other.
func (cl *clause) asksWhatTheySaid(q *Question) bool {
	if !cl.answersEachOther(q) && (cl.has&(cWrote|cConversation|cBetween|cHappened) == 0 || len(cl.runs()) < 2 || !cl.pair(q)) {
		return false
	}
	if q.Topic != "" && !slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&(cWrote|cToMe|cConversation|cBetween) != 0 && m&cNews == 0 }) {
		return false // what became of Ada and Bruno's concert
	}
	q.Intent = Conversed
	if (q.Topic != "" && cl.has&cWhat != 0 && cl.has&(cToMe|cConversation|cBetween) == 0 || cl.orBetween()) && cl.pair(q) {
		q.Intent = Compared // what each said about it, or at all
	}
	return cl.only(cWrote | cToMe | cConversation | cBetween | cWhat | cAbout | cOf | cSummary | cAlso | cNotes | cNamed | cHappened | cEveryone | cSomeone | cWho | cLongest | cNews | cMe | cAgain | cPerson)
}

// answersEachOther reads "did Ada reply to Bruno".
func (cl *clause) answersEachOther(q *Question) bool {
	runs := cl.runs()
	if len(runs) != 2 || cl.kinds()&(Replied|Mentioned|Quoted) == 0 && !cl.saysWrote() || cl.has&(cMe|cTimes|cNotes) != 0 || !cl.talk.knows(runs[0].text) || !cl.talk.knows(runs[1].text) {
		return false
	}
	q.Person, q.Other = runs[0].text, runs[1].text
	return true
}

// orBetween reports whether there is an "or" between two names.
func (cl *clause) orBetween() bool {
	runs := cl.runs()
	return len(runs) == 2 && slices.ContainsFunc(cl.toks[runs[0].to:runs[1].from], func(t token) bool { return cl.or[t.fold] })
}

// pair takes two names that "and" or "or" joins.
func (cl *clause) pair(q *Question) bool {
	runs := cl.runs()
	if len(runs) != 2 || !cl.hasBetween(runs[0].to, runs[1].from, cAlso) {
		return false
	}
	for k := runs[0].to; k < runs[1].from; k++ {
		if cl.marks[k]&(cAlso|cFiller|cNamed|cOf) == 0 {
			return false
		}
	}
	for _, r := range runs {
		if strings.HasPrefix(r.text, `"`) || strings.HasPrefix(r.text, "#") || len(strings.Fields(r.text)) > maxNameWords {
			return false
		}
	}
	q.Person, q.Other = runs[0].text, runs[1].text
	return true
}

func (cl *clause) asksWho(q *Question) bool {
	follows := cl.has&cFollow != 0 && (cl.has&cSelf != 0 || cl.Postposed) && cl.has&(cWho|cTimes|cUntold) == 0 // whom the user follows, a profile says
	switch {
	case cl.topic != "" || cl.has&(cToMe|cMost|cTop|cWrote|cNotes) != 0 && cl.has&cProfile == 0 || cl.has&cNotes != 0:
		return false
	case cl.has&cProfile != 0 || follows && len(cl.runs()) == 1 && (cl.names(cl.runs()[0]) || cl.isAsked(cl.runs()[0])):
	case cl.has&cWho == 0:
		return false
	}
	runs := cl.runs()
	q.Intent = WhoIs
	if len(runs) == 0 {
		q.itself(cl.has&(cSelf|cMe|cMy) != 0)
		return q.Self && cl.only(cWho|cSelf|cMe|cMy|cProfile|cOf)
	}
	if len(runs) != 1 || len(strings.Fields(runs[0].text)) > maxNameWords {
		return false
	}
	q.Person = strings.TrimPrefix(runs[0].text, "@")
	if from := runs[0].from - 1; from >= 0 && cl.marks[from]&cNot != 0 {
		q.Person = said(cl.toks[from:runs[0].to]) // some call themselves Nobody
	}
	if cl.has&(cIs|cProfile) == 0 && !cl.isAsked(runs[0]) && !cl.talk.knows(q.Person) {
		return false // who won the match
	}
	if first, rest, _ := strings.Cut(q.Person, " "); rest != "" && cl.talk.knows(first) && !cl.talk.knows(q.Person) {
		return false // who Ada knows
	}
	if follows {
		return cl.only(cFollow | cSelf | cNamed | cOf | cAbout)
	}
	return cl.only(cWho | cProfile | cOf | cWhat | cNamed | cMe | cAbout | cSomeone | cWrote | cNot)
}

// isAsked reports whether, in a language without spaces, who a name is may be asked: its
// end is marked.
func (cl *clause) isAsked(r oddRun) bool {
	return cl.Unspaced && (r.after&cNamed != 0 || r.to == len(cl.toks) || slices.Contains([]string{"は", "って", "とは", "是"}, cl.toks[r.to].fold)) || cl.Unspaced && !cl.Postposed
}

// asksOfAPerson asks what one person said.
func (cl *clause) asksOfAPerson(q *Question) bool {
	if cl.has&(cWrote|cNotes|cNews|cHappened|cSummary|cMissed|cMore) == 0 || !cl.thinksOf(q) && !cl.takesNames(q, 1) {
		return false
	}
	if q.Person == "" {
		if cl.has&(cSelf|cMy) == 0 || cl.has&(cMissed|cEveryone|cMe) != 0 || !cl.saysWrote() && cl.has&cMy == 0 {
			return false
		}
		q.itself(true)
	} else if cl.has&cSelf != 0 && cl.saysWrote() && cl.has&cMissed == 0 {
		return false // what should I post
	} else if slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cEveryone != 0 && m&cFiller == 0 }) {
		return false
	}
	q.Intent = Digest
	holds := cWrote | cPerson | cNotes | cNews | cHappened | cSummary | cWhat | cAbout | cOf | cSelf | cMy | cMore | cNamed | cSomeone | cTop | cEveryone | cMissed
	if cl.has&cWhat != 0 && q.Person != "" && cl.has&(cNotes|cMore) == 0 {
		holds |= cMost // what Ada writes most about
	}
	return cl.only(holds)
}

// thinksOf reads what somebody thinks of something, where "of" marks the topic.
func (cl *clause) thinksOf(q *Question) bool {
	runs := cl.runs()
	if len(runs) == 2 && q.Topic == "" && cl.has&(cSummary|cNews) != 0 && cl.talk.knows(runs[0].text) && runs[1].from > runs[0].to+1 && cl.marks[runs[1].from-1] == cFiller && cl.pair(q) && !cl.talk.knows(q.Other) {
		q.Topic, q.Other = q.Other, "" // Ada and the boat
		return true
	}
	if len(runs) < 2 || q.Topic != "" || cl.has&cNotes != 0 || !cl.talk.knows(runs[0].text) || runs[1].before&cOf == 0 || runs[1].before&cBy != 0 {
		return false
	}
	var ok bool
	q.Person = runs[0].text
	q.Topic, ok = cl.whole(runs[1:])
	return ok
}

// compares asks for two people side by side.
func (cl *clause) compares(q *Question) bool {
	if cl.has&cCompare == 0 {
		return cl.asksWhichOfTwo(q)
	}
	var names []string
	for _, r := range cl.runs() {
		names = append(names, r.text)
	}
	self := cl.has&(cMe|cSelf|cMy) != 0
	if (len(names) == 1 || self && len(names) == 0) && q.Topic != "" { // with Ada
		names, q.Topic = append(names, q.Topic), ""
	}
	if self && len(names) == 1 {
		q.itself(true)
		names = []string{q.Person, names[0]}
	}
	if len(names) != 2 || !q.Self && !cl.talk.knows(names[0]) && !cl.talk.knows(names[1]) {
		return false
	}
	for i, name := range names { // one of them may be misspelt
		if runs := cl.runs(); !cl.talk.knows(name) && i == 1 && len(runs) == 2 && runs[1].before&cCompare != 0 && cl.marks[runs[1].from-1] == cFiller {
			return false // Ada against the bridge
		}
		if strings.HasPrefix(name, `"`) || strings.HasPrefix(name, "#") || !cl.talk.knows(name) && len(strings.Fields(name)) > 2 {
			return false
		}
	}
	q.Intent, q.Person, q.Other = Compared, strings.TrimPrefix(names[0], "@"), strings.TrimPrefix(names[1], "@")
	return cl.only(cCompare | cAbout | cOf | cNamed | cMe | cSelf | cMy | cWhat | cNotes | cWrote | cBetween | cPerDay | cWho | cMost | cMore | cTimes)
}

// asksWhichOfTwo asks which of two people writes more.
func (cl *clause) asksWhichOfTwo(q *Question) bool {
	if cl.has&(cMost|cMore|cTimes) == 0 || cl.has&(cWho|cWhat) == 0 || cl.has&(cWrote|cNotes|cMost) == 0 || cl.has&(cToMe|cMe|cMy|cTags|cConversation) != 0 || cl.topic != "" {
		return false
	}
	named := slices.ContainsFunc(cl.runs(), func(r oddRun) bool { return r.after&cNamed != 0 || cl.talk.knows(r.text) })
	if !named || !cl.pair(q) {
		return false
	}
	q.Intent, q.Person, q.Other = Compared, strings.TrimPrefix(q.Person, "@"), strings.TrimPrefix(q.Other, "@")
	return cl.only(cMost | cMore | cTimes | cWho | cWhat | cWrote | cNotes | cOf | cBetween | cNamed | cTop)
}

// asksForTheNewest asks for somebody's last notes, or when they wrote last.
func (cl *clause) asksForTheNewest(q *Question) bool {
	if cl.has&cNewest == 0 || cl.has&(cFind|cToMe|cPictures|cArticles|cQuiet) != 0 || cl.window.Asked || cl.topic != "" || !cl.takesNames(q, 1) {
		return false
	}
	if q.itself(q.Person == "" && cl.has&(cSelf|cMy) != 0); q.Person == "" {
		return false
	}
	when := slices.ContainsFunc(cl.toks, func(t token) bool { return slices.Contains(cl.when, t.fold) })
	switch {
	case when && cl.has&cWrote != 0:
		q.N = 1
	case cl.newestNotes():
		q.N = cl.n
	default:
		return false
	}
	q.Intent = Latest
	return cl.only(cNewest | cUntold | cWrote | cNotes | cOf | cWhat | cNumber | cNamed | cPerson | cSelf | cMy | cMe | cNews | cHappened)
}

// newestNotes reports whether "last" is beside the notes, with nothing but their number
// between.
func (cl *clause) newestNotes() bool {
	for i, m := range cl.marks {
		switch {
		case m&cNewest == 0:
			continue
		case m&cNotes != 0: // the last thing that she wrote
			return true
		}
		for _, step := range []int{1, -1} {
			k := i + step
			for k >= 0 && k < len(cl.marks) && cl.marks[k]&(cFiller|cNumber) != 0 && cl.marks[k]&cNotes == 0 {
				k += step
			}
			if k >= 0 && k < len(cl.marks) && cl.marks[k]&cNotes != 0 {
				return true
			}
		}
	}
	return false
}

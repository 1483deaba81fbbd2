package question

import "slices"

// searches asks for the notes with some words.
func (cl *clause) searches(q *Question) bool {
	at := slices.IndexFunc(cl.marks, func(m Concept) bool { return m&cFind != 0 })
	if at < 0 {
		if cl.has&cNotes == 0 || cl.topic == "" || cl.has&(cWrote&^cNotes|cNews|cTimes|cSummary|cWho|cPerDay|cPerWeek|cToMe|cConversation) != 0 && cl.saysWrote() || len(cl.runs()) > 0 ||
			!cl.only(cNotes|cOf|cAbout|cEveryone|cMe) || cl.has&(cMe|cChart|cTable) != 0 {
			return false
		}
		q.Intent = Search
		return true
	}
	for _, m := range cl.marks[:at] {
		if m&(cFiller|cPolite|cGreeting|cAlso) == 0 && m&cInTopic == 0 && m != 0 && !cl.Postposed {
			return false
		}
	}
	from, to := at, len(cl.toks)
	for from < to && cl.marks[from]&(cFind|cFiller|cNotes|cOf|cAbout|cEveryone) != 0 && !cl.toks[from].quoted {
		from++
	}
	if before := cl.toks[:at]; cl.Unspaced && at > 0 && from == to {
		from, to = 0, at
		for to > 0 && inKana(before[to-1].fold) {
			to--
		}
	}
	for _, r := range cl.runs() { // did Ada find her cat, and where the verb ends another question
		if !cl.Unspaced && (from == to || r.from < at && cl.names(r)) {
			return false
		}
	}
	q.Intent, q.Form = Search, AsText
	if cl.topic != "" && (at == 0 || cl.has&cNotes != 0) { // find notes by Ada about relays
		if names, ok := cl.persons(); ok && len(names) <= 1 && cl.only(cFind|cNotes|cOf|cAbout|cEveryone|cMe|cPerson) && cl.marks[max(from-1, 0)]&cFind == 0 {
			if len(names) == 1 {
				q.Person, q.Intent = names[0], Digest
			}
			return true
		}
	}
	q.Topic, to = cl.searched(from, to, q)
	if whole := cl.toks[from:to]; len(whole) > 0 && q.Topic == "" {
		q.Topic = said(whole)
	}
	return true
}

// searched takes "in the notes of NAME" from the end of what is searched for.
func (cl *clause) searched(from, to int, q *Question) (string, int) {
	for to > from+1 && (cl.marks[to-1]&(cGreeting|cTable|cChart) != 0 || cl.toks[to-1].fold == "please") {
		to--
	}
	does := func(i int) Concept { // whatever it was taken as
		_, m := cl.phraseAt(folds(cl.toks[i : i+1]))
		return m
	}
	if k := to - 3; k > from && does(to-1)&cNotes != 0 && cl.clitic(to-2) { // in Ada's notes
		for k > from && does(k) == 0 && !cl.toks[k].quoted {
			k--
		}
		if name := said(cl.toks[k+1 : to-2]); k > from && does(k)&(cAbout|cOf) != 0 && cl.talk.knows(name) {
			q.Person = name
			return said(cl.toks[from:k]), k
		}
	}
	for i := from + 1; i < to; i++ {
		if cl.marks[i]&cNotes == 0 || i+1 >= to || cl.marks[i+1]&cOf == 0 {
			continue
		}
		r := cl.runAt(i + 2)
		if r.to != to || r.text == "" {
			continue
		}
		end := i
		for end > from && cl.marks[end-1]&(cFiller|cAbout|cOf) != 0 {
			end--
		}
		q.Person = r.text
		return said(cl.toks[from:end]), end
	}
	return said(cl.toks[from:to]), to
}

package question

import "slices"

// measures are the ways to turn to a note that popularity is measured by.
const measures = Replied | Liked | Reposted | Zapped

// asksForPopular asks which notes were taken up most: answered, liked, passed on, zapped,
// or all but the last.
func (cl *clause) asksForPopular(q *Question) bool {
	by := cl.kinds()
	switch {
	case cl.has&(cMost|cTop) == 0 || by&^measures != 0 || by&Zapped != 0 && by != Zapped:
		return false
	case by == 0 && (cl.has&cTop == 0 || cl.has&cNotes == 0), by != 0 && cl.has&(cNotes|cWhat) == 0 && !cl.window.Asked:
		return false
	}
	for _, r := range cl.runs() {
		if !cl.owns(r) {
			return false // which notes did Ada like most
		}
	}
	if !cl.takesNames(q, 1) {
		return false
	}
	q.Intent, q.Kinds, q.N = Popular, by, cl.n
	q.itself(cl.has&cMy != 0 && q.Person == "")
	return cl.only(cMost | cTop | cNotes | measures | cWhat | cGot | cOf | cAbout | cEveryone | cMy | cNumber | cNamed | cPerson)
}

// owns reports whether the words around a name say that something is its owner's.
func (cl *clause) owns(r oddRun) bool {
	return r.before&cOf != 0 || r.after&cNamed != 0 || cl.clitic(r.to)
}

// asksHowManyIFollow asks how many people the user follows, or whom; who follows the user, nobody
// knows.
func (cl *clause) asksHowManyIFollow(q *Question) bool {
	whom := slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cFollow != 0 && m&cDid == 0 }) && cl.has&(cWho|cEveryone) != 0 // in French, suis may be am
	if cl.has&cTimes == 0 && !whom || cl.has&cFollow == 0 || cl.window.Asked || cl.topic != "" || len(cl.runs()) > 0 {
		return false
	}
	follows, before := false, cl.Postposed // Japanese need not name who asks
	for _, m := range cl.marks {
		switch {
		case m&cMe != 0 && m&cFiller == 0 && (m&cSelf == 0 || follows):
			return false
		case m&cSelf != 0 || m&(cEveryone|cFollow) == cEveryone|cFollow:
			before = true
		}
		follows = follows || m&cFollow != 0
	}
	q.Intent = Following
	return before && cl.only(cTimes|cFollow|cSelf|cMe|cEveryone|cWho|cWhat|cOf|cNamed)
}

func (cl *clause) asksForHashtags(q *Question) bool {
	if cl.has&cTags == 0 || cl.topic != "" || !cl.takesNames(q, 1) {
		return false
	}
	q.Intent, q.N = TopHashtags, cl.n
	q.itself(cl.has&cMy != 0 && q.Person == "")
	return cl.only(cPerson | cTags | cTop | cMost | cWhat | cOf | cNumber | cEveryone | cWrote | cAbout | cMy | cNotes | cGot)
}

func (cl *clause) asksWhoMost(q *Question) bool {
	if cl.has&cWho == 0 || cl.has&(cMost|cTop) == 0 && !cl.asksOfEach() || cl.topic != "" || len(cl.runs()) > 0 || cl.has&(cToMe&^Liked) != 0 && cl.has&cWrote == 0 {
		return false
	}
	q.Intent, q.N = TopPosters, cl.n
	return cl.only(cWho | cMost | cTop | cWrote | cNotes | cOf | cNumber | cEveryone | cWhat | cAbout | cTimes | cSomeone)
}

// asksOfEach reports whether "who" stands before "how many": who wrote how many notes.
func (cl *clause) asksOfEach() bool {
	who := slices.IndexFunc(cl.marks, func(m Concept) bool { return m&cWho != 0 })
	return who >= 0 && cl.has&(cNotes|cWrote) != 0 && slices.ContainsFunc(cl.marks[who:], func(m Concept) bool { return m&cTimes != 0 && m&cWho == 0 })
}

// asksWhoIsQuiet asks who of the people followed has not written for long.
func (cl *clause) asksWhoIsQuiet(q *Question) bool {
	if cl.has&cQuiet == 0 || cl.has&(cWho|cEveryone|cSomeone|cNotes) == 0 || cl.topic != "" || len(cl.runs()) > 0 {
		return false
	}
	q.Intent, q.N = Quiet, cl.n
	return cl.only(cQuiet | cWho | cWhat | cEveryone | cFollow | cSomeone | cWrote | cNotes | cOf | cAbout | cSelf | cMe | cMore | cNumber | cNamed)
}

func (cl *clause) asksForASeries(q *Question) bool {
	per := cl.has & (cPerDay | cPerWeek | cPerHour)
	if per == 0 && cl.has&cChart == 0 || cl.has&(cNotes|cTimes|cWrote|cMy|cSelf) == 0 && (per == 0 || cl.has&cMost == 0) || cl.has&(cTags|cTop|cConversation|cFind|cMissed|cSummary) != 0 || cl.has&cNews != 0 && (per == 0 || cl.has&cMost == 0) {
		return false
	}
	if !cl.takesNames(q, 1) {
		return false
	}
	q.Intent = Series
	switch {
	case per&cPerWeek != 0:
		q.By = "week"
	case per&cPerDay != 0:
		q.By = "day"
	case per&cPerHour != 0 && cl.has&cMost != 0:
		q.By = "clock" // of whatever day
	case per&cPerHour != 0:
		q.By = "hour"
	}
	if q.Form != AsTable {
		q.Form = AsChart
	}
	q.itself(q.Person == "" && cl.has&(cMy|cMe|cSelf) != 0 && cl.has&cEveryone == 0)
	return cl.only(cPerson | cPerDay | cPerWeek | cPerHour | cNotes | cTimes | cWrote | cMy | cMe | cSelf | cEveryone | cOf | cWhat | cAbout | cNamed | cWho | cMost | cNumber | cHappened | cNews)
}

func (cl *clause) asksHowMany(q *Question) bool {
	if cl.has&cTimes == 0 || cl.has&(cNotes|cWrote|cEveryone) == 0 && !cl.Postposed || cl.has&cToMe != 0 || !cl.takesNames(q, 1) {
		return false
	}
	q.Intent = Count
	q.People = cl.has&cEveryone != 0 && cl.has&cNotes == 0
	q.itself(q.Person == "" && (cl.has&(cSelf|cMe) != 0 && cl.saysWrote() || cl.has&cMy != 0))
	return cl.only(cTimes | cPerson | cNotes | cWrote | cEveryone | cSelf | cMe | cMy | cOf | cAbout | cWhat | cGot | cNamed | cWho | cSomeone | cNumber)
}

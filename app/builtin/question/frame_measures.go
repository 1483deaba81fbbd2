package question

import "slices"

// measures are the ways to turn to a note that popularity is measured by.
const measures = Replied | Liked | Reposted | Zapped

// asksForPopular asks which notes were taken up most: answered, liked, passed on, zapped,
// or all but the last.
func (cl *clause) asksForPopular(q *Question) bool {
	by := cl.kinds()
	total := cl.has&cTimes != 0 && cl.has&cGot != 0 && len(cl.runs()) == 1 && cl.talk.knows(cl.runs()[0].text) // how many zaps Ada got
	switch {
	case cl.has&(cMost|cTop) == 0 && !total || cl.has&cTimes != 0 && !total || by&^measures != 0 || by&Zapped != 0 && by != Zapped:
		return false
	case by == 0 && (cl.has&cTop == 0 || cl.has&cNotes == 0), by != 0 && cl.has&(cNotes|cWhat|cConversation) == 0 && !cl.window.Asked && !total:
		return false
	}
	if cl.has&cEveryone != 0 && cl.has&cGot != 0 && cl.has&cNotes == 0 {
		return false // which people got most likes
	}
	for _, r := range cl.runs() {
		if !cl.owns(r) && !total {
			return false // which notes did Ada like most
		}
	}
	if !cl.takesNames(q, 1) {
		return false
	}
	q.Intent, q.Kinds, q.N = Popular, by, cl.n
	if by != 0 && len(cl.runs()) == 0 {
		by = cWrote // what has made people answer most
	}
	q.itself(cl.has&cMy != 0 && q.Person == "")
	return cl.only(cMost | cTop | cNotes | measures | cWhat | cGot | cOf | cAbout | cEveryone | cMy | cNumber | cNamed | cPerson | cConversation | cTimes | by)
}

// owns reports whether the words around a name say that something is its owner's.
func (cl *clause) owns(r oddRun) bool {
	return r.before&cOf != 0 || r.after&cNamed != 0 || cl.clitic(r.to)
}

// asksHowManyIFollow asks how many people the user follows, or whom. Who follows the user
// is not known.
func (cl *clause) asksHowManyIFollow(q *Question) bool {
	whom := slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cFollow != 0 && m&cDid == 0 }) && cl.has&(cWho|cEveryone) != 0 // in French, suis may be am
	if cl.has&cTimes == 0 && !whom || cl.has&cFollow == 0 || cl.has&cMost != 0 || cl.window.Asked || cl.topic != "" || len(cl.runs()) > 0 {
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
	by := cl.kinds()
	if by&^measures != 0 || cl.has&cGot == 0 || by&Zapped != 0 && by != Zapped {
		by = 0
	}
	eachOf := cl.has&(cEveryone|cWrote) != 0 && cl.has&(cWhat|cAbout|cMe|cMy|cSelf|cNews|cHappened|cConversation) == 0 && !slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cMost != 0 && m&cToMe != 0 })
	listed := cl.form() == AsTable && cl.has&cEveryone != 0 && cl.has&cTimes != 0 && cl.has&(cMe|cMy|cSelf) == 0
	if cl.has&cWho == 0 && !eachOf && !listed && (by == 0 && cl.n == 0 || cl.has&cEveryone == 0) || cl.has&(cMost|cTop) == 0 && !listed && !cl.asksOfEach() && (q.Hours == Hours{} || cl.has&cWrote == 0) || cl.topic != "" && q.Hours == (Hours{}) || len(cl.runs()) > 0 || cl.has&(cToMe&^Liked) != 0 && cl.has&cWrote == 0 && by == 0 {
		return false
	}
	q.Intent, q.N, q.Kinds = TopPosters, cl.n, by
	if by != 0 {
		by |= cGot
	}
	return cl.only(by | cWho | cMost | cTop | cWrote | cNotes | cOf | cNumber | cEveryone | cWhat | cAbout | cTimes | cSomeone)
}

// asksOfEach reports whether "who" precedes "how many": who wrote how many notes.
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
	if cl.has&cTimes == 0 || cl.has&(cNotes|cWrote|cEveryone) == 0 && !cl.Postposed || cl.has&cToMe != 0 || !cl.thinksOf(q) && !cl.takesNames(q, 1) {
		return false
	}
	q.Intent = Count
	q.People = cl.has&cEveryone != 0 && cl.has&cNotes == 0
	q.itself(q.Person == "" && (cl.has&(cSelf|cMe) != 0 && cl.saysWrote() || cl.has&cMy != 0))
	return cl.only(cTimes | cPerson | cNotes | cWrote | cEveryone | cSelf | cMe | cMy | cOf | cAbout | cWhat | cGot | cNamed | cWho | cSomeone | cNumber)
}

// asksForATable asks for notes as a table with the measures named: my notes with their likes.
func (cl *clause) asksForATable(q *Question) bool {
	by := cl.kinds()
	if cl.has&cTable == 0 || cl.has&cNotes == 0 || cl.has&(cMost|cTop|cWho|cGot) != 0 || by == 0 || by&^measures != 0 || cl.aboutMe || !cl.takesNames(q, 1) {
		return false
	}
	q.Intent, q.Kinds, q.N = Digest, by, cl.n
	q.itself(cl.has&cMy != 0 && q.Person == "")
	return cl.only(cNotes | measures | cOf | cAbout | cMy | cMe | cPerson | cNumber | cNamed | cEveryone | cTimes)
}

// asksForUnanswered asks for the notes that nobody answered, or for the questions.
func (cl *clause) asksForUnanswered(q *Question) bool {
	questions := slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cAsked == cAsked })
	if cl.has&cNot == 0 || cl.has&cMe != 0 || cl.has&cSelf != 0 && cl.has&(cMy|cGot) == 0 || cl.kinds()&Replied == 0 || cl.kinds()&^cAsked != 0 || !questions && cl.has&cNotes == 0 || len(cl.runs()) > 0 {
		return false
	}
	q.Intent, q.Questions, q.N = Unanswered, questions, cl.n
	q.itself(cl.has&cMy != 0)
	return cl.only(cNot | cAsked | cNotes | cHappened | cSomeone | cEveryone | cWhat | cWho | cOf | cAbout | cMy | cMe | cSelf | cGot | cNumber | cWrote)
}

// asksForPartners asks whom somebody turns to most.
func (cl *clause) asksForPartners(q *Question) bool {
	with, words := false, folds(cl.toks)
	for i := range words {
		with = with || leads(words[i:], cl.withWhom) > 0
	}
	if !with || cl.has&(cMost|cTop) == 0 || cl.has&(cWrote|cAsked|cConversation) == 0 || cl.topic != "" || !cl.takesNames(q, 1) {
		return false
	}
	q.Intent, q.N = Partners, cl.n
	q.itself(q.Person == "" && cl.has&(cSelf|cMe) != 0)
	return q.Person != "" && cl.only(cWho|cMost|cTop|cWrote|cAsked|cConversation|cSelf|cMe|cMy|cOf|cAbout|cNamed|cBetween|cPerson|cWhat)
}

// asksWhoLooked asks who visited the user's profile, which notes do not show.
func (cl *clause) asksWhoLooked(q *Question) bool {
	q.Intent, q.Outside = Cannot, true
	mine := cl.has&cMy != 0 || cl.Postposed && cl.has&cNamed == 0 && !slices.ContainsFunc(cl.runs(), cl.names)
	return mine && cl.has&cProfile != 0 && cl.has&(cWho|cSomeone|cTimes) != 0 && cl.has&(cToMe|cWrote|cFind) == 0 && (cl.has&cIs == 0 || len(cl.runs()) > 0)
}

// asksWhoFollows asks who follows somebody, or whom another than the user follows, which
// notes do not show.
func (cl *clause) asksWhoFollows(q *Question) bool {
	runs := cl.runs()
	q.Intent, q.Followers = Cannot, true
	if slices.ContainsFunc(runs, func(r oddRun) bool { return !cl.names(r) }) && cl.has&(cWho|cTimes|cMe|cMy|cSelf) == 0 {
		return false // somebody goes on doing something
	}
	asked := cl.has&cWhat == 0 || cl.has&(cWho|cMe|cSelf|cMy|cTimes|cEveryone|cSomeone) != 0 || slices.ContainsFunc(runs, cl.names) // else something goes on
	return asked && slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cFollowers == cFollowers }) ||
		len(runs) == 1 && cl.has&cFollow != 0 && cl.has&cWho != 0 && cl.has&(cSelf|cMe) == 0 && cl.talk.knows(runs[0].text)
}

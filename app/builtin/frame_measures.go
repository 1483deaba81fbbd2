package builtin

import "strings"

// measures are the ways to turn to a note that popularity is measured by.
const measures = cReplied | cLiked | cReposted | cZapped

// asksForPopular asks which notes were taken up most: answered, liked, passed on, zapped,
// or all but the last.
func (cl *clause) asksForPopular(q *question) bool {
	by := cl.kinds()
	switch {
	case cl.has&(cMost|cTop) == 0 || by&^measures != 0 || by&cZapped != 0 && by != cZapped:
		return false
	case by == 0 && (cl.has&cTop == 0 || cl.has&cNotes == 0), by != 0 && cl.has&(cNotes|cWhat) == 0 && !cl.window.asked:
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
	q.intent, q.kinds, q.n = popular, by, cl.n
	q.itself(cl.has&cMy != 0 && q.person == "")
	return cl.only(cMost | cTop | cNotes | measures | cWhat | cGot | cOf | cAbout | cEveryone | cMy | cNumber | cNamed | cOwned | cPerson)
}

// owns reports whether the words around a name say that something is its owner's.
func (cl *clause) owns(r oddRun) bool {
	return r.before&cOf != 0 || r.after&(cOwned|cNamed) != 0 || cl.clitic(r.to) || strings.HasSuffix(r.text, "s") && r.after&(cMost|cTop|cNotes) != 0
}

// asksHowManyIFollow asks how many people the user follows; who follows the user, nobody
// knows.
func (cl *clause) asksHowManyIFollow(q *question) bool {
	if cl.has&cTimes == 0 || cl.has&cFollow == 0 || cl.window.asked || cl.topic != "" || len(cl.runs()) > 0 {
		return false
	}
	follows, before := false, cl.postposed // Japanese need not name who asks
	for _, m := range cl.marks {
		switch {
		case m&cMe != 0 && m&cFiller == 0 && (m&cSelf == 0 || follows):
			return false
		case m&cSelf != 0 || m&(cEveryone|cFollow) == cEveryone|cFollow:
			before = true
		}
		follows = follows || m&cFollow != 0
	}
	q.intent = following
	return before && cl.only(cTimes|cFollow|cSelf|cMe|cEveryone|cWho|cWhat|cOf|cNamed)
}

// compares asks for two people side by side.
func (cl *clause) compares(q *question) bool {
	if cl.has&cCompare == 0 {
		return false
	}
	var names []string
	for _, r := range cl.runs() {
		names = append(names, r.text)
	}
	self := cl.has&(cMe|cSelf|cMy) != 0
	if (len(names) == 1 || self && len(names) == 0) && q.topic != "" { // with Ada
		names, q.topic = append(names, q.topic), ""
	}
	if self && len(names) == 1 {
		q.itself(true)
		names = []string{q.person, names[0]}
	}
	if len(names) != 2 || !q.self && !cl.talk.knows(names[0]) && !cl.talk.knows(names[1]) {
		return false
	}
	for _, name := range names { // one of them may be misspelt
		if strings.HasPrefix(name, `"`) || strings.HasPrefix(name, "#") || !cl.talk.knows(name) && len(strings.Fields(name)) > 2 {
			return false
		}
	}
	q.intent, q.person, q.other = compared, strings.TrimPrefix(names[0], "@"), strings.TrimPrefix(names[1], "@")
	return cl.only(cCompare | cAbout | cOf | cNamed | cMe | cSelf | cMy | cWhat | cNotes | cWrote | cBetween | cOwned | cPerDay)
}

// asksForArticles asks for articles and says nothing else of them than by whom, or about
// what.
func (cl *clause) asksForArticles(q *question) bool {
	if cl.has&cArticles == 0 || len(cl.runs()) > 0 && cl.topic != "" || !cl.takesNames(q, 1) {
		return false
	}
	q.intent = digest
	q.itself(q.person == "" && cl.has&cMy != 0)
	return cl.only(cArticles | cNotes | cNews | cWrote | cWhat | cOf | cAbout | cEveryone | cSomeone | cMe | cMy | cNamed | cOwned | cPerson | cGot)
}

// ofArticles makes a question one about articles alone; it fails where there is no such.
func (q *question) ofArticles() bool {
	switch q.articles = true; q.intent {
	case digest, textSearch:
		q.intent = articles
		return q.filter == ""
	case count, series, topPosters, popular:
		return true
	}
	return false
}

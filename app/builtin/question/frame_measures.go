package question

import "strings"

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
	return r.before&cOf != 0 || r.after&cNamed != 0 || cl.clitic(r.to) || strings.HasSuffix(r.text, "s") && r.after&(cMost|cTop|cNotes) != 0
}

// asksHowManyIFollow asks how many people the user follows; who follows the user, nobody
// knows.
func (cl *clause) asksHowManyIFollow(q *Question) bool {
	if cl.has&cTimes == 0 || cl.has&cFollow == 0 || cl.window.Asked || cl.topic != "" || len(cl.runs()) > 0 {
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

// compares asks for two people side by side.
func (cl *clause) compares(q *Question) bool {
	if cl.has&cCompare == 0 {
		return false
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
	for _, name := range names { // one of them may be misspelt
		if strings.HasPrefix(name, `"`) || strings.HasPrefix(name, "#") || !cl.talk.knows(name) && len(strings.Fields(name)) > 2 {
			return false
		}
	}
	q.Intent, q.Person, q.Other = Compared, strings.TrimPrefix(names[0], "@"), strings.TrimPrefix(names[1], "@")
	return cl.only(cCompare | cAbout | cOf | cNamed | cMe | cSelf | cMy | cWhat | cNotes | cWrote | cBetween | cPerDay)
}

// asksForArticles asks for articles and says nothing else of them than by whom, or about
// what.
func (cl *clause) asksForArticles(q *Question) bool {
	if cl.has&cArticles == 0 || len(cl.runs()) > 0 && cl.topic != "" || !cl.takesNames(q, 1) {
		return false
	}
	q.Intent = Digest
	q.itself(q.Person == "" && cl.has&cMy != 0)
	return cl.only(cArticles | cNotes | cNews | cWrote | cWhat | cOf | cAbout | cEveryone | cSomeone | cMe | cMy | cNamed | cPerson | cGot)
}

// ofArticles makes a question one about articles alone; it fails where there is no such.
func (q *Question) ofArticles() bool {
	switch q.Articles = true; q.Intent {
	case Digest, Search:
		q.Intent = Articles
		return q.Filter == ""
	case Count, Series, TopPosters, Popular:
		return true
	}
	return false
}

package builtin

import "bowerbird/tools"

// Scope says what a question is about where its words do not say. The zero value is
// the people followed.
type Scope struct {
	Everyone bool   // all stored notes
	Thread   string // the id of a note of the thread that is open, as hex
	Person   string // whose profile is open: a key as hex
}

// thatPerson stands in a question for somebody whom its words do not name: whose
// profile is open, or who was named in the chat.
const thatPerson = "this person"

// settle reads a question as one about what is open, where it names nothing else.
func (s Scope) settle(q question) question {
	if s.Person != "" && q.person == thatPerson {
		q.person = s.Person
	}
	if q.person == thatPerson {
		return question{lang: q.lang, window: q.window}
	}
	if q.note != "" || q.person != "" || q.self {
		return q
	}
	switch {
	case s.Thread != "" && q.topic == "" && !q.window.asked && q.isOfAThread():
		q.intent, q.note = thread, s.Thread
	case s.Person == "":
	case q.intent == unknown || q.intent == thread || q.intent == longestThread:
		q.intent, q.person = digest, s.Person
	case q.intent == topPosters: // there is one
		q.intent, q.person = count, s.Person
	case q.intent != help:
		q.person = s.Person
	}
	return q
}

// isOfAThread reports whether a question can be one about the thread that is open.
func (q question) isOfAThread() bool {
	switch q.intent {
	case thread, longestThread, digest, unknown, count, topPosters:
		return true
	}
	return false
}

// whose returns the filters of a question, and the person where it names one; else
// they are those of the crowd. Where there is nobody to tell about, it returns the
// answer that says so.
func (p *plan) whose() (f filters, who *tools.ProfileResult, stop string) {
	if p.q.person == "" {
		f, stop = p.crowd()
		return f, nil, stop
	}
	if who, stop = p.findPerson(p.q.person); who == nil {
		return filters{}, nil, stop
	}
	p.who = who
	return filters{context: "profile", author: who.PubKey}, who, ""
}

// crowd returns the filters of a question that names nobody. Where the people
// followed are meant and there are none, it returns the answer that says so.
func (p *plan) crowd() (f filters, stop string) {
	if p.opt.Scope.Everyone {
		return filters{context: "any"}, ""
	}
	return filters{context: "home"}, p.followsNobody()
}

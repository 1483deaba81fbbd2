package builtin

// Scope says what a question is about where its words do not say. The zero value is
// the people followed.
type Scope struct {
	Everyone bool   // all stored notes
	Thread   string // the id of a note of the thread that is open, as hex
	Person   string // whose profile is open: a key as hex
}

// settle reads a question as one about what is open, where it names nothing else.
func (s Scope) settle(q question) question {
	if q.note != "" || q.person != "" || q.self {
		return q
	}
	switch {
	case s.Thread != "" && q.topic == "" && (q.intent == thread || q.intent == longestThread || !q.window.asked && (q.intent == digest || q.intent == unknown)):
		q.intent, q.note = thread, s.Thread
	case s.Person != "" && (q.intent == digest || q.intent == count || q.intent == whoIs):
		q.person = s.Person
	case s.Person != "" && (q.intent == unknown || q.intent == thread):
		q.intent, q.person = digest, s.Person
	}
	return q
}

// crowd returns the filters of a question that names nobody. Where the people
// followed are meant and there are none, it returns the answer that says so.
func (p *plan) crowd() (f filters, stop string) {
	if p.opt.Scope.Everyone {
		return filters{context: "any"}, ""
	}
	return filters{context: "home"}, p.followsNobody()
}

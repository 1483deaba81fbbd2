package question

// thatPerson is the person of a question that does not name one: whose profile is open,
// or who was named in the chat.
const thatPerson = "this person"

// On returns the question as asked beside an open thread or profile, which it is about if
// it names nothing else; "" if there is none.
func (q Question) On(openThread, openPerson string) Question {
	if openPerson != "" && q.Person == thatPerson {
		q.Person = openPerson
	}
	if q.Person == thatPerson {
		return Question{Lang: q.Lang, Window: q.Window, Unseen: q.Unseen}
	}
	if q.Note != "" || q.Person != "" || q.Self {
		return q
	}
	switch {
	case openThread != "" && q.Topic == "" && !q.Window.Asked && q.isOfAThread():
		q.Intent, q.Note = Thread, openThread
	case openPerson == "":
	case q.Intent == Unknown || q.Intent == Thread || q.Intent == LongestThread:
		q.Intent, q.Person = Digest, openPerson
	case q.Intent == TopPosters: // there is one
		q.Intent, q.Person = Count, openPerson
	case q.Intent != Help:
		q.Person = openPerson
	}
	return q
}

// isOfAThread reports whether a question can be one about the thread that is open.
func (q Question) isOfAThread() bool {
	switch q.Intent {
	case Thread, LongestThread, Digest, Unknown, Count, TopPosters:
		return true
	}
	return false
}

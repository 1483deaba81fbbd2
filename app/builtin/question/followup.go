package question

// bare reports whether a question names nothing but a time: "and last week?".
func (q Question) bare() bool {
	return q.Window.Asked && q.Person == "" && !q.Self && q.Topic == "" && q.Form == AsText && q.By == "" && q.Nth == 0 && q.timeOnly
}

// follow reads a question that says only what differs from q, the one before.
func (q Question) follow(change Question, t *Talk) Question {
	if q.Intent == Unknown || q.Loose || q.Intent == Help || q.Intent == Cannot || q.Intent == fragment {
		return change
	}
	if change.Details && q.Intent != Digest {
		return Question{Lang: change.Lang}
	}
	next := q
	next.Details = change.Details
	switch {
	case change.Nth > 0 && q.Intent == LaterStory: // and the third?
		next.Back++
	case change.Nth > 0:
		next.Intent, next.was = LaterStory, q.Intent
	case q.Intent == LaterStory: // what changes is the question of which it was a story
		next.Intent, next.Back = q.was, 0
	}
	next.Lang, next.Unread, next.Nth = change.Lang, "", change.Nth
	if change.Window.Asked {
		next.Window = change.Window
	}
	if change.Form != AsText {
		next.Form = change.Form
	}
	if change.By != "" && (q.Intent == Series || q.Intent == Count) {
		next.Intent, next.By = Series, change.By
	}
	if change.Topic != "" {
		next.Topic = change.Topic
		if t.knows(change.Topic) { // and what about Ada?
			next.Topic, change.Person = q.Topic, change.Topic
		} else if next.Either = change.Either; change.again && q.Topic == "" { // what about the bridge
			next.Intent, next.Person, next.Self, next.Other = Digest, "", false, ""
		}
	}
	switch name := change.Person; {
	case name == "":
	case t.knows(name) || q.Person != "" && !q.Self && !change.definite:
		next.Person, next.Self, next.Other = name, false, ""
		if q.Intent == Conversed || q.Intent == TopPosters {
			next.Intent = Digest
		}
	case q.Topic != "" || q.Intent == Digest:
		next.Topic = name
		if q.Topic == "" { // a new topic, of whomever
			next.Person, next.Self = "", false
		}
	default:
		next.Person = name
	}
	return next
}

// byItself reads a part of a question that follows no other one: a name, a topic after
// "what about".
func (q Question) byItself(t *Talk) Question {
	switch {
	case q.Nth > 0 || q.By != "" || q.Details || q.Form != AsText && q.Person == "" && q.Topic == "":
		q.Intent = Unknown
	case q.Person != "" && t.knows(q.Person):
		q.Intent = Digest
	case q.Topic != "" && t.knows(q.Topic):
		q.Intent, q.Person, q.Topic = Digest, q.Topic, ""
	case q.Topic != "":
		q.Intent = Digest
	case q.Person != "":
		q.Intent, q.Topic, q.Person, q.Either = Digest, q.Person, "", !q.definite
	case q.Window.Asked:
		q.Intent = Digest
	default:
		q.Intent = Unknown
	}
	return q
}

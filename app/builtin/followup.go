package builtin

// bare reports whether a question names nothing but a time: "and last week?".
func (q question) bare() bool {
	return q.window.asked && q.person == "" && !q.self && q.topic == "" && q.form == asText && q.by == "" && q.nth == 0 && q.timeOnly
}

// follow reads a question that says only what is other than in q, the one before.
func (q question) follow(change question, t *talk) question {
	if q.intent == unknown || q.intent == help || q.intent == cannot || q.intent == fragment {
		return change
	}
	if change.details && q.intent != digest {
		return question{lang: change.lang}
	}
	next := q
	next.details = change.details
	switch {
	case change.nth > 0 && q.intent == laterStory: // and the third?
		next.back++
	case change.nth > 0:
		next.intent, next.was = laterStory, q.intent
	case q.intent == laterStory: // what changes is the question of which it was a story
		next.intent, next.back = q.was, 0
	}
	next.lang, next.unread, next.nth = change.lang, "", change.nth
	if change.window.asked {
		next.window = change.window
	}
	if change.form != asText {
		next.form = change.form
	}
	if change.by != "" && (q.intent == series || q.intent == count) {
		next.intent, next.by = series, change.by
	}
	if change.topic != "" {
		next.topic = change.topic
		if t.knows(change.topic) { // and what about Ada?
			next.topic, change.person = q.topic, change.topic
		} else if next.either = change.either; change.again && q.topic == "" { // what about the bridge
			next.intent, next.person, next.self, next.other = digest, "", false, ""
		}
	}
	switch name := change.person; {
	case name == "":
	case t.knows(name) || q.person != "" && !q.self && !change.definite:
		next.person, next.self, next.other = name, false, ""
		if q.intent == conversed || q.intent == topPosters {
			next.intent = digest
		}
	case q.topic != "" || q.intent == digest:
		next.topic = name
		if q.topic == "" { // a new topic, of whomever
			next.person, next.self = "", false
		}
	default:
		next.person = name
	}
	return next
}

// byItself reads what names only a part of a question where none was asked before: a
// name, a topic after "what about".
func (q question) byItself(t *talk) question {
	switch {
	case q.nth > 0 || q.by != "" || q.details || q.form != asText && q.person == "" && q.topic == "":
		q.intent = unknown
	case q.person != "" && t.knows(q.person):
		q.intent = digest
	case q.topic != "" && t.knows(q.topic):
		q.intent, q.person, q.topic = digest, q.topic, ""
	case q.topic != "":
		q.intent = digest
	case q.person != "":
		q.intent, q.topic, q.person, q.either = digest, q.person, "", !q.definite
	case q.window.asked:
		q.intent = digest
	default:
		q.intent = unknown
	}
	return q
}

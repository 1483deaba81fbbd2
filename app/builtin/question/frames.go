package question

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// frame is one kind of question: how it is recognised in what the words of a sentence
// do, whatever their order.
type frame func(*clause, *Question) bool

// frames are tried in this order. Each must account for every word: what is not known
// is a name or a topic where the words around say so, and else the question is not
// understood.
var frames = []frame{
	(*clause).asksForANote, (*clause).asksWhoLooked, (*clause).asksWhoFollows, (*clause).asksForUnanswered, (*clause).asksForATable, (*clause).asksForPartners, (*clause).onlyTime, (*clause).commands, (*clause).asksForHelp, (*clause).searches, (*clause).asksTheNth,
	(*clause).asksTheLongest, (*clause).asksHowManyIFollow, (*clause).compares, (*clause).asksForTheNewest, (*clause).asksWhoIsQuiet, (*clause).asksForPopular, (*clause).asksWhatCameToMe, (*clause).asksForHashtags, (*clause).asksWhoMost, (*clause).asksForASeries, (*clause).asksHowMany,
	(*clause).asksWhatTheySaid, (*clause).asksForAThread, (*clause).asksWho, (*clause).asksOfAPerson, (*clause).asksOfATopic, (*clause).asksWhatHappened,
	(*clause).asksForArticles, (*clause).changes,
}

// read reads a clause.
func (cl *clause) read(note string) (Question, bool) {
	base := Question{Lang: cl.Lang, Window: cl.window, Note: note, Form: cl.form(), Topic: cl.topic, Choice: cl.choice, Hours: cl.hours}
	if note != "" { // it is about that note or not understood
		base.Topic = ""
		return base, cl.asksForANote(&base)
	}
	for _, f := range frames {
		q := base
		if f(cl, &q) && cl.narrows(&q) {
			return q, cl.has&cNot == 0 || slices.Contains([]Intent{Cannot, Help, Search, Unanswered, WhoIs}, q.Intent) // what is taken back, the others do not see
		}
	}
	return Question{}, false
}

// narrows makes a question one about articles, pictures or links alone, if the clause names
// them; it fails if there are none.
func (cl *clause) narrows(q *Question) bool {
	if cl.hours != (Hours{}) && q.Intent != TopPosters {
		return false
	}
	if slices.ContainsFunc(cl.marks, func(m Concept) bool { return m&cLinks == cLinks }) {
		return q.becomes(Links)
	}
	return (cl.has&cArticles == 0 || q.ofArticles()) && (cl.has&cPictures == 0 || q.becomes(Pictures))
}

func (cl *clause) form() Form {
	switch {
	case cl.has&cChart != 0:
		return AsChart
	case cl.has&cTable != 0:
		return AsTable
	}
	return AsText
}

// itself makes a question one about the user's own notes.
func (q *Question) itself(is bool) {
	if is {
		q.Self, q.Person = true, "me"
	}
}

// only reports whether a clause holds nothing but these, and what every question may
// hold.
func (cl *clause) only(c Concept) bool {
	for _, m := range cl.marks {
		if m != 0 && m&(c|cFiller|cAlso|cDid|cPolite|cWhether|cChart|cTable|cInTopic|cGreeting) == 0 {
			return false
		}
	}
	return true
}

func (cl *clause) asksForANote(q *Question) bool {
	if q.Note == "" || len(cl.runs()) > 0 || !cl.only(cSummary|cConversation|cNotes|cWhat|cHappened|cAbout|cOf|cMe|cAgain|cMore|cWrote) {
		return false
	}
	q.Intent = Thread
	return true
}

func (cl *clause) onlyTime(q *Question) bool {
	if !cl.window.Asked || len(cl.runs()) > 0 || cl.topic != "" || !cl.only(cAbout|cOf|cWhat) || cl.has&(cChart|cTable|cAlso) != 0 {
		return false
	}
	if cl.has&^(cFiller|cDid|cAbout|cOf|cWhat|cPolite|cGreeting|cThanks|cInTopic) != 0 {
		return false
	}
	q.Intent, q.timeOnly = Digest, true
	return true
}

// commands recognises what this app does not do: it writes nothing for anybody.
func (cl *clause) commands(q *Question) bool {
	if cl.VerbsLast && cl.has&(cSummary|cWhat|cWho|cTable|cChart|cTimes) == 0 && cl.endsWithACommand() {
		q.Intent = Cannot
		return true
	}
	for i, m := range cl.marks {
		if cl.imperative[cl.toks[i].fold] && (i+1 == len(cl.toks) || cl.marks[i+1]&cSelf == 0) { // follow, but not: follow I
			if cl.has&(cSummary|cWhat|cWho|cTable|cChart|cTimes) != 0 || cl.Unspaced {
				return false
			}
			q.Intent = Cannot
			return true
		}
		if m&(cFiller|cPolite|cGreeting|cAlso|cMe) == 0 || m&cMe != 0 && cl.has&cNotes != 0 { // me manda as notas
			return false
		}
	}
	return false
}

// endsWithACommand reports whether the verb of a command ends a request, perhaps followed
// by words that make it polite.
func (cl *clause) endsWithACommand() bool {
	if cl.Postposed {
		said := strings.Join(folds(cl.toks), "")
		return slices.ContainsFunc(cl.Imperatives, func(verb string) bool {
			i := strings.LastIndex(said, verb)
			return i >= 0 && (i+len(verb) == len(said) || cl.phrases[said[i+len(verb):]]&(cFiller|cGreeting) != 0 && utf8.RuneCountInString(said[i+len(verb):]) > 3)
		})
	}
	last := len(cl.toks)
	for last > 0 && cl.marks[last-1]&(cFiller|cGreeting) != 0 && !cl.imperative[cl.toks[last-1].fold] {
		last--
	}
	return last > 0 && cl.has&cPolite != 0 && cl.imperative[cl.toks[last-1].fold]
}

func (cl *clause) asksForHelp(q *Question) bool {
	q.Intent = Help
	if cl.has&cHelping != 0 && len(cl.runs()) == 0 && cl.topic == "" && cl.only(cHelping|cWhat|cMe|cSelf|cWho|cOf|cAbout) {
		return true
	}
	q.Thanks = cl.has&cThanks != 0
	return cl.has&cGreeting != 0 && len(cl.runs()) == 0 && cl.topic == "" && !cl.window.Asked && cl.has&(cChart|cTable) == 0 && cl.only(cEveryone|cMe)
}

// asksTheNth asks for more of a story of the answer before.
func (cl *clause) asksTheNth(q *Question) bool {
	if cl.nth == 0 || len(cl.runs()) > 0 || cl.topic != "" || !cl.only(cOrdinal|cMore|cAbout|cOf|cWhat|cSummary|cMe|cNews|cConversation|cWrote|cNotes|cHappened) {
		return false
	}
	q.Intent, q.Nth = fragment, cl.nth
	return true
}

func (cl *clause) asksTheLongest(q *Question) bool {
	if cl.has&cLongest == 0 || cl.has&cConversation == 0 || len(cl.runs()) > 0 {
		return false
	}
	q.Intent = LongestThread
	return cl.only(cLongest | cConversation | cSummary | cOf | cWhat | cAbout | cMost | cTop | cEveryone | cMore | cMe)
}

// asksWhatCameToMe asks who turned to the user, and how.
func (cl *clause) asksWhatCameToMe(q *Question) bool {
	kinds := cl.kinds()
	if (cl.aboutMe || cl.ofMe()) && kinds == 0 && cl.has&(cWrote|cSomeone|cNews) != 0 {
		kinds = Mentioned
	}
	mine := cl.has&(cMe|cMy) != 0 || cl.has&cSelf != 0 && cl.saysWrote() && cl.has&(cWho|cSomeone) != 0
	toUser := mine || cl.aboutMe || cl.has&cGot != 0 || cl.has&cSelf != 0 && cl.Postposed
	if kinds == 0 && cl.has&cMe != 0 && cl.has&cWrote != 0 && cl.has&(cMissed|cNews|cHappened|cMy) == 0 &&
		(cl.has&(cSomeone|cWho) != 0 && cl.has&cEveryone == 0 || cl.has&cEveryone != 0 && cl.has&cTimes != 0 && cl.has&cSelf == 0) {
		kinds = Replied | Mentioned
	}
	if kinds == 0 || !toUser && !(cl.has&cSomeone != 0 && cl.has&(cWrote|cNotes|cSelf|cWhat) == 0 && len(cl.runs()) == 0) || cl.has&(cFind|cTop|cTags|cMissed|cPerDay|cPerWeek) != 0 || cl.has&cMost != 0 && (cl.has&cWho == 0 || !mine) {
		return false
	}
	if !cl.takesNames(q, 1) {
		return false
	}
	q.Intent, q.Kinds, q.OnNewest = ForMe, kinds, cl.has&cMy != 0 && cl.newestNotes()
	q.People = cl.has&cTimes != 0 && cl.has&(cEveryone|cWho) != 0
	if cl.has&cTimes != 0 && !q.People {
		q.People = false
	}
	return cl.only(cToMe | cMe | cMy | cSelf | cSomeone | cWho | cWhat | cGot | cTimes | cEveryone | cNotes | cWrote | cOf | cAbout | cNews | cPerson | cAgain | cNamed | cNumber | cHappened | cMost | cUntold)
}

// ofMe reports whether "of me" is in a clause, with nothing of mine after it.
func (cl *clause) ofMe() bool {
	for i, m := range cl.marks[:max(0, len(cl.marks)-1)] {
		last := i+2 == len(cl.marks) || cl.marks[i+2] != 0 && cl.marks[i+2]&cNotes == 0
		if m&cOf != 0 && cl.marks[i+1]&cMe != 0 && last && cl.has&(cSomeone|cWho) != 0 && cl.has&cNotes == 0 {
			return true
		}
	}
	return false
}

// kinds are the ways to turn to somebody that a clause names by themselves.
func (cl *clause) kinds() Concept {
	var kinds Concept
	for _, m := range cl.marks {
		if m&cToMe != 0 && m&(cFiller|cDid) == 0 {
			kinds |= m & cToMe
		}
	}
	return kinds
}

func (cl *clause) asksForAThread(q *Question) bool {
	if cl.has&cConversation == 0 || cl.has&(cFind|cTimes|cMost|cToMe) != 0 {
		return cl.asksWhoAnsweredThem(q)
	}
	if !cl.takesNames(q, 1) {
		return false
	}
	q.Intent = Thread
	if q.Person != "" || q.Topic != "" {
		q.Intent = FindThread
	}
	return cl.only(cConversation | cSummary | cNotes | cWhat | cOf | cAbout | cWrote | cHappened | cNamed | cMe | cMore | cAgain | cLongest | cEveryone | cNews | cTop)
}

// asksWhoAnsweredThem asks who took up what somebody wrote, which their conversation shows.
func (cl *clause) asksWhoAnsweredThem(q *Question) bool {
	if cl.kinds()&(Replied|Liked) == 0 || cl.has&(cMe|cMy|cSelf|cMost|cTop|cTimes|cFind|cConversation) != 0 || cl.has&(cWho|cSomeone) == 0 {
		return false
	}
	runs := cl.runs()
	if len(runs) > 1 && q.Topic == "" && cl.names(runs[0]) {
		q.Person = strings.TrimPrefix(runs[0].text, "@")
		var ok bool
		if q.Topic, ok = cl.whole(runs[1:]); !ok {
			return false
		}
	} else if len(runs) != 1 || !cl.names(runs[0]) || !cl.takesNames(q, 1) {
		return false
	}
	q.Intent = FindThread
	return cl.only(cToMe | cWho | cSomeone | cWhat | cWrote | cNotes | cOf | cAbout | cNamed)
}

// asksOfATopic asks what is said about something.
func (cl *clause) asksOfATopic(q *Question) bool {
	if cl.topic == "" {
		runs := cl.runs() // news of the ferry
		if whole, ok := cl.mentioned(runs); ok {
			q.Intent, q.Topic = Digest, whole
			return true
		}
		if topic, ok := cl.postposed(runs); ok {
			q.Intent, q.Topic = Digest, topic
			return cl.only(cWrote | cNews | cHappened | cSummary | cWhat | cEveryone | cSomeone)
		}
		if len(runs) != 1 || runs[0].before&cOf == 0 && !strings.HasPrefix(runs[0].text, "#") || cl.has&(cNews|cSummary|cHappened|cWrote|cNotes) == 0 {
			return false
		}
		if cl.common(runs[0]) {
			return false
		}
		if q.Topic = runs[0].text; cl.names(runs[0]) && !cl.talk.knows(q.Topic) {
			return false // something else is asked of a person
		}
	} else if len(cl.runs()) > 0 {
		return false
	}
	q.Intent = Digest
	if cl.has&^(cFiller|cAlso|cAbout|cWhat|cDid|cInTopic|cAgain|cMore|cEveryone|cOf|cPolite) == 0 && cl.has&(cAlso|cAgain) == 0 && (cl.Postposed || cl.Unspaced) {
		return true
	}
	listed := cl.has&cNotes != 0 && (cl.form() == AsTable || strings.HasPrefix(q.Topic, "#"))
	return (listed || cl.has&(cWrote|cNews|cHappened|cSummary|cMissed|cMore) != 0) && cl.only(cWrote|cNotes|cNews|cHappened|cSummary|cMissed|cWhat|cWho|cAbout|cOf|cSelf|cMe|cEveryone|cSomeone|cMore|cAgain)
}

// mentioned is what anybody is asked to have mentioned.
func (cl *clause) mentioned(runs []oddRun) (string, bool) {
	if len(runs) == 0 || cl.kinds() != Mentioned || cl.has&(cSomeone|cWho|cEveryone) == 0 || !cl.only(Mentioned|cSomeone|cWho|cEveryone|cOf|cAbout|cWhat) {
		return "", false
	}
	return cl.whole(runs)
}

// postposed is what news or opinions are asked of, where "of" follows it.
func (cl *clause) postposed(runs []oddRun) (string, bool) {
	if !cl.Postposed || len(runs) == 0 || slices.ContainsFunc(runs, cl.names) {
		return "", false
	}
	var words []string
	for i, r := range runs {
		if i > 0 && !cl.joins(runs[i-1].to, r.from) {
			return "", false
		}
		words = append(words, r.text)
	}
	last := runs[len(runs)-1].to
	return strings.Join(words, " "), last+1 < len(cl.toks) && cl.marks[last] == cFiller && cl.toks[last].fold != "を" && cl.hasBetween(last+1, len(cl.toks), cNews|cHappened|cWrote|cSummary)
}

// joins reports whether two runs have nothing between them but a word that holds them together.
func (cl *clause) joins(from, to int) bool {
	return to == from+1 && cl.marks[from] == cFiller
}

func (cl *clause) asksWhatHappened(q *Question) bool {
	if cl.topic != "" || len(cl.runs()) > 0 || cl.has&(cMissed|cNews|cHappened|cSummary|cWrote) == 0 && (cl.has&cNotes == 0 || !cl.window.Asked) {
		return false
	}
	if cl.has&cWrote != 0 && cl.has&(cMissed|cNews|cHappened|cSummary) == 0 && (cl.has&(cEveryone|cWhat) == 0 || cl.has&(cEveryone|cSomeone) == 0 && !cl.window.Asked && !cl.only(cWrote|cWhat|cAbout)) {
		return false
	}
	if cl.has&cMe != 0 && cl.has&(cMissed|cSummary|cNews|cHappened) == 0 || cl.has&cWho != 0 && cl.has&(cWrote|cHappened|cWhat) == 0 {
		return false // what they think of me, who is new
	}
	if cl.has&cMost != 0 && cl.has&(cWhat|cAbout|cNews|cSummary|cHappened) == 0 {
		return false // who writes most
	}
	q.Intent = Digest
	return cl.only(cMissed | cNews | cHappened | cSummary | cWrote | cNotes | cWhat | cAbout | cOf | cSelf | cMe | cMy | cEveryone | cSomeone | cMore | cTop | cMost | cGot | cNamed | cNumber)
}

// changes reads a question that names only what differs from the one before.
func (cl *clause) changes(q *Question) bool {
	runs := cl.runs()
	if len(runs) > 1 || len(runs) == 1 && cl.topic != "" || !cl.only(cAgain|cAbout|cWhat|cOf|cPerDay|cPerWeek|cPerHour|cNamed|cMore|cPerson|cAlso|cEveryone) {
		return false
	}
	q.Intent = fragment
	if len(runs) == 1 {
		known := cl.talk.knows(runs[0].text)
		if cl.beginsTime(runs[0].from) || !known && (len(cl.talk.Before) == 0 || len(strings.Fields(runs[0].text)) > 2) {
			return false
		}
		q.definite = runs[0].from > 0 && cl.marks[runs[0].from-1] == cFiller
		if !known && cl.has&cAgain != 0 { // what about the bridge
			q.Topic, q.again, q.Either = runs[0].text, true, !q.definite
		} else {
			q.Person = strings.TrimPrefix(runs[0].text, "@")
		}
	}
	switch {
	case cl.has&cPerWeek != 0:
		q.By = "week"
	case cl.has&cPerDay != 0:
		q.By = "day"
	}
	q.Details = cl.has&cDetails != 0 && len(runs) == 0
	return q.Person != "" || q.Topic != "" || q.Form != AsText || q.By != "" || q.Window.Asked || q.Details
}

// asksForArticles asks for articles or pictures and says nothing else of them than by
// whom, or about what.
func (cl *clause) asksForArticles(q *Question) bool {
	runs := cl.runs()
	if cl.has&(cArticles|cPictures) == 0 || len(runs) > 0 && cl.topic != "" || cl.has&cWho != 0 && cl.has&cMy != 0 {
		return false
	}
	if len(runs) == 1 && cl.has&cPictures != 0 && (runs[0].before&cOf != 0 || cl.Postposed && cl.joins(runs[0].to, runs[0].to+1)) && !cl.names(runs[0]) { // pictures of dogs
		q.Topic = runs[0].text
	} else if by := slices.IndexFunc(runs, func(r oddRun) bool { return r.after&cNamed != 0 || cl.talk.knows(r.text) }); len(runs) == 2 && by >= 0 {
		q.Person, q.Topic = strings.TrimPrefix(runs[by].text, "@"), runs[1-by].text
	} else if !cl.takesNames(q, 1) {
		return false
	}
	q.Intent = Digest
	q.itself(q.Person == "" && cl.has&cMy != 0)
	return cl.only(cArticles | cNotes | cWho | cNews | cHappened | cWrote | cWhat | cOf | cAbout | cEveryone | cSomeone | cMe | cMy | cNamed | cPerson | cGot)
}

// becomes makes a question one about notes with pictures, or links; it fails where there is
// no such.
func (q *Question) becomes(i Intent) bool {
	if q.Intent != Digest && q.Intent != Search || q.Filter != "" {
		return false
	}
	q.Intent = i
	return true
}

// ofArticles makes a question one about articles alone; it fails if there are none.
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

package question

import "slices"

// maxOdd is how many words that are not known a question may hold that is read by its cues.
const maxOdd = 3

// cued reads a question by the few words that show what is asked, whatever holds them
// together: that somebody turned to the user, which of two people, who fell silent, who
// somebody is, which note was taken up most. Words that are not known are passed over, and
// the answer says so; nothing is read where one of the known ones would make another
// question of it.
func (lx *compiled) cued(text string, c Calendar, t *Talk) (Question, bool) {
	q := Question{Lang: lx.Lang}
	var has, kinds Concept
	var names []string
	odd, either, toUser := 0, false, false
	for _, s := range lx.sentencesOf(text) {
		toks := lx.tokenize(s)
		if len(toks) > maxWords || lx.isOutside(toks) {
			return q, false
		}
		cl := lx.clause(toks, c, t, false)
		if cl.hours != (Hours{}) || cl.commands(&Question{}) || cl.window.Asked && q.Window.Asked && cl.window != q.Window {
			return q, false
		}
		if cl.window.Asked {
			q.Window = cl.window
		}
		if cl.topic != "" {
			odd++
		}
		for _, r := range cl.runs() {
			if cl.namesTime(r) || cl.toks[r.from].quoted {
				return q, false
			}
			name, from, to := cl.nameIn(r)
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
			odd += r.to - r.from - (to - from)
		}
		has, kinds, either, toUser = has|cl.has, kinds|cl.kinds(), either || cl.orBetween(), toUser || cl.toWhatIWrote()
		q.OnNewest = q.OnNewest || cl.newestNotes() && cl.has&cMy != 0
	}
	if odd > maxOdd || len(names) > 2 || has&(cNot|cFind|cTags|cOrdinal|cUntold|cFollow|cPerHour|cLongest) != 0 {
		return q, false
	}
	if len(names) > 0 {
		q.Person = names[0]
	}
	measured := has&(cMost|cTop|cMore|cTimes|cCompare|cChart|cTable|cPerDay|cPerWeek) != 0
	toUser = toUser || has&(cMe|cMy) != 0 || has&cSelf != 0 && len(names) == 0 && has&(cSomeone|cEveryone) == 0 && (has&cGot != 0 || kinds == Mentioned)
	switch {
	case len(names) == 2:
		q.Intent, q.Other = Compared, names[1]
		return q, kinds == 0 && (either && has&cWho != 0 && odd <= 1 || has&(cCompare|cChart) != 0 && odd == 0)
	case kinds != 0:
		q.Intent, q.Kinds = ForMe, kinds
		return q, toUser && !(measured && has&cTimes == 0) && has&(cPerDay|cPerWeek|cChart|cTable|cArticles|cPictures) == 0
	case len(names) == 1:
		q.Intent = WhoIs
		return q, odd == 0 && has&cWho != 0 && has&cIs != 0 && has&(cWrote|cNotes|cNews|cHappened|cMe|cMy|cSelf) == 0 && !measured && !q.Window.Asked
	case has&cQuiet != 0:
		q.Intent = Quiet
		return q, has&(cWho|cEveryone|cSomeone) != 0
	case has&(cMost|cTop) != 0 && has&cNotes != 0 && has&cWhat != 0 && has&(cTimes|cChart|cMe|cMy|cSelf|cWho|cArticles|cPictures) == 0:
		q.Intent = Popular
		return q, odd <= 1
	}
	return q, false
}

// toWhatIWrote reports whether a clause has "reactions to what I posted".
func (cl *clause) toWhatIWrote() bool {
	at := 0
	for _, next := range []Concept{cToMe, cWhat, cWrote} {
		i := slices.IndexFunc(cl.marks[at:], func(m Concept) bool { return m&next != 0 })
		if i < 0 {
			return false
		}
		at += i
	}
	return cl.has&cSelf != 0
}

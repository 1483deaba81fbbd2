package question

import "slices"

// sentence reads one sentence; where it cannot be read as it is, its parts between
// commas, and then with the words that may be misspelt.
func (lx *compiled) sentence(toks []token, note string, c Calendar, t *Talk, corrected bool) (Question, bool) {
	if len(toks) > maxWords {
		return Question{}, false
	}
	toks = lx.withoutTag(toks)
	two, cuts := -1, 0 // where a second question begins, and how many parts were tried
	for i := 1; i < len(toks) && two < 0; i++ {
		if lx.beginsAnother(toks, i) {
			two = i
		}
	}
	if two < 0 {
		if q, ok := lx.plain(toks, note, c, t); ok {
			return q, true
		}
	}
	for i := 1; i < len(toks); i++ {
		if !toks[i].apart && i != two {
			continue
		}
		if cuts++; cuts > maxCuts {
			break
		}
		first, ok1 := lx.plain(toks[:i], note, c, t)
		rest, ok2 := lx.plain(toks[i:], note, c, t)
		switch {
		case ok1 && !ok2 && first.Intent == Cannot && !lx.asks(toks[i:]):
			return first, true
		case ok1 && ok2 && first.Intent != Help && rest.Intent != Help:
			if first.Intent == Compared && rest.Kinds != 0 {
				return Question{}, false // Ada or Bruno, whose notes got more likes?
			}
			if rest.Intent == fragment || rest.Intent == Digest && rest.bare() {
				first.complete(rest)
			} else {
				first.Unread = said(toks[i:])
			}
			return first, true
		case ok1 && first.Intent != Help && first.Intent != fragment && i == two:
			first.Unread = said(toks[i:])
			return first, true
		case ok1 && first.Intent != Help && first.Intent != fragment && first.Unread == "" && lx.isAside(toks[i:], c, t):
			first.Unread = said(toks[i:])
			return first, true
		case ok2 && rest.Intent != fragment && lx.leadsUp(toks[:i], &rest, c, t, i < len(toks) && toks[i].colon):
			return rest, true
		}
	}
	if corrected {
		for _, strangers := range []bool{false, true} { // else "peple" is somebody's name
			if fixed, ok := lx.respell(toks, func(toks []token) bool {
				q, ok := lx.plain(toks, note, c, t)
				return ok && (strangers || q.Person == "" || q.Self || t.knows(q.Person))
			}); ok {
				return lx.plain(fixed, note, c, t)
			}
		}
	}
	return Question{}, false
}

// withoutTag drops what follows the last comma if it asks nothing: "right?"
func (lx *compiled) withoutTag(toks []token) []token {
	for i := len(toks) - 1; i > 0; i-- {
		if toks[i].apart {
			if leads(folds(toks[i:]), lx.tags) == len(toks)-i {
				return toks[:i]
			}
			break
		}
	}
	return toks
}

// beginsAnother reports whether a second question begins at i: "and whether …".
func (lx *compiled) beginsAnother(toks []token, i int) bool {
	if i+1 >= len(toks) {
		return false
	}
	n, first := (&clause{compiled: lx}).phraseAt(folds(toks[i:]))
	if n > 1 {
		return false // é que
	}
	_, second := (&clause{compiled: lx}).phraseAt(folds(toks[i+1:]))
	return first&cAlso != 0 && (second&(cWhether|cWho|cTimes|cWhat|cUntold) != 0 || second&cDid != 0 && !lx.Unspaced)
}

// leadsUp reports whether words before a question ask nothing themselves: a greeting, the
// name of who is asked, or why it is asked. The question takes over the time that they name,
// and the topic before a colon.
func (lx *compiled) leadsUp(toks []token, q *Question, c Calendar, t *Talk, colon bool) bool {
	cl := lx.clause(toks, c, t, false)
	runs := cl.runs()
	if lx.asks(toks) || slices.ContainsFunc(runs, func(r oddRun) bool { return cl.names(r) }) {
		return false
	}
	topic := ""
	if wished := cl.has&cMore != 0 || cl.has&cPolite != 0 && cl.has&cSelf == 0; wished || colon && len(toks) <= 3 {
		if topic = cl.topic; topic == "" && len(runs) == 1 {
			topic = runs[0].text
		}
	}
	mine := cl.has&(cSelf|cMe|cMy) != 0 || leads(folds(toks), lx.tellers) > 0
	if uncommon := slices.ContainsFunc(runs, func(r oddRun) bool { return !cl.common(r) }); !mine && cl.has&restricts&^cNumber != 0 && (uncommon || cl.has&restricts&^cNumber != cNot) {
		return false // without time, it is nothing that is left out
	}
	if !mine && q.Intent == Digest && q.Topic == "" && !q.Window.Asked && topic == "" && cl.thing() != "" {
		return false // they say what it is about
	}
	if topic != "" && q.Topic == "" && q.Intent == Digest {
		q.Topic = topic
	} else if topic != "" && !colon {
		return false
	}
	if !q.Window.Asked {
		q.Window = lx.statedTime(toks, c, t)
	}
	return true
}

// isAside reports whether words behind a question restrict nothing in it: no time, name
// or topic, and nothing is taken back.
func (lx *compiled) isAside(toks []token, c Calendar, t *Talk) bool {
	cl := lx.clause(toks, c, t, false)
	return !cl.window.Asked && cl.topic == "" && cl.has&(cNot|cOf|cChart|cTable|cToMe) == 0 && cl.has&(cDid|cSelf|cWhat|cPerson|cEveryone) != 0 &&
		!slices.ContainsFunc(cl.runs(), func(r oddRun) bool { return cl.names(r) || cl.beginsTime(r.from) })
}

// isAboutSelf reports whether words begin with who asks: "I slept all day".
func (lx *compiled) isAboutSelf(toks []token) bool {
	cl := &clause{compiled: lx}
	n, m := cl.phraseAt(folds(toks))
	if m&cGreeting != 0 {
		_, m = cl.phraseAt(folds(toks[n:]))
	}
	return m&(cSelf|cMy) != 0 && m&cPolite == 0
}

// statedTime is the time named by words that ask nothing, where "three days" are the last.
func (lx *compiled) statedTime(toks []token, c Calendar, t *Talk) Window {
	cl := lx.clause(toks, c, t, false)
	for i := range cl.toks {
		var v values
		if !cl.window.Asked && lx.time.match([]string{"{n}", "{unit}"}, folds(cl.toks[i:]), &v) > 0 && v.n <= maxNumber {
			return Window{Since: c.back(v.n, v.unit), Until: c.Now, Asked: true}
		}
	}
	return cl.window
}

// asks reports whether words hold what a question is made of.
func (lx *compiled) asks(toks []token) bool {
	for i := range toks {
		if _, m := (&clause{compiled: lx}).phraseAt(folds(toks[i:])); m&(cWhat|cWho|cWrote|cNotes|cNews|cSummary|cFind|cToMe|cTags) != 0 && m&cFiller == 0 {
			return true
		}
	}
	return false
}

// plain reads a sentence as it is: with every time taken out, and where that is
// nothing, or what is searched for, with only an unmistakable one.
func (lx *compiled) plain(toks []token, note string, c Calendar, t *Talk) (Question, bool) {
	cl := lx.clause(toks, c, t, false)
	q, ok := cl.read(note)
	if ok && !(q.Intent == Search && q.Topic == "") {
		return q, true
	}
	if strict := lx.clause(toks, c, t, true); strict.window != cl.window {
		if q, ok := strict.read(note); ok {
			return q, true
		}
	}
	return q, ok
}

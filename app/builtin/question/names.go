package question

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// An odd run are words that are not known, side by side: a name, or what it is about.
type oddRun struct {
	from, to int
	text     string
	before   Concept // of the word before, articles passed over
	after    Concept
}

// runAt returns the run that begins at i, articles before it passed over.
func (cl *clause) runAt(i int) oddRun {
	for i < len(cl.toks) && cl.marks[i] == cFiller {
		i++
	}
	r := oddRun{from: i, to: i}
	for r.to < len(cl.toks) && cl.marks[r.to] == 0 && (r.to == i || !cl.toks[r.to].apart) {
		r.to++
	}
	if r.to == r.from {
		return oddRun{}
	}
	r.text = said(cl.toks[r.from:r.to])
	return r
}

// runs returns all that is not known. In languages without spaces, endings of verbs
// are not.
func (cl *clause) runs() []oddRun {
	var out []oddRun
	for i := 0; i < len(cl.toks); {
		if cl.marks[i] != 0 || cl.ending(i) {
			i++
			continue
		}
		r := cl.runAt(i)
		for k := r.from - 1; k >= 0; k-- {
			if r.before = cl.marks[k]; r.before != cFiller {
				break
			}
		}
		if r.to < len(cl.toks) {
			r.after = cl.marks[r.to]
		}
		if cl.toks[r.from].at {
			r.before |= cOf
		}
		if r.to-r.from == 1 && cl.toks[r.from].quoted {
			r.before &^= cOf
		}
		out = append(out, r)
		i = r.to
	}
	return out
}

// whole is what runs say together with only "of" and the like between them: the door of the
// pantry.
func (cl *clause) whole(runs []oddRun) (string, bool) {
	first, last := runs[0].from, runs[len(runs)-1].to
	for k := first; k < last; k++ {
		if cl.marks[k] != 0 && cl.marks[k]&(cOf|cFiller|cAbout) == 0 || k > first && cl.toks[k].apart {
			return "", false
		}
	}
	return said(cl.toks[first:last]), true
}

// ending reports whether a token that is not known is the ending of the word before it,
// as verbs have them: not at the start, nor behind を, where an unknown verb begins.
func (cl *clause) ending(i int) bool {
	if !cl.Unspaced || cl.toks[i].at || !cl.toks[i].joined || !inKana(cl.toks[i].fold) {
		return false
	}
	for i--; i > 0 && cl.toks[i].fold != "を" && utf8.RuneCountInString(cl.toks[i].fold) == 1 && inKana(cl.toks[i].fold); {
		i--
	}
	return cl.toks[i].fold != "を"
}

// persons returns the names that a clause speaks of, at most two; ok is false where
// something in it is no name.
func (cl *clause) persons() (names []string, ok bool) {
	runs := cl.runs()
	for i, r := range runs {
		name, is := cl.name(r)
		linked := i > 0 && (runs[i-1].to < r.from && cl.hasBetween(runs[i-1].to, r.from, cAlso))
		if !is && !(linked && len(names) == i) || i > 1 || i == 1 && !linked || len(strings.Fields(r.text)) > maxNameWords {
			return nil, false
		}
		names = append(names, cl.described(name))
	}
	return names, true
}

// names reports whether a run is marked as a name, or holds that of somebody known.
func (cl *clause) names(r oddRun) bool {
	return cl.toks[r.from].at || r.after&cNamed != 0 || cl.talk.knows(r.text) || slices.ContainsFunc(strings.Fields(r.text), cl.talk.knows)
}

// described is the name in a description that ends with it, "my neighbour called Ada",
// and else the name as it was.
func (cl *clause) described(name string) string {
	words := strings.Fields(name)
	if len(words) < 3 || cl.talk.knows(name) {
		return name
	}
	for first := 1; first < len(words); first++ {
		if tail := strings.Join(words[first:], " "); cl.talk.knows(tail) {
			return tail
		}
	}
	return name
}

func (cl *clause) hasBetween(from, to int, c Concept) bool {
	for k := from; k < to; k++ {
		if cl.marks[k]&c != 0 {
			return true
		}
	}
	return false
}

// name returns the name that a run is, where the words around say that it is one.
func (cl *clause) name(r oddRun) (string, bool) {
	if cl.toks[r.from].quoted || strings.HasPrefix(r.text, "#") {
		return "", false
	}
	if cl.beginsTime(r.from) || cl.common(r) && r.after&cNamed == 0 && !cl.talk.knows(r.text) {
		return "", false
	}
	if cl.has&cPictures != 0 && r.before&(cOf|cBy) == cOf { // pictures of dogs
		return r.text, cl.talk.knows(r.text)
	}
	if cl.toks[r.from].at || r.before&cBy != 0 || cl.clitic(r.to) || r.after&cNamed != 0 {
		return r.text, true
	}
	if r.before&cOf != 0 && cl.has&(cNotes|cTimes|cChart|cTable|cPerDay|cPerWeek|cProfile|cConversation|cToMe|cTags) != 0 {
		return r.text, true
	}
	if cl.by && r.before&cOf != 0 || cl.asksHow() {
		return r.text, cl.talk.knows(r.text) // what is said of bread, how one makes it
	}
	if cl.has&cTags != 0 && cl.has&cWhat != 0 || cl.has&cWrote != 0 && cl.has&(cTimes|cWhat|cDid|cWhether|cAbout|cSummary) != 0 && cl.has&cSomeone == 0 && !cl.Postposed {
		return r.text, true
	}
	if cl.Postposed && cl.has&cWrote != 0 && cl.has&cWhat != 0 && r.to < len(cl.toks) && strings.Contains("はが", cl.toks[r.to].fold) {
		return r.text, true
	}
	return r.text, cl.talk.knows(r.text)
}

// common reports whether a run is made of common words alone, which are no name.
func (cl *clause) common(r oddRun) bool {
	return !slices.ContainsFunc(cl.toks[r.from:r.to], func(t token) bool {
		return t.at || t.quoted || !cl.usual[t.fold]
	})
}

func (cl *clause) asksHow() bool {
	for i, t := range cl.toks {
		if cl.marks[i]&cTimes == 0 && slices.Contains(cl.how, t.fold) {
			return true
		}
	}
	return false
}

// beginsTime reports whether a word is one that begins a time, which then was none.
func (cl *clause) beginsTime(i int) bool {
	words := folds(cl.toks[i:])
	if _, day := cl.time.weekdays[words[0]]; day && !cl.talk.knows(words[0]) {
		return true
	}
	return leads(words, cl.time.since) > 0 || leads(words, cl.time.until) > 0
}

// clitic reports whether there is an 's at i.
func (cl *clause) clitic(i int) bool { return i < len(cl.toks) && cl.toks[i].fold == "'s" }

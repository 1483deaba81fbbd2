package question

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxLoose is how many words a question may hold that are not understood, for their
// notes to be looked for.
const maxLoose = 4

// loosely reads a question with words that are not understood: about somebody known, or
// whether anybody did something. Did Ada sell her boat? The words may be what it is about;
// whoever answers looks whether notes have them. What is asked of the world is refused.
func (lx *compiled) loosely(text string, c Calendar, t *Talk) (Question, bool) {
	q := Question{Lang: lx.Lang, Intent: Digest, Loose: true}
	parts := lx.sentencesOf(text)
	for _, s := range parts {
		toks := lx.tokenize(s)
		if lx.isOutside(toks) {
			return Question{Lang: lx.Lang, Intent: Cannot, Outside: true}, true
		}
	}
	if len(parts) != 1 || len(lx.tokenize(text)) > maxWords/3 {
		return q, false
	}
	toks := lx.tokenize(text)
	for i := len(toks) - 1; i > 0; i-- { // what follows may tell of who asks
		if aside := lx.clause(toks[i:], c, t, false); toks[i].apart && aside.has&cNot != 0 && aside.has&(cSelf|cMe|cMy) != 0 {
			toks = toks[:i]
		}
	}
	cl := lx.clause(toks, c, t, false)
	if cl.has&(cUntold|cNot|cCompare|cTags|cToMe|cMe|cMy|cSelf|cMost|cTop|cLongest|cChart|cTable|cPerDay|cPerWeek|cPerHour|cQuiet|cFollow|cPolite) != 0 || cl.aboutMe {
		return q, false
	}
	for i, tok := range cl.toks[:max(0, len(cl.toks)-1)] {
		if slices.Contains(cl.how, tok.fold) && cl.marks[i+1] == 0 {
			return q, false // how old is Ada
		}
	}
	q.Window = cl.window
	var odd []string
	for _, r := range cl.runs() {
		if cl.beginsTime(r.from) || cl.toks[r.from].quoted {
			return q, false
		}
		name, from, to := cl.nameIn(r)
		if name != "" && q.Person != "" {
			return q, false // of two people it may be anything
		}
		if name != "" {
			q.Person = name
		}
		for i := r.from; i < r.to; i++ {
			if name != "" && i >= from && i < to {
				continue
			}
			if word := cl.stem(cl.toks[i].text); word != "" {
				odd = append(odd, word)
			}
		}
	}
	if cl.topic != "" {
		for w := range strings.FieldsSeq(cl.topic) {
			if cl.Unspaced {
				w = cl.stem(w)
			}
			if w != "" && !cl.vocabulary[Fold(w)] {
				odd = append(odd, w)
			}
		}
	}
	q.Topic = strings.Join(odd, " ")
	if q.Person == "" && cl.has&(cSomeone|cEveryone) == 0 {
		q.Must = cl.definite()
		return q, q.Must != "" && len(odd) <= maxLoose
	}
	q.Must = cl.definite()
	return q, len(odd) > 0 && len(odd) <= maxLoose
}

// definite returns the word by which a clause names the one thing that it asks after:
// "contest" of how the contest ended; "" where it names none, or several.
func (cl *clause) definite() (word string) {
	if cl.has&(cDid|cWhat) == 0 || cl.has&(cNotes|cWho|cHelping|cProfile|cTimes) != 0 {
		return ""
	}
	for _, r := range cl.runs() {
		if r.from == 0 || !cl.articles[cl.toks[r.from-1].fold] {
			continue
		}
		if word != "" {
			return ""
		}
		word = cl.toks[r.from].text
	}
	return word
}

// nameIn is the longest name of somebody known in a run, and where it stands.
func (cl *clause) nameIn(r oddRun) (name string, from, to int) {
	for n := min(r.to-r.from, maxNameWords); n > 0; n-- {
		for i := r.from; i+n <= r.to; i++ {
			if s := said(cl.toks[i : i+n]); r.after&cNamed != 0 || n == 1 && cl.toks[i].at || cl.talk.knows(s) {
				return strings.TrimPrefix(s, "@"), i, i + n
			}
		}
	}
	return "", 0, 0
}

// stem is a word that may be a topic: of a Japanese one, without the ending in syllables;
// "" for one that is too short.
func (cl *clause) stem(word string) string {
	if cl.Unspaced {
		stem := strings.TrimRightFunc(word, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
		if stem != word && utf8.RuneCountInString(stem) == 1 {
			return "" // of a verb
		}
		if end := strings.IndexFunc(stem, func(r rune) bool { return !unicode.Is(unicode.Katakana, r) && r != 'ー' }); end >= 2*len("ー") {
			return stem[:end] // ゲーム of ゲーム作り
		}
		return stem
	}
	if utf8.RuneCountInString(word) < 3 {
		return ""
	}
	return word
}

// isOutside reports whether words ask for what no note tells.
func (lx *compiled) isOutside(toks []token) bool {
	words := folds(toks)
	if lx.Unspaced {
		return slices.ContainsFunc(lx.outside, func(w string) bool { return strings.Contains(strings.Join(words, ""), w) })
	}
	for i := range words {
		if leads(words[i:], lx.outside) > 0 {
			return true
		}
	}
	return false
}

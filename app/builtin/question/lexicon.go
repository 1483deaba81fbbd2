package question

import (
	"strings"
	"time"
)

// A concept is what a word does in a question. A word can do several things: "posts"
// are notes, and "posts" is what somebody does.
type Concept uint64

const (
	cFiller Concept = 1 << iota // holds the sentence together and asks nothing
	cAlso                       // and
	cAbout                      // before a topic; behind it, where a language has it so
	cOf                         // of, by, from: before whose it is
	cBy                         // of these, what stands before a person alone
	cOwned                      // 's
	cNamed                      // behind a name: さん
	cWhat
	cWho
	cWhether
	cDid    // a verb that makes a question of what follows
	cIs     // is, are: before who somebody is
	cPolite // could you tell me …
	cSelf   // I
	cMe
	cMy
	cEveryone
	cSomeone
	cMissed
	cNews
	cHappened
	cSummary
	cWrote
	cNotes
	cTimes // so many of something
	cMost
	cTop
	cTags
	Replied
	Mentioned
	Quoted
	Zapped
	Liked
	Reposted // reposted
	cGot     // received
	cFind
	cConversation
	cLongest
	cChart
	cTable
	cPerDay
	cPerWeek
	cPerHour
	cHelping
	cGreeting
	cThanks
	cProfile
	cMore
	cOrdinal
	cBetween
	cUntold // when, why, where: asks what no frame answers
	cAgain  // the same
	cPerson // he, she: somebody named before
	cFollow // what somebody does who follows others
	cCompare
	cArticles
	cDetails
	cNumber
	cToldApart // taken as part of a topic
)

// cToMe are the ways to turn to somebody.
const cToMe = Replied | Mentioned | Quoted | Zapped | Liked | Reposted

// lexicon is how one language asks.
type lexicon struct {
	lang   string
	time   timeWords
	senses []sense
	// ordinals are first, second, third, …
	ordinals []string
	// short are spellings of chats, with what they stand for: "u=you|abt=about".
	short string
	// how begins a question after the way of things, which nobody by name need be in.
	how []string
	// items stand before the number of a story.
	items []string
	// imperatives begin a request to write something, unless a summary is meant.
	imperatives string
	// postposed: what a topic is marked by stands behind it.
	postposed bool
	// unspaced: words are written without spaces.
	unspaced bool
}

// A sense gives the words of a concept: "a|b c|d".
type sense struct {
	concept Concept
	words   string
}

// compiled is a lexicon ready for use.
type compiled struct {
	*lexicon
	phrases    map[string]Concept
	longest    int            // words of the longest phrase
	nth        map[string]int // of ordinals
	imperative map[string]bool
	spellsOut  map[string][]token
	by         bool            // it has another word for of than for by
	vocabulary map[string]bool // every single word that is known
	spelt      map[string]bool // the same with their accents
}

func compile(lx *lexicon) *compiled {
	c := &compiled{lexicon: lx, phrases: map[string]Concept{}, nth: map[string]int{}, imperative: map[string]bool{}, spellsOut: map[string][]token{}, vocabulary: map[string]bool{}, spelt: map[string]bool{}}
	for _, s := range lx.senses {
		c.by = c.by || s.concept&cBy != 0
		for p := range strings.SplitSeq(s.words, "|") {
			c.add(p, s.concept)
		}
	}
	for i, forms := range lx.ordinals {
		for p := range strings.SplitSeq(forms, "|") {
			c.add(p, cOrdinal)
			c.nth[Fold(p)] = i + 1
		}
	}
	for i, p := range lx.how {
		lx.how[i] = Fold(p)
	}
	for i, p := range lx.items {
		lx.items[i] = Fold(p)
		c.vocabulary[Fold(p)] = true
	}
	for p := range strings.SplitSeq(lx.imperatives, "|") {
		c.imperative[Fold(p)] = true
		c.vocabulary[Fold(p)] = true
	}
	for p := range strings.SplitSeq(lx.short, "|") {
		if short, long, ok := strings.Cut(p, "="); ok {
			c.spellsOut[short] = tokenize(long)
			c.vocabulary[short] = true
		}
	}
	lx.time.fold()
	lx.time.ordinals = c.nth
	for _, w := range lx.time.words() {
		c.vocabulary[w] = true
	}
	return c
}

func (c *compiled) add(phrase string, meaning Concept) {
	words := folds(tokenize(phrase))
	for _, t := range tokenize(phrase) {
		c.spelt[t.text] = true
	}
	c.phrases[strings.Join(words, " ")] |= meaning
	c.longest = max(c.longest, len(words))
	for _, w := range words {
		c.vocabulary[w] = true
	}
}

// weekdayNames and monthNames spell the tables from Sunday and January on;
// "a|b" gives several names to one.
func weekdayNames(names ...string) map[string]time.Weekday {
	m := map[string]time.Weekday{}
	for i, alts := range names {
		for n := range strings.SplitSeq(alts, "|") {
			m[n] = time.Weekday(i)
		}
	}
	return m
}

func monthNames(names ...string) map[string]time.Month {
	m := map[string]time.Month{}
	for i, alts := range names {
		for n := range strings.SplitSeq(alts, "|") {
			m[n] = time.Month(i + 1)
		}
	}
	return m
}

// unitNames spells minutes, hours, days, weeks, months and years, in that order.
func unitNames(names ...string) map[string]unit {
	m := map[string]unit{}
	for i, alts := range names {
		for n := range strings.SplitSeq(alts, "|") {
			m[n] = minutes + unit(i)
		}
	}
	return m
}

func lexicons() []*compiled {
	var all []*compiled
	for _, lx := range []*lexicon{english(), german(), french(), spanish(), portuguese(), japanese(), chinese()} {
		all = append(all, compile(lx))
	}
	return all
}

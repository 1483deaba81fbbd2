package question

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Lexicon is how one language asks: the table [question] of its file.
type Lexicon struct {
	Lang     string `toml:"-"`
	Answered bool   `toml:"-"` // the file has texts for answers
	// Usual are common words, which hold a question together where no list has them.
	Usual []string `toml:"-"`
	// Common are more of them, separated by spaces: those of questions and of talk around
	// them.
	Common string
	// Articles come before what is taken to be known: the, as in "the ferry".
	Articles Phrases
	// Endings are what words may have at their end that are listed without it, or with
	// what is given behind: "me" of dime, "ito o" of rapidito.
	Endings Phrases
	// Postposed: the word that marks a topic follows it.
	Postposed bool
	// Unspaced: words are written without spaces.
	Unspaced bool
	// VerbsLast: a verb may end a request: "kannst du das löschen".
	VerbsLast bool
	// Elided is written together with the next word, l' in l'eau; Attached with the word
	// before, 's in Ada's.
	Elided, Attached Phrases
	// Abbreviations are words after which a dot does not end a sentence.
	Abbreviations Phrases
	// DayEndings follow the number of a day: 3rd.
	DayEndings Phrases
	// Ordinals are first, second, third, …
	Ordinals []Phrases
	// Short are abbreviations used in chats, and the full words.
	Short map[string]string
	// How begins a question about how something is done, which need not name a person.
	How Phrases
	// Items come before the number of a story: "number 3".
	Items Phrases
	// When asks for the time of something.
	When Phrases
	// Why asks for a reason or a place.
	Why Phrases
	// Tellers begin what people write of themselves without saying I: "just got back".
	Tellers Phrases
	// Tags follow a comma at the end of a question and ask nothing: "right?"
	Tags Phrases
	// Outside are words for what is in no note, such as the weather. They count only in
	// questions that are not understood, as people may also write of these things.
	Outside Phrases
	// Signs are letters that distinguish the language from those that share many words with it.
	Signs Phrases
	// WithWhom asks whom somebody turns to: "with whom".
	WithWhom Phrases
	// Habits are hours of any day: "at night". They count where people are asked for.
	Habits map[string]Hours
	// Imperatives begin a request to write something, unless a summary is meant.
	Imperatives Phrases
	// Words are listed by what they do; a word that does several things is in several lists.
	Words map[string]Phrases
	// Outcomes are how notes report the outcome that a question asks after: found, won, over, begun.
	// A word with a * at its end is the beginning of words.
	Outcomes map[string]Phrases
	// Except precedes whom or what a question leaves out, or follows it where the language is
	// postposed: "besides Ada".
	Except Phrases
	Unseen Unseen
	Time   Times
}

// Unseen is how a language asks for notes that were not shown yet: Words are the phrases,
// Question is assumed where nothing else is asked.
type Unseen struct {
	Question string
	Words    Phrases
}

// Times is how a language names times.
type Times struct {
	Since, Until Phrases // before a time: "since Monday", "until noon"
	SinceI       Phrases // before what its asker did at a time: "since I left on Friday"
	After        Phrases // after the time at which something began: 昨日から
	UpTo         Phrases // after the time at which something ended: 今日まで
	Between, And Phrases // "between A and B"
	From, To     Phrases // "from A to B"
	At           Phrases // "on Monday", "in May"
	ToPart       Phrases // between a day and a part of it, besides those of At
	Thirds       struct{ Early, Middle, Late Phrases }
	Parts        map[string]Hours
	Units        struct{ Minutes, Hours, Days, Weeks, Months, Years Phrases }
	Weekdays     [7]Phrases // from Sunday
	Months       [12]Phrases
	Numbers      map[string]int
	// Patterns are the ways to name a time, "WORDS = MEANING" each; the longest match
	// counts, of equal ones the first.
	Patterns []Pattern
}

// Phrases are words and phrases; a file has them separated by commas.
type Phrases []string

// UnmarshalText reads "a, b c, d".
func (p *Phrases) UnmarshalText(text []byte) error {
	*p = Phrases{}
	if strings.TrimSpace(string(text)) == "" {
		return nil
	}
	for phrase := range strings.SplitSeq(string(text), ",") {
		phrase = strings.Join(strings.Fields(phrase), " ")
		if phrase == "" {
			return errors.New("empty entry between two commas or after the last")
		}
		*p = append(*p, phrase)
	}
	return nil
}

// Hours are a part of a day, from and to in hours; those above 24 are in the next day.
type Hours struct{ From, To int }

// UnmarshalText reads "18-30".
func (h *Hours) UnmarshalText(text []byte) error {
	from, to, _ := strings.Cut(string(text), "-")
	var err1, err2 error
	h.From, err1 = strconv.Atoi(from)
	h.To, err2 = strconv.Atoi(to)
	if err1 != nil || err2 != nil || h.From < 0 || h.From >= h.To || h.From > 24 || h.To > 36 {
		return fmt.Errorf("%q is not a range of hours such as 18-24", text)
	}
	return nil
}

// Hold reports whether an hour of the day is among them.
func (h Hours) Hold(hour int) bool {
	return hour >= h.From && hour < h.To || hour+24 < h.To
}

// A Mistake is an error in the file of a language, and the key where it is.
type Mistake struct{ Key, Text string }

func (m *Mistake) Error() string { return m.Key + ": " + m.Text }

// Check reports a list of words that is unknown or missing, which decoding does not
// notice; nil when there is none.
func (lx *Lexicon) Check() *Mistake {
	for _, key := range slices.Sorted(maps.Keys(lx.Words)) {
		if meanings[key] == 0 {
			return &Mistake{Key: "words." + key, Text: "unknown list of words; known are " + strings.Join(slices.Sorted(maps.Keys(meanings)), ", ")}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(meanings)) {
		if lx.Words[key] == nil {
			return &Mistake{Key: "words", Text: key + ` is missing; use "" if the language has no such words`}
		}
	}
	return nil
}

// A Concept is what a word does in a question. A word can do several things: "posts"
// are notes, and "posts" is what somebody does.
type Concept uint64

// What words do. Those with a capital are ways to turn to somebody.
const (
	cFiller Concept = 1 << iota // holds the sentence together and asks nothing
	cAlso                       // and
	cAbout                      // before a topic, or after it in some languages
	cOf                         // of, by, from: before whose it is
	cBy                         // of these, those that precede only a person
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
	Reposted
	cGot // received
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
	cPictures
	cQuiet   // has not written for long
	cInTopic // taken as part of a topic
	cTitle   // before a name: Mrs
	cNewest  // last, of what somebody wrote
	cNot     // not, nobody, without, except: takes something back
)

// cToMe are the ways to turn to somebody.
const cToMe = Replied | Mentioned | Quoted | Zapped | Liked | Reposted

// Links have no bit of their own, as no word is both articles and pictures; nor have
// followers, and what is asked.
const (
	cLinks     = cNotes | cArticles | cPictures
	cFollowers = cUntold | cFollow
	cAsked     = Replied | Mentioned
)

// meanings are the lists of words in a file, and what those words do.
var meanings = map[string]Concept{
	"filler": cFiller, "also": cAlso, "or": cAlso, "about": cAbout, "of": cOf, "by": cOf | cBy, "named": cNamed,
	"what": cWhat, "who": cWho, "whether": cWhether, "did": cFiller | cDid, "is": cFiller | cIs, "polite": cPolite,
	"self": cSelf, "me": cMe, "forMe": cFiller | cMe, "my": cMy, "everyone": cEveryone, "peopleIFollow": cEveryone | cFollow,
	"someone": cSomeone, "missed": cMissed, "news": cNews, "happened": cHappened, "summary": cSummary, "wrote": cWrote,
	"notes": cNotes, "articles": cNotes | cArticles, "howMany": cTimes, "most": cMost, "top": cTop, "hashtags": cTags,
	"replied": Replied, "mentioned": Mentioned, "asked": cAsked, "quoted": Quoted, "zapped": Zapped, "liked": Liked,
	"reposted": Reposted, "got": cGot, "find": cFind, "conversation": cConversation, "longest": cLongest, "chart": cChart,
	"table": cTable, "perDay": cPerDay, "perWeek": cPerWeek, "perHour": cPerHour, "help": cHelping, "greeting": cGreeting,
	"thanks": cGreeting | cThanks, "profile": cProfile, "more": cMore, "details": cMore | cDetails, "between": cBetween,
	"follow": cFollow, "pictures": cNotes | cPictures, "quiet": cQuiet, "compare": cCompare, "comparedTo": cAlso | cCompare, "again": cAgain, "unanswerable": cUntold, "person": cPerson,
	"title": cFiller | cTitle, "newest": cFiller | cNewest,
	"not": cNot, "links": cLinks, "followers": cFollowers,
}

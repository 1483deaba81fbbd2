package builtin

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
)

// words are what the model itself says in one language. {name} in a text stands
// for a value; see the texts in words_en.go for which.
type words struct {
	lang     string
	marks    [2]marks   // around quotations; the second where a text has the first
	weekdays [7]string  // short, from Sunday
	months   [12]string // short
	date     string     // {weekday} {day} {month} {time}
	dateYear string     // and {year}
	bigMark  string     // between thousands

	person, note, repost, reaction, hashtag noun
	zap, greeting, day                      noun

	since, between             string // {from}, {to}
	ofTime                     string // {window}
	topicTitle                 string // {window}, {topic}
	personTitle                string // {name}, {window}
	personTopicTitle           string // and {topic}
	wrote, wroteSomeToYou      string // {people}, {notes}; {mine}
	forYou, talkedAbout        string // titles of sections
	rarely, toRead, inBrief    string
	answeredYou, mentionedYou  string // {name}
	quotedYou, wroteToYou      string // {name}
	onYourNotes                string // {what}, {names}, {when}
	onYourNote, mostOn         string // and {quote}
	latest                     string // {when}: of several
	moreToYou                  string // {n}
	atLeast                    string // {n}
	aPicture, aLink, seeNote   string // in the place of a quotation
	you                        string // in the place of {other}
	leftOut                    string // {notes}
	nothingUnseen              string
	bySaying                   noun // {sats}: behind zaps, of which nobody but the receipts tells
	notAddedUp                 noun
	andMore                    string // {names}, {n}
	firstIn                    string // {days}
	alsoWrote                  string // {names}
	minutes                    string // {n}
	besides                    string // {greetings}
	answering                  string // {name}, {other}
	notHere                    string // in the place of {other}
	tags                       string // head of a line
	tookPart                   string // {people}, {notes}
	read                       string // {notes}, {reposts}, {reactions}, {people}, {window}
	readNarrow                 string // the same, of a question about a person or topic
	readPart                   string // {unread}
	upToDate, allUpToDate      string // {complete}, {all}; {relays} is relaysTell
	relaysTell                 noun   // by whose word
	onesUpToDate               string // {name}
	oneRelay                   string // {n}
	asOf, asOfLate, knownUntil string // {when}; what may be missing all the same
	askDetails                 string // how to read the rest of the small print
	partly, unreached          string // {n}
	notSynced, syncing         string
	noModel                    string
	sources                    string // title of a list of the notes cited
	counted                    string // whom the people of a topic are
	noVisit                    string // {window}
	dated                      string // {when}: of a note older than the window
	now, earlier               string // how a story stands, and how it began
	nobody, nobodyChosen       string
	nothing, nothingAtAll      string // {window}
	nothingStillSyncing        string // {window}
	newest                     string // {name}, {when}, {quote}
	nothingSuch                string // behind a title
	newestSuch                 string // {name}, {when}, {quote}
	older                      string
	future                     string
	noSuchPerson               string // {name}
	severalPeople              string // {name}
	searchTitle, searchStrange string // {notes}, {topic}
	searchBy                   string // {notes}, {topic}, {name}
	searchNothing              string // {topic}
	searchNothingBy            string // {topic}, {name}
	searchWhat                 string
	showing                    string // {n}
	unquoted                   string // {notes}
	countTitle                 string // {notes}, {people}, {window}
	countAbout                 string // {topic}
	countBy                    string // {name}
	allTime                    string
	hashtagsTitle              string // {window}
	noHashtags                 string // {window}
	hashtagsBy, noHashtagsBy   string // {name}, {window}
	postersTitle               string // {window}
	colName, colNotes, colTag  string
	colPeople, colTime         string
	perHour, perDay            string // {what}: one of the following
	notesHome                  string // {notes}
	notesBy, notesAbout        string // {notes}; {name}, {topic}
	threadTitle                string // {notes}, {people}
	threadAsked, threadReplies string
	threadUnquoted             string // {notes}
	threadMissing              string
	noSuchNote                 string
	noThread                   string // {window}
	whichNote                  string
	badCode                    string // {code}
	profileFollowed            string
	profileNotFollowed         string
	profileSelf                string
	profileNotes               string // {notes}
	profileFollows             string // {people}
	helpTitle                  string
	examples                   []string // of questions, as they can be asked anywhere
	patterns                   []string // the same, with something to put in
	times                      string   // {n}: behind a quotation
	pictured                   string   // behind a quotation from a note with a picture
	noSentence                 string   // before the newest notes
	passedOn                   string   // before them, where others wrote them
	notShown, failed           string
	listJoin, listEnd          string // between the parts of a list, and before the last
	answers                    string // {name}: in reply
}

// marks open and close a quotation.
type marks struct{ open, close string }

// A noun is a counted thing: "{n} note", "{n} notes".
type noun struct{ one, many string }

// of counts a thing.
func (w *words) of(x noun, n int) string {
	text := x.many
	if n == 1 {
		text = x.one
	}
	return strings.ReplaceAll(text, "{n}", w.number(n))
}

// number writes n with marks between thousands.
func (w *words) number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + w.bigMark + s[i:]
	}
	return s
}

// when writes a time, with the year where it is not this one.
func (w *words) when(t, now time.Time) string {
	t = t.In(now.Location())
	layout := w.date
	if t.Year() != now.Year() {
		layout = w.dateYear
	}
	return fill(layout, "weekday", w.weekdays[t.Weekday()], "day", strconv.Itoa(t.Day()), "month", w.months[t.Month()-1],
		"year", strconv.Itoa(t.Year()), "time", fmt.Sprintf("%d:%02d", t.Hour(), t.Minute()))
}

// window writes a window: since when, and until when unless that is now.
func (w *words) window(win question.Window, now time.Time) string {
	from := w.when(win.Since, now)
	if win.Until.Equal(now) {
		return fill(w.since, "from", from)
	}
	return fill(w.between, "from", from, "to", w.when(win.Until, now))
}

// fill replaces {name} by its value in turn; values are not looked into.
func fill(text string, pairs ...string) string {
	old := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		old = append(old, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(old...).Replace(text)
}

func allWords() map[string]*words {
	m := map[string]*words{}
	for _, w := range []*words{wordsEN(), wordsDE(), wordsFR(), wordsES(), wordsPT(), wordsJA()} {
		m[w.lang] = w
	}
	return m
}

// Package words has the texts of which the model without a model makes its answers in a
// language, and formats numbers, times and lists as the language does.
//
//	title := words.Fill(w.TopicTitle, "topic", "bikes", "window", w.Window(window, now))
//
// The texts are read from the files in app/builtin/language. What an answer says is
// decided in app/builtin.
package words

import (
	"strconv"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
)

// Texts are what the model itself says in one language: the part on answers of the file
// of a language. {name} in a text is
// replaced by a value.
type Texts struct {
	Lang     string     `toml:"-"`
	Marks    [2]Marks   // around quotations; the second where a text has the first
	Weekdays [7]string  // short, from Sunday
	Months   [12]string // short
	Recent   string     // {weekday} {time}: of the last seven days
	Date     string     // {day} {month} {time}: of this year
	DateYear string     // and {year}
	BigMark  string     // between thousands

	Person, Note, Repost, Reaction Noun
	Zap, Greeting, Day             Noun

	Since, Between             string // {from}, {to}
	OfTime                     string // {window}
	TopicTitle                 string // {window}, {topic}
	PersonTitle                string // {name}, {window}
	PersonTopicTitle           string // and {topic}
	Wrote, WroteSomeToYou      string // {people}, {notes}; {mine}
	ForYou, TalkedAbout        string // titles of sections
	Rarely, ToRead, InBrief    string
	AnsweredYou, MentionedYou  string // {name}
	QuotedYou, WroteToYou      string // {name}
	OnYourNotes                string // {what}, {names}, {when}
	OnYou                      string // the same, where a zap was of no note
	OnYourNote, MostOn         string // and {quote}
	Latest                     string // {when}: of several
	MoreToYou                  string // {n}
	AtLeast                    string // {n}
	APicture, ALink, SeeNote   string // in the place of a quotation
	You                        string // in the place of {other}
	LeftOut                    string // {notes}
	NothingUnseen              string
	BySaying                   Noun // {sats}: behind zaps, which only the receipts state
	NotAddedUp                 Noun
	AndMore                    string // {names}, {n}
	FirstIn                    string // {days}
	AlsoWrote                  string // {names}
	Minutes                    string // {n}
	Besides                    string // {greetings}
	Answering                  string // {name}, {other}
	NotHere                    string // in the place of {other}
	AnotherNote                string // likewise, where it was not looked up whose
	Tags                       string // head of a line
	TookPart, Reacted          string // {notes}, {n}; {n} alone
	Read                       string // {notes}, {reposts}, {reactions}, {people}, {window}
	ReadNarrow                 string // the same, of a question about a person or topic
	ReadPart                   string // {unread}
	Sample                     string // in place of how complete the notes are
	UpToDate, AllUpToDate      string // {complete}, {all}; {relays} is RelaysTell
	RelaysTell                 Noun   // by whose word
	OnesUpToDate               string // {name}
	OneRelay                   string // {n}
	AsOf, AsOfLate, KnownUntil string // {when}; what may be missing all the same
	AskDetails                 string // how to read the rest of the small print
	Partly, Unreached          string // {n}
	NotSynced, Syncing         string
	NoModel                    string
	Sources                    string // title of a list of the notes cited
	Counted                    string // whom the people of a topic are
	NoVisit                    string // {window}
	Dated                      string // {when}: of a note older than the window
	Now, Earlier               string // the latest of a story, and how it began
	Nobody, NobodyChosen       string
	Nothing, NothingAtAll      string // {window}
	NothingStillSyncing        string // {window}
	Newest                     string // {name}, {when}, {quote}
	NothingSuch                string // behind a title
	NewestSuch                 string // {name}, {when}, {quote}
	Older                      string
	Future                     string
	NoSuchPerson               string // {name}
	SeveralPeople              string // {name}
	SearchTitle, SearchStrange string // {notes}, {topic}
	SearchBy                   string // {notes}, {topic}, {name}
	SearchNothing              string // {topic}
	SearchNothingBy            string // {topic}, {name}
	SearchWhat                 string
	Showing                    string // {n}
	Unquoted                   string // {notes}
	CountTitle                 string // {notes}, {people}, {window}
	CountAbout                 string // {topic}
	CountBy                    string // {name}
	AllTime                    string
	HashtagsTitle              string // {window}
	NoHashtags                 string // {window}
	HashtagsBy, NoHashtagsBy   string // {name}, {window}
	PostersTitle               string // {window}
	ColName, ColNotes, ColTag  string
	ColPeople, ColTime         string
	PerHour, PerDay            string // {what}: one of the following
	NotesHome                  string // {notes}
	NotesBy, NotesAbout        string // {notes}; {name}, {topic}
	ThreadTitle                string // {notes}, {people}
	ThreadAsked, ThreadReplies string
	ThreadUnquoted             string // {notes}
	ThreadMissing              string
	NoSuchNote                 string
	NoThread                   string // {window}
	WhichNote                  string
	BadCode                    string // {code}
	ProfileFollowed            string
	ProfileNotFollowed         string
	ProfileSelf                string
	ProfileNotes               string // {notes}
	ProfileFollows             string // {people}
	HelpTitle                  string
	Examples                   []string // of questions, as they can be asked anywhere
	Patterns                   []string // the same, with something to put in
	Times                      string   // {n}: behind a quotation
	Pictured                   string   // behind a quotation from a note with a picture
	NoSentence                 string   // before the newest notes
	PassedOn                   string   // before them, where others wrote them
	NotShown, Failed           string
	ListJoin, ListEnd          string // between the parts of a list, and before the last
	Answers                    string // {name}: in reply

	Asked    Asking   // about people and chats
	Everyone Everyone // about all stored notes
	Fetching Fetching // while notes are still being fetched
}

// Marks open and close a quotation.
type Marks struct{ Open, Close string }

// Family are the marks that would be taken for these.
func (m Marks) Family() string {
	for _, family := range []string{"“”„", "«»", "「」"} {
		if strings.ContainsAny(m.Open, family) {
			return family
		}
	}
	return m.Open + m.Close
}

// A Noun is a counted thing: "{n} note", "{n} notes". A language that counts in one form
// has it in Many.
type Noun struct{ One, Many string }

// For returns the form for so many.
func (x Noun) For(n int) string {
	if n == 1 && x.One != "" {
		return x.One
	}
	return x.Many
}

// Of counts a thing.
func (w *Texts) Of(x Noun, n int) string {
	return strings.ReplaceAll(x.For(n), "{n}", w.Number(n))
}

// Number writes n with marks between thousands.
func (w *Texts) Number(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + w.BigMark + s[i:]
	}
	return s
}

// When writes a time with its weekday, from a week on with its date, and with the year where
// it is not this one. The window does likewise, but leaves out that it is today: what is
// written here may be saved and read on another day.
func (w *Texts) When(t, now time.Time) string {
	t = t.In(now.Location())
	y, m, d := now.Date()
	layout := w.Recent
	switch day := time.Date(y, m, d, 0, 0, 0, 0, now.Location()); {
	case t.Year() != now.Year() && t.Before(day.AddDate(0, 0, -6)):
		layout = w.DateYear
	case t.Before(day.AddDate(0, 0, -6)) || !t.Before(day.AddDate(0, 0, 1)):
		layout = w.Date
	}
	return Fill(layout, "weekday", w.Weekdays[t.Weekday()], "day", strconv.Itoa(t.Day()), "month", w.Months[t.Month()-1],
		"year", strconv.Itoa(t.Year()), "time", t.Format("15:04"))
}

// OnDay names the day of t, in its zone, by its weekday and date.
func (w *Texts) OnDay(t time.Time) string {
	return Fill(w.Asked.Day, "weekday", w.Weekdays[t.Weekday()], "day", strconv.Itoa(t.Day()), "month", w.Months[t.Month()-1])
}

// Window writes a window: since when, and until when unless that is now.
func (w *Texts) Window(win question.Window, now time.Time) string {
	from := w.When(win.Since, now)
	if win.Until.Equal(now) {
		return Fill(w.Since, "from", from)
	}
	return Fill(w.Between, "from", from, "to", w.When(win.Until, now))
}

// Fill replaces {name} by its value in turn; values are not looked into.
func Fill(text string, pairs ...string) string {
	old := make([]string, 0, len(pairs))
	for i := 0; i+1 < len(pairs); i += 2 {
		old = append(old, "{"+pairs[i]+"}", pairs[i+1])
	}
	return strings.NewReplacer(old...).Replace(text)
}

// AtLeastIf says of a number, where there is more, that it is the least.
func (w *Texts) AtLeastIf(more bool, n string) string {
	if more {
		return Fill(w.AtLeast, "n", n)
	}
	return n
}

// List joins parts as a sentence does.
func (w *Texts) List(parts []string) string {
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], w.ListJoin) + w.ListEnd + parts[last]
}

// Asking are the texts of answers to what is asked about people and chats, in one
// language.
type Asking struct {
	Answer, Mention, Quotation, Zap Noun
	Sorts                           [6]string // answers, mentions, quotations, zaps, reactions, reposts
	ForMe                           string    // {what}, {people}, {window}
	ForMeNone                       string    // {what}, {window}
	Answered, Mentioned, Quoted     string    // {name}, {when}, {quote}
	Conversed, ConversedNone        string    // {name}, {other}, {window}
	NoStory                         string    // {n}
	Second                          string    // {question}
	Passed                          string    // {words}
	AnyOf                           string    // where no note has all words of a topic
	Held, LeftOut                   string    // {words}
	Welcome                         string    // to thanks
	Near, Cannot, Outside, TooLong  string    // above a list of questions
	Followers                       string    // the same, of who follows whom
	Partners                        string    // {name}, {window}
	GotMost                         string    // {measure}, {window}
	HoursMost                       string    // {from}, {to}, {window}
	Link, NoAnswer, NoAnswerAsked   Noun      // a note with a link, that nobody answered; a question
	Here                            string    // {names}
	PerWeek                         string    // {what}
	Counted                         string    // {what}, {window}
	Peak, PeakWeek                  string    // {day}, {notes}
	PeakHour                        string    // {from}, {to}, {notes}
	Day                             string    // {weekday}, {day}, {month}
	ColNote, ColWay, ColArticles    string
	Article, Picture                Noun     // Picture: a note with one
	Quiet, QuietNone                string   // {people}, {window}
	QuietMore, NeverHeard           string   // {n}; {people}
	Popular, PopularNone            string   // {what}, {window}, {measure}
	YouFollow                       string   // {people}
	SideBySide                      string   // {name}, {other}, {window}
	ADay, Decimal                   string   // {name}, {notes}, {n}; the mark before the tenths
	Offers                          []string // {name}, {other}, {topic}
}

// Everyone are the texts that speak of all stored notes, for questions whose scope
// they are, in place of those that speak of the people followed.
type Everyone struct {
	TopicTitle                string // {window}, {topic}
	ReadNarrow                string // as [Words.ReadNarrow]
	Nothing                   string // {window}
	NothingAtAll              string
	Newest                    string // {name}, {when}, {quote}
	CountTitle                string // {notes}, {people}, {window}
	HashtagsTitle, NoHashtags string // {window}
	PostersTitle              string // {window}
	Stored                    string // in place of what is said of the people followed
}

// Fetching are the answers of a program that fetches notes by itself, while it has none.
type Fetching struct {
	NobodyChosen          string
	LookingUp             string
	Offline, OfflineNotes string // OfflineNotes: whom the user follows is known
	NoList, Nobody        string
	NoNotes               string
}

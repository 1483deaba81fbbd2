package question

// An Intent is what a question wants.
type Intent uint8

// What a question can want.
const (
	Unknown Intent = iota
	Help
	Digest // what happened, perhaps only by one person or about one topic
	Search
	Thread
	LongestThread
	TopHashtags
	TopPosters
	Count
	WhoIs
	ForMe      // who answered, mentioned, quoted or zapped me
	Series     // notes per day or week
	Popular    // the notes that were taken up most
	Following  // how many people I follow
	Compared   // two people side by side
	Articles   // what there is to read
	Pictures   // notes that show something
	Links      // notes with a link
	Partners   // whom somebody talks with most
	Unanswered // notes, or questions, that nobody answered
	Quiet      // who has not written for long
	Conversed  // what two people said to each other
	FindThread // the thread of a note that is described
	LaterStory // the thread behind a story of the answer before
	fragment   // only what changes in the question before
	Cannot     // asks for something that this app does not do
	Latest     // somebody's newest notes
)

func (i Intent) String() string {
	return [...]string{
		"unknown", "help", "digest", "search", "thread", "longest thread", "top hashtags", "top posters", "count", "who is",
		"for me", "series", "popular", "following", "compared", "articles", "pictures", "links", "partners", "unanswered", "quiet", "conversed", "find thread", "later story", "fragment", "cannot", "latest",
	}[i]
}

// A Form is how the answer is to look.
type Form uint8

// How an answer can look.
const (
	AsText Form = iota
	AsChart
	AsTable
)

// A Question is what was understood of the user's words.
type Question struct {
	Intent    Intent
	Lang      string // in which it was asked, and is answered
	Window    Window
	Self      bool   // the person is the user
	Person    string // a name or key as written; "" for all the people followed
	Other     string // a second person
	Topic     string // words that the notes must hold
	Choice    string // a search for any of the things that the topic names with "or"; "" for none
	Note      string // a note's id as written, for thread
	N         int    // how many were asked for; 0 when not said
	Back      int    // how many answers lie between it and this question
	Nth       int    // which story of the answer before
	Form      Form
	Hours     Hours    // of the day, of who writes in them
	By        string   // of a series: hour, day or week
	Kinds     Concept  // of what came to me; 0: all
	OnNewest  bool     // of what came to me: on my newest note
	People    bool     // people are counted, not notes
	Articles  bool     // of all notes, only articles are meant
	Filter    string   // operators of a search that have no field here
	was       Intent   // of the question of which LaterStory is a story
	definite  bool     // an article stood before what is a name or a topic
	again     bool     // "what about" stood before the topic
	Either    bool     // the topic may be a misspelt name: it stood alone
	timeOnly  bool     // nothing but a time was named
	Unseen    bool     // only what the reader was not shown yet is asked for
	Details   bool     // of a digest: all that is known of what was read
	Thanks    bool     // of help: nothing is asked, it only thanks
	Loose     bool     // some words of the topic may be none: it counts only if notes have them
	Must      string   // of a loose topic, the word that notes must have
	Sure      bool     // of a loose topic: it is a question without it, too
	Passed    []string // words that were not taken into account
	catchesUp bool     // it asks what happened, whatever it was
	respelt   bool     // words were taken for others that are one letter away
	Outside   bool     // of what cannot be done: it is about the world, not about notes
	TooLong   bool     // of what cannot be done: it is longer than what is read
	Questions bool     // of what nobody answered: questions alone
	Followers bool     // of what cannot be done: who follows whom
	Except    string   // whom or what it leaves out
	Unread    string   // another question in the same text, to be asked by itself
}

package words

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
	AnyOf                           string    // where no note has all words of a topic
	Welcome                         string    // to thanks
	Near, Cannot, Outside           string    // above a list of questions
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
	ADay, Decimal                   string   // {name}, {notes}, {n}; what stands before the tenths
	Offers                          []string // {name}, {other}, {topic}
}

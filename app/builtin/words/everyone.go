package words

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

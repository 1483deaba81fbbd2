package builtin

import (
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// Scope says what a question is about where its words do not say. The zero value is
// the people followed.
type Scope struct {
	Everyone bool   // all stored notes
	Thread   string // the id of a note of the thread that is open, as hex
	Person   string // whose profile is open: a key as hex
}

// whose returns the filters of a question, and the person where it names one; else
// they are those of the crowd. Where there is nobody to tell about, it returns the
// answer that says so.
func (p *plan) whose() (f filters, who *tools.ProfileResult, stop string) {
	if p.q.Person == "" {
		f, stop = p.crowd()
		return f, nil, stop
	}
	if who, stop = p.findPerson(p.q.Person); who == nil {
		return filters{}, nil, stop
	}
	p.who = who
	return filters{context: "profile", author: who.PubKey}, who, ""
}

// crowd returns the filters of a question that names nobody. Where the people
// followed are meant and there are none, it returns the answer that says so.
func (p *plan) crowd() (f filters, stop string) {
	if p.opt.Scope.Everyone {
		return filters{context: "any"}, ""
	}
	return filters{context: "home"}, p.followsNobody()
}

// forEveryone returns the words that speak of all stored notes, and the statement of
// how complete they are.
func forEveryone(w *words.Texts) (of *words.Texts, stored string) {
	e, all := &w.Everyone, *w
	all.TopicTitle = e.TopicTitle
	all.ReadNarrow = e.ReadNarrow
	all.Nothing, all.NothingAtAll, all.Newest = e.Nothing, e.NothingAtAll, e.Newest
	all.NotesHome = "{notes}" // nobody is meant in particular
	all.CountTitle, all.HashtagsTitle, all.NoHashtags, all.PostersTitle = e.CountTitle, e.HashtagsTitle, e.NoHashtags, e.PostersTitle
	return &all, e.Stored
}

// Fetching is how it stands with whom the reader follows, where the program itself
// sees to fetching notes: in the window. The reasons why there is nothing to tell
// then are other ones than in a terminal, and so is what the reader can do.
type Fetching int

// How it can stand.
const (
	FetchByHand   Fetching = iota // the reader fetches, by a command in a terminal
	FetchUnderWay                 // it is being looked up
	FetchOffline                  // no relay can be reached
	FetchNoList                   // no relay that was asked knows whom the reader follows
	FetchNobody                   // the list is there, and empty
)

// inWindow returns the words with the answers of the window in place of those that
// advise a command. stage is how it stands.
func inWindow(w *words.Texts, stage Fetching) *words.Texts {
	if stage == FetchByHand {
		return w
	}
	l, all := &w.Fetching, *w
	all.NobodyChosen, all.NothingAtAll = l.NobodyChosen, l.NoNotes
	all.Nobody = map[Fetching]string{FetchUnderWay: l.LookingUp, FetchOffline: l.Offline, FetchNoList: l.NoList, FetchNobody: l.Nobody}[stage]
	if stage == FetchOffline {
		all.NothingAtAll = l.OfflineNotes
	}
	return &all
}

package builtin

import (
	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// Scope is what a question is about if it does not say so itself. The zero value is the
// people followed.
type Scope struct {
	Everyone bool   // all stored notes
	Thread   string // the id of a note of the thread that is open, as hex
	Person   string // whose profile is open: a key as hex
}

// whose returns the filters of a question and the person it names; without one, those of
// crowd. If there is nobody to answer about, stop is the answer that says so.
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

// begin returns the filters of a question about notes, with the words of its topic as settle
// settles them for a window, and the person it names. If it is not ok, the answer is stop,
// or tools are at work.
func (p *plan) begin(w question.Window, settle func(filters, question.Window)) (f filters, who *tools.ProfileResult, stop string, ok bool) {
	if f, who, stop = p.whose(); stop != "" || p.waiting() {
		return f, who, stop, false
	}
	settle(f, w)
	f.search = p.topicWords()
	return f, who, "", !p.waiting()
}

// crowd returns the filters of a question that names nobody. If the user follows nobody,
// stop is the answer that says so.
func (p *plan) crowd() (f filters, stop string) {
	if p.opt.Scope.Everyone {
		return filters{context: "any"}, ""
	}
	return filters{context: "home"}, p.followsNobody()
}

// forEveryone returns the words for an answer about all stored notes, and the statement of
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

// Fetching is the state of the user's follows where the program fetches notes by itself: in
// the window. There the reasons for an empty answer, and what the user can do, differ from
// those in a terminal.
type Fetching int

// The states.
const (
	FetchByHand   Fetching = iota // the user fetches with a command, in a terminal
	FetchUnderWay                 // the list of follows is being fetched
	FetchOffline                  // no relay can be reached
	FetchNoList                   // no relay that was asked has the list
	FetchNobody                   // the list is empty
)

// inWindow returns the words with the answers of the window in place of those that advise a
// command.
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

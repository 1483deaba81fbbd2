package builtin

import "bowerbird/app/builtin/words"

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

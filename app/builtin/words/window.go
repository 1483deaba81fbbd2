package words

// Lacking are the answers in the window when nothing is there to be told.
type Lacking struct {
	NobodyChosen          string
	LookingUp             string
	Offline, OfflineNotes string // offlineNotes: whom the reader follows is known
	NoList, Nobody        string
	NoNotes               string
}

package words

// Fetching are the answers of a program that fetches notes by itself, while it has none.
type Fetching struct {
	NobodyChosen          string
	LookingUp             string
	Offline, OfflineNotes string // OfflineNotes: whom the user follows is known
	NoList, Nobody        string
	NoNotes               string
}

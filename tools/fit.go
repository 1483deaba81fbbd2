package tools

import (
	"encoding/json"
	"sort"
	"strings"

	"bowerbird/ndb/clean"
)

// MinForModel is the smallest limit that ForModel keeps, in bytes.
const MinForModel = 512

// The limits of how much of a text a model is shown, in runes. Below shortest a text is
// meaningless: then items are left out instead.
const (
	leanText     = 16 // with so little space, results also drop what is not about an item
	shortestText = 30
	longestText  = 20_000
)

// Fit encodes a result as JSON of at most limit bytes. The result has n items in a list
// and texts in them: build makes it with the first show items, every text cut to text
// runes. As many items as possible are shown, then as much of each text, so that all are
// cut alike; build says how many were left out.
//
// build must return less for less; with no items and leanText it must stay below
// MinForModel.
func Fit(limit, n int, build func(show, text int) any) string {
	limit = max(limit, MinForModel)
	try := func(show, text int) ([]byte, bool) {
		raw, err := json.Marshal(build(show, text))
		if err != nil {
			return nil, false
		}
		return raw, len(raw) <= limit
	}
	// A list that is too long is usually far too long: then encoding a part of it shows
	// that.
	most := n
	for part := 8; part < most; part *= 4 {
		if raw, _ := try(part, shortestText); len(raw) > 2*limit {
			most = part
		}
	}
	if most == n {
		if raw, ok := try(n, longestText); ok {
			return string(raw)
		}
		if _, ok := try(n, shortestText); ok {
			text := sort.Search(longestText-shortestText, func(i int) bool {
				_, ok := try(n, shortestText+i+1)
				return !ok
			})
			raw, _ := try(n, shortestText+text)
			return string(raw)
		}
	}
	// The list does not fit with its shortest texts: the first items that do.
	for _, text := range []int{shortestText, leanText} {
		if text == leanText {
			most = n
		}
		show := sort.Search(most, func(i int) bool {
			_, ok := try(i+1, text)
			return !ok
		})
		if raw, ok := try(show, text); ok && (show > 0 || text == leanText) {
			return string(raw)
		}
	}
	return `{"error":"the answer does not fit into what may be shown; ask for less"}`
}

// compactNote is a note as a model reads it.
type compactNote struct {
	NoteID    string  `json:"note_id"`
	Name      string  `json:"name,omitempty"`
	PubKey    string  `json:"pubkey,omitempty"` // only if the name does not identify the person
	CreatedAt string  `json:"created_at,omitempty"`
	NoteKind  *uint16 `json:"note_kind,omitempty"` // only if it is not 1
	ReplyTo   string  `json:"reply_to,omitempty"`
	RepostOf  string  `json:"repost_of,omitempty"`
	About     string  `json:"about,omitempty"`
	Sats      int64   `json:"sats,omitempty"` // of a zap
	Content   string  `json:"content"`        // ends with … if it is cut
	*compactCounters
}

type compactCounters struct {
	Replies   int   `json:"replies"`
	Reactions int   `json:"reactions"`
	Reposts   int   `json:"reposts"`
	ZapSats   int64 `json:"zap_sats"`
}

// compactor makes the compact notes of one result.
type compactor struct {
	unclear map[string]bool // keys of people whose name is missing or shared
	texts   []string        // cleaned contents, in the notes' order; "" for one not yet cleaned
	notes   []Note
}

func newCompactor(notes []Note) *compactor {
	return &compactor{unclear: unclearNames(notes), notes: notes, texts: make([]string, len(notes))}
}

func (c *compactor) text(i int) string {
	if c.texts[i] == "" {
		c.texts[i] = clip(clean.Text(c.notes[i].Content), longestText)
	}
	return c.texts[i]
}

func (c *compactor) note(i, text int, counters bool) compactNote {
	n := c.notes[i]
	out := compactNote{
		NoteID:    shortID(n.NoteID),
		Name:      clip(n.Name, 40),
		CreatedAt: n.CreatedAt,
		ReplyTo:   shortID(n.ReplyTo),
		RepostOf:  shortID(n.RepostOf),
		About:     shortID(n.About),
		Content:   clip(c.text(i), text),
	}
	if c.unclear[n.PubKey] {
		out.PubKey = n.PubKey
	}
	if n.NoteKind != 1 && n.NoteID != "" {
		out.NoteKind = &n.NoteKind
	}
	if n.NoteKind == 9735 {
		out.Sats = n.ZapSats
	}
	if counters {
		out.compactCounters = &compactCounters{n.Replies, n.Reactions, n.Reposts, n.ZapSats}
	}
	return out
}

// unclearNames are the people whom a name in this result does not identify: those without
// one, and those who share one, in whatever case.
func unclearNames(notes []Note) map[string]bool {
	unclear, owner := map[string]bool{}, map[string]string{}
	for _, n := range notes {
		name := strings.ToLower(n.Name)
		if first, ok := owner[name]; ok && first != n.PubKey {
			unclear[first], unclear[n.PubKey] = true, true
		}
		owner[name] = n.PubKey
		if strings.HasPrefix(name, "npub1") {
			unclear[n.PubKey] = true
		}
	}
	return unclear
}

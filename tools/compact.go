package tools

import (
	"strings"

	"bowerbird/ndb/clean"
)

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

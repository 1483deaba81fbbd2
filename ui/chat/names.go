package chat

import (
	"context"

	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/present"
	"bowerbird/ui/table"
)

// cellNames are what tables show for codes: a person's name, the beginning of a note.
// They are read when a table is shown first, away from the window's thread.
type cellNames map[[32]byte]string

// named returns what to show for a code, "" while that is not known.
func (n cellNames) named(c nostr.Code) string { return n[codeKey(c)] }

// codeKey names what a code stands for, whatever else it holds.
func codeKey(c nostr.Code) [32]byte {
	if c.Event != (nostr.ID{}) {
		return c.Event
	}
	return c.PubKey
}

// nameLength is how much of a note stands for it, in characters.
const nameLength = 60

// loadNames finds out what the codes of a table stand for, and shows it then.
func (s *Screen) loadNames(rowID string, t *tools.TableResult) {
	var lacking []nostr.Code
	for _, c := range table.Codes(t) {
		if _, asked := s.names[codeKey(c)]; !asked {
			s.names[codeKey(c)] = ""
			lacking = append(lacking, c)
		}
	}
	if len(lacking) == 0 {
		return
	}
	s.away(func() func() {
		found := make(cellNames, len(lacking))
		for _, c := range lacking {
			found[codeKey(c)] = s.nameOf(s.ctx, c)
		}
		return func() {
			for key, name := range found {
				s.names[key] = name
			}
			delete(s.made, rowID)
			s.list.RefreshRow(rowID)
		}
	})
}

// nameOf reads what to show for a code; "" where it is not stored.
func (s *Screen) nameOf(ctx context.Context, c nostr.Code) string {
	if c.Event == (nostr.ID{}) {
		p, err := s.env.App.Notes().Profile(ctx, c.PubKey)
		if err != nil || p.Name == "" && p.DisplayName == "" {
			return "" // the code says more than what stands for no name
		}
		return present.Isolate(present.Name(p))
	}
	n, err := s.find.FindNote(ctx, c.Event)
	if err != nil {
		return ""
	}
	text := n.Title
	if text == "" {
		text = n.Text
	}
	return present.Isolate(n.Author) + ": " + present.Isolate(clean.Line(text, nameLength))
}

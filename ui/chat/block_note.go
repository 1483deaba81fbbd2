package chat

import (
	"fyne.io/fyne/v2"

	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// noteRow draws a source as the note that it is.
type noteRow struct {
	screen *Screen
	card   *note.Card
	box    *fyne.Container
}

func newNoteRow(s *Screen) *noteRow {
	n := &noteRow{screen: s}
	n.card = note.NewCard(note.Options{
		Go: s.env.Go, Words: s.env.Words, Do: s.env.Do, Compact: s.env.Look.Compact, Memory: s.memory,
		Changed: func(ndb.ID) { s.refreshNotes() },
	})
	n.box = card(theme.Line, layout.Insets{}, n.card)
	return n
}

func (n *noteRow) object() fyne.CanvasObject { return n.box }

func (n *noteRow) draw(r row) {
	of := r.block.(*present.Sources).List[r.index]
	if shown, ok := n.screen.notes[of.ID]; ok {
		n.card.SetNote(shown)
		return
	}
	n.card.SetNote(present.Note{ID: of.ID, Row: of.ID, PubKey: of.PubKey, Author: of.Author, At: of.At, Missing: of.Gone})
}

// loadNotes reads the sources of a block as notes, away from the window's thread.
func (s *Screen) loadNotes(b *present.Sources) {
	ids := make([]ndb.ID, 0, len(b.List))
	for _, one := range b.List {
		ids = append(ids, one.ID)
	}
	s.env.Do.Go(func() func() {
		notes, err := s.reader.Notes(s.ctx, ids)
		return func() {
			if err != nil {
				s.sayFailed("", err)
				return
			}
			for i, n := range notes {
				s.notes[ids[i]] = n
			}
			s.refreshNotes()
		}
	})
}

// refreshNotes draws the cards anew.
func (s *Screen) refreshNotes() {
	for _, r := range s.rows {
		if r.kind == rowNote {
			s.list.RefreshRow(r.id)
		}
	}
}

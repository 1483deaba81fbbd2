package chat

import (
	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
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
	opt := note.OptionsFor(s.env, s.memory)
	opt.Changed = func(nostr.ID) { s.redraw(rowNote) }
	n.card = note.NewCard(opt)
	n.box = card(theme.Line, layout.Insets{}, n.card)
	return n
}

func (n *noteRow) object() fyne.CanvasObject { return n.box }

func (n *noteRow) draw(r row) {
	of := r.block.(*answers.Sources).List[r.index]
	if shown, ok := n.screen.notes[of.ID]; ok {
		n.card.SetNote(shown)
		return
	}
	n.card.SetNote(present.Note{ID: of.ID, Row: of.ID, PubKey: of.PubKey, Author: of.Author, At: of.At, Missing: of.Gone})
}

// loadNotes reads the sources of a block as notes, away from the window's thread.
func (s *Screen) loadNotes(b *answers.Sources) {
	ids := make([]nostr.ID, 0, len(b.List))
	for _, one := range b.List {
		ids = append(ids, one.ID)
	}
	s.away(func() func() {
		notes, err := s.reader.Notes(s.ctx, ids)
		return func() {
			if err != nil {
				s.sayFailed("", err)
				return
			}
			for i, n := range notes {
				s.notes[ids[i]] = n
			}
			s.redraw(rowNote)
		}
	})
}

// redraw draws the rows of a kind anew.
func (s *Screen) redraw(kind string) {
	for _, r := range s.rows {
		if r.kind == kind {
			s.list.RefreshRow(r.id)
		}
	}
}

package chat

import (
	"context"

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
	n.card = note.NewCard(s.cardOptions())
	n.box = card(theme.Line, layout.Insets{}, n.card)
	return n
}

// cardOptions are those of the cards of the feed.
func (s *Screen) cardOptions() note.Options {
	opt := note.Options{
		Go: s.env.Go, Words: s.env.Words, Do: s.env.Do, Compact: s.env.Look.Compact, Memory: s.memory,
		Changed: func(nostr.ID) { s.redraw(rowNote) },
		Details: s.details,
	}
	if s.env.Pictures != nil {
		opt.Loader = s.env.Pictures
	}
	if s.env.Look.ShowFollowed {
		opt.Auto = note.Followed
	}
	return opt
}

// details returns a note as it is stored. It is called off the window's thread.
func (s *Screen) details(ctx context.Context, id nostr.ID) (string, error) {
	e, err := s.env.App.Notes().Event(ctx, id)
	if err != nil {
		return "", err
	}
	return string(e.AppendJSON(nil)), nil
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

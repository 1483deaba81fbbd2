package chat

import (
	"fmt"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/app/check"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/markdown"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// written is what a text belongs to.
type written struct {
	turn, sources int
}

// newSaid draws what the model said. The view lays out only what was added to a text that
// grows.
func newSaid(s *Screen) drawer {
	var of written
	var id string
	opt := s.textOptions(func() int { return of.turn })
	opt.OnMore = func() { s.showMore(id) }
	opt.Table = func(b markdown.Block) fyne.CanvasObject { return s.writtenTable(id, of, b) }
	view := markdown.New(opt)
	return drawer{view, func(r row) {
		b := r.block.(*answers.Said)
		of, id = written{r.turn, b.Sources}, r.id
		style := inWindow
		style.Leave = r.deep
		view.SetParts(r.parts)
		view.SetCites(b.Sources, b.Final)
		view.SetText(check.Show(b.Markdown, b.Marks, style), b.Final)
	}}
}

// textOptions returns what clicks in the texts of a turn do.
func (s *Screen) textOptions(turn func() int) markdown.Options {
	return markdown.Options{
		OnCite:    func(n int) { s.cite(turn(), n) },
		OverCite:  func(n int, number fyne.CanvasObject, on bool) { s.overCite(turn(), n, number, on) },
		OpenURL:   s.env.Go.OpenURL,
		OpenNostr: s.openCode,
		Copy:      s.env.Go.Copy,
		Scrolled:  func(e *fyne.ScrollEvent) { s.list.Scrolled(e) },
	}
}

// writtenTable draws a table in the text of a model like the tables of its tool. The
// widget is kept with the chat, so that the table stays sorted.
func (s *Screen) writtenTable(id string, of written, b markdown.Block) fyne.CanvasObject {
	key := id + "/" + b.ID
	made, ok := s.written[key]
	if ok && made.of == of && made.source == b.Source {
		return made.object
	}
	opt, cells := s.tableOptions(id), s.textOptions(func() int { return of.turn })
	result, spans := cells.TableOf(b)
	opt.Spans = spans
	object := card(theme.Line, cardInsets, table.New(result, opt))
	s.written[key] = writtenTable{of, b.Source, object}
	return object
}

// writtenTable is a widget with the text that it was made from.
type writtenTable struct {
	of     written
	source string
	object fyne.CanvasObject
}

// openCode opens the note or person of a NIP-19 code.
func (s *Screen) openCode(code string) {
	c, err := nostr.ParseCode(code)
	switch {
	case err != nil:
	case c.Event != (nostr.ID{}):
		s.env.Go.OpenThread(c.Event)
	case c.PubKey != (nostr.PubKey{}):
		s.env.Go.OpenProfile(c.PubKey)
	}
}

// newOffer draws the questions that can be asked, as chips: those in which something
// has to be replaced go into the field, the others are asked.
func newOffer(s *Screen) drawer {
	chips := layout.Wrap(8)
	return drawer{chips, func(r row) {
		b := r.block.(*answers.Offer)
		chips.Objects = nil
		add := func(text string, tap func()) {
			chips.Add(widgets.Named(fmt.Sprintf("chat.offer.%d", len(chips.Objects)+1), widgets.NewChip(text, tap)))
		}
		for _, q := range b.Questions {
			add(q, func() { s.ask(app.Question{Text: q}) })
		}
		for _, q := range b.Patterns {
			add(q, func() {
				s.fillField(q, 0)
				s.composer.selectPlaceholder()
			})
		}
		chips.Refresh()
	}}
}

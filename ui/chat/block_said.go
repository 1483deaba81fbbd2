package chat

import (
	"fyne.io/fyne/v2"

	"bowerbird/app/check"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/answers"
	"bowerbird/ui/markdown"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
)

// said draws what the model said. Text that grows is added to what is laid out.
type said struct {
	view *markdown.View
	of   written
	id   string
}

// written is what a text belongs to.
type written struct {
	turn, sources int
}

func newSaid(s *Screen) *said {
	o := &said{}
	opt := s.textOptions(func() int { return o.of.turn })
	opt.OnMore = func() { s.showMore(o.id) }
	opt.Table = func(b markdown.Block) fyne.CanvasObject { return s.writtenTable(o.id, o.of, b) }
	o.view = markdown.New(opt)
	return o
}

// textOptions say what the texts of a turn do.
func (s *Screen) textOptions(turn func() int) markdown.Options {
	return markdown.Options{
		OnCite:    func(n int) { s.cite(turn(), n) },
		OpenURL:   s.env.Go.OpenURL,
		OpenNostr: s.openCode,
		Copy:      s.env.Go.Copy,
		Scrolled:  func(e *fyne.ScrollEvent) { s.list.Scrolled(e) },
	}
}

func (o *said) object() fyne.CanvasObject { return o.view }

func (o *said) draw(r row) {
	b := r.block.(*answers.Said)
	style := inWindow
	style.Leave = r.deep
	o.show(r, check.Show(b.Markdown, b.Marks, style), b.Sources, b.Final)
}

// show draws a text of a row.
func (o *said) show(r row, text string, sources int, final bool) {
	o.of, o.id = written{r.turn, sources}, r.id
	o.view.SetParts(r.parts)
	o.view.SetCites(sources, final)
	o.view.SetText(text, final)
}

// writtenTable draws a table that the model wrote into its text as those that it made
// with its tool are drawn. What was made is kept with the chat, so that a table stays
// sorted.
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

// writtenTable is a widget beside the text that it was made for.
type writtenTable struct {
	of     written
	source string
	object fyne.CanvasObject
}

// openCode leads to what a code of NIP-19 in a text stands for.
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

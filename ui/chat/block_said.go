package chat

import (
	"fyne.io/fyne/v2"

	"bowerbird/ndb"
	"bowerbird/ui/markdown"
	"bowerbird/ui/present"
)

// said draws what the model said. Text that grows is added to what is laid out.
type said struct {
	view *markdown.View
	turn int
	id   string
}

func newSaid(s *Screen) *said {
	o := &said{}
	o.view = markdown.New(markdown.Options{
		OnCite:    func(n int) { s.cite(o.turn, n) },
		OpenURL:   s.env.Go.OpenURL,
		OpenNostr: s.openCode,
		Copy:      s.env.Go.Copy,
		OnMore:    func() { s.showMore(o.id) },
		Scrolled:  func(e *fyne.ScrollEvent) { s.list.Wheel(e) },
	})
	return o
}

func (o *said) object() fyne.CanvasObject { return o.view }

func (o *said) draw(r row) {
	b := r.block.(*present.Said)
	o.turn, o.id = r.turn, r.id
	o.view.SetParts(r.parts)
	o.view.SetCites(b.Sources, b.Final)
	o.view.SetText(b.Markdown, b.Final)
}

// openCode leads to what a code of NIP-19 in a text stands for.
func (s *Screen) openCode(code string) {
	c, err := ndb.ParseCode(code)
	switch {
	case err != nil:
	case c.Event != (ndb.ID{}):
		s.env.Go.OpenThread(c.Event)
	case c.PubKey != (ndb.PubKey{}):
		s.env.Go.OpenProfile(c.PubKey)
	}
}

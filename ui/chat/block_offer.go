package chat

import (
	"fmt"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/ui/answers"
	"bowerbird/ui/layout"
	"bowerbird/ui/widgets"
)

// offer draws the questions that can be asked, as chips: those in which something
// has to be replaced go into the field, the others are asked.
type offer struct {
	screen *Screen
	chips  *fyne.Container
}

func newOffer(s *Screen) *offer { return &offer{screen: s, chips: layout.Wrap(8)} }

func (o *offer) object() fyne.CanvasObject { return o.chips }

func (o *offer) draw(r row) {
	b := r.block.(*answers.Offer)
	s := o.screen
	o.chips.Objects = nil
	add := func(text string, tap func()) {
		o.chips.Add(widgets.Named(fmt.Sprintf("chat.offer.%d", len(o.chips.Objects)+1), widgets.NewChip(text, tap)))
	}
	for _, q := range b.Questions {
		add(q, func() { s.ask(app.Question{Text: q}) })
	}
	for _, q := range b.Patterns {
		add(q, func() {
			s.lend(q, 0)
			s.composer.selectHole()
		})
	}
	o.chips.Refresh()
}

package chat

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// rest draws what follows the first topics of a digest: a few quiet words, and the
// other topics behind a click.
type rest struct {
	screen *Screen
	beside *prose.Text
	more   *said
	box    *fyne.Container
}

func newRest(s *Screen) *rest {
	o := &rest{screen: s, beside: prose.New(), more: newSaid(s)}
	o.beside.ID, o.beside.Selectable = "chat.rest", true
	o.box = layout.Column(10, o.beside, o.more.view)
	return o
}

func (o *rest) object() fyne.CanvasObject { return o.box }

func (o *rest) draw(r row) {
	b := r.block.(*present.Rest)
	label := lang.L("What was read")
	if b.Topics > 0 {
		label = lang.N("{{.Count}} more topics", b.Topics, in("Count", inWords().Number(b.Topics)))
	}
	if r.open {
		label = lang.L("Show less")
	}
	o.beside.SetSpans(
		prose.Span{Text: b.Beside, Size: theme.Small, Color: theme.Muted},
		prose.Span{Text: "  "},
		prose.Span{Text: label, Size: theme.Small, ID: "chat.more", Tap: func() { o.screen.toggle(r.id) }},
	)
	if o.more.view.Hidden = !r.open; r.open {
		o.more.show(r, b.Markdown, b.Sources, true)
	}
	o.box.Refresh()
}

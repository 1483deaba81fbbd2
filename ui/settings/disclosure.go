package settings

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// disclosure is a part of a page that is closed at first: a line that opens it.
type disclosure struct {
	rows  *fyne.Container
	tap   *widgets.Tappable
	sign  *widgets.Icon
	body  fyne.CanvasObject
	place func() // lays the page out anew
}

func newDisclosure(id, name, about string, body fyne.CanvasObject, place func()) *disclosure {
	d := &disclosure{sign: widgets.NewIcon("chevron-right", 16, theme.Muted), body: body, place: place}
	words := layout.Column(1, prose.New(prose.Span{Text: name, Bold: true}), note(about))
	d.tap = widgets.NewTappable(layout.Row(8, 1, d.sign, words), d.toggle)
	d.tap.ID = id
	body.Hide()
	d.rows = layout.Column(14, d.tap, body)
	return d
}

func (d *disclosure) open() bool { return d.body.Visible() }

func (d *disclosure) toggle() {
	widgets.SetVisible(d.body, !d.open())
	sign := "chevron-right"
	if d.open() {
		sign = "chevron-down"
	}
	d.sign.SetIcon(sign)
	d.place()
}

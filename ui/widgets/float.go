package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// floats is a layer above the content of a window or a dialog with one tip and one toast.
// Only the toast takes clicks.
type floats struct {
	tip, toast *fyne.Container
	owner      fyne.CanvasObject // the window's content, or the dialog
}

func newFloats(owner fyne.CanvasObject) floats {
	return floats{tip: container.NewWithoutLayout(), toast: container.NewWithoutLayout(), owner: owner}
}

// floatsOf returns the layer above an object; nil where there is none, as under a menu.
func floatsOf(o fyne.CanvasObject) *floats {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return nil
	}
	if top := c.Overlays().Top(); top != nil {
		if d, ok := top.(*dialog); ok {
			return &d.floats
		}
		return nil
	}
	if root, ok := c.Content().(*Root); ok {
		return &root.floats
	}
	return nil
}

const (
	// toastFoot is the distance of a toast from the lower edge, in points: it covers the status
	// line, and neither a heading nor the field for questions.
	toastFoot float32 = 4
	tipMost   float32 = 360 // the greatest width of a tip, in points
)

// ShowTip shows a text below an object, or above it where there is no space below.
func (f *floats) ShowTip(text string, beside fyne.CanvasObject) {
	label := NewLabel(text, theme.Small, theme.Background)
	label.ID = "tip"
	label.Most = tipMost
	box := NewFrame(theme.Text, "", 6, layout.Pad(layout.Sides(5, 9), label))
	driver := fyne.CurrentApp().Driver()
	at := driver.AbsolutePositionForObject(beside).Subtract(driver.AbsolutePositionForObject(f.owner))
	box.Resize(box.MinSize())
	box.Move(tipPlace(at, beside.Size(), box.Size(), f.owner.Size()))
	f.tip.Objects = []fyne.CanvasObject{box}
	f.tip.Refresh()
}

// tipPlace returns where a tip goes in a window, for an object at a position: beside an
// object of the rail, else below, else above.
func tipPlace(at fyne.Position, object, tip, window fyne.Size) fyne.Position {
	const gap, edge = 6, 4
	x, y := at.X+(object.Width-tip.Width)/2, at.Y+object.Height+gap
	switch {
	case at.X+object.Width <= theme.Eased(theme.RailWidth) && window.Width > 4*theme.Eased(theme.RailWidth):
		x, y = at.X+object.Width+gap+2, at.Y+(object.Height-tip.Height)/2
	case y+tip.Height > window.Height-edge:
		y = at.Y - tip.Height - gap
	}
	return fyne.NewPos(max(edge, min(x, window.Width-tip.Width-edge)), max(edge, min(y, window.Height-tip.Height-edge)))
}

// HideTip hides the tip.
func (f *floats) HideTip() {
	if len(f.tip.Objects) > 0 {
		f.tip.Objects = nil
		f.tip.Refresh()
	}
}

// showToast shows a text at the foot of the window, with a button for action unless that is
// "", until hide is called.
func (f *floats) showToast(text, action string, do func()) (hide func()) {
	label := NewLabel(text, theme.Small, theme.Background)
	label.ID = "toast"
	row, pad := layout.Row(14, 0, label), layout.Sides(10, 16)
	var box *fyne.Container
	hide = func() {
		if len(f.toast.Objects) == 1 && f.toast.Objects[0] == fyne.CanvasObject(box) {
			f.toast.Objects = nil
			f.toast.Refresh()
		}
	}
	if action != "" {
		b := NewButton(action, onDark, func() {
			hide()
			if do != nil {
				do()
			}
		})
		b.ID = "toast.action"
		row.Add(b)
		pad = layout.Insets{Top: 5, Right: 6, Bottom: 5, Left: 16}
	}
	box = NewFrame(theme.Text, "", theme.RadiusButton, layout.Pad(pad, row))
	f.toast.Objects = []fyne.CanvasObject{box}
	f.place()
	f.toast.Refresh()
	return hide
}

// place centres the toast at the foot of the window.
func (f *floats) place() {
	size := f.owner.Size()
	for _, o := range f.toast.Objects {
		w := min(o.MinSize().Width, size.Width-32)
		h := layout.HeightFor(o, w)
		o.Move(fyne.NewPos((size.Width-w)/2, size.Height-h-toastFoot))
		o.Resize(fyne.NewSize(w, h))
	}
}

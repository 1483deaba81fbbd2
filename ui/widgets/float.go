package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// floats is a layer above a window's content, or above a dialog, for what floats
// there: one tip and one toast. It takes no clicks but those on the toast.
type floats struct {
	tip, toast *fyne.Container
	owner      fyne.CanvasObject // that is covered
}

func newFloats(owner fyne.CanvasObject) floats {
	return floats{tip: container.NewWithoutLayout(), toast: container.NewWithoutLayout(), owner: owner}
}

// floatsOf returns the layer that is above an object; nil where there is none, as
// below a menu.
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

// toastFoot is how far above the lower edge a toast stands, in points: on the status
// line, where it covers neither a heading nor the field for questions.
const toastFoot float32 = 4

// tipMost is how wide a tip is at most, in points.
const tipMost float32 = 360

// ShowTip shows a text beside an object: below it, where there is room.
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

// tipPlace is where a tip of a size stands that belongs to an object at a place, in
// a window: below, else above; beside what stands in the rail.
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

// HideTip takes the tip away.
func (f *floats) HideTip() {
	if len(f.tip.Objects) > 0 {
		f.tip.Objects = nil
		f.tip.Refresh()
	}
}

// showToast says something at the foot until hide is called.
func (f *floats) showToast(text, action string, do func()) (hide func()) {
	label := NewLabel(text, theme.Small, theme.Background)
	label.ID = "toast"
	row := layout.Row(14, 0, label)
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
	}
	pad := layout.Sides(10, 16)
	if action != "" {
		pad = layout.Insets{Top: 5, Right: 6, Bottom: 5, Left: 16}
	}
	box = NewFrame(theme.Text, "", theme.RadiusButton, layout.Pad(pad, row))
	f.toast.Objects = []fyne.CanvasObject{box}
	f.place()
	f.toast.Refresh()
	return hide
}

// place puts the toast at the foot, in the middle.
func (f *floats) place() {
	size := f.owner.Size()
	for _, o := range f.toast.Objects {
		w := min(o.MinSize().Width, size.Width-32)
		h := layout.HeightFor(o, w)
		o.Move(fyne.NewPos((size.Width-w)/2, size.Height-h-toastFoot))
		o.Resize(fyne.NewSize(w, h))
	}
}

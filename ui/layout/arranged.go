package layout

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Put places an object.
type Put func(o fyne.CanvasObject, x, y, width, height float32)

// Arranged is a widget whose objects are placed by a function of its width. Another widget
// may embed it; it then fills in the fields and extends itself as its base.
type Arranged struct {
	widget.BaseWidget
	Objects []fyne.CanvasObject
	// Arrange places the objects and returns the height. Where put is nil it only measures.
	Arrange func(width float32, put Put) float32
	Least   float32 // width that it asks for
	// Paint gives the objects the colours and sizes of the theme, as often as they are drawn
	// anew; nil where they do that themselves.
	Paint func()
}

// NewArranged makes a widget that asks for a least width.
func NewArranged(least float32, arrange func(width float32, put Put) float32, objects ...fyne.CanvasObject) *Arranged {
	a := &Arranged{Objects: objects, Arrange: arrange, Least: least}
	a.ExtendBaseWidget(a)
	return a
}

// HeightFor implements [Heighter].
func (a *Arranged) HeightFor(width float32) float32 { return a.Arrange(width, nil) }

// MinSize is as high as the width that it was given asks for.
func (a *Arranged) MinSize() fyne.Size {
	return fyne.NewSize(a.Least, a.HeightFor(max(a.Size().Width, a.Least)))
}

// Place puts the objects in their places, after something in them has changed.
func (a *Arranged) Place() {
	a.Arrange(a.Size().Width, func(o fyne.CanvasObject, x, y, width, height float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(width, height))
	})
}

// CreateRenderer implements fyne.Widget.
func (a *Arranged) CreateRenderer() fyne.WidgetRenderer {
	if a.Paint != nil {
		a.Paint()
	}
	return &arrangedRenderer{a}
}

type arrangedRenderer struct{ *Arranged }

func (r *arrangedRenderer) Layout(fyne.Size) { r.Place() }

func (r *arrangedRenderer) Refresh() {
	if r.Paint != nil {
		r.Paint()
	}
	r.Place()
	for _, o := range r.Arranged.Objects {
		o.Refresh()
	}
}

func (r *arrangedRenderer) Objects() []fyne.CanvasObject { return r.Arranged.Objects }
func (r *arrangedRenderer) Destroy()                     {}

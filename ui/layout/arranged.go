package layout

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Put places an object.
type Put func(o fyne.CanvasObject, x, y, width, height float32)

// Arranged is a widget whose objects are placed by a function of its width. Another widget
// can embed it, fill in the fields, and extend itself as its base.
type Arranged struct {
	widget.BaseWidget
	Objects []fyne.CanvasObject
	// Arrange places the objects and returns the height. If put is nil it only measures. If
	// Arrange is nil, the first object gets the whole width.
	Arrange func(width float32, put Put) float32
	Least   float32 // the minimum width
	// Paint sets the colours and sizes of the theme before each drawing; nil if the objects do so
	// themselves.
	Paint func()
}

// NewArranged returns a widget with a minimum width.
func NewArranged(least float32, arrange func(width float32, put Put) float32, objects ...fyne.CanvasObject) *Arranged {
	a := &Arranged{Objects: objects, Arrange: arrange, Least: least}
	a.ExtendBaseWidget(a)
	return a
}

// HeightFor implements [Heighter].
func (a *Arranged) HeightFor(width float32) float32 { return a.arrange(width, nil) }

func (a *Arranged) arrange(width float32, put Put) float32 {
	if a.Arrange != nil {
		return a.Arrange(width, put)
	}
	height := HeightFor(a.Objects[0], width)
	if put != nil {
		put(a.Objects[0], 0, 0, width, height)
	}
	return height
}

// Fixed gives an object, such as a wrapped text, a width.
func Fixed(width float32, o fyne.CanvasObject) *Arranged {
	return NewArranged(width, func(_ float32, put Put) float32 {
		height := HeightFor(o, width)
		if put != nil {
			put(o, 0, 0, width, height)
		}
		return height
	}, o)
}

// Gap is empty space in a column.
func Gap(height float32) *fyne.Container { return Pad(Insets{Top: height}, Column(0)) }

// MinSize has the height for the width that the widget has.
func (a *Arranged) MinSize() fyne.Size {
	return fyne.NewSize(a.Least, a.HeightFor(max(a.Size().Width, a.Least)))
}

// Place places the objects again after one of them has changed.
func (a *Arranged) Place() {
	a.arrange(a.Size().Width, place)
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

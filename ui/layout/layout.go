// Package layout arranges widgets whose height depends on their width, as that of wrapped
// text does. Fyne asks for a minimum size without naming a width; here a parent passes the
// width down and the child returns its height, so that a column of wrapped texts is right at
// the first drawing and at every width.
//
//	card := layout.Pad(layout.All(12), layout.Column(6, title, text))
//	height := layout.HeightFor(card, width)
//
// A [Heighter] must answer before it is drawn, quickly, and the same for a width until it
// changes. Its MinSize has a small width and the height for the width that it was last given.
package layout

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// Heighter is an object whose height depends on its width.
type Heighter interface {
	// HeightFor returns the height at a width, both in points.
	HeightFor(width float32) float32
}

// HeightFor returns the height that o needs at a width: its own answer if it is a [Heighter],
// else the height of its minimum size. A container answers through its layout.
func HeightFor(o fyne.CanvasObject, width float32) float32 {
	if h, ok := o.(Heighter); ok {
		return h.HeightFor(width)
	}
	if c, ok := o.(*fyne.Container); ok {
		if h, ok := c.Layout.(containerHeighter); ok {
			return h.heightFor(c.Objects, width)
		}
	}
	return o.MinSize().Height
}

type containerHeighter interface {
	heightFor(objects []fyne.CanvasObject, width float32) float32
}

// Insets are the spaces around an object, in points.
type Insets struct{ Top, Right, Bottom, Left float32 }

// All returns equal insets on all sides.
func All(points float32) Insets { return Insets{points, points, points, points} }

// Sides returns insets above and below, and left and right.
func Sides(vertical, horizontal float32) Insets {
	return Insets{vertical, horizontal, vertical, horizontal}
}

// flow is the layout of a container whose height follows from its width.
type flow struct {
	// arrange places the visible objects in a size and returns the height that they take at its
	// width. Where put is nil it only measures, and the size has no height.
	arrange func(objects []fyne.CanvasObject, size fyne.Size, put Put) float32
	least   func(objects []fyne.CanvasObject) float32 // the minimum width
	width   float32                                   // that of the last Layout
}

func (f *flow) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	f.width = size.Width
	f.arrange(objects, size, place)
}

func (f *flow) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return f.arrange(objects, fyne.NewSize(width, 0), nil)
}

func (f *flow) MinSize(objects []fyne.CanvasObject) fyne.Size {
	w := f.least(objects)
	return fyne.NewSize(w, f.heightFor(objects, max(w, f.width)))
}

func place(o fyne.CanvasObject, x, y, width, height float32) {
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(width, height))
}

// widest returns the greatest minimum width of the visible objects.
func widest(objects []fyne.CanvasObject) (w float32) {
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	return w
}

// Column stacks objects from top to bottom, each as wide as the column and as high as it needs
// to be at that width. Hidden ones take no space.
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&flow{least: widest, arrange: func(objects []fyne.CanvasObject, size fyne.Size, put Put) float32 {
		var y, end float32
		for _, o := range objects {
			if !o.Visible() {
				continue
			}
			h := HeightFor(o, size.Width)
			if put != nil {
				put(o, 0, y, size.Width, h)
			}
			end = y + h
			y = end + gap
		}
		return end
	}}, objects...)
}

// Pad surrounds an object with empty space.
func Pad(in Insets, o fyne.CanvasObject) *fyne.Container { return padded(in, o) }

// Stack lays objects over one another, all of the same size: a background, then what is in
// front of it.
func Stack(objects ...fyne.CanvasObject) *fyne.Container { return padded(Insets{}, objects...) }

func padded(in Insets, objects ...fyne.CanvasObject) *fyne.Container {
	sides, ends := in.Left+in.Right, in.Top+in.Bottom
	return container.New(&flow{
		least: func(objects []fyne.CanvasObject) float32 { return widest(objects) + sides },
		arrange: func(objects []fyne.CanvasObject, size fyne.Size, put Put) (height float32) {
			for _, o := range objects {
				if put != nil { // hidden ones too: they may be shown without a new layout
					put(o, in.Left, in.Top, size.Width-sides, size.Height-ends)
				} else if o.Visible() {
					height = max(height, HeightFor(o, size.Width-sides))
				}
			}
			return height + ends
		},
	}, objects...)
}

// Row puts objects side by side, vertically centred, each at its minimum width except the one
// at index grow, which takes the remaining width (-1: none).
func Row(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return row(gap, grow, false, objects)
}

// TopRow is [Row] with the objects aligned at their upper edges.
func TopRow(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return row(gap, grow, true, objects)
}

func row(gap float32, grow int, top bool, objects []fyne.CanvasObject) *fyne.Container {
	// fixed returns the widths of the visible objects but the growing one, and their sum with
	// the gaps.
	fixed := func(objects []fyne.CanvasObject) (widths []float32, sum float32) {
		widths = make([]float32, len(objects))
		n := 0
		for i, o := range objects {
			if !o.Visible() {
				continue
			}
			if n++; i != grow {
				widths[i] = o.MinSize().Width
				sum += widths[i]
			}
		}
		return widths, sum + gap*float32(max(n-1, 0))
	}
	grows := func(objects []fyne.CanvasObject) bool {
		return grow >= 0 && grow < len(objects) && objects[grow].Visible()
	}
	return container.New(&flow{
		least: func(objects []fyne.CanvasObject) float32 {
			_, sum := fixed(objects)
			if grows(objects) {
				sum += objects[grow].MinSize().Width
			}
			return sum
		},
		arrange: func(objects []fyne.CanvasObject, size fyne.Size, put Put) (height float32) {
			var x float32
			widths, sum := fixed(objects)
			if grows(objects) {
				widths[grow] = max(0, size.Width-sum)
			}
			for i, o := range objects {
				if !o.Visible() {
					continue
				}
				h := HeightFor(o, widths[i])
				height = max(height, h)
				if put != nil {
					y := (size.Height - h) / 2
					if top {
						y = 0
					}
					put(o, x, y, widths[i], h)
				}
				x += widths[i] + gap
			}
			return height
		},
	}, objects...)
}

// Parted puts one object at the left and another at the right edge, or where they do not both
// fit into a line, the second below the first.
func Parted(gap float32, left, right fyne.CanvasObject) *fyne.Container {
	return parted(gap, true, left, right)
}

// Beside puts one object beside another, or below it where they do not both fit into a line.
func Beside(gap float32, left, right fyne.CanvasObject) *fyne.Container {
	return parted(gap, false, left, right)
}

func parted(gap float32, end bool, left, right fyne.CanvasObject) *fyne.Container {
	both := func() float32 { // the width of one line
		w := left.MinSize().Width
		if right.Visible() {
			w += gap + right.MinSize().Width
		}
		return w
	}
	return container.New(&flow{least: func([]fyne.CanvasObject) float32 { return both() }, arrange: func(_ []fyne.CanvasObject, size fyne.Size, put Put) float32 {
		w := right.MinSize().Width
		rest := size.Width - w - gap
		if !right.Visible() {
			w, rest = 0, size.Width
		}
		if size.Width < both() {
			upper, lower := HeightFor(left, size.Width), HeightFor(right, size.Width)
			if put != nil {
				y := max(0, (size.Height-upper-lower)/2)
				put(left, 0, y, size.Width, upper)
				put(right, 0, y+upper, min(w, size.Width), lower)
			}
			return upper + lower
		}
		x := size.Width - w
		if !end {
			rest = min(rest, left.MinSize().Width)
			x = rest + gap
			w = size.Width - x // it may become longer
		}
		height := max(HeightFor(left, rest), HeightFor(right, w))
		if put != nil {
			for _, o := range []struct {
				fyne.CanvasObject
				x, width float32
			}{{left, 0, rest}, {right, x, w}} {
				h := HeightFor(o.CanvasObject, o.width)
				put(o.CanvasObject, o.x, (size.Height-h)/2, o.width, h)
			}
		}
		return height
	}}, left, right)
}

// Wrap puts objects, such as chips or buttons, side by side at their minimum sizes, in as many
// lines as they need, each in the middle of its line. One that is wider than a line gets the
// width of the line.
func Wrap(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(newWrap(gap, false, false), objects...)
}

// TopWrap is [Wrap] with the objects of a line aligned at their upper edges.
func TopWrap(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(newWrap(gap, false, true), objects...)
}

// WrapEnd is [Wrap] with each line at the right edge: for the buttons of a dialog, with the main
// one last.
func WrapEnd(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(newWrap(gap, true, false), objects...)
}

// wrap is a flow that asks for one line until it has been laid out.
type wrap struct {
	flow
	gap float32
}

func newWrap(gap float32, end, top bool) *wrap {
	return &wrap{gap: gap, flow: flow{arrange: func(objects []fyne.CanvasObject, size fyne.Size, put Put) float32 {
		var x, y, height float32
		var line []fyne.CanvasObject // placed at the left so far
		finish := func() {
			var by float32
			if end && len(line) > 0 {
				last := line[len(line)-1]
				by = size.Width - last.Position().X - last.Size().Width
			}
			for _, o := range line {
				down := (height - o.Size().Height) / 2
				if top {
					down = 0
				}
				o.Move(o.Position().AddXY(by, down))
			}
			line = line[:0]
		}
		for _, o := range objects {
			if !o.Visible() {
				continue
			}
			m := o.MinSize()
			if x > 0 && x+m.Width > size.Width {
				finish()
				x, y, height = 0, y+height+gap, 0
			}
			if m.Width > size.Width {
				m = fyne.NewSize(size.Width, HeightFor(o, size.Width))
			}
			if put != nil {
				put(o, x, y, m.Width, m.Height)
				line = append(line, o)
			}
			x += m.Width + gap
			height = max(height, m.Height)
		}
		finish()
		return y + height
	}}}
}

const wrapLeast float32 = 120 // the most that a Wrap asks for as its minimum width, in points

func (w *wrap) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if w.width > 0 {
		return fyne.NewSize(min(w.width, wrapLeast), w.heightFor(objects, w.width))
	}
	var size fyne.Size
	for _, o := range objects {
		if o.Visible() {
			m := o.MinSize()
			size = fyne.NewSize(size.Width+m.Width+w.gap, max(size.Height, m.Height))
		}
	}
	return fyne.NewSize(min(max(size.Width-w.gap, 0), wrapLeast), size.Height)
}

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

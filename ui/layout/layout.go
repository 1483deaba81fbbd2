// Package layout lays widgets out whose height depends on their width, as wrapped
// text does. Fyne asks for a smallest size without saying a width; here a parent
// tells the width first and the child answers with a height, so that a column of
// wrapped texts is right at the first drawing and at every width.
//
// A Heighter must answer without being drawn, quickly, and keep its answer for a
// width until it changes. Its MinSize has a small width and the height for the
// width that it was last given.
package layout

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
)

// Heighter is an object whose height depends on the width that it is given.
type Heighter interface {
	// HeightFor returns the height at a width, both in points.
	HeightFor(width float32) float32
}

// HeightFor returns the height that o needs at a width: what it says itself, else
// that of its smallest size. A container answers through its layout.
func HeightFor(o fyne.CanvasObject, width float32) float32 {
	if h, ok := o.(Heighter); ok {
		return h.HeightFor(width)
	}
	if c, ok := o.(*fyne.Container); ok && c.Layout != nil {
		if h, ok := c.Layout.(containerHeighter); ok {
			return h.heightFor(c.Objects, width)
		}
	}
	return o.MinSize().Height
}

type containerHeighter interface {
	heightFor(objects []fyne.CanvasObject, width float32) float32
}

// Insets are spaces around something, in points.
type Insets struct{ Top, Right, Bottom, Left float32 }

// All returns equal insets on all sides.
func All(points float32) Insets { return Insets{points, points, points, points} }

// Sides returns insets above and below, and left and right.
func Sides(vertical, horizontal float32) Insets {
	return Insets{vertical, horizontal, vertical, horizontal}
}

// Column stacks objects from top to bottom, each as wide as the column and as high
// as it needs to be at that width. Hidden ones take no room.
func Column(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&column{gap: gap}, objects...)
}

type column struct {
	gap   float32
	width float32 // last laid out
}

func (c *column) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	c.width = size.Width
	var y float32
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		h := HeightFor(o, size.Width)
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(size.Width, h))
		y += h + c.gap
	}
}

func (c *column) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	var sum float32
	n := 0
	for _, o := range objects {
		if o.Visible() {
			sum += HeightFor(o, width)
			n++
		}
	}
	return sum + c.gap*float32(max(n-1, 0))
}

func (c *column) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	return fyne.NewSize(w, c.heightFor(objects, max(w, c.width)))
}

// Pad puts an object into a frame of empty space.
func Pad(in Insets, o fyne.CanvasObject) *fyne.Container {
	return container.New(&pad{in: in}, o)
}

type pad struct {
	in    Insets
	width float32
}

func (p *pad) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	p.width = size.Width
	for _, o := range objects {
		o.Move(fyne.NewPos(p.in.Left, p.in.Top))
		o.Resize(fyne.NewSize(size.Width-p.in.Left-p.in.Right, size.Height-p.in.Top-p.in.Bottom))
	}
}

func (p *pad) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	var h float32
	for _, o := range objects {
		if o.Visible() {
			h = max(h, HeightFor(o, width-p.in.Left-p.in.Right))
		}
	}
	return h + p.in.Top + p.in.Bottom
}

func (p *pad) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	for _, o := range objects {
		if o.Visible() {
			w = max(w, o.MinSize().Width)
		}
	}
	w += p.in.Left + p.in.Right
	return fyne.NewSize(w, p.heightFor(objects, max(w, p.width)))
}

// Stack lays objects over one another, all of the same size: a background and
// what stands on it.
func Stack(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&pad{}, objects...)
}

// Row puts objects side by side, centred on one line, each at its smallest size
// but for the one at index grow, which takes the width that is left (-1: none).
func Row(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&row{gap: gap, grow: grow}, objects...)
}

// TopRow is Row with the objects aligned at their upper edges.
func TopRow(gap float32, grow int, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&row{gap: gap, grow: grow, top: true}, objects...)
}

type row struct {
	gap   float32
	grow  int
	top   bool
	width float32
}

// widths returns the width of each object; hidden ones have none.
func (r *row) widths(objects []fyne.CanvasObject, width float32) []float32 {
	ws := make([]float32, len(objects))
	var sum float32
	n := 0
	for i, o := range objects {
		if !o.Visible() {
			continue
		}
		n++
		if i != r.grow {
			ws[i] = o.MinSize().Width
			sum += ws[i]
		}
	}
	if r.grow >= 0 && r.grow < len(objects) && objects[r.grow].Visible() {
		ws[r.grow] = max(0, width-sum-r.gap*float32(max(n-1, 0)))
	}
	return ws
}

func (r *row) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	r.width = size.Width
	var x float32
	for i, w := range r.widths(objects, size.Width) {
		o := objects[i]
		if !o.Visible() {
			continue
		}
		h := HeightFor(o, w)
		y := (size.Height - h) / 2
		if r.top {
			y = 0
		}
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
		x += w + r.gap
	}
}

func (r *row) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	var h float32
	for i, w := range r.widths(objects, width) {
		if objects[i].Visible() {
			h = max(h, HeightFor(objects[i], w))
		}
	}
	return h
}

func (r *row) MinSize(objects []fyne.CanvasObject) fyne.Size {
	var w float32
	n := 0
	for _, o := range objects {
		if o.Visible() {
			w += o.MinSize().Width
			n++
		}
	}
	w += r.gap * float32(max(n-1, 0))
	return fyne.NewSize(w, r.heightFor(objects, max(w, r.width)))
}

// Wrap puts objects side by side at their smallest sizes, in as many lines as they
// need: chips, buttons. One that is too wide for a line gets the line's width.
func Wrap(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&wrap{gap: gap}, objects...)
}

// WrapEnd is Wrap with every line at the right edge: the buttons of a dialog, the one
// that does something last.
func WrapEnd(gap float32, objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(&wrap{gap: gap, end: true}, objects...)
}

type wrap struct {
	gap   float32
	end   bool // lines stand at the right edge
	width float32
}

func (w *wrap) place(objects []fyne.CanvasObject, width float32, put func(o fyne.CanvasObject, pos fyne.Position, size fyne.Size)) float32 {
	var x, y, line float32
	for _, o := range objects {
		if !o.Visible() {
			continue
		}
		size := o.MinSize()
		if x > 0 && x+size.Width > width {
			x, y = 0, y+line+w.gap
			line = 0
		}
		if size.Width > width {
			size.Width = width
			size.Height = HeightFor(o, width)
		}
		put(o, fyne.NewPos(x, y), size)
		x += size.Width + w.gap
		line = max(line, size.Height)
	}
	return y + line
}

func (w *wrap) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	w.width = size.Width
	var line []fyne.CanvasObject
	flush := func() {
		if w.end {
			atEnd(line, size.Width)
		}
		line = line[:0]
	}
	w.place(objects, size.Width, func(o fyne.CanvasObject, pos fyne.Position, size fyne.Size) {
		if pos.X == 0 {
			flush()
		}
		o.Move(pos)
		o.Resize(size)
		line = append(line, o)
	})
	flush()
}

// atEnd moves a line to the right edge, and what is lower in it to its middle.
func atEnd(line []fyne.CanvasObject, width float32) {
	var right, height float32
	for _, o := range line {
		right = max(right, o.Position().X+o.Size().Width)
		height = max(height, o.Size().Height)
	}
	for _, o := range line {
		o.Move(o.Position().AddXY(width-right, (height-o.Size().Height)/2))
	}
}

func (w *wrap) heightFor(objects []fyne.CanvasObject, width float32) float32 {
	return w.place(objects, width, func(fyne.CanvasObject, fyne.Position, fyne.Size) {})
}

func (w *wrap) MinSize(objects []fyne.CanvasObject) fyne.Size {
	if w.width == 0 { // not yet laid out: one line
		var sum, h float32
		for _, o := range objects {
			if o.Visible() {
				sum += o.MinSize().Width + w.gap
				h = max(h, o.MinSize().Height)
			}
		}
		return fyne.NewSize(min(max(sum-w.gap, 0), 120), h)
	}
	return fyne.NewSize(min(w.width, 120), w.heightFor(objects, w.width))
}

package shell

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Widths of the window's parts, in points.
const (
	foldBelow   float32 = 900 // narrower, the column folds away
	leastColumn float32 = 300
	leastMain   float32 = 400
	dividerGrab float32 = 6
)

// frame lays the window out: rail, column, main part with the status line below
// it. The border between column and main part can be dragged.
type frame struct {
	widget.BaseWidget

	rail, status fyne.CanvasObject
	column, main *fyne.Container // what they hold changes
	hasColumn    bool
	wantColumn   float32 // the user's width
	divider      *divider

	// folded is told when the window becomes wide or narrow.
	folded func(wide bool)
	// dragged is told the column's width when the user has changed it.
	dragged func(width float32)

	wide, measured       bool
	columnGround, ground *canvas.Rectangle
	railGround           *canvas.Rectangle
	lines                [3]*canvas.Rectangle
}

func newFrame(rail, status fyne.CanvasObject, columnWidth float32) *frame {
	f := &frame{
		rail: rail, status: status, wantColumn: columnWidth,
		column: widgets.NewFill(), main: widgets.NewFill(),
		columnGround: canvas.NewRectangle(theme.Color(theme.Surface)),
		ground:       canvas.NewRectangle(theme.Color(theme.Background)),
		railGround:   canvas.NewRectangle(theme.Color(theme.Rail)),
	}
	for i := range f.lines {
		f.lines[i] = canvas.NewRectangle(theme.Color(theme.Line))
	}
	f.divider = newDivider(func(dx float32) {
		f.wantColumn = f.columnWidth(f.Size().Width) + dx
		f.wantColumn = f.columnWidth(f.Size().Width)
		f.Refresh()
	}, func() {
		if f.dragged != nil {
			f.dragged(f.wantColumn)
		}
	})
	f.ExtendBaseWidget(f)
	return f
}

// ground is the window's background behind what is no frame. It follows the theme.
type ground struct {
	widget.BaseWidget
	colour *canvas.Rectangle
}

func newGround() *ground {
	g := &ground{colour: canvas.NewRectangle(theme.Color(theme.Background))}
	g.ExtendBaseWidget(g)
	return g
}

func (g *ground) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(g.colour) }

// Refresh implements fyne.CanvasObject.
func (g *ground) Refresh() {
	g.colour.FillColor = theme.Color(theme.Background)
	g.colour.Refresh()
}

// columnWidth bounds the wanted width by what the window has room for.
func (f *frame) columnWidth(window float32) float32 {
	most := window - theme.Eased(theme.RailWidth) - leastMain
	return max(leastColumn, min(f.wantColumn, most))
}

// show puts a column (nil for none) and a main part into the frame.
func (f *frame) show(column, main fyne.CanvasObject) {
	f.hasColumn = column != nil
	put(f.column, column)
	put(f.main, main)
	f.Refresh()
}

// put makes o the only object of a container.
func put(c *fyne.Container, o fyne.CanvasObject) {
	switch {
	case o == nil:
		c.Objects = nil
	case len(c.Objects) == 1 && c.Objects[0] == o:
		return
	default:
		c.Objects = []fyne.CanvasObject{o}
	}
	c.Refresh()
}

func (f *frame) CreateRenderer() fyne.WidgetRenderer { return &frameRenderer{f} }

// MinSize is that of the smallest window.
func (f *frame) MinSize() fyne.Size { return fyne.NewSize(480, 600) }

type frameRenderer struct{ f *frame }

func (r *frameRenderer) Layout(size fyne.Size) {
	f := r.f
	if wide := size.Width >= foldBelow; wide != f.wide || !f.measured {
		f.wide, f.measured = wide, true
		if f.folded != nil {
			f.folded(wide)
		}
	}
	place := func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	}
	x := theme.Eased(theme.RailWidth)
	place(f.railGround, 0, 0, x-1, size.Height)
	place(f.rail, 0, 0, x-1, size.Height)
	place(f.lines[0], x-1, 0, 1, size.Height)
	f.column.Hidden = !f.hasColumn
	f.columnGround.Hidden = !f.hasColumn
	f.lines[1].Hidden = !f.hasColumn
	f.divider.Hidden = !f.hasColumn
	if f.hasColumn {
		w := f.columnWidth(size.Width)
		place(f.columnGround, x, 0, w-1, size.Height)
		place(f.column, x, 0, w-1, size.Height)
		place(f.lines[1], x+w-1, 0, 1, size.Height)
		place(f.divider, x+w-dividerGrab/2, 0, dividerGrab, size.Height)
		x += w
	}
	status := max(theme.StatusHeight, f.status.MinSize().Height)
	place(f.ground, x, 0, size.Width-x, size.Height)
	place(f.main, x, 0, size.Width-x, size.Height-status)
	place(f.lines[2], x, size.Height-status, size.Width-x, 1)
	place(f.status, x, size.Height-status+1, size.Width-x, status-1)
}

func (r *frameRenderer) MinSize() fyne.Size { return r.f.MinSize() }

func (r *frameRenderer) Refresh() {
	f := r.f
	f.columnGround.FillColor = theme.Color(theme.Surface)
	f.ground.FillColor = theme.Color(theme.Background)
	f.railGround.FillColor = theme.Color(theme.Rail)
	for _, l := range f.lines {
		l.FillColor = theme.Color(theme.Line)
		l.Refresh()
	}
	r.Layout(f.Size())
	for _, o := range r.Objects() {
		o.Refresh()
	}
}

func (r *frameRenderer) Objects() []fyne.CanvasObject {
	f := r.f
	return []fyne.CanvasObject{
		f.railGround, f.columnGround, f.ground, f.rail, f.column, f.main, f.status,
		f.lines[0], f.lines[1], f.lines[2], f.divider,
	}
}

func (r *frameRenderer) Destroy() {}

// divider is the border that can be dragged.
type divider struct {
	widget.BaseWidget
	moved func(dx float32)
	done  func()
}

func newDivider(moved func(dx float32), done func()) *divider {
	d := &divider{moved: moved, done: done}
	d.ExtendBaseWidget(d)
	return d
}

func (d *divider) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(color.Transparent))
}

func (d *divider) Dragged(e *fyne.DragEvent) { d.moved(e.Dragged.DX) }
func (d *divider) DragEnd()                  { d.done() }
func (d *divider) Cursor() desktop.Cursor    { return desktop.HResizeCursor }

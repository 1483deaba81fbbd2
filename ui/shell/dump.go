package shell

import (
	"encoding/json"
	"os"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// Rect is the place of a widget in the window, in pixels, for a test that clicks.
type Rect struct {
	Name   string `json:"name"`
	X      int    `json:"x"`
	Y      int    `json:"y"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	Focus  bool   `json:"focus,omitempty"` // the keyboard is there
}

// Dump lists the visible widgets with names, those on top last.
func Dump(c fyne.Canvas) []Rect {
	d := dumper{canvas: c}
	whole := rectangle{max: fyne.NewPos(c.Size().Width, c.Size().Height)}
	d.walk(c.Content(), fyne.Position{}, whole)
	for _, o := range c.Overlays().List() {
		d.walk(o, fyne.Position{}, whole)
	}
	return d.found
}

type rectangle struct{ min, max fyne.Position }

func (r rectangle) cut(o rectangle) rectangle {
	return rectangle{
		fyne.NewPos(max(r.min.X, o.min.X), max(r.min.Y, o.min.Y)),
		fyne.NewPos(min(r.max.X, o.max.X), min(r.max.Y, o.max.Y)),
	}
}

func (r rectangle) empty() bool { return r.min.X >= r.max.X || r.min.Y >= r.max.Y }

type dumper struct {
	canvas fyne.Canvas
	found  []Rect
}

// walk visits an object and what is in it. Scrolled content is cut to its visible part.
func (d *dumper) walk(o fyne.CanvasObject, at fyne.Position, seen rectangle) {
	if o == nil || !o.Visible() {
		return
	}
	at = at.Add(o.Position())
	if c, ok := o.(*fyne.Container); ok { // its objects may reach beyond it, as toasts do
		for _, child := range c.Objects {
			d.walk(child, at, seen)
		}
		return
	}
	size := o.Size()
	seen = seen.cut(rectangle{at, at.AddXY(size.Width, size.Height)})
	if seen.empty() {
		return
	}
	if n, ok := o.(interface{ DumpName() string }); ok && n.DumpName() != "" {
		d.add(n.DumpName(), o, seen)
	}
	if w, ok := o.(fyne.Widget); ok {
		for _, child := range test.WidgetRenderer(w).Objects() {
			d.walk(child, at, seen)
		}
	}
}

func (d *dumper) add(name string, o fyne.CanvasObject, r rectangle) {
	x, y := d.canvas.PixelCoordinateForPosition(r.min)
	right, bottom := d.canvas.PixelCoordinateForPosition(r.max)
	focused, ok := o.(fyne.Focusable)
	d.found = append(d.found, Rect{
		Name: name, X: x, Y: y, Width: right - x, Height: bottom - y,
		Focus: ok && d.canvas.Focused() == focused,
	})
}

// writeDump writes the dump of a canvas to a file, whole or not at all.
func writeDump(file string, c fyne.Canvas) error {
	raw, err := json.Marshal(Dump(c))
	if err != nil {
		return err
	}
	if err := os.WriteFile(file+".new", raw, 0o600); err != nil {
		return err
	}
	return os.Rename(file+".new", file)
}

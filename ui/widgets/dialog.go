package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// The size of a dialog: its width at most, the space around its content, and how
// much of the window stays free around it, in points.
const (
	dialogWidth  float32 = 540
	dialogInset  float32 = 20
	dialogAround float32 = 24
)

// ShowDialog shows content above the window until close is called or Escape is
// pressed. The keyboard is on the first thing in it that takes it, cannot leave it,
// and goes back to where it was. closed is told, however it was closed.
func ShowDialog(w fyne.Window, content fyne.CanvasObject, closed ...func()) (close func()) {
	c := w.Canvas()
	before := c.Focused()
	c.Unfocus()
	d := newDialog(content)
	d.close = func() {
		if d.close == nil {
			return
		}
		d.close = nil
		d.HideTip()
		c.Overlays().Remove(d)
		if o, ok := before.(fyne.CanvasObject); ok && Seen(o) { // it may be gone
			c.Focus(before)
			hush(c)
		}
		for _, tell := range closed {
			tell()
		}
	}
	close = func() { d.Escape() }
	c.Overlays().Add(d)
	d.Resize(c.Size())
	c.FocusNext()
	hush(c)
	if c.Focused() == nil {
		d.alone = true
		c.Focus(d)
	}
	return close
}

// hush keeps the tip of what the keyboard was put on, and was not led to, from being
// shown.
func hush(c fyne.Canvas) {
	if p, ok := c.Focused().(interface{ hush() }); ok {
		p.hush()
	}
}

// dialog covers the window with a shade and stands on it as a raised card. It takes
// the keys itself only while nothing in it does.
type dialog struct {
	layout.Arranged
	floats
	close   func()
	alone   bool
	placing bool // while the card is placed
	scroll  *container.Scroll
}

func newDialog(content fyne.CanvasObject) *dialog {
	d := &dialog{}
	shade, card := canvas.NewRectangle(nil), newBox(theme.Raised, theme.Line, theme.RadiusCard+2)
	d.scroll = container.NewVScroll(container.New(&dialogRoom{d: d}, layout.Pad(layout.All(dialogInset), content)))
	d.floats = newFloats(d)
	d.Objects = []fyne.CanvasObject{shade, card, d.scroll, d.toast, d.tip}
	d.Paint = func() { shade.FillColor = theme.Color(theme.Shade) }
	d.Arrange = func(width float32, put layout.Put) float32 {
		if put == nil || d.placing {
			return 0
		}
		d.placing = true
		defer func() { d.placing = false }()
		window := d.Size()
		size := d.cardSize(window)
		x, y := (window.Width-size.Width)/2, (window.Height-size.Height)/2
		put(shade, 0, 0, window.Width, window.Height)
		put(card, x, y, size.Width, size.Height)
		put(d.scroll, x, y, size.Width, size.Height)
		d.place()
		return 0
	}
	d.ExtendBaseWidget(d)
	return d
}

// Escape closes the dialog; it implements keys.Dialog.
func (d *dialog) Escape() {
	if d.close != nil {
		d.close()
	}
}

func (d *dialog) FocusGained()   {}
func (d *dialog) FocusLost()     {}
func (d *dialog) TypedRune(rune) {}

func (d *dialog) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyEscape {
		d.Escape()
	}
}

// Disabled keeps the Tab key in the content. Implementing fyne.Focusable at all
// keeps a click beside the content from taking the keyboard away.
func (d *dialog) Disabled() bool { return !d.alone }

func (d *dialog) Enable()  {}
func (d *dialog) Disable() {}

// dialogRoom gives the content of a dialog as much height as it needs at the card's
// width. When that becomes another one the card follows: Fyne lays out here what asks
// for another size, and not always what is around it.
type dialogRoom struct{ d *dialog }

func (r *dialogRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	height := r.height(objects, size.Width)
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(fyne.NewSize(size.Width, max(size.Height, height)))
	}
	if d := r.d; !d.placing && d.Size().Height > 0 && d.cardSize(d.Size()) != d.scroll.Size() {
		d.Refresh()
	}
}

func (r *dialogRoom) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(1, r.height(objects, r.d.width()))
}

func (r *dialogRoom) height(objects []fyne.CanvasObject, width float32) (h float32) {
	for _, o := range objects {
		h = max(h, layout.HeightFor(o, width))
	}
	return h
}

// width is that of the card.
func (d *dialog) width() float32 {
	return max(0, min(theme.Eased(dialogWidth), d.Size().Width-2*dialogAround))
}

// cardSize is how large the card is in a window of a size.
func (d *dialog) cardSize(window fyne.Size) fyne.Size {
	w := d.width()
	h := max(0, min(d.scroll.Content.MinSize().Height, window.Height-2*dialogAround))
	return fyne.NewSize(w, h)
}

// MinSize changes with the content, never beyond the window: Fyne lays out again what asks for
// another size.
func (d *dialog) MinSize() fyne.Size { return fyne.NewSize(1, d.cardSize(d.Size()).Height) }

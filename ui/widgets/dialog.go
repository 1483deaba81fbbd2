package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// The measures of a dialog, in points: its greatest width, the padding around its content, and
// the margin that it leaves free in the window.
const (
	dialogWidth  float32 = 540
	dialogInset  float32 = 20
	dialogAround float32 = 24
)

// ShowDialog shows content above the window until close is called or Escape is pressed. The
// focus goes to the first widget in it that takes it, stays within the dialog, and returns
// to where it was. closed is called whichever way the dialog is closed.
func ShowDialog(w fyne.Window, content fyne.CanvasObject, closed ...func()) (close func()) {
	return showDialog(w, newDialog(content, dialogInset), closed...)
}

// The measures of a palette, in points: its width, and where its upper edge stays.
const (
	paletteWidth float32 = 600
	paletteTop   float32 = 124
)

// ShowPalette is [ShowDialog] for content that changes its height as the user types: the
// card, which has no padding, grows downwards only.
func ShowPalette(w fyne.Window, content fyne.CanvasObject) (close func()) {
	d := newDialog(content, 0)
	d.palette = true
	return showDialog(w, d)
}

// PaletteHeight returns how high a palette can be in a window.
func PaletteHeight(window fyne.Size) float32 {
	return window.Height - paletteAt(window) - dialogAround
}

// PaletteWidth returns how wide a palette is in a window.
func PaletteWidth(window fyne.Size) float32 {
	return max(0, min(theme.Eased(paletteWidth), window.Width-2*dialogAround))
}

// paletteAt returns the upper edge of a palette: higher in a low window.
func paletteAt(window fyne.Size) float32 { return min(paletteTop, window.Height*0.15) }

func showDialog(w fyne.Window, d *dialog, closed ...func()) (close func()) {
	c := w.Canvas()
	before := c.Focused()
	c.Unfocus()
	d.close = func() {
		if d.close == nil {
			return
		}
		d.close = nil
		d.HideTip()
		c.Overlays().Remove(d)
		if o, ok := before.(fyne.CanvasObject); ok && Seen(o) { // it may have been removed
			c.Focus(before)
			hush(c)
		}
		for _, f := range closed {
			f()
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

// hush cancels the tip of the widget that the program has just focused: tips are for what
// the user moved to.
func hush(c fyne.Canvas) {
	if p, ok := c.Focused().(interface{ hush() }); ok {
		p.hush()
	}
}

// dialog covers the window with a shade and shows a raised card on it. It takes the focus
// itself only if nothing in it can.
type dialog struct {
	layout.Arranged
	floats
	close   func()
	alone   bool // nothing in it can be focused
	placing bool // Arrange is running: see dialogContent
	palette bool // see ShowPalette
	scroll  *Scroll
}

func newDialog(content fyne.CanvasObject, inset float32) *dialog {
	d := &dialog{}
	shade, card := canvas.NewRectangle(nil), newBox(theme.Raised, theme.Line, theme.RadiusCard+2)
	d.scroll = NewScroll(container.New(dialogContent{d}, layout.Pad(layout.All(inset), content)))
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
		if d.palette {
			y = paletteAt(window)
		}
		put(shade, 0, 0, window.Width, window.Height)
		put(card, x, y, size.Width, size.Height)
		put(d.scroll, x, y, size.Width, size.Height)
		d.place()
		return 0
	}
	d.ExtendBaseWidget(d)
	return d
}

// Escape closes the dialog; see [keys.PassOn].
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

// Disabled keeps the Tab key within the content. Being fyne.Focusable at all keeps a click
// beside the content from taking the focus away.
func (d *dialog) Disabled() bool { return !d.alone }

func (d *dialog) Enable()  {}
func (d *dialog) Disable() {}

// dialogContent gives the content of a dialog the height that it needs at the card's width, and
// resizes the card when that changes: Fyne lays out here what asks for another size, but not
// always what is around it.
type dialogContent struct{ d *dialog }

func (c dialogContent) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(size.Width, max(size.Height, layout.HeightFor(objects[0], size.Width))))
	if d := c.d; !d.placing && d.Size().Height > 0 && d.cardSize(d.Size()) != d.scroll.Size() {
		d.Refresh()
	}
}

func (c dialogContent) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(1, layout.HeightFor(objects[0], c.d.width()))
}

// width returns the width of the card.
func (d *dialog) width() float32 {
	if d.palette {
		return PaletteWidth(d.Size())
	}
	return max(0, min(theme.Eased(dialogWidth), d.Size().Width-2*dialogAround))
}

// cardSize returns the size of the card in a window of a size.
func (d *dialog) cardSize(window fyne.Size) fyne.Size {
	w := d.width()
	most := window.Height - 2*dialogAround
	if d.palette {
		most = PaletteHeight(window)
	}
	h := max(0, min(d.scroll.Content.MinSize().Height, most))
	return fyne.NewSize(w, h)
}

// MinSize changes with the content, never beyond the window: Fyne lays out again what asks for
// another size.
func (d *dialog) MinSize() fyne.Size { return fyne.NewSize(1, d.cardSize(d.Size()).Height) }

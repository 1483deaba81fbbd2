package widgets

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
)

// Root is the content of a window with a layer above it for tips and toasts.
type Root struct {
	layout.Arranged
	floats
	// After runs f on the window's thread after a time unless it is stopped first. It times
	// the tips; tests replace it.
	After func(d time.Duration, f func()) (stop func())

	pointer  *pointer
	card     *fyne.Container   // of a Popover
	revealed fyne.CanvasObject // what gained the focus last: see reveal
}

// NewRoot returns a root around a content.
func NewRoot(content fyne.CanvasObject) *Root {
	r := &Root{After: func(d time.Duration, f func()) (stop func()) {
		timer := time.AfterFunc(d, func() { fyne.Do(f) })
		return func() { timer.Stop() }
	}}
	r.floats = newFloats(r)
	r.pointer, r.card = newPointer(r), container.NewWithoutLayout()
	r.Objects = []fyne.CanvasObject{content, r.card, r.toast, r.tip, r.pointer}
	r.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(r.Objects[0], 0, 0, width, r.Size().Height)
			put(r.pointer, 0, 0, width, r.Size().Height)
			r.place()
		}
		return 0
	}
	r.ExtendBaseWidget(r)
	return r
}

// rootOf returns the root of the window that an object is in; nil for none.
func rootOf(o fyne.CanvasObject) *Root {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return nil
	}
	root, _ := c.Content().(*Root)
	return root
}

// MinSize is that of the content.
func (r *Root) MinSize() fyne.Size { return r.Objects[0].MinSize() }

// Resize hides the card of a [Popover], which would not be beside its object any more.
func (r *Root) Resize(size fyne.Size) {
	if size != r.Size() {
		r.card.Objects = nil
	}
	r.Arranged.Resize(size)
}

// SetContent replaces the content.
func (r *Root) SetContent(o fyne.CanvasObject) {
	r.Objects[0], r.card.Objects = o, nil
	r.HideTip()
	r.Refresh()
}

// ShowToast shows a text at the foot of the window, or of the open dialog, until hide is
// called. action labels a button that calls do; "" leaves it out.
func (r *Root) ShowToast(text, action string, do func()) (hide func()) {
	if f := floatsOf(r); f != nil {
		return f.showToast(text, action, do)
	}
	return r.showToast(text, action, do)
}

// tipDelay is how long the mouse or the focus rests on an object before its tip is shown.
const tipDelay = 500 * time.Millisecond

// tipTimer shows a tip after [tipDelay]. Without a tip no timer runs.
type tipTimer struct {
	stop  func()
	layer *floats
	turn  int // counts starts: the timer of an earlier one must do nothing
}

func (t *tipTimer) start(at fyne.CanvasObject, text string) {
	t.hide()
	root := rootOf(at)
	if text == "" || root == nil {
		return
	}
	turn := t.turn
	t.stop = root.After(tipDelay, func() {
		if t.turn != turn {
			return
		}
		if t.layer = floatsOf(at); t.layer != nil {
			t.layer.ShowTip(text, at)
		}
	})
}

func (t *tipTimer) hide() {
	t.turn++
	if t.stop != nil {
		t.stop()
		t.stop = nil
	}
	if t.layer != nil {
		t.layer.HideTip()
		t.layer = nil
	}
}

// SetVisible shows or hides an object, and redraws it only if that changes.
func SetVisible(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
	default:
		o.Hide()
	}
}

// Hint shows a tip when the mouse rests on its content. It takes no clicks, so that it can
// be on a card that is clicked as a whole.
type Hint struct {
	widget.BaseWidget
	// Tip is the text; "" for none.
	Tip string
	// Over is called when the mouse comes and goes; may be nil. Fyne takes the mouse away
	// from what is below: with Over a card keeps its look.
	Over func(on bool)

	content fyne.CanvasObject
	outer   fyne.CanvasObject // the hint, or the widget that embeds it
	tip     tipTimer
}

// NewHint returns a hint around a content.
func NewHint(content fyne.CanvasObject, tip string) *Hint {
	h := &Hint{content: content, Tip: tip}
	h.ExtendBaseWidget(h)
	return h
}

// ExtendBaseWidget implements fyne.Widget. It remembers the widget that embeds the hint,
// since only that one has a position.
func (h *Hint) ExtendBaseWidget(w fyne.Widget) {
	h.outer = w
	h.BaseWidget.ExtendBaseWidget(w)
}

// HeightFor implements layout.Heighter.
func (h *Hint) HeightFor(width float32) float32 { return layout.HeightFor(h.content, width) }

// MouseIn implements desktop.Hoverable.
func (h *Hint) MouseIn(*desktop.MouseEvent) {
	h.tip.start(h.outer, h.Tip)
	if h.Over != nil {
		h.Over(true)
	}
}

// MouseMoved implements desktop.Hoverable.
func (h *Hint) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *Hint) MouseOut() {
	h.tip.hide()
	if h.Over != nil {
		h.Over(false)
	}
}

// CreateRenderer implements fyne.Widget.
func (h *Hint) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.content) }

package widgets

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// Root is the content of a window with a layer above it for what floats: tips and
// toasts. They take no clicks from what is below them.
type Root struct {
	widget.BaseWidget
	floats
	// After runs f on the window's thread after a time, unless it is stopped first:
	// the clock of the tips. Tests set their own.
	After func(d time.Duration, f func()) (stop func())

	content  fyne.CanvasObject
	revealed fyne.CanvasObject // what the keyboard came to last; see reveal
}

// NewRoot returns a root around a content.
func NewRoot(content fyne.CanvasObject) *Root {
	r := &Root{content: content, After: later}
	r.floats = newFloats(r)
	r.ExtendBaseWidget(r)
	return r
}

func later(d time.Duration, f func()) (stop func()) {
	timer := time.AfterFunc(d, func() { fyne.Do(f) })
	return func() { timer.Stop() }
}

// SetContent shows something else.
func (r *Root) SetContent(o fyne.CanvasObject) {
	r.content = o
	r.HideTip()
	r.Refresh()
}

// ShowToast says something at the top of the window, or above the dialog that is
// open, until hide is called. action stands beside it; "" for none.
func (r *Root) ShowToast(text, action string, do func()) (hide func()) {
	if f := floatsOf(r); f != nil {
		return f.showToast(text, action, do)
	}
	return r.showToast(text, action, do)
}

// CreateRenderer implements fyne.Widget.
func (r *Root) CreateRenderer() fyne.WidgetRenderer { return &rootRenderer{r} }

type rootRenderer struct{ r *Root }

func (rr *rootRenderer) Layout(size fyne.Size) {
	rr.r.content.Resize(size)
	rr.r.content.Move(fyne.Position{})
	rr.r.place()
}

func (rr *rootRenderer) MinSize() fyne.Size { return rr.r.content.MinSize() }
func (rr *rootRenderer) Refresh() {
	rr.Layout(rr.r.Size())
	for _, o := range rr.Objects() {
		o.Refresh()
	}
}

func (rr *rootRenderer) Objects() []fyne.CanvasObject {
	return append([]fyne.CanvasObject{rr.r.content}, rr.r.objects()...)
}
func (rr *rootRenderer) Destroy() {}

// tipDelay is how long the mouse or the keyboard rests until it is told what is
// there.
const tipDelay = 500 * time.Millisecond

// tipTimer shows a tip after a while. Nothing runs while there is none to show.
type tipTimer struct {
	stop  func()
	layer *floats
	turn  int // of start; a timer of an earlier one comes too late
}

func (t *tipTimer) start(at fyne.CanvasObject, text string) {
	t.hide()
	c := fyne.CurrentApp().Driver().CanvasForObject(at)
	if text == "" || c == nil {
		return
	}
	root, ok := c.Content().(*Root)
	if !ok {
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

// SetVisible shows or hides an object, which is drawn anew only where that changes.
func SetVisible(o fyne.CanvasObject, visible bool) {
	switch {
	case visible == o.Visible():
	case visible:
		o.Show()
	default:
		o.Hide()
	}
}

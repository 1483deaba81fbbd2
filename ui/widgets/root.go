package widgets

import (
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
)

// Root is the content of a window with a layer above it for what floats: tips and
// toasts. They take no clicks from what is below them.
type Root struct {
	layout.Arranged
	floats
	// After runs f on the window's thread after a time, unless it is stopped first:
	// the clock of the tips. Tests set their own.
	After func(d time.Duration, f func()) (stop func())

	revealed fyne.CanvasObject // what the keyboard came to last; see reveal
}

// NewRoot returns a root around a content.
func NewRoot(content fyne.CanvasObject) *Root {
	r := &Root{After: func(d time.Duration, f func()) (stop func()) {
		timer := time.AfterFunc(d, func() { fyne.Do(f) })
		return func() { timer.Stop() }
	}}
	r.floats = newFloats(r)
	r.Objects = []fyne.CanvasObject{content, r.toast, r.tip}
	r.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(r.Objects[0], 0, 0, width, r.Size().Height)
			r.place()
		}
		return 0
	}
	r.ExtendBaseWidget(r)
	return r
}

// MinSize is that of the content.
func (r *Root) MinSize() fyne.Size { return r.Objects[0].MinSize() }

// SetContent shows something else.
func (r *Root) SetContent(o fyne.CanvasObject) {
	r.Objects[0] = o
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

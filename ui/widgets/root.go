package widgets

import (
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// Root is the content of a window with a layer above it for what floats: tips and
// toasts. They take no clicks from what is below them.
type Root struct {
	widget.BaseWidget
	content fyne.CanvasObject
	tip     *fyne.Container
	toast   *fyne.Container
}

// NewRoot returns a root around a content.
func NewRoot(content fyne.CanvasObject) *Root {
	r := &Root{content: content, tip: container.NewWithoutLayout(), toast: container.NewWithoutLayout()}
	r.ExtendBaseWidget(r)
	return r
}

// SetContent shows something else.
func (r *Root) SetContent(o fyne.CanvasObject) {
	r.content = o
	r.HideTip()
	r.Refresh()
}

// ShowTip shows a text beside an object.
func (r *Root) ShowTip(text string, beside fyne.CanvasObject) {
	label := NewLabel(text, theme.Small, theme.Background)
	box := boxOf(theme.Text, "", 6, layout.Pad(layout.Sides(5, 9), label))
	size := box.MinSize().Min(fyne.NewSize(420, 200))
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(beside)
	own := fyne.CurrentApp().Driver().AbsolutePositionForObject(r)
	at = at.Subtract(own)
	x := at.X + (beside.Size().Width-size.Width)/2
	y := at.Y + beside.Size().Height + 6
	if at.X < theme.RailWidth { // the rail's tips stand beside it
		x, y = at.X+beside.Size().Width+8, at.Y+(beside.Size().Height-size.Height)/2
	}
	if y+size.Height > r.Size().Height {
		y = at.Y - size.Height - 6
	}
	x = min(max(4, x), r.Size().Width-size.Width-4)
	box.Move(fyne.NewPos(x, y))
	box.Resize(size)
	r.tip.Objects = []fyne.CanvasObject{box}
	r.tip.Refresh()
}

// HideTip takes the tip away.
func (r *Root) HideTip() {
	if len(r.tip.Objects) > 0 {
		r.tip.Objects = nil
		r.tip.Refresh()
	}
}

// CreateRenderer implements fyne.Widget.
func (r *Root) CreateRenderer() fyne.WidgetRenderer { return &rootRenderer{r} }

type rootRenderer struct{ r *Root }

func (rr *rootRenderer) Layout(size fyne.Size) {
	rr.r.content.Resize(size)
	rr.r.content.Move(fyne.Position{})
	rr.placeToast(size)
}

// placeToast puts the toast above the foot of the window.
func (rr *rootRenderer) placeToast(size fyne.Size) {
	for _, o := range rr.r.toast.Objects {
		w := min(o.MinSize().Width, size.Width-32)
		h := layout.HeightFor(o, w)
		o.Move(fyne.NewPos((size.Width-w)/2, size.Height-h-theme.StatusHeight-16))
		o.Resize(fyne.NewSize(w, h))
	}
}

func (rr *rootRenderer) MinSize() fyne.Size { return rr.r.content.MinSize() }
func (rr *rootRenderer) Refresh() {
	rr.Layout(rr.r.Size())
	for _, o := range rr.Objects() {
		o.Refresh()
	}
}

func (rr *rootRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{rr.r.content, rr.r.toast, rr.r.tip}
}
func (rr *rootRenderer) Destroy() {}

// rootOf returns the root of the window that an object is in; nil for none.
func rootOf(o fyne.CanvasObject) *Root {
	c := fyne.CurrentApp().Driver().CanvasForObject(o)
	if c == nil {
		return nil
	}
	root, _ := c.Content().(*Root)
	return root
}

// ShowToast says something above the foot of the window until hide is called.
// action stands beside it; "" for none.
func (r *Root) ShowToast(text, action string, do func()) (hide func()) {
	objects := []fyne.CanvasObject{NewLabel(text, theme.Small, theme.Background)}
	var box fyne.CanvasObject
	hide = func() {
		if len(r.toast.Objects) == 1 && r.toast.Objects[0] == box {
			r.toast.Objects = nil
			r.toast.Refresh()
		}
	}
	if action != "" {
		b := NewButton(action, Outline, func() { hide(); do() })
		b.ID = "toast.action"
		objects = append(objects, b)
	}
	box = boxOf(theme.Text, "", theme.RadiusButton, layout.Pad(layout.Sides(10, 16), layout.Row(16, -1, objects...)))
	r.toast.Objects = []fyne.CanvasObject{box}
	r.Refresh()
	return hide
}

// boxOf is a rounded box of a colour behind an object.
func boxOf(fill, line fyne.ThemeColorName, radius float32, o fyne.CanvasObject) *fyne.Container {
	return layout.Stack(newBox(fill, line, radius), o)
}

// tipDelay is how long the mouse rests until it is told what is under it.
const tipDelay = 500 * time.Millisecond

// tipTimer shows a tip after a while. Nothing runs while there is none to show.
type tipTimer struct {
	timer *time.Timer
	root  *Root
}

func (t *tipTimer) start(at fyne.CanvasObject, text string) {
	t.hide()
	if text == "" {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(tipDelay, func() {
		fyne.Do(func() {
			if t.timer == timer {
				if t.root = rootOf(at); t.root != nil {
					t.root.ShowTip(text, at)
				}
			}
		})
	})
	t.timer = timer
}

func (t *tipTimer) hide() {
	if t.timer != nil {
		t.timer.Stop()
		t.timer = nil
	}
	if t.root != nil {
		t.root.HideTip()
		t.root = nil
	}
}

// box is a rectangle that follows the theme.
type box struct {
	widget.BaseWidget
	fill, line fyne.ThemeColorName
	radius     float32
}

func newBox(fill, line fyne.ThemeColorName, radius float32) *box {
	b := &box{fill: fill, line: line, radius: radius}
	b.ExtendBaseWidget(b)
	return b
}

func (b *box) CreateRenderer() fyne.WidgetRenderer {
	r := &boxRenderer{b: b, rect: canvas.NewRectangle(nil)}
	r.paint()
	return r
}

type boxRenderer struct {
	b    *box
	rect *canvas.Rectangle
}

func (r *boxRenderer) paint() {
	r.rect.FillColor, r.rect.StrokeColor = colorOf(r.b.fill), colorOf(r.b.line)
	r.rect.CornerRadius = r.b.radius
	r.rect.StrokeWidth = 0
	if r.b.line != "" {
		r.rect.StrokeWidth = 1
	}
}
func (r *boxRenderer) Layout(size fyne.Size)        { r.rect.Resize(size) }
func (r *boxRenderer) MinSize() fyne.Size           { return fyne.Size{} }
func (r *boxRenderer) Refresh()                     { r.paint(); r.rect.Refresh() }
func (r *boxRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.rect} }
func (r *boxRenderer) Destroy()                     {}

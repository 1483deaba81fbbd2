package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// link is a quiet link of the head.
type link struct {
	widget.BaseWidget
	id      string
	text    *canvas.Text
	ring    *canvas.Rectangle
	tap     func()
	over    bool
	focused bool
}

func makeLink(text, id string) *link {
	w := &link{id: id, text: canvas.NewText(text, nil), ring: canvas.NewRectangle(nil)}
	w.ring.CornerRadius, w.ring.StrokeWidth = 4, 2
	w.ExtendBaseWidget(w)
	w.paint()
	return w
}

func (w *link) setText(text string) {
	w.text.Text = text
	w.Refresh()
}

func (w *link) paint() {
	w.text.TextSize = theme.Size(theme.Small)
	w.text.Color = theme.Color(theme.Muted)
	if w.over {
		w.text.Color = theme.Color(theme.Primary)
	}
	w.ring.StrokeColor = theme.Color(theme.Primary)
	w.ring.Hidden = !w.focused
}

// CreateRenderer implements fyne.Widget.
func (w *link) CreateRenderer() fyne.WidgetRenderer { return &linkRenderer{w} }

// DumpName names the link in the dump of rectangles.
func (w *link) DumpName() string { return w.id }

func (w *link) Tapped(*fyne.PointEvent) {
	if w.tap != nil {
		w.tap()
	}
}

func (w *link) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (w *link) MouseIn(*desktop.MouseEvent) { w.over = true; w.Refresh() }

func (w *link) MouseMoved(*desktop.MouseEvent) {}

func (w *link) MouseOut() { w.over = false; w.Refresh() }

func (w *link) FocusGained() { w.focused = true; w.Refresh() }

func (w *link) FocusLost() { w.focused = false; w.Refresh() }

func (w *link) TypedRune(r rune) {
	if r == ' ' {
		w.Tapped(nil)
	}
}

func (w *link) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter {
		w.Tapped(nil)
	}
}

type linkRenderer struct{ w *link }

func (r *linkRenderer) Destroy()                     {}
func (r *linkRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.w.ring, r.w.text} }

func (r *linkRenderer) MinSize() fyne.Size { return r.w.text.MinSize().AddWidthHeight(8, 4) }

func (r *linkRenderer) Layout(size fyne.Size) {
	r.w.ring.Resize(size)
	r.w.text.Resize(r.w.text.MinSize())
	r.w.text.Move(fyne.NewPos(4, 2))
}

func (r *linkRenderer) Refresh() {
	r.w.paint()
	r.Layout(r.w.Size())
	canvas.Refresh(r.w)
}

func newLink(text, id string, tap func()) *link {
	l := makeLink(text, id)
	l.tap = tap
	return l
}

func newTitle(text string) *prose.Text {
	t := prose.New(prose.Span{Text: text, Size: theme.Small, Bold: true})
	t.MaxLines = 2
	return t
}

func newNote(text string) *prose.Text { return prose.Plain(text, theme.Small, theme.Muted) }

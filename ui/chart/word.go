package chart

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
)

// word is a quiet link of the head.
type word struct {
	widget.BaseWidget
	id      string
	text    *canvas.Text
	ring    *canvas.Rectangle
	tap     func()
	over    bool
	focused bool
}

func newWord(text, id string, tap func()) *word {
	w := &word{id: id, tap: tap, text: canvas.NewText(text, nil), ring: canvas.NewRectangle(nil)}
	w.ring.CornerRadius, w.ring.StrokeWidth = 4, 2
	w.ExtendBaseWidget(w)
	w.paint()
	return w
}

func (w *word) setText(text string) {
	w.text.Text = text
	w.Refresh()
}

func (w *word) paint() {
	w.text.TextSize = theme.Size(theme.Small)
	w.text.Color = theme.Color(theme.Muted)
	if w.over {
		w.text.Color = theme.Color(theme.Primary)
	}
	w.ring.StrokeColor = theme.Color(theme.Primary)
	w.ring.Hidden = !w.focused
}

// CreateRenderer implements fyne.Widget.
func (w *word) CreateRenderer() fyne.WidgetRenderer { return &wordRenderer{w} }

// DumpName names the link in the dump of rectangles.
func (w *word) DumpName() string { return w.id }

func (w *word) Tapped(*fyne.PointEvent) {
	if w.tap != nil {
		w.tap()
	}
}

func (w *word) Cursor() desktop.Cursor { return desktop.PointerCursor }

func (w *word) MouseIn(*desktop.MouseEvent) { w.over = true; w.Refresh() }

func (w *word) MouseMoved(*desktop.MouseEvent) {}

func (w *word) MouseOut() { w.over = false; w.Refresh() }

func (w *word) FocusGained() { w.focused = true; w.Refresh() }

func (w *word) FocusLost() { w.focused = false; w.Refresh() }

func (w *word) TypedRune(r rune) {
	if r == ' ' {
		w.Tapped(nil)
	}
}

func (w *word) TypedKey(e *fyne.KeyEvent) {
	if e.Name == fyne.KeyReturn || e.Name == fyne.KeyEnter {
		w.Tapped(nil)
	}
}

type wordRenderer struct{ w *word }

func (r *wordRenderer) Destroy()                     {}
func (r *wordRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.w.ring, r.w.text} }

func (r *wordRenderer) MinSize() fyne.Size { return r.w.text.MinSize().AddWidthHeight(8, 4) }

func (r *wordRenderer) Layout(size fyne.Size) {
	r.w.ring.Resize(size)
	r.w.text.Resize(r.w.text.MinSize())
	r.w.text.Move(fyne.NewPos(4, 2))
}

func (r *wordRenderer) Refresh() {
	r.w.paint()
	r.Layout(r.w.Size())
	canvas.Refresh(r.w)
}

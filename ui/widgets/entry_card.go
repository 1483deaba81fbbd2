package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// EntryCard is a card that an entry stands on with what belongs to it: the entry
// itself has no line around it, the card shows that the keyboard is there.
type EntryCard struct {
	widget.BaseWidget
	entry   *Entry
	content fyne.CanvasObject
	frame   *canvas.Rectangle
}

// entryPadding is what is left around the text of an entry on a card.
const entryPadding = 4

// NewEntryCard returns a card with what around puts around an entry that has no line.
func NewEntryCard(e *Entry, around func(bare fyne.CanvasObject) fyne.CanvasObject) *EntryCard {
	// Fyne's padding is meant for a field with a line around it. No theme of its own
	// takes it away: for each theme that overrides another, and again whenever that is
	// drawn anew, Fyne loads all fonts, 5 MB, and keeps them.
	bare := layout.Pad(layout.All(entryPadding-fynetheme.InnerPadding()), e)
	c := &EntryCard{entry: e, content: around(bare), frame: canvas.NewRectangle(color.Transparent)}
	c.ExtendBaseWidget(c)
	e.card = c
	return c
}

// HeightFor implements layout.Heighter.
func (c *EntryCard) HeightFor(width float32) float32 { return layout.HeightFor(c.content, width) }

// CreateRenderer implements fyne.Widget.
func (c *EntryCard) CreateRenderer() fyne.WidgetRenderer {
	r := &entryCardRenderer{c}
	r.paint()
	return r
}

type entryCardRenderer struct{ c *EntryCard }

// paint shows the line, and whether the keyboard is there.
func (r *entryCardRenderer) paint() {
	f := r.c.frame
	f.CornerRadius = theme.RadiusCard
	f.FillColor = theme.Color(theme.Surface)
	f.StrokeColor, f.StrokeWidth = theme.Color(theme.Line), 1
	if r.c.entry.has {
		f.StrokeColor, f.StrokeWidth = theme.Color(theme.Primary), 2
	}
}

func (r *entryCardRenderer) Layout(size fyne.Size) {
	r.c.frame.Resize(size)
	r.c.content.Resize(size)
}

func (r *entryCardRenderer) MinSize() fyne.Size { return r.c.content.MinSize() }

func (r *entryCardRenderer) Refresh() {
	r.paint()
	r.c.frame.Refresh()
	r.c.content.Refresh()
}

func (r *entryCardRenderer) Objects() []fyne.CanvasObject {
	return []fyne.CanvasObject{r.c.frame, r.c.content}
}
func (r *entryCardRenderer) Destroy() {}

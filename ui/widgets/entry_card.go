package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// EntryCard is a card that an entry stands on with what belongs to it: the entry
// itself has no line around it, the card shows that the keyboard is there.
type EntryCard struct {
	layout.Arranged
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
	c.Objects, c.Paint = []fyne.CanvasObject{c.frame, c.content}, c.paint
	c.Arrange = func(width float32, put layout.Put) float32 {
		if put != nil {
			put(c.frame, 0, 0, width, c.Size().Height)
			put(c.content, 0, 0, width, c.Size().Height)
		}
		return layout.HeightFor(c.content, width)
	}
	c.ExtendBaseWidget(c)
	e.card = c
	return c
}

// MinSize implements fyne.CanvasObject.
func (c *EntryCard) MinSize() fyne.Size { return c.content.MinSize() }

// paint shows the line, and whether the keyboard is there.
func (c *EntryCard) paint() {
	f := c.frame
	f.CornerRadius = theme.RadiusCard
	f.FillColor = theme.Color(theme.Surface)
	f.StrokeColor, f.StrokeWidth = theme.Color(theme.Line), 1
	if c.entry.has {
		f.StrokeColor, f.StrokeWidth = theme.Color(theme.Primary), 2
	}
}

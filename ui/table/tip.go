package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// tip is the box with the whole text of a cell that is cut.
type tip struct {
	back  *canvas.Rectangle
	text  *prose.Text
	shown string
	cell  fyne.Position // that it belongs to
}

func newTip() *tip {
	t := &tip{back: canvas.NewRectangle(nil), text: prose.Plain("", theme.Small, theme.Text)}
	t.back.CornerRadius, t.back.StrokeWidth = 6, 1
	t.text.MaxLines = 12
	return t
}

// hide reports whether there was something to hide.
func (t *tip) hide() bool {
	was := t.shown != ""
	t.shown = ""
	return was
}

func (t *tip) objects() []fyne.CanvasObject {
	if t.shown == "" {
		return nil
	}
	return []fyne.CanvasObject{t.back, t.text}
}

// show writes a text above a cell, or below it where there is no room.
func (t *tip) show(text string, cell fyne.Position, height float32, room fyne.Size) {
	if t.shown == text && t.cell == cell {
		return
	}
	t.shown, t.cell = text, cell
	const pad = 8
	t.text.SetSpans(prose.Span{Text: text, Size: theme.Small})
	width := t.text.NaturalWidth(min(textSize()*30, room.Width-2*pad))
	h := t.text.HeightFor(width)
	x := max(0, min(cell.X, room.Width-width-2*pad))
	y := cell.Y - h - 2*pad
	if y < 0 && cell.Y+height+h+2*pad <= room.Height {
		y = cell.Y + height
	}
	t.back.FillColor, t.back.StrokeColor = theme.Color(theme.Raised), theme.Color(theme.Line)
	t.back.Move(fyne.NewPos(x, y))
	t.back.Resize(fyne.NewSize(width+2*pad, h+2*pad))
	t.text.Move(fyne.NewPos(x+pad, y+pad))
	t.text.Resize(fyne.NewSize(width, h))
}

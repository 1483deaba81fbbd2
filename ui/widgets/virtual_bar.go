package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// The measures of the scroll bar, in points: the strip that takes the mouse, the thumb in it
// at rest and under the mouse, and its least length.
const (
	barWidth    float32 = 12
	thumbWidth  float32 = 4
	thumbHover  float32 = 8
	thumbLength float32 = 32
)

// scrollBar shows the position in a list and can be dragged. A click beside the thumb goes
// there.
type scrollBar struct {
	layout.Arranged
	list  *VirtualList
	thumb *canvas.Rectangle

	hovered bool
	dragged bool
	grip    float32 // the distance of the mouse from the beginning of the thumb
}

func newScrollBar(l *VirtualList) *scrollBar {
	b := &scrollBar{list: l, thumb: canvas.NewRectangle(nil)}
	b.Objects, b.Least, b.Paint = []fyne.CanvasObject{b.thumb}, barWidth, b.paint
	b.Arrange = func(float32, layout.Put) float32 { return thumbLength } // paint places the thumb
	b.ExtendBaseWidget(b)
	return b
}

// place puts the bar at the right edge of the list, and hides it where all rows fit.
func (b *scrollBar) place(size fyne.Size) {
	_, total := b.list.offset()
	b.Hidden = total <= float64(size.Height)+1
	b.Move(fyne.NewPos(size.Width-barWidth, 0))
	b.Resize(fyne.NewSize(barWidth, size.Height))
	b.paint()
}

// geometry returns where the thumb begins, its length, and how far it can move.
func (b *scrollBar) geometry() (at, length, way float32) {
	y, total := b.list.offset()
	height := float64(b.list.Size().Height)
	if total <= height || height <= 0 {
		return 0, float32(height), 0
	}
	length = max(thumbLength, float32(height*height/total))
	way = float32(height) - length
	at = way * float32(min(1, y/(total-height)))
	if b.list.endSeen {
		at = way
	}
	return at, length, way
}

func (b *scrollBar) paint() {
	at, length, _ := b.geometry()
	w, color := thumbWidth, theme.Line
	if b.hovered || b.dragged {
		w, color = thumbHover, theme.Faint
	}
	b.thumb.FillColor, b.thumb.CornerRadius = theme.Color(color), w/2
	b.thumb.Move(fyne.NewPos(barWidth-w-2, at+2))
	b.thumb.Resize(fyne.NewSize(w, max(0, length-4)))
	canvas.Refresh(b.thumb)
}

// scrollTo moves the beginning of the thumb to a height.
func (b *scrollBar) scrollTo(at float32) {
	if _, _, way := b.geometry(); way > 0 {
		_, total := b.list.offset()
		share := float64(max(0, min(at/way, 1)))
		b.list.scrollToOffset(share * (total - float64(b.list.Size().Height)))
	}
}

func (b *scrollBar) Tapped(e *fyne.PointEvent) {
	if at, length, _ := b.geometry(); e.Position.Y < at || e.Position.Y > at+length {
		b.scrollTo(e.Position.Y - length/2)
	}
}

func (b *scrollBar) Dragged(e *fyne.DragEvent) {
	if !b.dragged {
		at, length, _ := b.geometry()
		b.dragged, b.grip = true, max(0, min(e.Position.Y-e.Dragged.DY-at, length))
	}
	b.scrollTo(e.Position.Y - b.grip)
}

func (b *scrollBar) DragEnd()                       { b.dragged = false; b.paint() }
func (b *scrollBar) MouseIn(*desktop.MouseEvent)    { b.hovered = true; b.paint() }
func (b *scrollBar) MouseMoved(*desktop.MouseEvent) {}
func (b *scrollBar) MouseOut()                      { b.hovered = false; b.paint() }

package widgets

import (
	"image/color"
	"time"

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

// How long a scroll bar stays after scrolling, and how long it then fades.
const (
	barStay = time.Second
	barFade = 150 * time.Millisecond
)

// scrolled is what a scroll bar belongs to.
type scrolled interface {
	fyne.CanvasObject
	// offset returns how far it is scrolled, and the height of all.
	offset() (y, total float64)
	scrollToOffset(y float64)
	AtEnd() bool
}

// scrollBar shows how far something is scrolled and can be dragged. A click beside the thumb
// goes there. It is seen while scrolling, for a moment after it, and under the mouse.
type scrollBar struct {
	layout.Arranged
	of    scrolled
	thumb *canvas.Rectangle

	hovered bool
	dragged bool
	grip    float32         // the distance of the mouse from the beginning of the thumb
	shown   float32         // how much of its colour is left after scrolling, 0 to 1
	fading  *fyne.Animation // nil before the first
}

func newScrollBar(of scrolled) *scrollBar {
	b := &scrollBar{of: of, thumb: canvas.NewRectangle(nil)}
	b.Objects, b.Least, b.Paint = []fyne.CanvasObject{b.thumb}, barWidth, b.paint
	b.Arrange = func(float32, layout.Put) float32 { return thumbLength } // paint places the thumb
	b.ExtendBaseWidget(b)
	return b
}

// DumpName implements the dump of rectangles.
func (b *scrollBar) DumpName() string { return "scroll.bar" }

// stir shows the bar and lets it fade again.
func (b *scrollBar) stir() {
	if b.fading == nil {
		b.fading = fyne.NewAnimation(barStay+barFade, b.fade)
		b.fading.Curve = fyne.AnimationLinear
	}
	b.fading.Stop()
	b.fade(0)
	b.fading.Start()
}

// fade shows the bar as it is when a part of its time is over.
func (b *scrollBar) fade(over float32) {
	const time = float32(barStay + barFade)
	if shown := min(1, (1-over)*time/float32(barFade)); shown != b.shown {
		b.shown = shown
		b.paint()
	}
}

// place puts the bar at the right edge, and hides it where all fits.
func (b *scrollBar) place(size fyne.Size) {
	_, total := b.of.offset()
	b.Hidden = total <= float64(size.Height)+1
	b.Move(fyne.NewPos(size.Width-barWidth, 0))
	b.Resize(fyne.NewSize(barWidth, size.Height))
	b.paint()
}

// geometry returns where the thumb begins, its length, and how far it can move.
func (b *scrollBar) geometry() (at, length, way float32) {
	y, total := b.of.offset()
	height := float64(b.of.Size().Height)
	if total <= height || height <= 0 {
		return 0, float32(height), 0
	}
	length = max(thumbLength, float32(height*height/total))
	way = float32(height) - length
	at = way * float32(min(1, y/(total-height)))
	if b.of.AtEnd() {
		at = way
	}
	return at, length, way
}

func (b *scrollBar) paint() {
	at, length, _ := b.geometry()
	w, name := thumbWidth, theme.Line
	if b.hovered || b.dragged {
		w, name = thumbHover, theme.Faint
	}
	fill := color.NRGBAModel.Convert(theme.Color(name)).(color.NRGBA)
	if !b.hovered && !b.dragged {
		fill.A = uint8(float32(fill.A) * b.shown)
	}
	b.thumb.FillColor, b.thumb.CornerRadius = fill, w/2
	b.thumb.Move(fyne.NewPos(barWidth-w-2, at+2))
	b.thumb.Resize(fyne.NewSize(w, max(0, length-4)))
	canvas.Refresh(b.thumb)
}

// scrollTo moves the beginning of the thumb to a height.
func (b *scrollBar) scrollTo(at float32) {
	if _, _, way := b.geometry(); way > 0 {
		_, total := b.of.offset()
		share := float64(max(0, min(at/way, 1)))
		b.of.scrollToOffset(share * (total - float64(b.of.Size().Height)))
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

func (b *scrollBar) DragEnd()                       { b.dragged = false; b.stir() }
func (b *scrollBar) MouseIn(*desktop.MouseEvent)    { b.hovered = true; b.paint() }
func (b *scrollBar) MouseMoved(*desktop.MouseEvent) {}
func (b *scrollBar) MouseOut()                      { b.hovered = false; b.stir() }

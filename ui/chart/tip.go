package chart

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/theme"
)

// tip is the box with the values of a mark. It stays within the chart.
type tip struct {
	highlight, back *canvas.Rectangle
	lines           []fyne.CanvasObject
	shown           bool
}

func newTip() *tip {
	t := &tip{back: canvas.NewRectangle(nil), highlight: canvas.NewRectangle(nil)}
	t.back.CornerRadius, t.back.StrokeWidth = 6, 1
	t.highlight.CornerRadius, t.highlight.StrokeWidth = 4, 1.5
	return t
}

func (t *tip) hide() { t.shown = false }

func (t *tip) objects() []fyne.CanvasObject {
	if !t.shown {
		return nil
	}
	return append([]fyne.CanvasObject{t.highlight, t.back}, t.lines...)
}

// show shows the values of a point beside its mark.
func (t *tip) show(p chartspec.Point, m mark, within fyne.Size) {
	t.shown = true
	size := theme.Size(theme.Tiny)
	line := size * 1.45
	pad := float32(8)
	pairs := p.Tooltip
	if fit := int((within.Height - pad) / line); len(pairs) > max(fit, 1) {
		pairs = pairs[:max(fit, 1)]
	}
	cut, width := cutPairs(pairs, size, within.Width-2*pad)
	height := line*float32(len(pairs)) + pad
	x, y := float32(m.x2)+10, float32((m.y1+m.y2)/2)-height/2
	if m.slice {
		x = float32(m.x1+m.x2)/2 - width/2 - pad // in the hole: the legend is beside the pie
	}
	if x+width+2*pad > within.Width {
		x = float32(m.x1) - 10 - width - 2*pad
	}
	x = max(0, min(x, within.Width-width-2*pad))
	y = max(0, min(y, within.Height-height))
	t.back.FillColor, t.back.StrokeColor = theme.Color(theme.Raised), theme.Color(theme.Line)
	t.back.Move(fyne.NewPos(x, y))
	t.back.Resize(fyne.NewSize(width+2*pad, height))
	t.lines = t.lines[:0]
	palette := themePalette()
	for i, pair := range cut {
		base := float64(y + pad/2 + line*float32(i) + size*1.1)
		name := shape{text: pair.Name, size: float64(size), color: palette.Quiet, places: []place{{float64(x + pad), base}}}
		value := shape{text: pair.Value, size: float64(size), color: palette.Ink, bold: true, anchor: atEnd, places: []place{{float64(x + pad + width), base}}}
		t.lines = append(t.lines, captionObject(name, palette), captionObject(value, palette))
	}
	t.highlight.StrokeColor = theme.Color(theme.Text)
	t.highlight.Hidden = m.slice
	t.highlight.Move(fyne.NewPos(float32(m.x1)-3, float32(m.y1)-3))
	t.highlight.Resize(fyne.NewSize(float32(m.x2-m.x1)+6, float32(m.y2-m.y1)+6))
}

// cutPairs cuts the names and values to a width that each pair shares, and returns the
// width of the widest pair.
func cutPairs(pairs []chartspec.Pair, size, limit float32) (cut []chartspec.Pair, width float32) {
	const between = 14
	k := windowLook()
	limit = min(limit, size*26)
	for _, p := range pairs {
		value := k.fit(p.Value, float64(size), float64(limit)*0.6, true)
		taken := k.measure(value, float64(size), true) + between
		name := k.fit(p.Name, float64(size), float64(limit)-taken, false)
		width = max(width, float32(taken+k.measure(name, float64(size), false)))
		cut = append(cut, chartspec.Pair{Name: name, Value: value})
	}
	return cut, min(width, limit)
}

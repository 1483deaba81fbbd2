package chart

import (
	"math"

	"bowerbird/tools/chartspec"
)

// draw places the marks of a layer.
func (f *frame) draw(l chartspec.Layer) {
	switch l.Mark {
	case chartspec.Bar:
		f.bars(l)
	case chartspec.Line, chartspec.Area:
		f.runs(l)
	case chartspec.Rect:
		f.cells(l)
	case chartspec.Arc:
		f.pie(l)
	case chartspec.Rule:
		f.rules(l)
	default:
		f.dots(l)
	}
}

// bars draws each bar in its band, those of one category side by side where they
// have offsets.
func (f *frame) bars(l chartspec.Layer) {
	axis, from, to := f.spec.X, f.left, f.right
	if l.Horizontal {
		axis, from, to = f.spec.Y, f.top, f.bottom
	}
	band := math.Max(1, 0.8*bandOf(axis, l, to-from))
	slots := math.Max(1, float64(len(f.spec.Offsets)))
	slot := map[string]int{}
	for i, name := range f.spec.Offsets {
		slot[name] = i
	}
	for _, p := range l.Points {
		c := f.colours.of(p)
		shift := -band/2 + band/slots*float64(slot[p.Offset])
		width := band / slots
		if l.Horizontal {
			y1, y2 := f.y(p.Y)+shift, f.y(p.Y)+shift+width
			if p.Y2.Kind != chartspec.Absent {
				y1, y2 = f.y(p.Y), f.y(p.Y2)
			}
			f.scene.rect(f.x(p.X2), y1, f.x(p.X), y2, c, p.Opacity)
			continue
		}
		x1, x2 := f.x(p.X)+shift, f.x(p.X)+shift+width
		if p.X2.Kind != chartspec.Absent {
			x1, x2 = f.x(p.X), f.x(p.X2)-1
		}
		f.scene.rect(x1, f.y(p.Y2), x2, f.y(p.Y), c, p.Opacity)
	}
}

// bandOf is the room that one bar has along an axis: a category's, or the
// smallest step between two values.
func bandOf(a chartspec.Axis, l chartspec.Layer, length float64) float64 {
	if a.Kind == chartspec.Categories {
		return length / math.Max(1, float64(len(a.Categories)))
	}
	if a.Kind == chartspec.NoAxis {
		return length / 2
	}
	step, last := math.Inf(1), math.NaN()
	for _, p := range sortedBy(l) {
		if d := p - last; d > 0 {
			step = math.Min(step, d)
		}
		last = p
	}
	if math.IsInf(step, 1) {
		return length / 4
	}
	return math.Min(length/4, step/(a.Max-a.Min)*length)
}

func sortedBy(l chartspec.Layer) []float64 {
	var ticks []tick
	for _, p := range l.Points {
		v := p.X
		if l.Horizontal {
			v = p.Y
		}
		ticks = append(ticks, tick{at: v.Num})
	}
	sortTicks(ticks)
	out := make([]float64, len(ticks))
	for i, t := range ticks {
		out[i] = t.at
	}
	return out
}

// runs draws lines and areas: the points of one series after another.
func (f *frame) runs(l chartspec.Layer) {
	for start := 0; start < len(l.Points); {
		first, end := l.Points[start], start
		for end < len(l.Points) && l.Points[end].Series == first.Series && l.Points[end].Line == first.Line {
			end++
		}
		f.run(l, l.Points[start:end], f.colours.of(first))
		start = end
	}
}

func (f *frame) run(l chartspec.Layer, points []chartspec.Point, c colour) {
	var upper, lower []place
	for _, p := range points {
		upper = append(upper, place{f.x(p.X), f.y(p.Y)})
		if l.Horizontal {
			lower = append(lower, place{f.x(p.X2), f.y(p.Y)})
		} else {
			lower = append(lower, place{f.x(p.X), f.y(p.Y2)})
		}
	}
	if len(upper) == 1 {
		f.scene.dot(upper[0], 3, c, points[0].Opacity)
		return
	}
	if l.Mark == chartspec.Area {
		outline := append([]place{}, upper...)
		for i := len(lower) - 1; i >= 0; i-- {
			outline = append(outline, lower[i])
		}
		f.scene.shapes = append(f.scene.shapes, shape{kind: polygon, places: outline, fill: c, opacity: 0.7 * points[0].Opacity})
	}
	f.scene.line(c, 2, upper...)
}

// cells draws the fields of a heat map.
func (f *frame) cells(l chartspec.Layer) {
	w := bandOf(f.spec.X, l, f.right-f.left)
	h := bandOf(f.spec.Y, l, f.bottom-f.top)
	for _, p := range l.Points {
		x1, x2 := f.x(p.X)-w/2, f.x(p.X)+w/2
		if p.X2.Kind != chartspec.Absent {
			x1, x2 = f.x(p.X), f.x(p.X2)
		}
		y1, y2 := f.y(p.Y)-h/2, f.y(p.Y)+h/2
		if p.Y2.Kind != chartspec.Absent {
			y1, y2 = f.y(p.Y), f.y(p.Y2)
		}
		f.scene.rect(x1, y1, x2-1, y2-1, f.colours.of(p), p.Opacity)
	}
}

// pie draws arcs as slices, clockwise from the top.
func (f *frame) pie(l chartspec.Layer) {
	total := 0.0
	for _, p := range l.Points {
		total += p.Amount
	}
	if total <= 0 {
		return
	}
	middle := place{(f.left + f.right) / 2, (f.top + f.bottom) / 2}
	radius := math.Min(f.right-f.left, f.bottom-f.top) / 2
	at := 0.0
	for i, p := range l.Points {
		c := f.colours.of(p)
		if p.Series == "" && p.Shade == nil {
			c = seriesColour(i)
		}
		part := p.Amount / total
		slice := []place{middle}
		steps := 1 + int(part*90)
		for s := range steps + 1 {
			sin, cos := math.Sincos(2 * math.Pi * (at + part*float64(s)/float64(steps)))
			slice = append(slice, place{middle.x + radius*sin, middle.y - radius*cos})
		}
		f.scene.shapes = append(f.scene.shapes, shape{kind: polygon, places: slice, fill: c, opacity: p.Opacity})
		if part >= 0.06 {
			sin, cos := math.Sincos(2 * math.Pi * (at + part/2))
			f.scene.write(place{middle.x + 0.65*radius*sin, middle.y - 0.65*radius*cos}, chartspec.FormatNumber(p.Amount), labelSize, paper, atMiddle)
		}
		at += part
	}
}

// rules draws lines across the frame, or between two ends.
func (f *frame) rules(l chartspec.Layer) {
	for _, p := range l.Points {
		x1, x2, y1, y2 := f.left, f.right, f.top, f.bottom
		if p.X.Kind != chartspec.Absent {
			x1, x2 = f.x(p.X), f.x(p.X)
			if p.X2.Kind != chartspec.Absent {
				x2 = f.x(p.X2)
			}
		}
		if p.Y.Kind != chartspec.Absent {
			y1, y2 = f.y(p.Y), f.y(p.Y)
			if p.Y2.Kind != chartspec.Absent {
				y2 = f.y(p.Y2)
			}
		}
		c := ink
		if p.Series != "" || p.Shade != nil {
			c = f.colours.of(p)
		}
		f.scene.line(c, 1.5, place{x1, y1}, place{x2, y2})
	}
}

// dots draws points, ticks and texts.
func (f *frame) dots(l chartspec.Layer) {
	largest := 0.0
	for _, p := range l.Points {
		if p.Size != nil {
			largest = math.Max(largest, *p.Size)
		}
	}
	for _, p := range l.Points {
		at, c := place{f.x(p.X), f.y(p.Y)}, f.colours.of(p)
		switch l.Mark {
		case chartspec.Label:
			f.scene.write(place{at.x, at.y - 3}, fitText(p.Text, labelSize, f.right-f.left), labelSize, ink, atMiddle)
		case chartspec.Tick:
			if l.Horizontal {
				f.scene.line(c, 1.5, place{at.x, at.y - 6}, place{at.x, at.y + 6})
			} else {
				f.scene.line(c, 1.5, place{at.x - 6, at.y}, place{at.x + 6, at.y})
			}
		default:
			radius := 3.5
			if p.Size != nil && largest > 0 { // the area stands for the size
				radius = 2 + 14*math.Sqrt(math.Max(0, *p.Size)/largest)
			}
			f.scene.dot(at, radius, c, 0.8*p.Opacity)
		}
	}
}

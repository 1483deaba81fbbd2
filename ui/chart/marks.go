package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"bowerbird/tools/chartspec"
)

const (
	barRadius = 3  // of the far end of bars, in points
	maxBar    = 72 // the greatest width of a bar, in points
)

func (f *frame) draw(layer int, l chartspec.Layer) {
	switch l.Mark {
	case chartspec.Bar:
		f.bars(layer, l)
	case chartspec.Line, chartspec.Area:
		f.runs(layer, l)
	case chartspec.Rect:
		f.cells(layer, l)
	case chartspec.Arc:
		f.pie(layer, l)
	case chartspec.Rule:
		f.rules(layer, l)
	default:
		f.dots(layer, l)
	}
}

// mark records where a point is drawn.
func (f *frame) mark(layer, point int, x1, y1, x2, y2 float64, c colour) {
	f.scene.marks = append(f.scene.marks, mark{
		layer: layer, point: point, color: c,
		x1: math.Min(x1, x2), x2: math.Max(x1, x2), y1: math.Min(y1, y2), y2: math.Max(y1, y2),
	})
}

// bars draws each bar in its band, and the bars of one category side by side if they have
// offsets.
func (f *frame) bars(layer int, l chartspec.Layer) {
	share := 0.68
	if len(f.spec.Offsets) > 1 {
		share = 0.8
	}
	slots := math.Max(1, float64(len(f.spec.Offsets)))
	band := math.Max(1, math.Min(share*f.band(l, !l.Horizontal), slots*maxBar))
	slot := map[string]int{}
	for i, offset := range f.spec.Offsets {
		slot[offset] = i
	}
	outer := outermost(l)
	for _, i := range f.backToFront(l) {
		p := l.Points[i]
		c := faded(f.colours.of(p), p.Opacity)
		x1, y1, x2, y2, round := f.bar(l, p, -band/2+band/slots*float64(slot[p.Offset]), band/slots)
		if !outer[i] {
			round = noSide
		}
		f.scene.rounded(x1, y1, x2, y2, c, barRadius, round)
		f.mark(layer, i, x1, y1, x2, y2, c)
		if f.direct {
			f.label(place{math.Max(x1, x2) + 6, (y1+y2)/2 + f.look.label*0.36}, grouped(p.Amount), f.look.label, f.palette.Quiet, atStart, false)
		}
	}
}

// backToFront returns the order in which bars are drawn: where several are at one place
// without being stacked, the longest comes first, so that none is hidden.
func (f *frame) backToFront(l chartspec.Layer) []int {
	order := make([]int, len(l.Points))
	for i := range order {
		order[i] = i
	}
	if !l.Stacked && len(f.spec.Series) > 1 && len(f.spec.Offsets) == 0 {
		slices.SortStableFunc(order, func(a, b int) int {
			return cmp.Compare(math.Abs(l.Points[b].Amount), math.Abs(l.Points[a].Amount))
		})
	}
	return order
}

// bar returns the box of a bar, and its far side. shift and width are across its length,
// from the middle of its band.
func (f *frame) bar(l chartspec.Layer, p chartspec.Point, shift, width float64) (x1, y1, x2, y2 float64, far side) {
	if width >= 3 && len(f.spec.Offsets) > 1 {
		width-- // a gap between bars side by side
	}
	across := func(middle float64) (from, to float64) {
		if width < 3 {
			return middle + shift, middle + shift + width
		}
		from = math.Round(middle + shift) // on whole points, so that all are equally wide
		return from, from + math.Round(width)
	}
	if l.Horizontal {
		x1, x2 = f.x(p.X2), f.x(p.X)
		if y1, y2 = across(f.y(p.Y)); p.Y2.Kind != chartspec.Absent {
			y1, y2 = spaced(f.y(p.Y), f.y(p.Y2))
		}
		return x1, y1, x2, y2, pick(x2 >= x1, rightSide, leftSide)
	}
	y1, y2 = f.y(p.Y2), f.y(p.Y)
	if x1, x2 = across(f.x(p.X)); p.X2.Kind != chartspec.Absent {
		x1, x2 = spaced(f.x(p.X), f.x(p.X2))
	}
	return x1, y1, x2, y2, pick(y2 <= y1, topSide, bottomSide)
}

func pick(first bool, a, b side) side {
	if first {
		return a
	}
	return b
}

// spaced puts a gap of a point between two bins that are wide enough.
func spaced(a, b float64) (float64, float64) {
	if math.Abs(b-a) > 3 {
		if b > a {
			return a + 0.5, b - 0.5
		}
		return a - 0.5, b + 0.5
	}
	return a, b
}

// outermost returns for each bar whether it is the end of its stack.
func outermost(l chartspec.Layer) []bool {
	type stack struct {
		at     chartspec.Value
		offset string
		below  bool
	}
	far := map[stack]float64{}
	key := func(p chartspec.Point) (stack, float64) {
		at, end := p.X, p.Y.Num
		if l.Horizontal {
			at, end = p.Y, p.X.Num
		}
		return stack{at, p.Offset, p.Amount < 0}, math.Abs(end)
	}
	for _, p := range l.Points {
		k, end := key(p)
		far[k] = math.Max(far[k], end)
	}
	out := make([]bool, len(l.Points))
	for i, p := range l.Points {
		k, end := key(p)
		out[i] = end == far[k]
	}
	return out
}

// band returns the space that one mark of a layer has along an axis, in points.
func (f *frame) band(l chartspec.Layer, x bool) float64 {
	given, wide, length := f.given.X, f.spec.X, f.right-f.left
	if !x {
		given, wide, length = f.given.Y, f.spec.Y, f.bottom-f.top
	}
	switch wide.Kind {
	case chartspec.Categories:
		return length / math.Max(1, float64(len(wide.Categories)))
	case chartspec.NoAxis:
		return length / 2
	}
	return stepOf(given, l, x) / (wide.Max - wide.Min) * length
}

// stepOf returns the smallest distance of two values along an axis, but at most a quarter
// of the axis.
func stepOf(a chartspec.Axis, l chartspec.Layer, x bool) float64 {
	values := make([]float64, len(l.Points))
	for i, p := range l.Points {
		values[i] = p.Y.Num
		if x {
			values[i] = p.X.Num
		}
	}
	slices.Sort(values)
	step := (a.Max - a.Min) / 4
	for i := 1; i < len(values); i++ {
		if d := values[i] - values[i-1]; d > 0 {
			step = math.Min(step, d)
		}
	}
	return step
}

// runs draws lines and areas, one series after another.
func (f *frame) runs(layer int, l chartspec.Layer) {
	for start := 0; start < len(l.Points); {
		first, end := l.Points[start], start
		for end < len(l.Points) && l.Points[end].Series == first.Series && l.Points[end].Line == first.Line {
			end++
		}
		f.run(layer, l, start, end)
		start = end
	}
}

func (f *frame) run(layer int, l chartspec.Layer, start, end int) {
	points := l.Points[start:end]
	c := f.colours.of(points[0])
	var upper, lower []place
	for i, p := range points {
		at := place{f.x(p.X), f.y(p.Y)}
		upper = append(upper, at)
		if l.Horizontal {
			lower = append(lower, place{f.x(p.X2), at.y})
		} else {
			lower = append(lower, place{at.x, f.y(p.Y2)})
		}
		if !p.Filler {
			f.mark(layer, start+i, at.x, at.y, at.x, at.y, c)
		}
	}
	if l.Steps {
		upper, lower = stepped(upper), stepped(lower)
	}
	if len(upper) == 1 {
		f.scene.dot(upper[0], 3.5, faded(c, points[0].Opacity))
		return
	}
	if l.Mark == chartspec.Area {
		outline := slices.Clone(upper)
		slices.Reverse(lower)
		opacity := 0.18
		if l.Stacked {
			opacity = 0.75
		}
		f.scene.fill(faded(c, opacity*points[0].Opacity), append(outline, lower...))
	}
	f.scene.line(faded(c, points[0].Opacity), 2, upper...)
}

// stepped makes a line horizontal up to the next point.
func stepped(places []place) []place {
	var out []place
	for i, p := range places {
		if i > 0 {
			out = append(out, place{p.x, places[i-1].y})
		}
		out = append(out, p)
	}
	return out
}

// cells draws the cells of a heat map.
func (f *frame) cells(layer int, l chartspec.Layer) {
	w := f.band(l, true)
	h := f.band(l, false)
	for i, p := range l.Points {
		x1, x2 := f.x(p.X)-w/2, f.x(p.X)+w/2
		if p.X2.Kind != chartspec.Absent {
			x1, x2 = f.x(p.X), f.x(p.X2)
		}
		y1, y2 := f.y(p.Y)-h/2, f.y(p.Y)+h/2
		if p.Y2.Kind != chartspec.Absent {
			y1, y2 = f.y(p.Y), f.y(p.Y2)
		}
		x1, x2 = spaced(x1, x2)
		y1, y2 = spaced(y1, y2)
		c := faded(f.colours.of(p), p.Opacity)
		f.scene.rounded(x1, y1, x2, y2, c, 2, allSides)
		f.mark(layer, i, x1, y1, x2, y2, c)
	}
}

// rules draws lines across the frame, or between two ends.
func (f *frame) rules(layer int, l chartspec.Layer) {
	for i, p := range l.Points {
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
		c := f.palette.Ink
		if p.Series != "" || p.Shade != nil {
			c = f.colours.of(p)
		}
		c = faded(c, p.Opacity)
		f.scene.line(c, 1.5, place{x1, y1}, place{x2, y2})
		f.mark(layer, i, x1, y1, x2, y2, c)
	}
}

// dots draws points, ticks and texts.
func (f *frame) dots(layer int, l chartspec.Layer) {
	// The radius of the largest dot: many leave less space for each.
	largest, widest := 0.0, math.Max(5, math.Min(14, 14*math.Sqrt(60/float64(max(len(l.Points), 1)))))
	for _, p := range l.Points {
		if p.Size != nil {
			largest = math.Max(largest, *p.Size)
		}
	}
	for i, p := range l.Points {
		at, c := place{f.x(p.X), f.y(p.Y)}, faded(f.colours.of(p), p.Opacity)
		reach := 3.5
		switch l.Mark {
		case chartspec.Label:
			f.text(layer, l, p, at)
		case chartspec.Tick:
			start, end := place{math.Max(0, at.x-6), at.y}, place{math.Min(f.scene.width, at.x+6), at.y}
			if l.Horizontal {
				start, end = place{at.x, at.y - 6}, place{at.x, at.y + 6}
			}
			f.scene.line(c, 1.5, start, end)
		default:
			if p.Size != nil && largest > 0 && !l.SizeFixed { // the area stands for the size
				reach = widest * math.Sqrt(math.Max(0, *p.Size)/largest)
			}
			reach = math.Max(reach, 1)
			f.scene.dot(at, reach, faded(c, 0.8))
		}
		f.mark(layer, i, at.x-reach, at.y-reach, at.x+reach, at.y+reach, c)
	}
}

// text writes the text of a point: after the end of horizontal bars, in the middle of a
// cell in a contrasting colour, else above the point.
func (f *frame) text(layer int, l chartspec.Layer, p chartspec.Point, at place) {
	size := f.look.label
	text := f.fitLabel(p.Text, f.right-f.left)
	half := f.width(text) / 2
	switch {
	case l.Horizontal && f.spec.Y.Kind == chartspec.Categories:
		at.x += half + 5
		at.y += size * 0.36
	case f.spec.Y.Kind == chartspec.Categories:
		at.y += size * 0.36
	default:
		at.y -= 3
	}
	at.x = math.Max(half, math.Min(at.x, f.scene.width-half))
	at.y = math.Max(at.y, size)
	f.label(at, text, size, f.inkOn(layer, place{at.x, at.y - size*0.36}), atMiddle, false)
}

// inkOn returns the colour of a text over what the layers below have drawn at a place.
func (f *frame) inkOn(layer int, at place) colour {
	back := f.palette.Paper
	for _, m := range f.scene.marks {
		if m.layer < layer && !m.slice && m.color.A > 0x80 && m.x1 <= at.x && at.x <= m.x2 && min(m.y1, m.y2) <= at.y && at.y <= max(m.y1, m.y2) {
			back = m.color
		}
	}
	if contrast(back, f.palette.Paper) > contrast(back, f.palette.Ink) {
		return f.palette.Paper
	}
	return f.palette.Ink
}

// contrast returns how far apart the brightness of two colours is.
func contrast(a, b colour) float64 {
	bright := func(c colour) float64 { return 0.3*float64(c.R) + 0.59*float64(c.G) + 0.11*float64(c.B) }
	return math.Abs(bright(a) - bright(b))
}

// pie draws arcs as slices of a ring, clockwise from the top, with a legend beside it.
func (f *frame) pie(layer int, l chartspec.Layer) {
	total := 0.0
	for _, p := range l.Points {
		total += p.Amount
	}
	if total <= 0 || len(l.Points) == 0 {
		return
	}
	radius := math.Min((f.bottom-f.top)/2, (f.right-f.left)*0.25)
	middle := place{f.left + radius, (f.top + f.bottom) / 2}
	at := 0.0
	var rows []pieRow
	for i, p := range l.Points {
		c := f.colours.of(p)
		if p.Series == "" && p.Shade == nil {
			c = f.palette.seriesColour(i)
		}
		c = faded(c, p.Opacity)
		part := p.Amount / total
		a1, a2 := 2*math.Pi*at, 2*math.Pi*(at+part)
		f.scene.fill(c, ring(middle, radius, 0.58*radius, a1, a2))
		f.scene.marks = append(f.scene.marks, mark{
			layer: layer, point: i, color: c, slice: true, a1: a1, a2: a2,
			x1: middle.x - radius, x2: middle.x + radius, y1: middle.y - radius, y2: middle.y + radius,
		})
		digits := 0
		if percent := 100 * part; percent < 9.95 && percent != 0 {
			digits = 1
		}
		number := fmt.Sprintf("%s · %.*f %%", grouped(p.Amount), digits, 100*part)
		rows = append(rows, pieRow{cmp.Or(p.Series, p.Text), number, c})
		at += part
	}
	if len(l.Points) > 1 {
		at = 0
		for _, p := range l.Points { // a thin line between slices
			sin, cos := math.Sincos(2 * math.Pi * at)
			f.scene.line(f.palette.Paper, 1.5, place{middle.x + 0.57*radius*sin, middle.y - 0.57*radius*cos}, place{middle.x + radius*sin, middle.y - radius*cos})
			at += p.Amount / total
		}
	}
	f.pieLegend(rows, middle.x+radius+3*gap)
}

// ring returns the outline of a part of a ring, from angle a1 to a2 clockwise from the top,
// in steps too short to be seen.
func ring(middle place, outer, inner, a1, a2 float64) []place {
	steps := 1 + int((a2-a1)/(2*math.Pi)*180)
	places := make([]place, 0, 2*steps+2)
	for i := range steps + 1 {
		sin, cos := math.Sincos(a1 + (a2-a1)*float64(i)/float64(steps))
		places = append(places, place{middle.x + outer*sin, middle.y - outer*cos})
	}
	for i := steps; i >= 0; i-- {
		sin, cos := math.Sincos(a1 + (a2-a1)*float64(i)/float64(steps))
		places = append(places, place{middle.x + inner*sin, middle.y - inner*cos})
	}
	return places
}

// grouped formats a number for reading: whole ones with a comma between thousands, others
// with six digits.
func grouped(f float64) string {
	s := chartspec.FormatNumber(f)
	if f != math.Trunc(f) || math.Abs(f) >= 1e15 || math.Abs(f) < 1000 {
		return s
	}
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

package chart

import (
	"math"

	"bowerbird/tools/chartspec"
)

// Sizes in pixels.
const (
	defaultWidth, defaultHeight = 640, 360
	minSide, maxSide            = 120, 2000
	margin                      = 12
	labelSize                   = 11
	titleSize                   = 15
	tickLength                  = 4
)

// frame is where the marks of a chart with axes are drawn.
type frame struct {
	spec                     *chartspec.Spec
	scene                    *scene
	colours                  colours
	left, top, right, bottom float64
}

// layout places everything of a chart.
func layout(s *chartspec.Spec) *scene {
	s = widened(s)
	w := clampSide(s.Width, defaultWidth)
	h := clampSide(s.Height, defaultHeight)
	f := &frame{spec: s, scene: &scene{width: w, height: h}, colours: coloursOf(s)}
	f.left, f.top, f.right, f.bottom = margin, margin, w-margin, h-margin
	f.scene.rect(0, 0, w, h, paper, 1)
	if s.Title != "" {
		f.scene.write(place{margin, f.top + titleSize}, fitText(s.Title, titleSize, w-2*margin), titleSize, ink, atStart)
		f.top += titleSize + margin
	}
	f.legend()
	if s.X.Kind != chartspec.NoAxis || s.Y.Kind != chartspec.NoAxis {
		f.axes()
	}
	for _, l := range s.Layers {
		f.draw(l)
	}
	return f.scene
}

// widened gives bars at the ends of an axis of times or numbers the room of half
// a bar.
func widened(s *chartspec.Spec) *chartspec.Spec {
	out := *s
	for _, l := range s.Layers {
		axis := &out.X
		if l.Horizontal {
			axis = &out.Y
		}
		if l.Mark != chartspec.Bar || axis.Kind == chartspec.Categories || axis.Kind == chartspec.NoAxis {
			continue
		}
		if p := l.Points[0]; p.X2.Kind != chartspec.Absent && !l.Horizontal || p.Y2.Kind != chartspec.Absent && l.Horizontal {
			continue // bins have their own ends
		}
		half := bandOf(*axis, l, axis.Max-axis.Min) / 2
		axis.Min, axis.Max = axis.Min-half, axis.Max+half
	}
	return &out
}

func clampSide(asked, standard int) float64 {
	if asked == 0 {
		asked = standard
	}
	return float64(min(max(asked, minSide), maxSide))
}

// legend lists the series on the right, as many as there is room for.
func (f *frame) legend() {
	names, title := f.spec.Series, f.spec.SeriesTitle
	if len(names) == 0 {
		names = f.spec.Offsets
	}
	if f.spec.ShadeTitle != "" && f.colours.top >= f.colours.low {
		f.shadeLegend()
		return
	}
	if len(names) == 0 {
		return
	}
	const row = labelSize + 6
	width := textWidth(title, labelSize)
	for _, n := range names {
		width = math.Max(width, textWidth(n, labelSize)+row)
	}
	width = math.Min(width, (f.right-f.left)/3)
	x, y := f.right-width, f.top+labelSize
	f.right = x - margin
	if title != "" {
		f.scene.write(place{x, y}, fitText(title, labelSize, width), labelSize, quiet, atStart)
		y += row
	}
	for i, n := range names {
		if y+row > f.bottom && i < len(names)-1 {
			f.scene.write(place{x, y}, "…", labelSize, quiet, atStart)
			break
		}
		f.scene.rect(x, y-labelSize+2, x+labelSize-2, y, seriesColour(i), 1)
		f.scene.write(place{x + row, y}, fitText(n, labelSize, width-row), labelSize, ink, atStart)
		y += row
	}
}

func (f *frame) shadeLegend() {
	const width = 90
	x := f.right - width
	f.right = x - margin
	f.scene.write(place{x, f.top + labelSize}, fitText(f.spec.ShadeTitle, labelSize, width), labelSize, quiet, atStart)
	const steps = 6
	for i := range steps {
		part := float64(i) / (steps - 1)
		y := f.top + labelSize + 8 + float64(i)*14
		f.scene.rect(x, y, x+14, y+14, mix(shadeLo, shadeHi, part), 1)
		if i == 0 || i == steps-1 {
			at := f.colours.low + (f.colours.top-f.colours.low)*part
			f.scene.write(place{x + 20, y + 11}, fitText(chartspec.FormatNumber(at), labelSize, width-20), labelSize, ink, atStart)
		}
	}
}

// axes draws both axes and shrinks the frame to what is left for the marks.
func (f *frame) axes() {
	x, y := &f.spec.X, &f.spec.Y
	if x.Kind != chartspec.NoAxis {
		f.bottom -= labelSize + tickLength + 6
		if x.Title != "" {
			f.bottom -= labelSize + 6
		}
	}
	if y.Kind != chartspec.NoAxis && y.Title != "" {
		f.scene.write(place{f.left, f.top + labelSize}, fitText(y.Title, labelSize, f.right-f.left), labelSize, quiet, atStart)
		f.top += labelSize + 12
	}
	rows := f.ticks(y, int((f.bottom-f.top)/30), func(p chartspec.Point) chartspec.Value { return p.Y })
	wide := 0.0
	for _, t := range rows {
		wide = math.Max(wide, textWidth(t.label, labelSize))
	}
	wide = math.Min(wide, (f.right-f.left)/3)
	if len(rows) > 0 {
		f.left += wide + tickLength + 6
	}
	f.drawRows(rows, wide)
	f.drawColumns()
	if x.Title != "" {
		f.scene.write(place{(f.left + f.right) / 2, f.bottom + labelSize*2 + tickLength + 10}, fitText(x.Title, labelSize, f.right-f.left), labelSize, quiet, atMiddle)
	}
}

// drawRows labels the y axis; labels that would touch are left out.
func (f *frame) drawRows(rows []tick, wide float64) {
	free := math.Inf(1)
	for i := len(rows) - 1; i >= 0; i-- {
		y := f.y(chartspec.Value{Kind: kindOf(f.spec.Y), Num: rows[i].at, Text: rows[i].label})
		if f.spec.Y.Kind != chartspec.Categories {
			f.scene.line(grid, 1, place{f.left, y}, place{f.right, y})
		}
		if math.Abs(free-y) < labelSize+2 {
			continue
		}
		free = y
		f.scene.write(place{f.left - tickLength - 4, y + labelSize/3}, fitText(rows[i].label, labelSize, wide), labelSize, ink, atEnd)
	}
}

// drawColumns labels the x axis: labels are cut to their column, and where even
// that is too narrow only every second, third … is written.
func (f *frame) drawColumns() {
	x := &f.spec.X
	f.scene.line(quiet, 1, place{f.left, f.bottom}, place{f.right, f.bottom})
	cols := f.ticks(x, int((f.right-f.left)/70), func(p chartspec.Point) chartspec.Value { return p.X })
	if x.Kind == chartspec.Times {
		shortTime(cols)
	}
	free := math.Inf(-1)
	for i, t := range cols {
		at := f.x(chartspec.Value{Kind: kindOf(*x), Num: t.at, Text: t.label})
		room := f.right - f.left
		if i+1 < len(cols) {
			room = math.Abs(f.x(chartspec.Value{Kind: kindOf(*x), Num: cols[i+1].at, Text: cols[i+1].label}) - at)
		} else if i > 0 {
			room = math.Abs(at - f.x(chartspec.Value{Kind: kindOf(*x), Num: cols[i-1].at, Text: cols[i-1].label}))
		}
		label := fitText(t.label, labelSize, math.Max(room-6, 30))
		half := textWidth(label, labelSize) / 2
		if at-half < free {
			continue
		}
		free = at + half + 4
		f.scene.line(quiet, 1, place{at, f.bottom}, place{at, f.bottom + tickLength})
		at = math.Max(half, math.Min(at, f.scene.width-half))
		f.scene.write(place{at, f.bottom + tickLength + labelSize + 2}, label, labelSize, ink, atMiddle)
	}
}

func (f *frame) ticks(a *chartspec.Axis, want int, get func(chartspec.Point) chartspec.Value) []tick {
	switch a.Kind {
	case chartspec.Numbers:
		return numberTicks(a.Min, a.Max, want, f.whole(get))
	case chartspec.Times:
		return timeTicks(f.spec, get, want)
	case chartspec.Categories:
		ticks := make([]tick, len(a.Categories))
		for i, c := range a.Categories {
			ticks[i] = tick{float64(i), c}
		}
		return ticks
	}
	return nil
}

// whole reports whether only whole numbers stand along an axis: then it has no
// ticks between them.
func (f *frame) whole(get func(chartspec.Point) chartspec.Value) bool {
	for _, l := range f.spec.Layers {
		for _, p := range l.Points {
			if v := get(p); v.Kind == chartspec.Number && v.Num != math.Trunc(v.Num) {
				return false
			}
		}
	}
	return true
}

func kindOf(a chartspec.Axis) chartspec.ValueKind {
	switch a.Kind {
	case chartspec.Numbers:
		return chartspec.Number
	case chartspec.Times:
		return chartspec.Time
	}
	return chartspec.Category
}

// x and y are the pixels of a value; of a category its middle; of nothing the
// middle of the frame.
func (f *frame) x(v chartspec.Value) float64 {
	return along(f.spec.X, v, f.left, f.right, false)
}

func (f *frame) y(v chartspec.Value) float64 {
	return along(f.spec.Y, v, f.top, f.bottom, f.spec.Y.Kind != chartspec.Categories)
}

func along(a chartspec.Axis, v chartspec.Value, from, to float64, up bool) float64 {
	part := 0.5
	switch {
	case v.Kind == chartspec.Category && len(a.Categories) > 0:
		for i, c := range a.Categories {
			if c == v.Text {
				part = (float64(i) + 0.5) / float64(len(a.Categories))
			}
		}
	case v.Kind != chartspec.Absent && a.Max > a.Min:
		part = math.Min(1, math.Max(0, (v.Num-a.Min)/(a.Max-a.Min)))
	}
	if up {
		part = 1 - part
	}
	return from + (to-from)*part
}

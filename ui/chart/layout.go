package chart

import (
	"math"

	"bowerbird/tools/chartspec"
)

// Sizes in points.
const (
	defaultWidth, defaultHeight = 640, 360
	minSide, maxSide            = 120, 2000
	gap                         = 8 // between a label and the mark or axis that it names
)

// frame is the area of the marks in a chart with axes.
type frame struct {
	look
	given                    *chartspec.Spec
	spec                     *chartspec.Spec // with axes widened for the bars at their ends
	scene                    *scene
	colours                  colours
	labels                   []area // covered so far
	direct                   bool   // the bars have numbers instead of the axis
	left, top, right, bottom float64
}

// arrange lays out a whole chart in a width and a height, in points.
func arrange(s *chartspec.Spec, width, height float64, k look) *scene {
	f := newFrame(s, width, k)
	f.scene.height, f.bottom = height, height-k.margin
	if k.titled {
		f.scene.rect(0, 0, width, height, k.palette.Paper)
		if s.Title != "" {
			f.top += k.heading
			f.label(place{f.left, f.top}, f.fit(s.Title, k.heading, f.right-f.left, true), k.heading, k.palette.Ink, atStart, true)
			f.top += gap + k.heading*(leading-ascent)
		}
	}
	if f.pies() {
		f.scene.frame = *f
		f.drawLayers()
		return f.scene
	}
	f.legend()
	f.axes()
	f.scene.frame = *f
	f.drawLayers()
	return f.scene
}

func newFrame(s *chartspec.Spec, width float64, k look) *frame {
	f := &frame{look: k, given: s, spec: widened(s), scene: &scene{width: width}, colours: coloursOf(s, k.palette)}
	f.direct = carriesNumbers(s)
	f.left, f.top, f.right = k.margin, k.margin, math.Max(k.margin+1, width-k.margin)
	return f
}

func (f *frame) drawLayers() {
	for i, l := range f.spec.Layers {
		f.draw(i, l)
	}
}

// heightFor returns the height that suits a chart at a width, in points: horizontal bars
// have rows of equal height, one series over time is low, other charts are higher.
func heightFor(s *chartspec.Spec, width float64, k look) float64 {
	f := newFrame(s, width, k)
	row := k.label * 2
	growth := math.Sqrt(k.label / 11) // grows with the text size, but less
	var plot float64
	switch {
	case f.pies():
		return 2*k.margin + math.Min(math.Max(0.3*width, 8*k.label), 16*k.label) + f.titleHeight()
	case s.Y.Kind == chartspec.Categories:
		if n := len(s.Y.Categories); n > 20 {
			row = k.label * 1.5
		}
		plot = row * math.Max(1, float64(len(s.Y.Categories))*math.Max(1, float64(f.slotsAcross())*0.7))
	case f.plain():
		plot = math.Min(math.Max(0.11*width, 64), 120) * growth
	default:
		plot = math.Min(math.Max(0.3*width, 130), 240) * growth
	}
	if s.Y.Kind == chartspec.NoAxis {
		plot = row * 1.5
	}
	if s.Height > 0 && s.Y.Kind != chartspec.Categories && !f.plain() {
		plot = math.Min(math.Max(float64(s.Height), 100), 400)
	}
	f.legend() // lowers f.top
	return f.top + plot + f.titleHeight() + f.above() + f.below() + k.margin
}

func (f *frame) titleHeight() float64 {
	if f.titled && f.spec.Title != "" {
		return gap + f.heading*leading
	}
	return 0
}

// plain reports whether a chart consists of one series of bars or one line.
func (f *frame) plain() bool {
	l := f.spec.Layers[0]
	return len(f.spec.Layers) == 1 && (len(legendNames(f.spec)) == 0 || coloursRepeatAxis(f.spec)) && !f.colours.shaded() && !l.Horizontal &&
		(l.Mark == chartspec.Bar || l.Mark == chartspec.Line || l.Mark == chartspec.Area)
}

// slotsAcross returns the number of bars side by side in one row of horizontal bars.
func (f *frame) slotsAcross() int {
	if f.spec.Layers[0].Horizontal {
		return max(1, len(f.spec.Offsets))
	}
	return 1
}

func (f *frame) pies() bool {
	for _, l := range f.spec.Layers {
		if l.Mark == chartspec.Arc {
			return true
		}
	}
	return false
}

// carriesNumbers reports whether bars are labelled with their numbers instead of an axis:
// if they are horizontal, one in a row, and none is negative.
func carriesNumbers(s *chartspec.Spec) bool {
	if len(s.Layers) != 1 || len(s.Offsets) > 0 || s.Y.Kind != chartspec.Categories || len(s.Y.Categories) > 30 {
		return false
	}
	l := s.Layers[0]
	if l.Mark != chartspec.Bar || !l.Horizontal || len(l.Points) > len(s.Y.Categories) {
		return false
	}
	seen := map[string]bool{}
	for _, p := range l.Points {
		if p.X2.Kind != chartspec.Number || p.X2.Num != 0 || p.X.Num < 0 || seen[p.Y.Text] {
			return false
		}
		seen[p.Y.Text] = true
	}
	return true
}

// widened extends axes of times or numbers by half a bar for the bars at their ends, and a
// little for points.
func widened(s *chartspec.Spec) *chartspec.Spec {
	out := *s
	for _, axis := range []*chartspec.Axis{&out.X, &out.Y} {
		if axis.Kind != chartspec.Numbers && axis.Kind != chartspec.Times {
			continue
		}
		low, high := 0.0, 0.0
		for _, l := range s.Layers {
			half := halfOf(*axis, l, axis == &out.X)
			low, high = math.Max(low, half), math.Max(high, half)
			if l.Mark == chartspec.Dot || l.Mark == chartspec.Tick || l.Mark == chartspec.Label {
				few := (axis.Max - axis.Min) * 0.03
				if l.Mark == chartspec.Label && l.Horizontal && axis == &out.X {
					few *= 3 // texts are written after their places
				}
				if l.Mark == chartspec.Label && !l.Horizontal && axis == &out.Y {
					high = math.Max(high, few*5) // or above them
				}
				if axis.Min != 0 {
					low = math.Max(low, few)
				}
				if axis.Max != 0 {
					high = math.Max(high, few)
				}
			}
		}
		axis.Min, axis.Max = axis.Min-low, axis.Max+high
	}
	return &out
}

// halfOf returns half the width of a bar or a cell along an axis; 0 along the axis that
// measures it, or if its ends are given.
func halfOf(a chartspec.Axis, l chartspec.Layer, x bool) float64 {
	if l.Mark != chartspec.Rect && (l.Mark != chartspec.Bar || l.Horizontal == x) {
		return 0
	}
	if p := l.Points[0]; x && p.X2.Kind != chartspec.Absent || !x && p.Y2.Kind != chartspec.Absent {
		return 0
	}
	return stepOf(a, l, x) / 2
}

// x and y return where a value is drawn: the middle of a category, and the middle of the frame
// if the value is absent.
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
				break
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

func kindOf(a chartspec.Axis) chartspec.ValueKind {
	switch a.Kind {
	case chartspec.Numbers:
		return chartspec.Number
	case chartspec.Times:
		return chartspec.Time
	}
	return chartspec.Category
}

// area is what a label covers.
type area struct{ x1, y1, x2, y2 float64 }

func (a area) overlaps(b area) bool {
	return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2
}

// maxLabels bounds the time that comparing labels takes.
const maxLabels = 400

// label writes a text unless it would overlap another or leave the scene, and reports
// whether it did.
func (f *frame) label(p place, text string, size float64, c colour, a anchor, bold bool) bool {
	if text == "" || len(f.labels) >= maxLabels {
		return false
	}
	w := f.measure(text, size, bold)
	x := p.x
	switch a {
	case atMiddle:
		x -= w / 2
	case atEnd:
		x -= w
	}
	covers := area{x, p.y - size*ascent, x + w, p.y + size*(leading-ascent)*0.5}
	if covers.x1 < -1 || covers.x2 > f.scene.width+1 {
		return false
	}
	spaced := area{covers.x1 - 4, covers.y1, covers.x2 + 4, covers.y2}
	for _, l := range f.labels {
		if l.overlaps(spaced) {
			return false
		}
	}
	f.labels = append(f.labels, covers)
	f.scene.shapes = append(f.scene.shapes, shape{kind: caption, places: []place{p}, text: text, size: size, bold: bold, color: c, anchor: a})
	return true
}

const maxLegendRows = 3

// legend writes above the marks what their colours stand for.
func (f *frame) legend() {
	if f.colours.shaded() {
		f.shadeLegend()
		return
	}
	names := legendNames(f.spec)
	if len(names) < 2 || coloursRepeatAxis(f.spec) {
		return
	}
	size := f.look.label
	swatch, line := math.Round(size*0.75), size*1.6
	x, row := f.left, 0
	if f.spec.SeriesNamed {
		title := f.fitLabel(f.spec.SeriesTitle, (f.right-f.left)/3)
		f.label(place{x, f.top + size}, title, size, f.palette.Ink, atStart, false)
		x += f.width(title) + 14
	}
	for i, name := range names {
		text := f.fitLabel(name, math.Min(size*16, f.right-f.left-swatch-6))
		w := swatch + 6 + f.width(text)
		if x > f.left && x+w > f.right {
			x, row = f.left, row+1
		}
		// The last line keeps space for the number of names that are left out.
		more := f.more(len(names) - i)
		if row == maxLegendRows-1 && i < len(names)-1 && x+w+14+f.width(more) > f.right {
			f.label(place{x, f.top + line*float64(row) + size}, more, size, f.palette.Quiet, atStart, false)
			break
		}
		y := f.top + line*float64(row)
		f.scene.rounded(x, y+size*0.6-swatch/2, x+swatch, y+size*0.6+swatch/2, f.palette.seriesColour(i), 2, allSides)
		f.label(place{x + swatch + 6, y + size}, text, size, f.palette.Quiet, atStart, false)
		x += w + 14
	}
	f.top += line*float64(row+1) + 4
}

// coloursRepeatAxis reports whether each colour stands for the category that its mark is at: then
// the axis names it already.
func coloursRepeatAxis(s *chartspec.Spec) bool {
	if len(s.Series) == 0 {
		return false
	}
	for _, l := range s.Layers {
		for _, p := range l.Points {
			if p.Series != "" && p.Series != p.X.Text && p.Series != p.Y.Text {
				return false
			}
		}
	}
	return s.X.Kind == chartspec.Categories || s.Y.Kind == chartspec.Categories
}

// shadeLegend shows the least and the greatest number that is shown as a shade, with a
// scale between them.
func (f *frame) shadeLegend() {
	const steps = 8
	size := f.look.label
	low, high := shortNumber(f.colours.low, f.colours.low/100), shortNumber(f.colours.high, f.colours.high/100)
	x, y := f.left, f.top+size
	put := func(text string) {
		text = f.fitLabel(text, math.Max(size*2, f.right-x))
		f.label(place{x, y}, text, size, f.palette.Quiet, atStart, false)
		x += f.width(text) + 6
	}
	if title := f.spec.ShadeTitle; title != "" && f.right-f.left > size*24 {
		put(f.fitLabel(title, size*12))
	}
	put(low)
	if f.colours.high > f.colours.low {
		for i := range steps {
			c := mix(f.palette.ShadeLow, f.palette.ShadeHigh, float64(i)/(steps-1))
			f.scene.rect(x+float64(i)*size, y-size*0.8, x+float64(i+1)*size, y, c)
		}
		x += steps*size + 6
		put(high)
	}
	f.top += size*1.6 + 4
}

// pieRow is a line of a pie's legend.
type pieRow struct {
	name, number string
	color        colour
}

// pieLegend writes the names and numbers of the slices to the right of x, as many as fit.
func (f *frame) pieLegend(rows []pieRow, x float64) {
	size := f.look.label
	line := size * 1.7
	swatch := math.Round(size * 0.75)
	fit := max(1, int((f.bottom-f.top)/line))
	hidden := 0
	if len(rows) > fit {
		hidden = len(rows) - fit + 1
		rows = rows[:fit-1]
	}
	y := (f.top + f.bottom - line*float64(len(rows)+min(hidden, 1))) / 2
	for _, r := range rows {
		base := y + size*1.2
		f.scene.rounded(x, base-size*0.4-swatch/2, x+swatch, base-size*0.4+swatch/2, r.color, 2, allSides)
		w := f.right - x - swatch - 6
		number := f.fitLabel(r.number, w*0.6)
		name := f.fitLabel(r.name, math.Max(size, w-f.width(number)-gap))
		at := x + swatch + 6
		if f.label(place{at, base}, name, size, f.palette.Ink, atStart, false) {
			at += f.width(name) + gap
		}
		f.label(place{at, base}, number, size, f.palette.Quiet, atStart, false)
		y += line
	}
	if hidden > 0 {
		f.label(place{x + swatch + 6, y + size*1.2}, f.more(hidden), size, f.palette.Quiet, atStart, false)
	}
}

package chart

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"bowerbird/tools/chartspec"
)

// above and below return the height that the axes take over and under the marks.
func (f *frame) above() float64 {
	height := 0.0
	if f.spec.Y.Kind == chartspec.Numbers || f.spec.Y.Kind == chartspec.Times {
		height = f.look.label / 2 // the uppermost label is centred on its line
	}
	if f.axisTitle(f.spec.Y) != "" {
		height += f.look.label*leading + 4
	}
	return height
}

func (f *frame) below() float64 {
	height := 2.0
	if f.hasColumns() {
		height += f.look.label*leading + 5
	} else if f.spec.Y.Kind == chartspec.Numbers || f.spec.Y.Kind == chartspec.Times {
		height += f.look.label / 2 // the lowest label is centred on its line
	}
	if f.axisTitle(f.spec.X) != "" {
		height += f.look.label*leading + 4
	}
	return height
}

func (f *frame) hasColumns() bool { return f.spec.X.Kind != chartspec.NoAxis && !f.direct }

// axisTitle returns what is written along an axis: the name that the chart gives it, or a name
// made from the field's only where the chart has no title to explain it.
func (f *frame) axisTitle(a chartspec.Axis) string {
	if a.Kind == chartspec.NoAxis || f.spec.Title != "" && !a.Named || a.Kind == chartspec.Times && !a.Named {
		return ""
	}
	return a.Title
}

// axes draws both axes and shrinks the frame to the space that is left for the marks.
func (f *frame) axes() {
	if title := f.axisTitle(f.spec.Y); title != "" {
		f.top += f.look.label
		f.label(place{f.left, f.top}, f.fitLabel(title, f.right-f.left), f.look.label, f.palette.Quiet, atStart, false)
		f.top += f.above() - f.look.label
	} else {
		f.top += f.above()
	}
	bottom := f.bottom
	f.top = math.Round(f.top) // so that bars end on the lines of the grid
	f.bottom = math.Round(math.Max(f.top+1, f.bottom-f.below()))
	if title := f.axisTitle(f.spec.X); title != "" {
		title = f.fitLabel(title, f.right-f.left)
		f.label(place{(f.left + f.right) / 2, bottom - f.look.label*0.3}, title, f.look.label, f.palette.Quiet, atMiddle, false)
	}
	rows := f.lineAbove(f.rows())
	start, wide := f.left, 0.0
	for _, t := range rows {
		wide = math.Max(wide, f.width(t.label))
	}
	wide = math.Min(wide, (f.right-f.left)*0.38)
	if len(rows) > 0 {
		f.left += wide + gap
	}
	if f.direct { // keep the right side free for the numbers of the bars
		widest := 0.0
		for _, p := range f.spec.Layers[0].Points {
			widest = math.Max(widest, f.width(grouped(p.Amount)))
		}
		f.right = math.Max(f.left+1, f.right-widest-gap)
	}
	f.drawRows(rows, start, wide)
	if f.hasColumns() {
		f.drawColumns()
	}
}

// lineAbove adds a line of the grid above the highest bar, so that its height can be read.
func (f *frame) lineAbove(rows []tick) []tick {
	y := &f.spec.Y
	upright := slices.ContainsFunc(f.spec.Layers, func(l chartspec.Layer) bool { return l.Mark == chartspec.Bar && !l.Horizontal })
	if y.Kind != chartspec.Numbers || !upright || len(rows) < 2 {
		return rows
	}
	step := rows[1].at - rows[0].at
	if rows[len(rows)-1].at > y.Max-step*1e-9 {
		return rows
	}
	y.Max = rows[len(rows)-1].at + step
	return append(rows, tick{y.Max, shortNumber(y.Max, step)})
}

func (f *frame) rows() []tick {
	y := f.spec.Y
	if y.Kind == chartspec.Times {
		clock := clockOf(f.spec, func(p chartspec.Point) chartspec.Value { return p.Y })
		k := f.look
		k.measure = func(string, float64, bool) float64 { return f.look.label } // labels are below each other
		return timeTicks(y, clock, f.bottom-f.top, k)
	}
	return f.ticks(&y, int((f.bottom-f.top)/(f.look.label*1.8)), func(p chartspec.Point) chartspec.Value { return p.Y })
}

// drawRows labels the y axis. Labels that would touch are left out, evenly.
func (f *frame) drawRows(rows []tick, start, wide float64) {
	every := 1
	if n := len(rows); n > 1 {
		step := (f.bottom - f.top) / float64(n)
		for f.spec.Y.Kind == chartspec.Categories && step*float64(every) < f.look.label*leading {
			every++
		}
	}
	for i, t := range rows {
		y := f.y(chartspec.Value{Kind: kindOf(f.spec.Y), Num: t.at, Text: t.label})
		if f.spec.Y.Kind != chartspec.Categories {
			f.scene.line(f.gridAt(f.spec.Y, t.at), 1, place{f.left, y}, place{f.right, y})
		}
		if i%every == 0 {
			f.label(place{start, y + f.look.label*0.36}, f.fitLabel(t.label, wide), f.look.label, f.palette.Quiet, atStart, false)
		}
	}
}

// gridAt returns the colour of a grid line: stronger at zero if there are values below it.
func (f *frame) gridAt(a chartspec.Axis, at float64) colour {
	if at == 0 && a.Min < 0 && a.Kind == chartspec.Numbers {
		return mix(f.palette.Grid, f.palette.Quiet, 0.5)
	}
	return f.palette.Grid
}

// drawColumns labels the x axis.
func (f *frame) drawColumns() {
	x := &f.spec.X
	get := func(p chartspec.Point) chartspec.Value { return p.X }
	baseline := f.bottom + 5 + f.look.label*ascent + 2
	f.floor()
	if x.Kind == chartspec.Categories {
		f.drawCategories(f.ticks(x, 0, get), baseline)
		return
	}
	cols := f.columns(x, get)
	for _, t := range cols {
		at := f.x(chartspec.Value{Kind: kindOf(*x), Num: t.at})
		if f.upright() {
			f.scene.line(f.gridAt(*x, t.at), 1, place{at, f.top}, place{at, f.bottom})
		}
		half := f.width(t.label) / 2
		at = math.Max(f.left-gap+half, math.Min(at, f.scene.width-half))
		f.label(place{at, baseline}, f.fitLabel(t.label, f.scene.width), f.look.label, f.palette.Quiet, atMiddle, false)
	}
}

// upright reports whether the grid has vertical lines: if x has numbers and no mark is
// measured from the x axis.
func (f *frame) upright() bool {
	if f.spec.X.Kind != chartspec.Numbers {
		return false
	}
	for _, l := range f.spec.Layers {
		if l.Mark == chartspec.Bar && !l.Horizontal || l.Mark == chartspec.Line || l.Mark == chartspec.Area {
			return false
		}
	}
	return true
}

// floor draws the line under the bars if the grid has none there.
func (f *frame) floor() {
	if f.spec.Y.Kind != chartspec.Numbers || f.spec.Y.Min > 0 {
		f.scene.line(f.palette.Grid, 1, place{f.left, f.bottom}, place{f.right, f.bottom})
	}
}

// columns divides an x axis of numbers or times as finely as its labels allow.
func (f *frame) columns(x *chartspec.Axis, get func(chartspec.Point) chartspec.Value) []tick {
	if x.Kind == chartspec.Times {
		return timeTicks(*x, clockOf(f.spec, get), f.right-f.left, f.look)
	}
	for want := maxTicks; want > 1; want-- {
		ticks, widest := f.ticks(x, want, get), 0.0
		for _, t := range ticks {
			widest = math.Max(widest, f.width(t.label))
		}
		if len(ticks) < 2 || (f.right-f.left)*(ticks[1].at-ticks[0].at)/(x.Max-x.Min) >= widest+12 {
			return ticks
		}
	}
	return f.ticks(x, 2, get)
}

// drawCategories writes the names below their columns: whole if they fit; of numbers and
// times every second, third …; else cut.
func (f *frame) drawCategories(ticks []tick, baseline float64) {
	band := (f.right - f.left) / math.Max(1, float64(len(ticks)))
	widest := 0.0
	for _, t := range ticks {
		widest = math.Max(widest, f.width(t.label))
	}
	every := 1
	switch least := f.look.label * 3.2; { // names are not cut below this
	case widest+6 <= band:
	case thinnable(ticks):
		every = int(math.Ceil((widest + 6) / band))
	case least+6 > band: // some are left out, so that the others fit
		every = int(math.Ceil((math.Min(widest, 9*f.look.label) + 6) / band))
	}
	for i := 0; i < len(ticks); i += every {
		at := f.left + band*(float64(i)+0.5)
		label := f.fitLabel(ticks[i].label, math.Max(band*float64(every)-6, f.look.label))
		half := f.width(label) / 2
		at = math.Max(half, math.Min(at, f.scene.width-half)) // the outer ones may extend beyond the frame
		f.label(place{at, baseline}, label, f.look.label, f.palette.Quiet, atMiddle, false)
	}
}

func (f *frame) fitLabel(text string, width float64) string {
	return f.fit(text, f.look.label, width, false)
}

// tick is a labelled position on an axis.
type tick struct {
	at    float64
	label string
}

// maxTicks bounds the ticks of an axis, whatever its ends are.
const maxTicks = 12

// numberTicks divides an axis at round numbers, which are 1, 2 or 5 times a power of ten;
// at most want of them. whole allows whole numbers only.
func numberTicks(low, high float64, want int, whole bool) []tick {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		return nil
	}
	want = max(2, min(want, maxTicks))
	step := math.Pow(10, math.Floor(math.Log10(span/float64(want))))
	for _, factor := range []float64{2, 2.5, 2} { // 2, 5, 10
		if span/step <= float64(want) {
			break
		}
		step *= factor
	}
	if whole {
		step = math.Max(1, step)
	}
	first := math.Ceil(low/step - 1e-9)
	var ticks []tick
	for i := range maxTicks + 1 {
		at := (first + float64(i)) * step
		if at > high+span*1e-9 || step <= 0 || math.IsInf(at, 0) || math.IsNaN(at) {
			break
		}
		if math.Abs(at) < step*1e-9 {
			at = 0
		}
		ticks = append(ticks, tick{at, shortNumber(at, step)})
	}
	return ticks
}

// shortNumber formats a number of an axis that is divided by step: 2.1k, 88M, 1e-9.
func shortNumber(f, step float64) string {
	abs := math.Abs(f)
	switch {
	case f == 0:
		return "0"
	case abs >= 1e15 || abs < 1e-4:
		return exponent(f, step)
	}
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}, {1e3, "k"}} {
		if abs >= unit.size {
			return decimal(f/unit.size, step/unit.size) + unit.name
		}
	}
	return decimal(f, step)
}

// decimal formats f with as many digits as a step needs.
func decimal(f, step float64) string {
	places := 0
	for scaled := step; places < 9 && math.Abs(scaled-math.Round(scaled)) > 1e-6*scaled; places++ {
		scaled *= 10
	}
	s := strconv.FormatFloat(f, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func exponent(f, step float64) string {
	digits := 0
	if step > 0 {
		digits = int(math.Max(0, math.Min(12, math.Floor(math.Log10(math.Abs(f)))-math.Floor(math.Log10(step)))))
	}
	mantissa, exp, _ := strings.Cut(strconv.FormatFloat(f, 'e', digits, 64), "e")
	if strings.Contains(mantissa, ".") {
		mantissa = strings.TrimRight(strings.TrimRight(mantissa, "0"), ".")
	}
	sign := ""
	if exp[0] == '-' {
		sign = "-"
	}
	return mantissa + "e" + sign + strings.TrimLeft(exp[1:], "0")
}

// orderly matches labels that a reader can interpolate: numbers, times, dates.
var orderly = regexp.MustCompile(`^[-+]?[0-9][0-9.,:/ TZhm%+-]*$`)

// thinnable reports whether it is enough to write every second, third … label, because
// readers can interpolate.
func thinnable(ticks []tick) bool {
	if len(ticks) < 4 {
		return false
	}
	for _, t := range ticks {
		if !orderly.MatchString(t.label) {
			return false
		}
	}
	return true
}

// ticks divides an axis, with at most want labels if they are numbers.
func (f *frame) ticks(a *chartspec.Axis, want int, get func(chartspec.Point) chartspec.Value) []tick {
	switch a.Kind {
	case chartspec.Numbers:
		return numberTicks(a.Min, a.Max, want, f.whole(get))
	case chartspec.Categories:
		ticks := make([]tick, len(a.Categories))
		for i, c := range a.Categories {
			ticks[i] = tick{float64(i), c}
		}
		return ticks
	}
	return nil
}

// whole reports whether an axis has whole numbers only, and so no ticks between them.
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

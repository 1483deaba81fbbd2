package chart

import (
	"cmp"
	"fmt"
	"math"

	"bowerbird/tools/chartspec"
)

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

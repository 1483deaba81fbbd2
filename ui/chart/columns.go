package chart

import (
	"math"
	"slices"
	"strings"
	"time"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/present"
)

// From standingFrom values over time on, a terminal shows columns side by side,
// standingRows lines high, in place of a line for each value.
const (
	standingFrom = 16
	standingRows = 4
)

// eighths are the parts of a full block, from nothing to all.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// standing writes bars, lines or areas over time as columns of block characters, at most
// width cells wide; several series come one below the other, to one scale. It reports
// whether it could: it leaves alone other marks, uneven times, negative numbers, and more
// series than would save lines.
func standing(b *strings.Builder, s *chartspec.Spec, l chartspec.Layer, width int) bool {
	overTime := l.Mark == chartspec.Bar || l.Mark == chartspec.Line || l.Mark == chartspec.Area
	if !overTime || l.Horizontal || s.X.Kind != chartspec.Times || len(l.Points) < standingFrom {
		return false
	}
	points := byNumber(l)
	cellOf, n, ok := slots(points)
	if !ok || n > width {
		return false
	}
	var names []string
	rows := map[string][]float64{}
	for i, p := range points {
		if p.Filler {
			continue
		}
		name := groupText(p)
		if rows[name] == nil {
			names, rows[name] = append(names, name), make([]float64, n)
		}
		if l.Mark != chartspec.Bar && rows[name][cellOf[i]] != 0 {
			return false // two lines under one name
		}
		rows[name][cellOf[i]] += p.Amount
	}
	most := 0.0
	for _, cells := range rows {
		if slices.Min(cells) < 0 {
			return false
		}
		most = max(most, slices.Max(cells))
	}
	if most == 0 || len(names)*(standingRows+1) > len(points) {
		return false
	}
	for _, name := range names {
		if name != "" {
			b.WriteString(present.ClipWidth(name, width) + "\n")
		}
		writeColumns(b, rows[name], most)
	}
	first, last := placeText(l, points[0]), placeText(l, points[len(points)-1])
	line := first + present.PadLeft(last, max(n-present.Width(first), present.Width(last)+1))
	b.WriteString(present.ClipWidth(line, width) + "\n")
	b.WriteString("max: " + chartspec.FormatNumber(most) + "\n")
	return true
}

func writeColumns(b *strings.Builder, cells []float64, most float64) {
	for row := standingRows - 1; row >= 0; row-- {
		var line strings.Builder
		for _, v := range cells {
			filled := int(math.Round(v / most * 8 * standingRows))
			if v > 0 {
				filled = max(filled, 1) // so that little can be told from nothing
			}
			line.WriteRune(eighths[min(max(filled-8*row, 0), 8)])
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// slots spreads points, sorted by time, over equal stretches of time, n in all with the
// empty ones, and returns the stretch of each; false if their times are not equally far
// apart.
func slots(points []chartspec.Point) (cellOf []int, n int, ok bool) {
	step := math.Inf(1)
	for i := 1; i < len(points); i++ {
		if d := points[i].X.Num - points[i-1].X.Num; d > 0 {
			step = min(step, d)
		}
	}
	at := func(p chartspec.Point) float64 { return (p.X.Num - points[0].X.Num) / step }
	n = int(math.Round(at(points[len(points)-1]))) + 1
	if n > 4*maxRows {
		return nil, 0, false
	}
	const hour = float64(time.Hour / time.Millisecond)
	for _, p := range points {
		i := int(math.Round(at(p)))
		// A day may be an hour longer or shorter than the others.
		if math.Abs(at(p)-float64(i))*step > 2*hour {
			return nil, 0, false
		}
		cellOf = append(cellOf, i)
	}
	return cellOf, n, true
}

package chart

import (
	"math"
	"slices"
	"strings"
	"time"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/present"
)

const (
	uprightFrom = 16 // values over time; fewer get a line each
	uprightRows = 4  // lines of text that upright bars take
)

// eighths are blocks of zero to eight eighths of a cell's height.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// uprightBars writes a layer of bars, lines or areas over time as columns of block
// characters, at most width cells wide, one series below the other to one scale. It returns
// false, having written nothing, for other marks, uneven times and negative numbers, and
// where the series are so many that no line would be saved.
func uprightBars(b *strings.Builder, s *chartspec.Spec, l chartspec.Layer, width int) bool {
	overTime := l.Mark == chartspec.Bar || l.Mark == chartspec.Line || l.Mark == chartspec.Area
	if !overTime || l.Horizontal || s.X.Kind != chartspec.Times || len(l.Points) < uprightFrom {
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
	if most == 0 || len(names)*(uprightRows+1) > len(points) {
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
	for row := uprightRows - 1; row >= 0; row-- {
		var line strings.Builder
		for _, v := range cells {
			filled := int(math.Round(v / most * 8 * uprightRows))
			if v > 0 {
				filled = max(filled, 1) // a value must not look like none
			}
			line.WriteRune(eighths[min(max(filled-8*row, 0), 8)])
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// slots spreads points, sorted by time, over equal intervals of time, n in all with the
// empty ones, and returns the interval of each; false if the points are not at equal
// distances.
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
		// A day is an hour longer or shorter when the clocks change.
		if math.Abs(at(p)-float64(i))*step > 2*hour {
			return nil, 0, false
		}
		cellOf = append(cellOf, i)
	}
	return cellOf, n, true
}

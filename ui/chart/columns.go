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
	uprightFrom = 16 // bars over time; fewer get a line each
	uprightRows = 4  // lines of text that upright bars take
)

// eighths are blocks of zero to eight eighths of a cell's height.
var eighths = []rune(" ▁▂▃▄▅▆▇█")

// uprightBars writes a layer of bars over time as columns of block characters, at most width
// cells wide. It returns false, having written nothing, for other layers and where they do not
// fit.
func uprightBars(b *strings.Builder, s *chartspec.Spec, l chartspec.Layer, width int) bool {
	if l.Mark != chartspec.Bar || l.Horizontal || s.X.Kind != chartspec.Times || len(l.Points) < uprightFrom ||
		len(s.Series) > 0 || len(s.Offsets) > 0 {
		return false
	}
	cells, ok := slots(l.Points)
	if !ok || len(cells) > width {
		return false
	}
	most := slices.Max(cells)
	if slices.Min(cells) < 0 || most == 0 { // block characters only grow upwards
		return false
	}
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
	first, last := placeText(l, l.Points[0]), placeText(l, l.Points[len(l.Points)-1])
	line := first + present.PadLeft(last, max(len(cells)-present.Width(first), present.Width(last)+1))
	b.WriteString(present.ClipWidth(line, width) + "\n")
	b.WriteString("max: " + chartspec.FormatNumber(most) + "\n")
	return true
}

// slots spreads bars over equal intervals of time, including empty ones; false if the bars
// are not at equal distances.
func slots(points []chartspec.Point) ([]float64, bool) {
	step := math.Inf(1)
	for i := 1; i < len(points); i++ {
		d := points[i].X.Num - points[i-1].X.Num
		if d <= 0 {
			return nil, false
		}
		step = min(step, d)
	}
	const hour = float64(time.Hour / time.Millisecond)
	at := func(p chartspec.Point) float64 { return (p.X.Num - points[0].X.Num) / step }
	n := int(math.Round(at(points[len(points)-1]))) + 1
	if n > 4*maxRows {
		return nil, false
	}
	cells := make([]float64, n)
	for _, p := range points {
		i := int(math.Round(at(p)))
		// A day is an hour longer or shorter when the clocks change.
		if math.Abs(at(p)-float64(i))*step > 2*hour {
			return nil, false
		}
		cells[i] += p.Amount
	}
	return cells, true
}

package chart

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/present"
)

// The bounds of a chart in a terminal, in cells and lines.
const (
	minColumns = 24
	maxRows    = 200
)

// Text returns a chart as text, at most width cells wide (at least 24): a line for each
// mark with its label, a bar, and its number. It ends with a line feed. when writes a time,
// or only its day.
func Text(spec *chartspec.Spec, width int, when func(at time.Time, day bool) string) string {
	width = max(width, minColumns)
	spec = withTimes(spec, when)
	var b strings.Builder
	if spec.Title != "" {
		b.WriteString(present.ClipWidth(spec.Title, width) + "\n")
	}
	for _, l := range spec.Layers {
		if uprightBars(&b, spec, l, width) {
			continue
		}
		writeRows(&b, rowsOf(spec, l), width)
	}
	return b.String()
}

// textRow is one line; a heading has no number.
type textRow struct {
	label, number string
	amount        float64
	heading       bool
}

// rowsOf lists the marks of a layer. Several series at one place are listed under it.
func rowsOf(s *chartspec.Spec, l chartspec.Layer) []textRow {
	var order []string
	at := map[string][]chartspec.Point{}
	for _, p := range inReadingOrder(s, l) {
		if p.Filler {
			continue
		}
		key := placeText(l, p)
		if at[key] == nil {
			order = append(order, key)
		}
		at[key] = append(at[key], p)
	}
	split := len(s.Series) > 0 || len(s.Offsets) > 0
	var rows []textRow
	for _, key := range order {
		if split && key != "" {
			rows = append(rows, textRow{label: key, heading: true})
		}
		for _, p := range at[key] {
			row := textRow{label: key, amount: p.Amount, number: numberText(l, p)}
			if split {
				row.label = groupText(p)
				if key != "" {
					row.label = "  " + row.label
				}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// groupText names a mark among those at one place.
func groupText(p chartspec.Point) string {
	if p.Series == p.Offset {
		return p.Series
	}
	return strings.TrimSpace(p.Series + " " + p.Offset)
}

// inReadingOrder returns the points in the order of the axis, then of the series.
func inReadingOrder(s *chartspec.Spec, l chartspec.Layer) []chartspec.Point {
	axis := s.X
	if l.Horizontal || axis.Kind == chartspec.NoAxis {
		axis = s.Y
	}
	if axis.Kind != chartspec.Categories {
		return byNumber(l)
	}
	var out []chartspec.Point
	for _, c := range axis.Categories {
		for _, p := range l.Points {
			if v := placeValue(l, p); v.Text == c {
				out = append(out, p)
			}
		}
	}
	if len(out) < len(l.Points) { // a rule or a text at no category
		return l.Points
	}
	return out
}

func byNumber(l chartspec.Layer) []chartspec.Point {
	return slices.SortedStableFunc(slices.Values(l.Points), func(a, b chartspec.Point) int {
		return cmp.Compare(placeValue(l, a).Num, placeValue(l, b).Num)
	})
}

// placeValue returns the value that a mark is at, on the axis that does not measure it.
func placeValue(l chartspec.Layer, p chartspec.Point) chartspec.Value {
	if l.Horizontal || p.X.Kind == chartspec.Absent {
		return p.Y
	}
	return p.X
}

func placeText(l chartspec.Layer, p chartspec.Point) string {
	if l.Mark == chartspec.Arc {
		return ""
	}
	if l.Mark == chartspec.Rect && p.X.Kind != chartspec.Absent && p.Y.Kind != chartspec.Absent {
		return spanText(p.X, p.X2) + " · " + spanText(p.Y, p.Y2)
	}
	if l.Horizontal {
		return spanText(p.Y, p.Y2)
	}
	if p.X.Kind == chartspec.Absent {
		if l.Mark == chartspec.Rule {
			return "line at"
		}
		return ""
	}
	return spanText(p.X, p.X2)
}

// spanText formats a value, or both ends of a bin.
func spanText(v, v2 chartspec.Value) string {
	if v2.Kind == chartspec.Absent || v.Kind == chartspec.Category {
		return v.Text
	}
	return v.Text + " – " + v2.Text
}

func numberText(l chartspec.Layer, p chartspec.Point) string {
	switch {
	case l.Mark == chartspec.Label && p.Text != "":
		return p.Text
	case l.Mark == chartspec.Rect && p.Shade == nil:
		return ""
	case l.Mark != chartspec.Arc && l.Mark != chartspec.Rect && measureOf(l, p).Kind == chartspec.Category:
		return measureOf(l, p).Text
	}
	return chartspec.FormatNumber(p.Amount)
}

func measureOf(l chartspec.Layer, p chartspec.Point) chartspec.Value {
	if l.Horizontal {
		return p.X
	}
	return p.Y
}

// writeRows writes labels, bars and numbers in aligned columns.
func writeRows(b *strings.Builder, rows []textRow, width int) {
	more := max(0, len(rows)-maxRows)
	rows = rows[:len(rows)-more]
	labels, numbers := 0, 0
	low, high := 0.0, 0.0
	for _, r := range rows {
		if r.heading {
			continue
		}
		labels, numbers = max(labels, present.Width(r.label)), max(numbers, present.Width(r.number))
		low, high = math.Min(low, r.amount), math.Max(high, r.amount)
	}
	labels, numbers = min(labels, width/3), min(numbers, width/3)
	bars := max(4, width-labels-numbers-2)
	for _, r := range rows {
		if r.heading {
			b.WriteString(present.ClipWidth(r.label, width) + "\n")
			continue
		}
		line := present.PadRight(present.ClipWidth(r.label, labels), labels) + " " + present.PadRight(bar(r.amount, low, high, bars), bars) + " " + present.PadLeft(present.ClipWidth(r.number, numbers), numbers)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if more > 0 {
		fmt.Fprintf(b, "… and %d more\n", more)
	}
}

// bar draws an amount between low (at most 0) and high (at least 0) in width cells, to an
// eighth of a cell. Negative amounts extend to the left of zero.
func bar(amount, low, high float64, width int) string {
	span := high - low
	if !(span > 0) || math.IsInf(span, 0) {
		return ""
	}
	zero := int(math.Round(float64(width) * -low / span))
	if amount < 0 {
		n := min(zero, max(1, int(math.Round(float64(width)*-amount/span))))
		return strings.Repeat(" ", zero-n) + strings.Repeat("█", n)
	}
	eighths := int(math.Round(float64(width-zero) * 8 * amount / math.Max(high, math.SmallestNonzeroFloat64)))
	if high <= 0 {
		eighths = 0
	}
	if amount > 0 {
		eighths = max(1, eighths)
	}
	out := strings.Repeat(" ", zero) + strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string([]rune("▏▎▍▌▋▊▉")[rest-1])
	}
	return out
}

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
		b.WriteString(summit(name, rows[name], width) + "\n")
		writeColumns(b, rows[name], most)
	}
	first, last := placeText(l, points[0]), placeText(l, points[len(points)-1])
	line := first + present.PadLeft(last, max(n-present.Width(first), present.Width(last)+1))
	b.WriteString(present.ClipWidth(line, width) + "\n")
	return true
}

// summit is the line above columns: the name of the series, and the number of the highest
// column over it.
func summit(name string, cells []float64, width int) string {
	most := slices.Max(cells)
	number := chartspec.FormatNumber(most)
	size := present.Width(number)
	at := max(0, min(slices.Index(cells, most)-(size-1)/2, len(cells)-size))
	if name != "" {
		name = present.ClipWidth(name, max(0, width-size-1))
		at = max(at, present.Width(name)+1)
	}
	return present.PadRight(name, at) + number
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

// Package chartspec turns a Vega-Lite v5 specification, as a model writes it, into a checked
// [Spec]: the numbers to draw, grouped, aggregated, binned, stacked and sorted.
//
//	spec, err := chartspec.Parse(raw)
//	if refused, ok := errors.AsType[*chartspec.Refused](err); ok {
//		columns, rows := chartspec.Table(raw, 500) // show the data instead
//	}
//
// The window and the terminal draw the same Spec, so they show the same numbers. Any input
// results, soon, in a Spec or in a [*Refused] that names what is not supported. A Spec
// contains only finite numbers, at most [maxMarks] marks and [maxCategories] categories an
// axis, and nothing that makes a renderer fetch or evaluate anything.
//
// Supported are the marks bar (grouped, stacked), line, area, point, tick, rule, arc, rect
// and text; the channels x, y, x2, y2, color, size, theta, text, tooltip, xOffset, yOffset,
// opacity, detail, shape and order; aggregate, bin, timeUnit, sort, stack and the domain of
// a scale; inline data; and at most two layers. Styling (sizes, colours, number formats) is
// ignored. Whatever else would change the meaning of the chart is refused, never ignored.
package chartspec

import (
	"fmt"
)

// The limits of a specification, in bytes for maxBytes.
const (
	maxBytes      = 1 << 20
	maxRows       = 20_000
	maxMarks      = 5_000
	maxCategories = 50
	maxLayers     = 2
	maxDepth      = 32
	maxSide       = 4_000 // pixels
	maxText       = 300   // runes of a title or a label
	maxNumber     = 1e100
)

// Spec is a chart that can be drawn.
type Spec struct {
	Title         string
	Width, Height int // pixels; 0 if not given
	X, Y          Axis
	Series        []string // what colours mean, in the order of the legend
	SeriesTitle   string
	SeriesNamed   bool     // SeriesTitle is not derived from the name of a field
	Offsets       []string // the groups within a category, side by side (xOffset), in order
	ShadeTitle    string   // what Point.Shade measures
	Layers        []Layer
}

// AxisKind is the kind of values on an axis.
type AxisKind uint8

// The kinds of axes.
const (
	NoAxis AxisKind = iota
	Numbers
	Times // unix milliseconds
	Categories
)

// Axis is one direction of the chart.
type Axis struct {
	Title      string
	Named      bool // Title is not derived from the name of a field
	Kind       AxisKind
	Categories []string // in drawing order: left to right, top to bottom
	Min, Max   float64  // the extent of the axis, with zero for bars; not for Categories
}

// Mark is how the points of a layer are drawn.
type Mark string

// The marks.
const (
	Bar   Mark = "bar"
	Line  Mark = "line"
	Area  Mark = "area"
	Dot   Mark = "point" // also circle and square
	Tick  Mark = "tick"
	Rule  Mark = "rule"
	Arc   Mark = "arc"
	Rect  Mark = "rect"
	Label Mark = "text"
)

// Layer is a set of points drawn alike.
type Layer struct {
	Mark       Mark
	Horizontal bool // bars, areas: the measure runs along x
	Stacked    bool
	SizeFixed  bool    // Point.Size is the same for all, not an amount
	Steps      bool    // lines and areas are level until the next point
	Points     []Point // of lines and areas: by series, then along the axis or by the order channel
}

// Point is one mark.
type Point struct {
	X, Y   Value
	X2, Y2 Value // the other end of bars, areas, bins and rules; otherwise Absent
	// Amount is the amount shown, before stacking: the length of a bar, the angle of an arc.
	Amount  float64
	Series  string
	Line    string // points of a line or area with the same Series and Line are connected
	Offset  string
	Shade   *float64 // a number shown as colour
	Size    *float64
	Opacity float64 // 0 to 1; 1 unless given
	// Filler is a point of height 0 where a stacked area has no number; it is not from a
	// row.
	Filler  bool
	Text    string
	Tooltip []Pair
}

// Pair is a line of a tooltip.
type Pair struct{ Name, Value string }

// ValueKind is the kind of a [Value].
type ValueKind uint8

// The kinds of values.
const (
	Absent ValueKind = iota
	Number
	Time
	Category
)

// Value is a position on an axis.
type Value struct {
	Kind ValueKind
	Num  float64 // a number, or Unix milliseconds; categories are sorted by it
	Text string  // as shown
	// Offset is that of a time's zone, in seconds east of UTC: axes are divided at its hours
	// and days.
	Offset int
}

// Refused is the error for a specification that asks for something unsupported. The data
// can still be shown as a table: see [Table].
type Refused struct {
	Feature string // "transform", "data.url", "mark geoshape"
	Reason  string
}

func (e *Refused) Error() string { return e.Feature + ": " + e.Reason }

func refuse(feature, format string, args ...any) *Refused {
	return &Refused{Feature: clip(feature, 60), Reason: fmt.Sprintf(format, args...)}
}

// Parse reads a specification. The error is a [*Refused].
func Parse(raw []byte) (*Spec, error) {
	top, err := readTop(raw)
	if err != nil {
		return nil, err
	}
	units, err := layersOf(top)
	if err != nil {
		return nil, err
	}
	s := &Spec{Title: titleOf(top)}
	if s.Width, err = side(top, "width"); err != nil {
		return nil, err
	}
	if s.Height, err = side(top, "height"); err != nil {
		return nil, err
	}
	marks := 0
	var tables []*table
	for _, u := range units {
		t, err := u.resolve()
		if err != nil {
			return nil, err
		}
		if marks += len(t.points); marks > maxMarks {
			return nil, refuse("data", "more than %d marks", maxMarks)
		}
		tables = append(tables, t)
	}
	if marks == 0 {
		return nil, refuse("data", "nothing to draw: no row has values for every channel")
	}
	if err := s.assemble(tables); err != nil {
		return nil, err
	}
	return s, nil
}

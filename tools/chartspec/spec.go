// Package chartspec turns a Vega-Lite v5 specification, as a model writes it,
// into a checked Spec: a plain value that holds the numbers to draw, resolved,
// grouped, binned, stacked and sorted. The window and the terminal draw the same
// Spec, so they show the same numbers.
//
// It promises that whatever it is given it ends soon with a Spec or with a
// *Refused that names what it does not draw, that a Spec holds finite numbers
// only, at most MaxMarks marks and MaxCategories categories an axis, and that
// nothing in a Spec makes a drawer fetch or evaluate anything. Drawing is left
// to others.
//
// Drawn are the marks bar (grouped, stacked), line, area, point, tick, rule,
// arc, rect and text; the channels x, y, x2, y2, color, size, theta, text,
// tooltip, xOffset, yOffset, opacity, detail, shape, order; aggregate, bin, timeUnit,
// sort, stack, the domain of a scale; data
// that stand in the specification; at most two layers. Styling (sizes, colours,
// forms of numbers) is ignored; whatever else would change what the chart says is
// drawn or refused, never left out.
package chartspec

import (
	"fmt"
)

// The limits of a specification.
const (
	MaxBytes      = 1 << 20
	MaxRows       = 20_000
	MaxMarks      = 5_000
	MaxCategories = 50
	MaxLayers     = 2
	maxDepth      = 32
	maxSide       = 4_000 // pixels
	maxText       = 300   // runes of a title or a label
	maxNumber     = 1e100
)

// Spec is a chart that can be drawn.
type Spec struct {
	Title         string
	Width, Height int // pixels asked for, 0 when not
	X, Y          Axis
	Series        []string // the names that colours stand for, in the legend's order
	SeriesTitle   string
	SeriesNamed   bool     // the title was given, and not made from a field's name
	Offsets       []string // the groups side by side within a category (xOffset), in order
	ShadeTitle    string   // what Point.Shade measures
	Layers        []Layer
}

// AxisKind is what stands along an axis.
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
	Named      bool // the title was given, and not made from a field's name
	Kind       AxisKind
	Categories []string // in the order drawn: left to right, top to bottom
	Min, Max   float64  // the extent of what is drawn, with bars' zero; not for categories
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
	SizeFixed  bool    // Point.Size is one size for all, not an amount
	Steps      bool    // lines and areas are level until the next point
	Points     []Point // lines and areas: by series, then along the axis or in the order asked for
}

// Point is one mark.
type Point struct {
	X, Y   Value
	X2, Y2 Value // the other end of bars, areas, bins and rules; else absent
	// Amount is what the mark stands for, before stacking: the length of a bar,
	// the angle of an arc.
	Amount  float64
	Series  string
	Line    string // lines and areas: those of one Series and Line belong together; a missing number begins another
	Offset  string
	Shade   *float64 // a number shown as colour
	Size    *float64
	Opacity float64 // 0 to 1; 1 unless given
	// Filler is a point of nothing where a stacked area has no number; it stands for
	// no row.
	Filler  bool
	Text    string
	Tooltip []Pair
}

// Pair is a line of a tooltip.
type Pair struct{ Name, Value string }

// ValueKind is what a Value holds.
type ValueKind uint8

// The kinds of values.
const (
	Absent ValueKind = iota
	Number
	Time
	Category
)

// Value is a place on an axis.
type Value struct {
	Kind ValueKind
	Num  float64 // a number, or unix milliseconds; for categories what they are sorted by
	Text string  // as it is written
	// Offset is that of the clock by which a time was written, in seconds east of
	// UTC: axes are divided at its hours and days.
	Offset int
}

// Refused says what a specification asks for that is not drawn. The data can
// still be shown as a table: see Table.
type Refused struct {
	Feature string // "transform", "data.url", "mark geoshape"
	Reason  string
}

func (e *Refused) Error() string { return e.Feature + ": " + e.Reason }

func refuse(feature, format string, args ...any) *Refused {
	return &Refused{Feature: clip(feature, 60), Reason: fmt.Sprintf(format, args...)}
}

// Parse reads a specification. The error is a *Refused.
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
		if marks += len(t.points); marks > MaxMarks {
			return nil, refuse("data", "more than %d marks", MaxMarks)
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

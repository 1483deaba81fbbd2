// Package chart draws charts that chartspec has checked ([chartspec.Spec]): in the window
// ([Widget]), as PNG and SVG files ([SVG]), and as bars of text for a terminal ([Text]).
//
// Except for the text, a chart is first laid out as a scene of shapes at exact places, for a
// width, a text size, a palette and a measure of text. Fyne's canvas objects draw the scene in
// the window and the PNG, go-chart's renderer in the SVG. go-chart does not lay out, since its
// own axes never finish on some numbers; its renderer gets finite whole ones only.
//
// Lengths are true to the numbers, no two labels overlap, and the layout takes a bounded time
// whatever the spec contains.
package chart

import (
	"image/color"
	"math"

	"bowerbird/tools/chartspec"
)

type shapeKind uint8

const (
	box      shapeKind = iota // two places: top left and bottom right
	polygon                   // filled
	polyline                  // stroked
	disc                      // one place: the middle
	caption                   // one place: on the baseline
)

// anchor is the part of a caption that is at its place.
type anchor uint8

const (
	atStart anchor = iota
	atMiddle
	atEnd
)

type side uint8

const (
	noSide side = iota
	allSides
	topSide
	rightSide
	bottomSide
	leftSide
)

// colour is an sRGB colour, not premultiplied.
type colour = color.NRGBA

type place struct{ x, y float64 }

// shape is one thing to draw. Lengths are in points from the top left.
type shape struct {
	kind   shapeKind
	places []place
	color  colour
	width  float64 // of a polyline
	radius float64 // of a disc; of the corners of a box
	round  side    // the edge of a box whose corners are rounded
	text   string
	size   float64
	bold   bool
	anchor anchor
}

// mark is the area of a point of the spec in the scene, for the mouse and the keyboard.
type mark struct {
	layer, point   int
	x1, y1, x2, y2 float64 // its box
	color          colour
	slice          bool    // of a pie: a1 to a2 are its angles, clockwise from the top
	a1, a2         float64 // radians
}

// scene is a chart that has been laid out.
type scene struct {
	width, height float64
	shapes        []shape
	marks         []mark
	frame         frame // of the marks
}

func (s *scene) rect(x1, y1, x2, y2 float64, c colour) {
	s.rounded(x1, y1, x2, y2, c, 0, noSide)
}

// rounded adds a box with rounded corners at a side. Its ends may be in any order.
func (s *scene) rounded(x1, y1, x2, y2 float64, c colour, radius float64, at side) {
	x1, x2 = math.Min(x1, x2), math.Max(x1, x2)
	y1, y2 = math.Min(y1, y2), math.Max(y1, y2)
	radius = math.Max(0, math.Min(radius, math.Min(x2-x1, y2-y1)/2))
	s.shapes = append(s.shapes, shape{kind: box, color: c, radius: radius, round: at, places: []place{{x1, y1}, {x2, y2}}})
}

func (s *scene) line(c colour, width float64, places ...place) {
	s.shapes = append(s.shapes, shape{kind: polyline, color: c, width: width, places: places})
}

func (s *scene) fill(c colour, places []place) {
	s.shapes = append(s.shapes, shape{kind: polygon, color: c, places: places})
}

func (s *scene) dot(p place, radius float64, c colour) {
	s.shapes = append(s.shapes, shape{kind: disc, places: []place{p}, radius: radius, color: c})
}

// faded multiplies the alpha of a colour by an opacity of 0 to 1.
func faded(c colour, opacity float64) colour {
	c.A = uint8(math.Round(float64(c.A) * math.Max(0, math.Min(1, opacity))))
	return c
}

// mix returns the colour at a part, 0 to 1, of the way from a to b.
func mix(a, b colour, part float64) colour {
	between := func(from, to uint8) uint8 {
		return uint8(math.Round(float64(from) + (float64(to)-float64(from))*part))
	}
	return colour{R: between(a.R, b.R), G: between(a.G, b.G), B: between(a.B, b.B), A: 0xff}
}

// colours gives each point of a chart its colour.
type colours struct {
	palette   palette
	series    map[string]int
	low, high float64 // of shades
}

func coloursOf(s *chartspec.Spec, p palette) colours {
	c := colours{palette: p, series: map[string]int{}, low: math.Inf(1), high: math.Inf(-1)}
	for i, name := range legendNames(s) {
		c.series[name] = i
	}
	for _, l := range s.Layers {
		for _, p := range l.Points {
			if p.Shade != nil {
				c.low, c.high = math.Min(c.low, *p.Shade), math.Max(c.high, *p.Shade)
			}
		}
	}
	return c
}

func (c colours) shaded() bool { return c.high >= c.low }

func (c colours) of(p chartspec.Point) colour {
	switch {
	case p.Shade != nil && c.high > c.low:
		return mix(c.palette.ShadeLow, c.palette.ShadeHigh, (*p.Shade-c.low)/(c.high-c.low))
	case p.Shade != nil:
		return c.palette.ShadeHigh
	case p.Series != "":
		return c.palette.seriesColour(c.series[p.Series])
	}
	return c.palette.seriesColour(c.series[p.Offset])
}

// legendNames returns the names that the colours stand for.
func legendNames(s *chartspec.Spec) []string {
	if len(s.Series) > 0 {
		return s.Series
	}
	return s.Offsets
}

// corners holds the radii of a box.
type corners struct{ topLeft, topRight, bottomRight, bottomLeft float64 }

func (s shape) corners() corners {
	on := func(sides ...side) float64 {
		for _, one := range sides {
			if s.round == one || s.round == allSides {
				return s.radius
			}
		}
		return 0
	}
	return corners{on(topSide, leftSide), on(topSide, rightSide), on(bottomSide, rightSide), on(bottomSide, leftSide)}
}

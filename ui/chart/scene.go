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
	"fmt"
	"image/color"
	"math"
	"sort"
	"time"
	"unicode"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/clean"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
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

// palette holds the colours of a chart.
type palette struct {
	Ink, Quiet, Grid, Paper color.NRGBA
	ShadeLow, ShadeHigh     color.NRGBA // of heat maps, least and most
	Series                  []color.NRGBA
}

// daylight returns the palette of files that are not drawn by the window: that of its light
// theme.
func daylight() palette {
	hex := func(n uint32) color.NRGBA { return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 0xff} }
	p := palette{
		Ink: hex(0x1b1e26), Quiet: hex(0x535a69), Grid: hex(0xdedad2), Paper: hex(0xffffff),
		ShadeLow: hex(0xe6ebfc), ShadeHigh: hex(0x2347c9),
	}
	for _, n := range []uint32{0x2347c9, 0xb4590a, 0x14703f, 0x8b3fa0, 0x0b6e85, 0xb3262d, 0x535a69} {
		p.Series = append(p.Series, hex(n))
	}
	return p
}

// seriesColour returns the colour of the i-th series. With more series than colours they
// repeat, paler.
func (p palette) seriesColour(i int) color.NRGBA {
	return mix(p.Series[i%len(p.Series)], p.Paper, math.Min(0.6, 0.25*float64(i/len(p.Series))))
}

// look is how a chart is laid out, whatever it shows.
type look struct {
	palette palette
	label   float64 // size of labels, points
	heading float64 // size of the title, points
	titled  bool    // the title is part of the scene
	margin  float64
	measure func(text string, size float64, bold bool) float64 // returns the width of a text, in points
	// In the user's language:
	date  func(time.Time) string // "3 May"
	month func(time.Time) string // "May"
	more  func(n int) string     // the number of names left out of a legend: "+3"
}

// plainLook returns the look of files.
func plainLook() look {
	return look{
		palette: daylight(), label: 11, heading: 15, titled: true, margin: 12,
		measure: func(text string, size float64, _ bool) float64 { return textWidth(text, size) },
		date:    func(t time.Time) string { return t.Format("2 Jan") },
		month:   func(t time.Time) string { return t.Format("Jan") },
		more:    func(n int) string { return fmt.Sprintf("+%d", n) },
	}
}

// textWidth estimates the width of a text in an unknown font from the mean of common
// sans-serif faces; wide characters count twice.
func textWidth(text string, size float64) float64 { return float64(present.Width(text)) * size * 0.56 }

const (
	leading = 1.3 // the height of a line of text, in sizes of the text
	ascent  = 0.8 // the part of it above the baseline
)

func (k look) width(text string) float64 { return k.measure(text, k.label, false) }

// fit cleans a stranger's text and cuts it to a width. It measures a logarithmic number of
// times.
func (k look) fit(text string, size, width float64, bold bool) string {
	text = clean.Line(text, 200)
	if k.measure(text, size, bold) <= width {
		return text
	}
	runes := []rune(text)
	// How many runes fit before the ellipsis; none where that alone does not.
	n := sort.Search(len(runes), func(n int) bool { return k.measure(cut(runes, n), size, bold) > width }) - 1
	if n < 0 {
		return ""
	}
	return cut(runes, n)
}

// cut returns the first n runes and an ellipsis. It keeps letters with their marks, and
// emoji with what is joined to them.
func cut(runes []rune, n int) string {
	joins := func(r rune) bool { // to the one before
		return r == 0x200d || r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || unicode.In(r, unicode.Mn, unicode.Me)
	}
	for n > 0 && n < len(runes) && joins(runes[n]) {
		n--
	}
	for n > 0 && (runes[n-1] == ' ' || runes[n-1] == 0x200d) {
		n--
	}
	return string(runes[:n]) + "…"
}

func nrgba(c color.Color) color.NRGBA { return color.NRGBAModel.Convert(c).(color.NRGBA) }

// measureFyne measures in the window's fonts.
func measureFyne(text string, size float64, bold bool) float64 {
	w, _ := theme.Measure(text, float32(size), fyne.TextStyle{Bold: bold})
	return float64(w)
}

// Package chart draws checked charts (chartspec.Spec) without a window: as SVG
// and as bars of text for a terminal. Both show the numbers of the same Spec.
//
// A chart is first laid out as a scene of rectangles, lines and texts, then
// written. The layout is ours; go-chart's renderer writes the SVG and is handed
// finite whole numbers only, since its own axes do not end on others.
package chart

import (
	"math"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/present"
)

// colour is a colour as 0xRRGGBB.
type colour uint32

// The colours of what is no data: those of the window by day.
const (
	ink     colour = 0x1b1e26
	quiet   colour = 0x535a69
	grid    colour = 0xdedad2
	paper   colour = 0xffffff
	shadeLo colour = 0xe6ebfc
	shadeHi colour = 0x2347c9
)

// seriesColour is the colour of the i-th series; with more series than colours
// they come again, paler.
func seriesColour(i int) colour {
	palette := [...]colour{0x2347c9, 0xb4590a, 0x14703f, 0x8b3fa0, 0x0b6e85, 0xb3262d, 0x535a69}
	return mix(palette[i%len(palette)], paper, math.Min(0.6, 0.25*float64(i/len(palette))))
}

// shapeKind is what a shape is.
type shapeKind uint8

const (
	polygon shapeKind = iota
	polyline
	disc
	caption
)

// anchor is where a caption's place is on it.
type anchor uint8

const (
	atStart anchor = iota
	atMiddle
	atEnd
)

type place struct{ x, y float64 }

// shape is one thing to draw; places are pixels from the top left.
type shape struct {
	kind    shapeKind
	places  []place
	fill    colour // polygon, disc, caption
	stroke  colour // polyline
	width   float64
	radius  float64
	opacity float64
	text    string
	size    float64
	anchor  anchor
}

// scene is a chart laid out.
type scene struct {
	width, height float64
	shapes        []shape
}

func (s *scene) rect(x1, y1, x2, y2 float64, c colour, opacity float64) {
	s.shapes = append(s.shapes, shape{
		kind: polygon, fill: c, opacity: opacity,
		places: []place{{x1, y1}, {x2, y1}, {x2, y2}, {x1, y2}},
	})
}

func (s *scene) line(c colour, width float64, places ...place) {
	s.shapes = append(s.shapes, shape{kind: polyline, stroke: c, width: width, opacity: 1, places: places})
}

func (s *scene) dot(p place, radius float64, c colour, opacity float64) {
	s.shapes = append(s.shapes, shape{kind: disc, places: []place{p}, radius: radius, fill: c, opacity: opacity})
}

func (s *scene) write(p place, text string, size float64, c colour, a anchor) {
	if text != "" {
		s.shapes = append(s.shapes, shape{kind: caption, places: []place{p}, text: text, size: size, fill: c, anchor: a, opacity: 1})
	}
}

// textWidth estimates how wide a text is, in pixels: an average of the common
// sans-serif faces, wide characters counted twice.
func textWidth(text string, size float64) float64 { return float64(present.Width(text)) * size * 0.56 }

// fitText cuts a text to a width in pixels.
func fitText(text string, size, width float64) string {
	return present.ClipWidth(text, int(math.Max(1, width/(size*0.56))))
}

// mix is the colour at a part, 0 to 1, of the way from a to b.
func mix(a, b colour, part float64) colour {
	out := colour(0)
	for _, shift := range []uint{16, 8, 0} {
		from, to := float64(a>>shift&0xff), float64(b>>shift&0xff)
		out |= colour(math.Round(from+(to-from)*part)) << shift
	}
	return out
}

// colours gives each point of a chart its colour.
type colours struct {
	series   map[string]int
	low, top float64 // of shades
}

func coloursOf(s *chartspec.Spec) colours {
	c := colours{series: map[string]int{}, low: math.Inf(1), top: math.Inf(-1)}
	for i, name := range s.Series {
		c.series[name] = i
	}
	if len(s.Series) == 0 {
		for i, name := range s.Offsets {
			c.series[name] = i
		}
	}
	for _, l := range s.Layers {
		for _, p := range l.Points {
			if p.Shade != nil {
				c.low, c.top = math.Min(c.low, *p.Shade), math.Max(c.top, *p.Shade)
			}
		}
	}
	return c
}

func (c colours) of(p chartspec.Point) colour {
	switch {
	case p.Shade != nil && c.top > c.low:
		return mix(shadeLo, shadeHi, (*p.Shade-c.low)/(c.top-c.low))
	case p.Shade != nil:
		return shadeHi
	case p.Series != "":
		return seriesColour(c.series[p.Series])
	}
	return seriesColour(c.series[p.Offset])
}

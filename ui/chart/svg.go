package chart

import (
	"fmt"
	"html"
	"io"
	"math"

	gochart "github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"

	"bowerbird/tools/chartspec"
)

// SVG writes a chart as one SVG document that refers to nothing outside itself.
// The spec must come from chartspec.Parse.
func SVG(w io.Writer, spec *chartspec.Spec) error {
	s := layout(spec)
	r, err := gochart.SVG(int(s.width), int(s.height))
	if err != nil {
		return fmt.Errorf("write chart %q as SVG: %w", spec.Title, err)
	}
	for _, sh := range s.shapes {
		drawShape(r, sh)
	}
	if err := r.Save(w); err != nil {
		return fmt.Errorf("write chart %q as SVG: %w", spec.Title, err)
	}
	return nil
}

func drawShape(r gochart.Renderer, s shape) {
	r.ResetStyle()
	switch s.kind {
	case polygon:
		r.SetFillColor(rgba(s.fill, s.opacity))
		path(r, s.places)
		r.Close()
		r.Fill()
	case polyline:
		r.SetStrokeColor(rgba(s.stroke, s.opacity))
		r.SetStrokeWidth(s.width)
		path(r, s.places)
		r.Stroke()
	case disc:
		r.SetFillColor(rgba(s.fill, s.opacity))
		r.Circle(math.Max(1, math.Round(s.radius)), pixel(s.places[0].x), pixel(s.places[0].y))
	case caption:
		x := s.places[0].x
		switch s.anchor {
		case atMiddle:
			x -= textWidth(s.text, s.size) / 2
		case atEnd:
			x -= textWidth(s.text, s.size)
		}
		r.SetFontColor(rgba(s.fill, s.opacity))
		r.SetFontSize(s.size * 72 / gochart.DefaultDPI) // points, so that pixels come out
		// The renderer writes texts as they are.
		r.Text(html.EscapeString(s.text), pixel(x), pixel(s.places[0].y))
	}
}

func path(r gochart.Renderer, places []place) {
	for i, p := range places {
		if i == 0 {
			r.MoveTo(pixel(p.x), pixel(p.y))
			continue
		}
		r.LineTo(pixel(p.x), pixel(p.y))
	}
}

// pixel rounds a place; what is no finite number, which the layout never makes,
// goes to the edge and not into the document.
func pixel(f float64) int {
	if math.IsNaN(f) {
		return 0
	}
	return int(math.Round(math.Max(-maxSide, math.Min(2*maxSide, f))))
}

func rgba(c colour, opacity float64) drawing.Color {
	return drawing.Color{R: uint8(c >> 16), G: uint8(c >> 8), B: uint8(c), A: uint8(math.Round(255 * math.Max(0, math.Min(1, opacity))))}
}

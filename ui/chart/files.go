package chart

import (
	"fmt"
	"html"
	"image/png"
	"io"
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"
	gochart "github.com/wcharczuk/go-chart/v2"
	"github.com/wcharczuk/go-chart/v2/drawing"

	"bowerbird/tools"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
)

// svgUnit is the number of units per point in the document. go-chart takes whole numbers
// only; with ten units a bar is right to a tenth of a point.
const svgUnit = 10

// SVG writes a chart as one SVG document without references to anything outside. The spec
// must come from chartspec.Parse.
func SVG(w io.Writer, spec *chartspec.Spec) error {
	k := plainLook()
	width := clampSide(spec.Width, defaultWidth)
	height := clampSide(spec.Height, defaultHeight)
	if spec.Y.Kind == chartspec.Categories || spec.Height == 0 && spec.Y.Kind == chartspec.NoAxis {
		height = math.Min(maxSide, math.Max(heightFor(spec, width, k), height*0.4))
	}
	if err := writeSVG(w, arrange(spec, width, height, k)); err != nil {
		return fmt.Errorf("write chart %q as SVG: %w", spec.Title, err)
	}
	return nil
}

func clampSide(asked, standard int) float64 {
	if asked == 0 {
		asked = standard
	}
	return float64(min(max(asked, minSide), maxSide))
}

func writeSVG(w io.Writer, s *scene) error {
	r, err := gochart.SVG(int(s.width*svgUnit), int(s.height*svgUnit))
	if err != nil {
		return err
	}
	for _, sh := range s.shapes {
		drawShape(r, sh)
	}
	// The renderer's document has a viewBox but no size and no font. Both come from the document
	// written around it.
	_, err = fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %[1]g %[2]g" font-family="Inter, sans-serif">`, s.width, s.height)
	if err == nil {
		err = r.Save(w)
	}
	if err == nil {
		_, err = io.WriteString(w, "</svg>")
	}
	return err
}

func drawShape(r gochart.Renderer, s shape) {
	r.ResetStyle()
	switch s.kind {
	case box:
		r.SetFillColor(rgba(s.color))
		boxPath(r, s)
		r.Close()
		r.Fill()
	case polygon:
		r.SetFillColor(rgba(s.color))
		path(r, s.places)
		r.Close()
		r.Fill()
	case polyline:
		r.SetStrokeColor(rgba(s.color))
		r.SetStrokeWidth(s.width * svgUnit)
		path(r, s.places)
		r.Stroke()
	case disc:
		r.SetFillColor(rgba(s.color))
		r.Circle(math.Max(svgUnit, math.Round(s.radius*svgUnit)), unit(s.places[0].x), unit(s.places[0].y))
	case caption:
		x := s.places[0].x
		switch s.anchor {
		case atMiddle:
			x -= textWidth(s.text, s.size) / 2
		case atEnd:
			x -= textWidth(s.text, s.size)
		}
		r.SetFontColor(rgba(s.color))
		r.SetFontSize(s.size * svgUnit * 72 / gochart.DefaultDPI) // go-chart converts points into pixels
		// The renderer does not escape texts.
		r.Text(html.EscapeString(s.text), unit(x), unit(s.places[0].y))
	}
}

// boxPath goes around a box from the bottom left, with a curve at each rounded corner.
func boxPath(r gochart.Renderer, s shape) {
	a, b := s.places[0], s.places[1]
	radius := s.corners()
	corners := []place{{a.x, b.y}, {a.x, a.y}, {b.x, a.y}, {b.x, b.y}}
	radii := []float64{radius.bottomLeft, radius.topLeft, radius.topRight, radius.bottomRight}
	toward := func(from, to place, d float64) place {
		length := math.Max(math.Abs(to.x-from.x)+math.Abs(to.y-from.y), 1e-9) // sides are straight
		return place{from.x + (to.x-from.x)*d/length, from.y + (to.y-from.y)*d/length}
	}
	for i, c := range corners {
		before, after := corners[(i+3)%4], corners[(i+1)%4]
		start, end := toward(c, before, radii[i]), toward(c, after, radii[i])
		if i == 0 {
			r.MoveTo(unit(start.x), unit(start.y))
		} else {
			r.LineTo(unit(start.x), unit(start.y))
		}
		if radii[i] > 0 {
			r.QuadCurveTo(unit(c.x), unit(c.y), unit(end.x), unit(end.y))
		}
	}
}

func path(r gochart.Renderer, places []place) {
	for i, p := range places {
		if i == 0 {
			r.MoveTo(unit(p.x), unit(p.y))
			continue
		}
		r.LineTo(unit(p.x), unit(p.y))
	}
}

// unit converts a length into units of the document. Numbers that are not finite, which the
// layout never makes, must not get into the document.
func unit(f float64) int {
	if math.IsNaN(f) {
		return 0
	}
	return int(math.Round(svgUnit * math.Max(-maxSide, math.Min(2*maxSide, f))))
}

func rgba(c colour) drawing.Color { return drawing.Color{R: c.R, G: c.G, B: c.B, A: c.A} }

const pngScale = 2 // pixels per point

// writePNG writes a chart, width points wide, as PNG in the colours and fonts of the theme
// that is shown. It needs a running Fyne app for its fonts, but no window.
func writePNG(out io.Writer, spec *chartspec.Spec, width float32) error {
	k := windowLook()
	k.titled, k.margin = true, 16
	k.heading = float64(theme.Size(theme.Small))
	height := heightFor(spec, float64(width), k)
	s := arrange(spec, float64(width), height, k)
	size := fyne.NewSize(float32(s.width), float32(s.height))
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(pngScale)
	c.SetContent(container.NewWithoutLayout(objects(s)...))
	c.Resize(size)
	if err := png.Encode(out, c.Capture()); err != nil {
		return fmt.Errorf("write chart %q as PNG: %w", spec.Title, err)
	}
	return nil
}

// tableOf returns the numbers of a chart as a table: a row for each mark, with the values of
// its tooltip. The window shows it and saves it as CSV.
func tableOf(spec *chartspec.Spec) *tools.TableResult {
	res := &tools.TableResult{Title: spec.Title}
	at := map[string]int{}
	var rows [][]string
	for _, l := range spec.Layers {
		for _, p := range l.Points {
			row := make([]string, len(res.Columns))
			for _, pair := range p.Tooltip {
				i, ok := at[pair.Name]
				if !ok {
					i = len(res.Columns)
					at[pair.Name] = i
					res.Columns = append(res.Columns, tools.Column{Key: pair.Name, Label: heading(pair.Name)})
					row = append(row, "")
				}
				if row[i] == "" {
					row[i] = pair.Value
				}
			}
			if len(p.Tooltip) > 0 {
				rows = append(rows, row)
			}
		}
	}
	res.Numeric = make([]bool, len(res.Columns))
	for i := range res.Columns {
		res.Numeric[i] = len(rows) > 0
	}
	for r := range rows {
		rows[r] = append(rows[r], slices.Repeat([]string{""}, len(res.Columns)-len(rows[r]))...)
		for i, cell := range rows[r] {
			_, number := chartspec.ParseNumber(cell)
			res.Numeric[i] = res.Numeric[i] && (number || cell == "")
		}
	}
	res.Rows = rows
	// Names come before numbers; horizontal bars have them the other way round.
	if name := slices.Index(res.Numeric, false); name > 0 {
		front(res.Columns, name)
		front(res.Numeric, name)
		for _, row := range rows {
			front(row, name)
		}
	}
	return res
}

// front moves an element to the beginning of a list.
func front[T any](list []T, at int) {
	e := list[at]
	copy(list[1:at+1], list[:at])
	list[0] = e
}

// heading turns the name of a field, such as "note_count", into a heading.
func heading(field string) string {
	words := strings.Join(strings.Fields(strings.ReplaceAll(field, "_", " ")), " ")
	first, size := utf8.DecodeRuneInString(words)
	return string(unicode.ToUpper(first)) + words[size:]
}

// writeCSV writes the table of a chart as comma-separated values.
func writeCSV(out io.Writer, spec *chartspec.Spec) error {
	if err := table.WriteCSV(out, tableOf(spec)); err != nil {
		return fmt.Errorf("write chart %q as CSV: %w", spec.Title, err)
	}
	return nil
}

package chart

import (
	"image"
	"image/color"
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"golang.org/x/image/vector"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

// maxPrimitives is the number of shapes that become canvas objects; where there are more,
// they are drawn into one raster, which costs the painter less.
const maxPrimitives = 400

// objects converts the shapes of a scene into Fyne's objects, in the same order. Slopes and
// outlines, for which Fyne has no object, are drawn into rasters at the resolution of the
// screen.
func objects(s *scene) []fyne.CanvasObject {
	solid := 0
	for _, sh := range s.shapes {
		if sh.kind == box || sh.kind == disc {
			solid++
		}
	}
	var out []fyne.CanvasObject
	var pending []shape
	flush := func() {
		if len(pending) > 0 {
			out = append(out, picture(pending))
			pending = nil
		}
	}
	for _, sh := range s.shapes {
		switch {
		case sh.kind == caption:
			flush()
			out = append(out, captionObject(sh, s.frame.palette))
		case sh.kind == polyline && len(sh.places) == 2 && (sh.places[0].x == sh.places[1].x || sh.places[0].y == sh.places[1].y):
			flush()
			out = append(out, straightObject(sh))
		case solid > maxPrimitives || sh.kind == polygon || sh.kind == polyline:
			pending = append(pending, sh)
		case sh.kind == box:
			flush()
			out = append(out, boxObject(sh))
		default:
			flush()
			// On whole points: the software painter clips the edges of other circles.
			c, size := canvas.NewCircle(sh.color), math.Max(2, math.Round(2*sh.radius))
			put(c, math.Round(sh.places[0].x-size/2), math.Round(sh.places[0].y-size/2), size, size)
			out = append(out, c)
		}
	}
	flush()
	return out
}

// boxObject draws a box with its edges on whole points, so that bars are sharp and end on
// their line. A box is at least a point wide and high.
func boxObject(s shape) fyne.CanvasObject {
	a, b := s.places[0], s.places[1]
	a.x, b.x = onPoints(a.x, b.x)
	a.y, b.y = onPoints(a.y, b.y)
	r := canvas.NewRectangle(s.color)
	c := s.corners()
	r.TopLeftCornerRadius, r.TopRightCornerRadius = float32(c.topLeft), float32(c.topRight)
	r.BottomLeftCornerRadius, r.BottomRightCornerRadius = float32(c.bottomLeft), float32(c.bottomRight)
	put(r, a.x, a.y, b.x-a.x, b.y-a.y)
	return r
}

func onPoints(from, to float64) (float64, float64) {
	low, high := math.Round(from), math.Round(to)
	if low == high && to-from > 0.01 {
		low = math.Round(to - 1)
	}
	return low, high
}

// straightObject draws a horizontal or vertical line as a box on whole points, so that it
// does not blur over two rows of pixels.
func straightObject(s shape) fyne.CanvasObject {
	a, b := s.places[0], s.places[1]
	x1, x2 := math.Min(a.x, b.x), math.Max(a.x, b.x)
	y1, y2 := math.Min(a.y, b.y), math.Max(a.y, b.y)
	r := canvas.NewRectangle(s.color)
	if a.y == b.y {
		put(r, x1, math.Round(y1-s.width/2), x2-x1, s.width)
	} else {
		put(r, math.Round(x1-s.width/2), y1, s.width, y2-y1)
	}
	return r
}

// captionObject draws a label. Texts with letters from right to left are drawn by ui/prose,
// which orders parts of different directions.
func captionObject(s shape, p palette) fyne.CanvasObject {
	size, baseline, ok := renderedSize(s)
	if !ok {
		s.text = "\ufffd"
	}
	x := s.places[0].x
	switch s.anchor {
	case atMiddle:
		x -= float64(size.Width) / 2
	case atEnd:
		x -= float64(size.Width)
	}
	y := s.places[0].y - float64(baseline)
	if !prose.HasRTL(s.text) {
		t := canvas.NewText(s.text, s.color)
		t.TextSize = float32(s.size)
		t.TextStyle.Bold = s.bold
		put(t, x, y, float64(size.Width), float64(size.Height))
		return t
	}
	span := prose.Span{Text: s.text, Size: theme.Tiny, Color: theme.Muted, Bold: s.bold}
	if s.color == p.Ink {
		span.Color = theme.Text
	}
	if s.bold {
		span.Size = theme.Small
	}
	t := prose.New(span)
	t.MaxLines = 1
	height := float64(t.HeightFor(size.Width + 2))
	put(t, x, y-(height-float64(size.Height))/2, float64(size.Width)+2, height)
	return t
}

// renderedSize returns the size of a caption and its baseline; ok is false, and the size
// that of one character, where the text engine panics.
func renderedSize(s shape) (size fyne.Size, baseline float32, ok bool) {
	defer func() {
		if recover() != nil {
			size, baseline, ok = fyne.NewSize(float32(s.size), float32(s.size*leading)), float32(s.size), false
		}
	}()
	size, baseline = fyne.CurrentApp().Driver().RenderedTextSize(s.text, float32(s.size), fyne.TextStyle{Bold: s.bold}, nil)
	return size, baseline, true
}

func put(o fyne.CanvasObject, x, y, w, h float64) {
	o.Resize(fyne.NewSize(float32(w), float32(h)))
	o.Move(fyne.NewPos(float32(x), float32(y)))
}

// picture draws shapes into a raster that covers them.
func picture(shapes []shape) fyne.CanvasObject {
	a, b := place{math.Inf(1), math.Inf(1)}, place{math.Inf(-1), math.Inf(-1)}
	for _, s := range shapes {
		reach := s.width
		if s.kind == disc {
			reach = s.radius
		}
		for _, p := range s.places {
			a.x, a.y = math.Min(a.x, p.x-reach), math.Min(a.y, p.y-reach)
			b.x, b.y = math.Max(b.x, p.x+reach), math.Max(b.y, p.y+reach)
		}
	}
	a, b = place{math.Floor(a.x), math.Floor(a.y)}, place{math.Ceil(b.x) + 1, math.Ceil(b.y) + 1}
	r := canvas.NewRaster(func(w, h int) image.Image {
		if w <= 0 || h <= 0 || b.x <= a.x {
			return image.NewNRGBA(image.Rectangle{})
		}
		return rasterise(shapes, a, float64(w)/(b.x-a.x), w, h)
	})
	put(r, a.x, a.y, b.x-a.x, b.y-a.y)
	return r
}

// rasterise draws shapes into an image of w by h pixels; origin is its top left, scale the
// pixels of a point.
func rasterise(shapes []shape, origin place, scale float64, w, h int) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	z := vector.NewRasterizer(w, h)
	pen := pen{z: z, origin: origin, scale: scale}
	for _, s := range shapes {
		z.Reset(w, h)
		switch s.kind {
		case polygon:
			pen.outline(s.places)
		case polyline:
			pen.stroke(s.places, s.width)
		case disc:
			pen.disc(s.places[0], s.radius)
		case box:
			a, b := s.places[0], s.places[1]
			pen.outline([]place{a, {b.x, a.y}, b, {a.x, b.y}})
		}
		z.Draw(img, img.Bounds(), image.NewUniform(color.Color(s.color)), image.Point{})
	}
	return img
}

// pen draws into a rasteriser. Everything it draws runs in the same direction: a path in
// the other direction would cut a hole.
type pen struct {
	z      *vector.Rasterizer
	origin place
	scale  float64
}

func (p pen) at(q place) (x, y float32) {
	return float32((q.x - p.origin.x) * p.scale), float32((q.y - p.origin.y) * p.scale)
}

func (p pen) outline(places []place) {
	for i, q := range places {
		if i == 0 {
			p.z.MoveTo(p.at(q))
		} else {
			p.z.LineTo(p.at(q))
		}
	}
	p.z.ClosePath()
}

// stroke draws a line with round joints.
func (p pen) stroke(places []place, width float64) {
	for i, b := range places {
		p.disc(b, width/2)
		if i == 0 {
			continue
		}
		a := places[i-1]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		nx, ny := (b.y-a.y)/length*width/2, -(b.x-a.x)/length*width/2
		p.outline([]place{{a.x + nx, a.y + ny}, {b.x + nx, b.y + ny}, {b.x - nx, b.y - ny}, {a.x - nx, a.y - ny}})
	}
}

func (p pen) disc(middle place, radius float64) {
	const steps = 16
	var places [steps]place
	for i := range places {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / steps)
		places[i] = place{middle.x + radius*cos, middle.y + radius*sin}
	}
	p.outline(places[:])
}

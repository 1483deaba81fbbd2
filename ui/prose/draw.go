package prose

import (
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	fynetheme "fyne.io/fyne/v2/theme"

	"bowerbird/ui/theme"
)

// placed is a unit at its place, in the widget's coordinates.
type placed struct {
	unit
	line     int
	top      float32 // of its line
	baseline float32
}

// place returns the pieces of all lines at their places.
func (t *Text) place(width float32) []placed {
	f := t.ready()
	m := t.layOut(width)
	out := make([]placed, 0, len(m.lines)+len(f.looks))
	rtl, end := false, 0
	for i, ln := range m.lines {
		if i == 0 || strings.IndexByte(f.text[end:ln.from], '\n') >= 0 {
			rtl = f.base(int(ln.from))
		}
		end = int(ln.to)
		out = f.placeLine(out, ln, i, width, t.Align, rtl)
	}
	return out
}

// placeLine places the pieces of a line; rtl is the direction of its paragraph.
func (f *flow) placeLine(out []placed, ln line, index int, width float32, align fyne.TextAlign, rtl bool) []placed {
	top := float32(index) * f.line
	mixed := HasRTL(f.text[ln.from:ln.to])
	us := f.units(ln)
	if (rtl || mixed) && !f.broken {
		us = f.order(us, rtl)
	}
	x := f.setWidths(us)
	if x > width+slack && !mixed && !rtl && !f.broken {
		// In this font words are wider together than apart: place them one by one.
		us = f.words(us)
		x = f.setWidths(us)
	}
	if x > width && x < width*1.1 && len(us) > 1 {
		// Spaces between fonts are wider than measured alone: move the pieces together.
		squeeze := (x - width) / float32(len(us)-1)
		for i := range us {
			us[i].x -= squeeze * float32(i)
		}
		x = width
	}
	indent := float32(0)
	switch {
	case align == fyne.TextAlignCenter:
		indent = (width - x) / 2
	case (align == fyne.TextAlignTrailing) != rtl:
		indent = width - x
	}
	indent = max(0, indent)
	baseline := top + float32(math.Round(float64((f.line-f.height)/2+f.ascent)))
	for _, u := range us {
		u.x += indent
		out = append(out, placed{unit: u, line: index, top: top, baseline: baseline})
	}
	return out
}

// setWidths measures pieces, places them one after the other, and returns their total
// width.
func (f *flow) setWidths(us []unit) float32 {
	var x float32
	for i := range us {
		u := &us[i]
		l := &f.looks[u.look]
		w, ok := measure(u.text, l)
		if !ok {
			u.text = "\ufffd"
			w, _ = measure(u.text, l)
		}
		u.w = w
		if l.chip && !u.ellipsis {
			u.w += l.chipExtra()
		}
		u.x = x
		x += u.w
	}
	return x
}

// CreateRenderer implements fyne.Widget.
func (t *Text) CreateRenderer() fyne.WidgetRenderer {
	t.ExtendBaseWidget(t)
	r := &renderer{t: t}
	r.Refresh()
	return r
}

// renderer draws a [Text]. It reuses its objects for other spans and widths.
type renderer struct {
	t       *Text
	objects []fyne.CanvasObject
	placed  []placed

	texts []*canvas.Text
	rects []*canvas.Rectangle
	links []*link
	bolts []*canvas.Image

	nTexts, nRects, nBolts int // in use
	width                  float32
}

// Layout draws again if the width has changed.
func (r *renderer) Layout(size fyne.Size) {
	if size.Width != r.width {
		r.draw(size.Width)
		canvas.Refresh(r.t)
	}
	if r.t.sel != nil {
		r.t.sel.Resize(size)
	}
}

func (r *renderer) MinSize() fyne.Size { return r.t.MinSize() }

// Refresh draws again: spans, colours or sizes may have changed.
func (r *renderer) Refresh() {
	r.draw(r.t.Size().Width)
	canvas.Refresh(r.t)
}

// Objects returns boxes, then texts with the lines through them, then what the mouse and
// the keyboard reach.
func (r *renderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *renderer) Destroy() {}

func (r *renderer) draw(width float32) {
	r.width = width
	r.nTexts, r.nRects, r.nBolts = 0, 0, 0
	r.objects = r.objects[:0]
	if width <= 0 {
		return
	}
	r.placed = r.t.place(width)
	f := r.t.flow
	r.drawSelection(f)
	for i := range r.placed {
		r.drawBox(f, &r.placed[i])
	}
	for i := range r.placed {
		if p := &r.placed[i]; p.text != " " {
			r.drawText(f, p)
		}
	}
	r.drawSelector()
	r.drawLinks(f)
}

// drawSelection draws the selected part under the text.
func (r *renderer) drawSelection(f *flow) {
	s := r.t.sel
	if s == nil || !s.active || s.from == s.to {
		return
	}
	for i := range r.placed {
		if x, w := s.part(f, &r.placed[i]); w > 0 {
			r.rect(theme.Color(fynetheme.ColorNameSelection), x, r.placed[i].top, w, f.line, 0)
		}
	}
}

// drawBox draws the box behind a chip, a search term or code.
func (r *renderer) drawBox(f *flow, p *placed) {
	l := &f.looks[p.look]
	switch {
	case p.ellipsis:
	case l.chip && l.doubt && !l.strike: // a question mark in a circle
		y, h := l.chipBox(p.baseline)
		d := h - 4
		r.ring(theme.Color(l.color), p.x+chipBefore+(p.w-chipBefore-l.after-d)/2, y+2, d, d, d/2-0.5)
	case l.chip && l.doubt:
		y, h := l.chipBox(p.baseline)
		r.ring(theme.Color(l.color), p.x+chipBefore, y, p.w-chipBefore-l.after, h, 4)
	case l.doubt:
		r.rect(theme.Color(theme.WarnSoft), p.x-1, p.top+1, p.w+2, f.line-2, 3)
	case l.chip:
		y, h := l.chipBox(p.baseline)
		fill := theme.PrimarySoft
		if r.shines(l) {
			fill = theme.Primary
		}
		r.rect(theme.Color(fill), p.x+chipBefore, y, p.w-chipBefore-l.after, h, 4)
	case l.mark:
		r.rect(theme.Color(theme.Mark), p.x-1, p.top+1, p.w+2, f.line-2, 3)
	case l.code:
		r.rect(theme.Color(theme.Chip), p.x-2, p.top+1, p.w+3, f.line-2, 3)
	}
}

// shines reports whether the chip of a look is filled. The links are those of the draw before.
func (r *renderer) shines(l *look) bool {
	return l.chip && !l.doubt && l.link > 0 && l.link <= len(r.links) && r.links[l.link-1].shines()
}

func (r *renderer) drawText(f *flow, p *placed) {
	l := &f.looks[p.look]
	c := theme.Color(l.color)
	if r.shines(l) {
		c = theme.Color(theme.OnPrimary)
	}
	x, base := p.x, p.baseline
	if l.chip && !p.ellipsis {
		x += l.chipPad() + chipBefore
		base--
	}
	if l.bolt {
		r.drawBolts(p, l)
		return
	}
	r.letters(p, l, c, x, base)
	if aside := theme.Embolden(p.text, l.size, l.style); aside > 0 {
		r.letters(p, l, c, x+aside, base)
	}
	if l.strike && !p.ellipsis {
		r.rect(c, p.x, p.baseline-float32(math.Round(float64(l.size*0.3))), p.w, 1, 0)
	}
	if l.under && !p.ellipsis {
		r.rect(c, p.x, p.baseline+2, p.w, 1, 0)
	}
}

// letters draws the letters of a piece at a place on the baseline.
func (r *renderer) letters(p *placed, l *look, c color.Color, x, base float32) {
	t := r.text(p.text, l, c)
	// In another font the baseline may be elsewhere.
	ascent, height := l.ascent, l.height
	if source := theme.Source(t.Text, l.size, l.style); source != t.FontSource {
		t.FontSource = source
		canvas.Refresh(t)
	}
	if t.FontSource != nil {
		var size fyne.Size
		size, ascent = fyne.CurrentApp().Driver().RenderedTextSize(" ", l.size, l.style, t.FontSource)
		height = size.Height
	}
	t.Move(fyne.NewPos(x, base-float32(math.Ceil(float64(ascent)))))
	t.Resize(fyne.NewSize(p.w, height))
}

// drawBolts draws the lightnings of a piece as icons.
func (r *renderer) drawBolts(p *placed, l *look) {
	for i := range strings.Count(p.text, string(bolt)) {
		if r.nBolts == len(r.bolts) {
			r.bolts = append(r.bolts, canvas.NewImageFromResource(nil))
		}
		o := r.bolts[r.nBolts]
		r.nBolts++
		o.Resource = theme.IconIn("zap", l.color)
		o.Move(fyne.NewPos(p.x+float32(i)*l.size, p.baseline-l.size*0.85))
		o.Resize(fyne.NewSquareSize(l.size))
		o.Refresh()
		r.objects = append(r.objects, o)
	}
}

// text returns an unused canvas.Text with a string.
func (r *renderer) text(s string, l *look, c color.Color) *canvas.Text {
	if r.nTexts == len(r.texts) {
		r.texts = append(r.texts, canvas.NewText("", c))
	}
	t := r.texts[r.nTexts]
	r.nTexts++
	if t.Text != s || t.TextSize != l.size || t.TextStyle != l.style || t.Color != c {
		t.Text, t.TextSize, t.TextStyle, t.Color = s, l.size, l.style, c
		canvas.Refresh(t)
	}
	r.objects = append(r.objects, t)
	return t
}

// chipBox returns where the box of a chip begins, and its height.
func (l *look) chipBox(baseline float32) (y, h float32) {
	h = float32(math.Round(float64(l.size * 1.55)))
	return baseline - float32(math.Round(float64(l.size*0.36+h/2))), h
}

// ring draws a border.
func (r *renderer) ring(c color.Color, x, y, w, h, radius float32) {
	o := r.rect(color.Transparent, x, y, w, h, radius)
	o.StrokeColor, o.StrokeWidth = c, 1
}

// rect returns an unused rectangle at a place.
func (r *renderer) rect(c color.Color, x, y, w, h, radius float32) *canvas.Rectangle {
	if r.nRects == len(r.rects) {
		r.rects = append(r.rects, canvas.NewRectangle(c))
	}
	o := r.rects[r.nRects]
	r.nRects++
	o.FillColor, o.CornerRadius, o.StrokeWidth = c, radius, 0
	o.Move(fyne.NewPos(x, y))
	o.Resize(fyne.NewSize(w, h))
	r.objects = append(r.objects, o)
	return o
}

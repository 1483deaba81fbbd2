package note

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/theme"
)

// backdrop is what is drawn behind and below a card.
type backdrop struct {
	hover *canvas.Rectangle
	ring  *canvas.Rectangle
	line  *canvas.Rectangle
}

// openedSides is how far the card behind an opened note is from the sides of its list.
const openedSides = 7

func (b *backdrop) paint(c *sheet) {
	b.hover.FillColor, b.hover.StrokeWidth, b.hover.CornerRadius = color.Transparent, 0, 0
	if c.hover {
		half := color.NRGBAModel.Convert(theme.Color(theme.Chip)).(color.NRGBA)
		half.A /= 2
		b.hover.FillColor = half
	}
	if c.opened {
		b.hover.FillColor, b.hover.StrokeColor = theme.Color(theme.Surface), theme.Color(theme.Line)
		b.hover.StrokeWidth, b.hover.CornerRadius = 1, theme.RadiusRow
	}
	switch c.opt.Size {
	case Quote:
		b.hover.CornerRadius, b.ring.CornerRadius = theme.RadiusCard, theme.RadiusCard
	case Reply, Focus:
		b.hover.CornerRadius, b.ring.CornerRadius = theme.RadiusRow, theme.RadiusRow
	}
	b.ring.StrokeColor = theme.Color(theme.Primary)
	b.ring.Hidden = !c.focus || c.calm
	b.line.FillColor = theme.Color(theme.Line)
	b.line.Hidden = !c.opt.Line || c.opened
}

func (c *sheet) CreateRenderer() fyne.WidgetRenderer {
	if c.back == nil {
		c.back = &backdrop{hover: canvas.NewRectangle(color.Transparent), ring: canvas.NewRectangle(color.Transparent), line: canvas.NewRectangle(color.Transparent)}
		c.back.ring.StrokeWidth, c.back.ring.CornerRadius = 2, theme.Unit
	}
	r := &cardRenderer{c: c}
	r.Refresh()
	return r
}

type cardRenderer struct {
	c       *sheet
	objects []fyne.CanvasObject
}

func (r *cardRenderer) Destroy()                     { r.c.stop() }
func (r *cardRenderer) MinSize() fyne.Size           { return r.c.MinSize() }
func (r *cardRenderer) Objects() []fyne.CanvasObject { return r.objects }

func (r *cardRenderer) Layout(size fyne.Size) {
	b := r.c.back
	line := float32(0)
	if r.c.opt.Line {
		line = 1
	}
	over := r.c.look.over
	b.hover.Move(fyne.NewPos(-over, 0))
	b.hover.Resize(fyne.NewSize(size.Width+2*over, size.Height-line))
	if r.c.opened { // over the line of the note above too
		b.hover.Move(fyne.NewPos(openedSides, -1))
		b.hover.Resize(fyne.NewSize(size.Width-2*openedSides, size.Height+1))
	}
	b.ring.Move(fyne.NewPos(1-over, 1))
	b.ring.Resize(fyne.NewSize(size.Width-2+2*over, size.Height-2-line))
	side := r.c.side(size.Width)
	from := side // in a list the line begins at the text
	if r.c.opt.Size == Feed {
		from += r.c.textAt()
	}
	b.line.Move(fyne.NewPos(from, size.Height-1))
	b.line.Resize(fyne.NewSize(max(0, size.Width-from-r.c.look.right-side), 1))
	r.c.arrange(size.Width, func(o fyne.CanvasObject, x, y, w, h float32) {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(w, h))
	})
}

func (r *cardRenderer) Refresh() {
	c := r.c
	c.back.paint(c)
	r.objects = append(r.objects[:0], c.back.hover, c.back.line)
	if c.look.avatar > 0 {
		r.objects = append(r.objects, c.parts.avatar(c))
	}
	for _, b := range c.blocks {
		r.objects = append(r.objects, b.object)
	}
	r.objects = append(r.objects, c.back.ring)
	if c.Size().Width > 0 {
		r.Layout(c.Size())
	}
	canvas.Refresh(c)
}

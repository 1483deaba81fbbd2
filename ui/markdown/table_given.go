package markdown

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
)

// given draws a block with a widget of the one who shows the text (Options.Table).
type given struct {
	widget.BaseWidget
	draw func(Block) fyne.CanvasObject
	of   fyne.CanvasObject
}

func newGiven(draw func(Block) fyne.CanvasObject, b Block) *given {
	g := &given{draw: draw, of: draw(b)}
	g.ExtendBaseWidget(g)
	return g
}

func (g *given) object() fyne.CanvasObject { return g }

func (g *given) set(b Block) {
	if fresh := g.draw(b); fresh != g.of {
		g.of = fresh
		g.Refresh()
	}
}

func (g *given) HeightFor(width float32) float32 { return layout.HeightFor(g.of, width) }

func (g *given) MinSize() fyne.Size {
	const least = 120
	return fyne.NewSize(least, g.HeightFor(max(least, g.Size().Width)))
}

// CreateRenderer implements fyne.Widget.
func (g *given) CreateRenderer() fyne.WidgetRenderer { return &givenRenderer{g} }

type givenRenderer struct{ g *given }

func (r *givenRenderer) Layout(size fyne.Size)        { r.g.of.Resize(size) }
func (r *givenRenderer) MinSize() fyne.Size           { return r.g.MinSize() }
func (r *givenRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.g.of} }
func (r *givenRenderer) Destroy()                     {}

func (r *givenRenderer) Refresh() {
	r.g.of.Resize(r.g.Size())
	r.g.of.Refresh()
}

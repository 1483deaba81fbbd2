package markdown

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
)

// given draws a block with a widget of the one who shows the text (Options.Table).
type given struct {
	layout.Arranged
	draw func(Block) fyne.CanvasObject
}

func newGiven(draw func(Block) fyne.CanvasObject, b Block) *given {
	g := &given{draw: draw}
	g.Objects, g.Least = []fyne.CanvasObject{draw(b)}, 120
	g.Arrange = func(width float32, put layout.Put) float32 {
		height := layout.HeightFor(g.Objects[0], width)
		if put != nil {
			put(g.Objects[0], 0, 0, width, height)
		}
		return height
	}
	g.ExtendBaseWidget(g)
	return g
}

func (g *given) object() fyne.CanvasObject { return g }

func (g *given) set(b Block) {
	if fresh := g.draw(b); fresh != g.Objects[0] {
		g.Objects[0] = fresh
		g.Refresh()
	}
}

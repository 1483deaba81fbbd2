package feed

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
)

// inset is a row with the space around it, less at the sides of a narrow window.
type inset struct {
	layout.Arranged
	content     fyne.CanvasObject
	top, bottom float32
	left        float32 // how deep it stands
	most        float32 // how wide it becomes, in the middle; 0 for any width
}

func newInset(top, bottom float32, content fyne.CanvasObject) *inset {
	in := &inset{content: content, top: top, bottom: bottom}
	in.Objects, in.Arrange, in.Least = []fyne.CanvasObject{content}, in.arrange, 100
	in.ExtendBaseWidget(in)
	return in
}

func (in *inset) arrange(width float32, put layout.Put) float32 {
	side := in.side(width)
	inner := width - 2*side - in.left
	height := layout.HeightFor(in.content, inner)
	if put != nil {
		put(in.content, side+in.left, in.top, inner, height)
	}
	return in.top + height + in.bottom
}

// side is the space at each side at a width.
func (in *inset) side(width float32) float32 {
	side := threadSide
	if width < narrowWidth {
		side = threadNarrow
	}
	if in.most > 0 {
		return max(side, (width-in.most)/2)
	}
	return side
}

// step is how much deeper a reply stands than what it answers.
func (in *inset) step(width float32) float32 {
	if width < narrowWidth {
		return indent * max(0.35, width/narrowWidth*0.6)
	}
	return indent
}

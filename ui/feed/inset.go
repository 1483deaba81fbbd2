package feed

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
)

// inset is a row with the space around it, less at the sides of a narrow window.
type inset struct {
	widget.BaseWidget
	content     fyne.CanvasObject
	top, bottom float32
	left        float32 // how deep it stands
	most        float32 // how wide it becomes, in the middle; 0 for any width
}

func newInset(top, bottom float32, content fyne.CanvasObject) *inset {
	in := &inset{content: content, top: top, bottom: bottom}
	in.ExtendBaseWidget(in)
	return in
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

// HeightFor implements layout.Heighter.
func (in *inset) HeightFor(width float32) float32 {
	return layout.HeightFor(in.content, width-2*in.side(width)-in.left) + in.top + in.bottom
}

// CreateRenderer implements fyne.Widget.
func (in *inset) CreateRenderer() fyne.WidgetRenderer { return &insetRenderer{in} }

type insetRenderer struct{ in *inset }

func (r *insetRenderer) Layout(size fyne.Size) {
	in := r.in
	side := in.side(size.Width)
	in.content.Move(fyne.NewPos(side+in.left, in.top))
	in.content.Resize(fyne.NewSize(size.Width-2*side-in.left, size.Height-in.top-in.bottom))
}

func (r *insetRenderer) MinSize() fyne.Size {
	return fyne.NewSize(100, r.in.HeightFor(max(r.in.Size().Width, 280)))
}

func (r *insetRenderer) Refresh()                     { r.Layout(r.in.Size()); r.in.content.Refresh() }
func (r *insetRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.in.content} }
func (r *insetRenderer) Destroy()                     {}

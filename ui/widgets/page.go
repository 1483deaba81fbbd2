package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// NewGround is a plain area of a colour of the theme.
func NewGround(color fyne.ThemeColorName) fyne.CanvasObject { return newBox(color, "", 0) }

// NewHead is the head of a screen: 56 points high, with a line below.
func NewHead(content fyne.CanvasObject) fyne.CanvasObject {
	return layout.Column(0, container.New(head{}, content), NewRule())
}

// head centres its content on a line of the head's height.
type head struct{}

func (head) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		w := size.Width - 2*theme.ColumnPadding
		h := layout.HeightFor(o, w)
		o.Move(fyne.NewPos(theme.ColumnPadding, (size.Height-h)/2))
		o.Resize(fyne.NewSize(w, h))
	}
}

func (head) MinSize(objects []fyne.CanvasObject) fyne.Size {
	height := theme.HeadHeight - 1
	for _, o := range objects {
		height = max(height, o.MinSize().Height+8)
	}
	return fyne.NewSize(2*theme.ColumnPadding, height)
}

// NewFill gives its objects all the room and asks for none.
func NewFill(objects ...fyne.CanvasObject) *fyne.Container {
	return container.New(fillRoom{}, objects...)
}

type fillRoom struct{}

func (fillRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	for _, o := range objects {
		o.Move(fyne.Position{})
		o.Resize(size)
	}
}

func (fillRoom) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// NewPage puts a head above a body, which takes the room that is left.
func NewPage(head, body fyne.CanvasObject) *fyne.Container {
	return container.New(pageRoom{}, head, body)
}

type pageRoom struct{}

func (pageRoom) Layout(objects []fyne.CanvasObject, size fyne.Size) {
	h := layout.HeightFor(objects[0], size.Width)
	objects[0].Move(fyne.Position{})
	objects[0].Resize(fyne.NewSize(size.Width, h))
	objects[1].Move(fyne.NewPos(0, h))
	objects[1].Resize(fyne.NewSize(size.Width, max(0, size.Height-h)))
}

func (pageRoom) MinSize(objects []fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(objects[0].MinSize().Width, objects[0].MinSize().Height)
}

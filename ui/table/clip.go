package table

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/widget"
)

// clip shows the part of an object that lies within its bounds.
type clip struct {
	widget.BaseWidget
	inner  fyne.CanvasObject
	height func(width float32) float32
}

func newClip(inner fyne.CanvasObject, height func(width float32) float32) *clip {
	c := &clip{inner: inner, height: height}
	c.ExtendBaseWidget(c)
	return c
}

func (c *clip) HeightFor(width float32) float32 { return c.height(width) }

func (c *clip) MinSize() fyne.Size {
	c.ExtendBaseWidget(c)
	if c.Size().Width == 0 { // not yet laid out
		return fyne.NewSize(1, 1)
	}
	return fyne.NewSize(1, c.height(c.Size().Width))
}

func (c *clip) CreateRenderer() fyne.WidgetRenderer { return &clipRenderer{c} }

type clipRenderer struct{ c *clip }

// IsClip tells Fyne's painters to draw nothing beyond the bounds, as
// container.Clip does.
func (r *clipRenderer) IsClip() {}

func (r *clipRenderer) Destroy()                     {}
func (r *clipRenderer) Layout(size fyne.Size)        { r.c.inner.Resize(size) }
func (r *clipRenderer) MinSize() fyne.Size           { return r.c.MinSize() }
func (r *clipRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.c.inner} }
func (r *clipRenderer) Refresh()                     { r.c.inner.Refresh() }

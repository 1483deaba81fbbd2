package relays

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"
)

// sized is a container that knows its height for a width, which only widgets and
// the layouts of ui/layout can tell.
type sized struct {
	widget.BaseWidget
	content *fyne.Container
	height  func(width float32) float32
}

func newSized(height func(width float32) float32, l fyne.Layout, objects ...fyne.CanvasObject) *sized {
	s := &sized{content: container.New(l, objects...), height: height}
	s.ExtendBaseWidget(s)
	return s
}

// HeightFor implements layout.Heighter.
func (s *sized) HeightFor(width float32) float32 { return s.height(width) }

// CreateRenderer implements fyne.Widget.
func (s *sized) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(s.content) }

package shell

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/screen"
	"bowerbird/ui/widgets"
)

type placeholder struct{ o fyne.CanvasObject }

func newPlaceholder(text string) screen.Screen { return placeholder{widgets.NewEmpty("", "", text)} }

func (p placeholder) Content() fyne.CanvasObject { return p.o }
func (p placeholder) Shown()                     {}
func (p placeholder) Hidden()                    {}
func (p placeholder) Focus(fyne.Canvas)          {}
func (p placeholder) Close()                     {}

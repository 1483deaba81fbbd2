package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/assets"
)

// NewLogo returns the program's picture, as wide and high as said, in points.
func NewLogo(side float32) fyne.CanvasObject {
	img := canvas.NewImageFromResource(fyne.NewStaticResource("bowerbird.png", assets.Icon))
	img.FillMode = canvas.ImageFillContain
	img.SetMinSize(fyne.NewSquareSize(side))
	return img
}

package relays

import (
	"fyne.io/fyne/v2"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/widgets"
)

// headline is a title with a button at its right, or below it where the title
// would be squeezed.
type headline struct {
	title  *prose.Text
	button *widgets.Button
}

// headGap is between title and button, in points.
const headGap float32 = 12

func newHeadline(title *prose.Text, button *widgets.Button) *sized {
	h := &headline{title, button}
	return newSized(h.heightAt, h, title, button)
}

// beside reports whether both fit into one line.
func (h *headline) beside(width float32) bool {
	return !h.button.Visible() || h.title.NaturalWidth(width)+headGap+h.button.MinSize().Width <= width
}

func (h *headline) heightAt(width float32) float32 {
	if !h.button.Visible() {
		return layout.HeightFor(h.title, width)
	}
	button := h.button.MinSize()
	if h.beside(width) {
		return max(button.Height, layout.HeightFor(h.title, width-headGap-button.Width))
	}
	return layout.HeightFor(h.title, width) + headGap + button.Height
}

func (h *headline) Layout(_ []fyne.CanvasObject, size fyne.Size) {
	button := h.button.MinSize()
	h.button.Resize(button)
	if !h.beside(size.Width) {
		height := layout.HeightFor(h.title, size.Width)
		h.title.Move(fyne.NewPos(0, 0))
		h.title.Resize(fyne.NewSize(size.Width, height))
		h.button.Move(fyne.NewPos(0, height+headGap))
		return
	}
	width := size.Width
	if h.button.Visible() {
		width -= headGap + button.Width
		h.button.Move(fyne.NewPos(size.Width-button.Width, (size.Height-button.Height)/2))
	}
	height := layout.HeightFor(h.title, width)
	h.title.Move(fyne.NewPos(0, (size.Height-height)/2))
	h.title.Resize(fyne.NewSize(width, height))
}

func (h *headline) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(100, h.title.MinSize().Height)
}

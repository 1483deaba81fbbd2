package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
)

// Hint shows a tip when the mouse rests on a content. It takes no clicks, so that
// it can stand on a card that is clicked as a whole.
type Hint struct {
	widget.BaseWidget
	// Tip is what is shown; "" for nothing.
	Tip string
	// Over is told when the mouse comes and goes; may be nil. Fyne takes the mouse
	// away from what lies below: this lets a card keep its look.
	Over func(on bool)

	content fyne.CanvasObject
	outer   fyne.CanvasObject // the hint, or the widget that is made of it
	tip     tipTimer
}

// NewHint returns a hint around a content.
func NewHint(content fyne.CanvasObject, tip string) *Hint {
	h := &Hint{content: content, Tip: tip}
	h.ExtendBaseWidget(h)
	return h
}

// ExtendBaseWidget also says below what the tip stands: a widget that embeds a hint is
// in the window, and the hint in it is not.
func (h *Hint) ExtendBaseWidget(w fyne.Widget) {
	h.outer = w
	h.BaseWidget.ExtendBaseWidget(w)
}

// HeightFor implements layout.Heighter.
func (h *Hint) HeightFor(width float32) float32 { return layout.HeightFor(h.content, width) }

// MouseIn implements desktop.Hoverable.
func (h *Hint) MouseIn(*desktop.MouseEvent) {
	h.tip.start(h.outer, h.Tip)
	if h.Over != nil {
		h.Over(true)
	}
}

// MouseMoved implements desktop.Hoverable.
func (h *Hint) MouseMoved(*desktop.MouseEvent) {}

// MouseOut implements desktop.Hoverable.
func (h *Hint) MouseOut() {
	h.tip.hide()
	if h.Over != nil {
		h.Over(false)
	}
}

// CreateRenderer implements fyne.Widget.
func (h *Hint) CreateRenderer() fyne.WidgetRenderer { return widget.NewSimpleRenderer(h.content) }

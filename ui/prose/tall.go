package prose

import (
	"math"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/theme"
)

// stand places a piece of text on its base line, in the typeface that Fyne draws it
// whole with.
func stand(t *canvas.Text, x, base, width float32, l *look) {
	ascent, height := l.ascent, l.height
	if tall := theme.TallFor(t.Text, l.style); tall != t.FontSource {
		t.FontSource = tall
		canvas.Refresh(t)
	}
	if t.FontSource != nil {
		var size fyne.Size
		size, ascent = fyne.CurrentApp().Driver().RenderedTextSize(" ", l.size, l.style, t.FontSource)
		height = size.Height
	}
	t.Move(fyne.NewPos(x, base-float32(math.Ceil(float64(ascent)))))
	t.Resize(fyne.NewSize(width, height))
}

package chart

import (
	"fmt"
	"image/png"
	"io"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/software"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/theme"
)

// pngScale is how many pixels of the file a point is.
const pngScale = 2

// writePNG draws a chart in the colours and fonts of the theme that is shown, width
// points wide, and writes it with two pixels a point. It needs a running Fyne app,
// for its fonts, but no window.
func writePNG(out io.Writer, spec *chartspec.Spec, width float32) error {
	k := windowLook()
	k.titled, k.margin = true, 16
	k.heading = float64(theme.Size(theme.Small))
	height := heightFor(spec, float64(width), k)
	s := arrange(spec, float64(width), height, k)
	size := fyne.NewSize(float32(s.width), float32(s.height))
	c := software.NewCanvas()
	c.SetPadded(false)
	c.SetScale(pngScale)
	c.SetContent(container.NewWithoutLayout(objects(s)...))
	c.Resize(size)
	if err := png.Encode(out, c.Capture()); err != nil {
		return fmt.Errorf("write chart %q as PNG: %w", spec.Title, err)
	}
	return nil
}

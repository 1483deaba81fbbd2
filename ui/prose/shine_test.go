package prose

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

// The chip stays filled while its card is shown, wherever the mouse is.
func TestAChipIsFilledWhileItsCardIsShown(t *testing.T) {
	open(t, theme.Light)
	text := New(Span{Text: "See"}, Span{Text: "1", Chip: true, Size: theme.Tiny, Color: theme.Primary, Tap: func() {}})
	w := test.NewTempWindow(t, text)
	w.Resize(fyne.NewSize(140, 60))
	var chip *head
	for _, o := range test.WidgetRenderer(text).Objects() {
		if h, ok := o.(*head); ok {
			chip = h
		}
	}
	look := func() (box, number color.Color) {
		for _, o := range test.WidgetRenderer(text).Objects() {
			switch o := o.(type) {
			case *canvas.Rectangle:
				box = o.FillColor
			case *canvas.Text:
				number = o.Color
			}
		}
		return box, number
	}
	check := func(when string, box, number fyne.ThemeColorName) {
		t.Helper()
		if a, b := look(); a != theme.Color(box) || b != theme.Color(number) {
			t.Errorf("%s: the box is %v, the number %v", when, a, b)
		}
	}
	check("at rest", theme.PrimarySoft, theme.Primary)
	chip.MouseIn(&desktop.MouseEvent{})
	check("under the mouse", theme.Primary, theme.OnPrimary)
	chip.Light(true)
	chip.MouseOut()
	check("with its card", theme.Primary, theme.OnPrimary)
	chip.Light(false)
	check("without it", theme.PrimarySoft, theme.Primary)
}

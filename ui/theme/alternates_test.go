package theme_test

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"

	"bowerbird/ui/theme"
)

// TestAKeyIsDrawnLetterByLetter draws a part of a key at once and in letters: with contextual
// alternates an x between figures is a multiplication sign, which covers fewer pixels.
func TestAKeyIsDrawnLetterByLetter(t *testing.T) {
	use(t, theme.Options{Mode: theme.Light})
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}} {
		ink := func(s string) int {
			text := canvas.NewText(s, color.Black)
			text.TextSize, text.TextStyle = 100, style
			return inked(draw(text, fyne.NewSize(300, 150)), color.White)
		}
		whole, letters := ink("1x9"), ink("1")+ink("x")+ink("9")
		if d := whole - letters; d*d > letters*letters/2500 { // letters side by side share edges
			t.Errorf("%+v: 1x9 covers %d pixels at once, %d in letters", style, whole, letters)
		}
	}
}

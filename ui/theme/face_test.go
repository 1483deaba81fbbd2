package theme_test

import (
	"image"
	"image/color"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/ui/theme"
)

func TestThePatternOfAKeyIsItsOwnAndIsTheSameInLightAndDark(t *testing.T) {
	use(t, theme.Options{Mode: theme.Dark})
	dark := map[byte]image.Image{}
	for n := range byte(64) {
		dark[n] = theme.Face([32]byte{n, 1})
		if theme.Face([32]byte{n, 1}) != dark[n] {
			t.Fatal("a pattern is drawn twice")
		}
	}
	use(t, theme.Options{Mode: theme.Light})
	whose := map[string]byte{}
	sheet := image.NewNRGBA(image.Rect(0, 0, 8*104, 8*104))
	for n, img := range dark {
		light := pixels(theme.Face([32]byte{n, 1}))
		if light != pixels(img) {
			t.Errorf("the pattern of key %d depends on the theme", n)
		}
		if other, there := whose[light]; there {
			t.Errorf("keys %d and %d have one pattern", n, other)
		}
		whose[light] = n
		colours := map[color.Color]bool{}
		for y := range img.Bounds().Dy() {
			for x := range img.Bounds().Dx() {
				colours[img.At(x, y)] = true
				sheet.Set(int(n)%8*104+x, int(n)/8*104+y, img.At(x, y))
			}
		}
		if len(colours) < 2 {
			t.Errorf("the pattern of key %d is one plain field", n)
		}
	}
	testkit.Picture(t, "faces", sheet)
}

func pixels(img image.Image) string { return string(img.(*image.NRGBA).Pix) }

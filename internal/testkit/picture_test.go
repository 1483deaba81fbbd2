package testkit

import (
	"image"
	"image/color"
	"testing"
)

func TestAPictureWithNextToNothingDrawnFails(t *testing.T) {
	img := image.NewRGBA(image.Rect(0, 0, 20, 20))
	for shade := range uint8(9) {
		probe := &failing{TB: t}
		Picture(probe, "shades", img)
		if drawn := shade >= 7; probe.failed == drawn {
			t.Errorf("of a picture with %d shades on its ground: failed is %v", shade, probe.failed)
		}
		img.Set(int(shade), 7, color.RGBA{R: 10 + shade, A: 255})
	}
}

// failing records that a test was failed, instead of failing it.
type failing struct {
	testing.TB
	failed bool
}

func (f *failing) Errorf(string, ...any) { f.failed = true }

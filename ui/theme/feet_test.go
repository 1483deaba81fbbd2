package theme

import (
	"bytes"
	"math"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"github.com/go-text/typesetting/font"
)

// TestNoFeetOfLettersAreCut holds the lines of the fonts against how the window of a real
// screen draws a text: a picture as high as the line, rounded to whole pixels, with the
// baseline on the first whole pixel below the ascent. The painter of the other tests rounds up.
func TestNoFeetOfLettersAreCut(t *testing.T) {
	a := test.NewTempApp(t)
	for _, scale := range []float32{0.8, 1, 2} {
		th, err := New(Options{Mode: Light, Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		a.Settings().SetTheme(th)
		for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}, {Monospace: true}} {
			face, err := font.ParseTTF(bytes.NewReader(th.Font(style).Content()))
			if err != nil {
				t.Fatal(err)
			}
			most := 0.45 // a shade of grey
			if style.Monospace {
				most = 0.2 // an underscore is no thicker than that
			}
			var feet float64 // in sizes of the text
			for _, r := range "gjpqy_" {
				glyph, _ := face.NominalGlyph(r)
				box, _ := face.GlyphExtents(glyph)
				feet = max(feet, -float64(box.YBearing+box.Height)/float64(face.Upem()))
			}
			for name := range th.sizes {
				size := th.Size(name)
				line, baseline := fyne.CurrentApp().Driver().RenderedTextSize(" ", size, style, nil)
				for _, pixels := range []float64{1, 1.25, 1.5, 2} {
					below := math.Round(float64(line.Height)*pixels) - math.Ceil(float64(baseline)*pixels)
					if cut := feet*float64(size)*pixels - below; cut > most {
						t.Errorf("%+v, %v points at %v pixels a point: %.2f pixels are cut", style, size, pixels, cut)
					}
				}
			}
		}
	}
}

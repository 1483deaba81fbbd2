package prose

import (
	"image/color"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ui/theme"
)

// inkAt draws a text on white and returns the first and the last row of pixels with ink between
// two columns.
func inkAt(t *testing.T, text *Text, from, to float32) (top, bottom int) {
	t.Helper()
	w := test.NewTempWindow(t, container.NewStack(canvas.NewRectangle(color.White), text))
	w.SetPadded(false)
	w.Resize(fyne.NewSize(400, 80))
	img := w.Canvas().Capture()
	testkit.Picture(t, "emoji "+t.Name()[4:], img)
	top, bottom = -1, -1
	for y := range img.Bounds().Dy() {
		for x := int(from); x < int(to); x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); r+g+b < 3*0xe000 {
				if bottom = y; top < 0 {
					top = y
				}
				break
			}
		}
	}
	return top, bottom
}

func TestAnEmojiIsOnTheBaselineWhateverIsBesideIt(t *testing.T) {
	open(t, theme.Light)
	var wantTop, wantBottom int
	for i, text := range []string{"😀", "x😀", "日本語😀", "مرحبا😀", "👍🏽😀", "⚡😀"} {
		p := Plain(text, theme.Title, "")
		p.Resize(fyne.NewSize(400, 80))
		places := p.place(400)
		found := false
		for _, u := range places {
			if u.text != "😀" && u.text != "👍🏽😀" {
				continue
			}
			found = true
			end := u.x + u.w
			top, bottom := inkAt(t, p, end-theme.Size(theme.Title)*emojiSize, end)
			if top < 0 {
				t.Fatalf("%q: the emoji is not drawn", text)
			}
			if h := float32(bottom - top + 1); h < theme.Size(theme.Title)*0.9 {
				t.Errorf("%q: the emoji is %v high in a text of %v", text, h, theme.Size(theme.Title))
			}
			if i == 0 {
				wantTop, wantBottom = top, bottom
			} else if top != wantTop || bottom != wantBottom {
				t.Errorf("%q: the emoji is from %d to %d, alone from %d to %d", text, top, bottom, wantTop, wantBottom)
			}
		}
		if !found {
			t.Errorf("%q: no emoji is placed on its own: %+v", text, places)
		}
	}
}

func TestTheSignForAnEmojiThatNoFontHasIsOnTheBaseline(t *testing.T) {
	open(t, theme.Light)
	p := Plain("x \U0001fae8", theme.Title, "") // of 2022
	p.Resize(fyne.NewSize(400, 80))
	places := p.place(400)
	last := places[len(places)-1]
	if _, bottom := inkAt(t, p, last.x, last.x+last.w); float32(bottom) > last.baseline+0.3*theme.Size(theme.Title) {
		t.Errorf("it ends at %d, with the baseline at %v", bottom, last.baseline)
	}
}

func TestALightningIsDrawn(t *testing.T) {
	open(t, theme.Light)
	for _, text := range []string{"⚡", "⚡️", "⚡⚡"} {
		p := Plain(text, theme.Title, "")
		width := p.NaturalWidth(400)
		top, bottom := inkAt(t, p, 0, width)
		if h := float32(bottom - top); top < 0 || h < theme.Size(theme.Title)*0.6 {
			t.Errorf("%q: drawn from %d to %d", text, top, bottom)
		}
	}
}

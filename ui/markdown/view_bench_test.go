package markdown

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

func BenchmarkViewUpdateAt10000(b *testing.B) {
	open(b, theme.Light)
	text := answer(10_400)
	v := New(options())
	v.SetText(text[:10_000], false)
	w := test.NewTempWindow(b, v)
	w.Resize(fyne.NewSize(720, 900))
	n := 10_000
	for b.Loop() {
		if n += 4; n > 10_400 {
			n = 10_000
			v.SetText(text[:n], false)
		}
		v.SetText(text[:n], false)
		v.Resize(fyne.NewSize(720, v.HeightFor(720)))
	}
}

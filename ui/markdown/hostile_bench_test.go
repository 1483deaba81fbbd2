package markdown

import (
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/internal/testkit"
	"bowerbird/ui/theme"
)

// BenchmarkLongText measures what the window's thread does for the longest texts
// that a model can send: parsing, measuring at a width, and placing.
func BenchmarkLongText(b *testing.B) {
	for _, text := range append(testkit.LongTexts(), testkit.LongMarkdown()...) {
		b.Run(text.Name, func(b *testing.B) {
			open(b, theme.Light)
			testkit.MeasureThread(b, func(n int) func() {
				s := text.Make(n)
				return func() {
					v := New(options())
					v.SetText(s, true)
					v.Resize(fyne.NewSize(480, v.HeightFor(480)))
				}
			})
		})
	}
}

// BenchmarkMoreOfALongText measures the third click on "Show more of this text".
func BenchmarkMoreOfALongText(b *testing.B) {
	for _, text := range append(testkit.LongTexts(), testkit.LongMarkdown()...) {
		b.Run(text.Name, func(b *testing.B) {
			open(b, theme.Light)
			testkit.MeasureThread(b, func(n int) func() {
				v := New(options())
				v.SetParts(2)
				v.SetText(text.Make(2*n)+"\n\n"+text.Make(2*n+1), true)
				v.Resize(fyne.NewSize(480, v.HeightFor(480)))
				return func() {
					v.SetParts(3)
					v.Resize(fyne.NewSize(480, v.HeightFor(480)))
				}
			})
		})
	}
}

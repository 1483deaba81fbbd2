package prose

import (
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/internal/testkit"
	"bowerbird/ui/theme"
)

// BenchmarkLongText measures what the window's thread does for the longest texts
// that a stranger can send, where nothing shortens or splits them before.
func BenchmarkLongText(b *testing.B) {
	for _, text := range testkit.LongTexts() {
		b.Run(text.Name, func(b *testing.B) {
			open(b, theme.Light)
			testkit.MeasureThread(b, func(n int) func() {
				s := text.Make(n)
				return func() {
					t := Plain(s, theme.Body, theme.Text)
					t.Resize(fyne.NewSize(480, t.HeightFor(480)))
				}
			})
		})
	}
}

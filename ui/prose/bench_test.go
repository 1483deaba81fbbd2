package prose

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ui/theme"
)

// BenchmarkHostileText measures what the window's thread does for the worst texts
// that a stranger can send: breaking them into lines at a width, and drawing.
func BenchmarkHostileText(b *testing.B) {
	for name, text := range map[string]string{
		"one word of 100 kB":        strings.Repeat("x", 100_000),
		"one mixed word of 100 kB":  strings.Repeat("aWq0-fi", 100_000/7),
		"one Chinese line of 99 kB": strings.Repeat("安装软件", 100_000/12),
		"one Arabic word of 100 kB": strings.Repeat("سلام", 100_000/8),
		"emoji of 100 kB":           strings.Repeat("😀👍🏽", 100_000/12),
		"letters with marks":        strings.Repeat("e\u0301\u0302\u0303", 100_000/7),
		"10,000 lines":              strings.Repeat("line\n", 10_000),
		"a sentence of 100 kB":      strings.Repeat("plain words in a row ", 100_000/21),
	} {
		b.Run(name, func(b *testing.B) {
			open(b, theme.Light)
			for b.Loop() {
				t := Plain(text, theme.Body, theme.Text)
				t.Resize(fyne.NewSize(480, t.HeightFor(480)))
			}
		})
	}
}

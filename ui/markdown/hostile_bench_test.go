package markdown

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ui/theme"
)

// BenchmarkHostileText measures what the window's thread does for the worst texts
// that a model or a stranger can send: parsing, measuring at a width, and drawing.
func BenchmarkHostileText(b *testing.B) {
	for name, text := range map[string]string{
		"one word of 100 kB":        strings.Repeat("x", 100_000),
		"one word of 100 kB mixed":  strings.Repeat("aWq0-fi", 100_000/7),
		"one Chinese line of 99 kB": strings.Repeat("安装软件", 100_000/12),
		"one Arabic word of 100 kB": strings.Repeat("سلام", 100_000/8),
		"emoji of 100 kB":           strings.Repeat("😀👍🏽", 100_000/12),
		"letters with marks":        strings.Repeat("e\u0301\u0302\u0303", 100_000/7),
		"10,000 lines":              strings.Repeat("line\n", 10_000),
		"10,000 hard breaks":        strings.Repeat("line\\\n", 10_000),
		"10,000 paragraphs":         strings.Repeat("line\n\n", 10_000),
		"10,000 items":              strings.Repeat("- line\n", 10_000),
		"10,000 lines of code":      "```\n" + strings.Repeat("line\n", 10_000) + "```",
		"a line of code of 100 kB":  "```\n" + strings.Repeat("x", 100_000) + "\n```",
		"10,000 rows":               "|a|b|\n|-|-|\n" + strings.Repeat("|line|of|\n", 10_000),
		"3,000 bold words":          strings.Repeat("**a** b ", 3_000),
		"a sentence of 100 kB":      strings.Repeat("plain words in a row ", 100_000/21),
	} {
		b.Run(name, func(b *testing.B) {
			open(b, theme.Light)
			for b.Loop() {
				v := New(options())
				v.SetText(text, true)
				v.Resize(fyne.NewSize(480, v.HeightFor(480)))
			}
		})
	}
}

package markdown

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

func TestLook(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		open(t, mode)
		for name, text := range map[string]string{"digest": digest, "everything": everything} {
			v := New(options())
			v.SetText(text, true)
			bg := canvas.NewRectangle(theme.Color(theme.Background))
			w := test.NewTempWindow(t, container.NewStack(bg, layout.Pad(layout.Sides(20, 36), v)))
			width := float32(796)
			if name == "everything" {
				width = 560
			}
			w.Resize(fyne.NewSize(width, v.HeightFor(width-72)+40))
			testkit.Picture(t, name+"-"+string(mode), w.Canvas().Capture())
		}
	}
}

func TestEachKindOfBlockIsDrawn(t *testing.T) {
	for name, text := range map[string]string{
		"paragraph": "Some **bold**, *italic*, ~~gone~~ and `code`, cited ^1 and [linked](https://example.com).",
		"heading":   "# One\n\n## Two\n\n### Three",
		"list":      "- one\n- two\n  - nested\n\n1. first\n2. second\n\n- [x] done\n- [ ] to do",
		"quote":     "> quoted *words*\n>\n> > twice",
		"code":      "```go\nx := 1\n```",
		"code-wide": "```\n" + strings.Repeat("wide ", 30) + "\n```",
		"table":     "| a | b |\n|---|--:|\n| one | 2 |",
		"rule":      "above\n\n---\n\nbelow",
		"image":     "![a cat](https://cats.example/1.png)",
	} {
		t.Run(name, func(t *testing.T) {
			open(t, theme.Light)
			v := New(options())
			v.SetText(text, true)
			test.AssertRendersToMarkup(t, name+".xml", show(t, v, 320).Canvas())
		})
	}
}

func TestAnAnswerLooksAsInThePicture(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		open(t, mode)
		v := New(options())
		v.SetText(digest, true)
		bg := canvas.NewRectangle(theme.Color(theme.Background))
		w := show(t, container.NewStack(bg, v), 724)
		w.Resize(fyne.NewSize(724, v.HeightFor(724)))
		test.AssertRendersToImage(t, "digest-"+string(mode)+".png", w.Canvas())
	}
}

package settings

import (
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// newFactRow is what is known of a model in one thing: what at the left, and beside it,
// or below where there is little room, what is known and by what.
func newFactRow(f present.Fact) *layout.Arranged {
	spans := []prose.Span{{Text: f.Text, Size: theme.Small, Color: screen.ToneColor(f.Tone, theme.Text)}}
	if f.Why != "" {
		spans = append(spans, prose.Span{Text: "\n" + f.Why, Size: theme.Small, Color: theme.Muted})
	}
	what, text := prose.Plain(f.What, theme.Small, theme.Muted), prose.New(spans...)
	text.ID = "settings.fact:" + f.ID
	return layout.NewArranged(120, func(width float32, put layout.Put) float32 {
		left, x, y := scaled(factWhat), float32(0), float32(0)
		if width < scaled(factBelow) {
			left = width
			y = what.HeightFor(left) + 1
		} else {
			x = left + 12
		}
		if put != nil {
			put(what, 0, 0, left, what.HeightFor(left))
			put(text, x, y, width-x, text.HeightFor(width-x))
		}
		return max(what.HeightFor(left), y+text.HeightFor(width-x))
	}, what, text)
}

const (
	factWhat  float32 = 120 // how wide the left side is
	factBelow float32 = 400 // narrower, the text stands below
)

package chat

import (
	"fmt"

	"fyne.io/fyne/v2"

	"bowerbird/app/agent"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
)

// said draws what the model said.
type said struct {
	screen *Screen
	text   *prose.Text
	turn   int
}

func newSaid(s *Screen) *said { return &said{screen: s, text: prose.New()} }

func (o *said) object() fyne.CanvasObject { return o.text }

func (o *said) draw(r row) {
	b := r.block.(*present.Said)
	o.turn = r.turn
	var spans []prose.Span
	last := 0
	for _, ref := range agent.References(b.Markdown) {
		if ref.Index > b.Sources {
			continue
		}
		spans = append(spans, prose.Span{Text: b.Markdown[last:ref.Start]}, prose.Span{
			Text: fmt.Sprint(ref.Index), Chip: true, ID: fmt.Sprintf("cite:%d", ref.Index),
			Tap: func() { o.screen.cite(o.turn, ref.Index) },
		})
		last = ref.End
	}
	o.text.SetSpans(append(spans, prose.Span{Text: b.Markdown[last:]})...)
}

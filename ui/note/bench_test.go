package note

import (
	"testing"

	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// BenchmarkACardIsGivenAnotherNote is what a list does with each row that comes
// into sight: it binds a card that showed another note, and lays it out.
func BenchmarkACardIsGivenAnotherNote(b *testing.B) {
	for _, bb := range []struct {
		name  string
		notes []present.Note
	}{
		{"usual", []present.Note{adaNote(), tomasNote(), benNote(), yukiNote(), claraNote()}},
		{"quotes", []present.Note{quoting(), quotingArticle()}},
		{"long", []present.Note{long(), found()}},
		{"hostile", []present.Note{hostile(), adaNote()}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			start(b, theme.Light)
			c := of(options(&calls{}), bb.notes[0])
			window(420, c)
			for i := 0; b.Loop(); i++ {
				c.SetNote(bb.notes[i%len(bb.notes)])
				size := c.Size()
				size.Height = c.HeightFor(420)
				c.Resize(size)
			}
		})
	}
}

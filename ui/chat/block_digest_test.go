package chat

import (
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

func TestTheFiguresOfAStoryLeaveItsTextRoom(t *testing.T) {
	setStage(t, openApp(t), plain, window)
	text, figures := prose.Plain("Heike Brandweiner: “The cycle path along the avenue has won, with the highest turnout in years.”", theme.Body, theme.Text), counts("5 notes, 12 took part")
	line := aside(text, figures)
	for _, width := range []float32{660, 340} {
		line.Resize(fyne.NewSize(width, line.(interface{ HeightFor(float32) float32 }).HeightFor(width)))
		beside := figures.Position().X > text.Position().X+text.Size().Width
		below := figures.Position().Y >= text.Position().Y+text.Size().Height
		if figures.Size().Width < figures.MinSize().Width || beside == below || beside != (width > 500) || text.Size().Width < 260 {
			t.Errorf("at %v points the text takes %v and the figures are at %v", width, text.Size().Width, figures.Position())
		}
	}
}

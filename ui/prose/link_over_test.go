package prose

import (
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

// The driver of a real window knows only objects that are drawn.
func TestALinkTellsOfThePieceThatIsDrawn(t *testing.T) {
	open(t, theme.Light)
	var told []fyne.CanvasObject
	var on []bool
	text := New(Span{Text: "See "}, Span{Text: "a link that takes more than one line", Tap: func() {}, Over: func(link fyne.CanvasObject, over bool) {
		told, on = append(told, link), append(on, over)
	}})
	w := test.NewTempWindow(t, text)
	w.Resize(fyne.NewSize(140, 200))
	pieces := 0
	for _, o := range test.WidgetRenderer(text).Objects() {
		piece, ok := o.(desktop.Hoverable)
		if !ok {
			continue
		}
		if _, link := o.(fyne.Tappable); !link {
			continue
		}
		pieces++
		told, on = nil, nil
		piece.MouseIn(&desktop.MouseEvent{})
		piece.MouseOut()
		if len(told) != 2 || told[0] != o || told[1] != o || !slices.Equal(on, []bool{true, false}) {
			t.Errorf("piece %d tells of %v, %v", pieces, told, on)
		}
	}
	if pieces < 2 {
		t.Errorf("the link has %d pieces", pieces)
	}
}

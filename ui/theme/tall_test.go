package theme_test

import (
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/theme"
)

func TestATextOfTallerScriptsHasRoomForThem(t *testing.T) {
	th, err := theme.New(theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	a := test.NewTempApp(t)
	a.Settings().SetTheme(th)
	for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true}, {Bold: true, Italic: true}} {
		for text, tall := range map[string]bool{"plain": false, "今日は": true, "Yuki 雪": true, "안녕": true, "مرحبا": false, "雪 😀": false} {
			source := theme.TallFor(text, style)
			if (source != nil) != tall {
				t.Errorf("%q, %+v: %v", text, style, source)
			}
			if source == nil {
				continue
			}
			if theme.TallFor(text, style) != source {
				t.Error("another typeface each time")
			}
			size, base := fyne.CurrentApp().Driver().RenderedTextSize(" ", 100, style, source)
			if size.Height < 144 || base < 115 {
				t.Errorf("%+v: a line of 100 points is %v high, its base line at %v", style, size.Height, base)
			}
		}
	}
}

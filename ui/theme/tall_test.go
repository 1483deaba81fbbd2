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
			source := theme.Source(text, 14, style)
			if (source != nil) != tall {
				t.Errorf("%q, %+v: %v", text, style, source)
			}
			if source == nil {
				continue
			}
			if theme.Source(text, 14, style) != source {
				t.Error("another typeface each time")
			}
			size, base := fyne.CurrentApp().Driver().RenderedTextSize(" ", 100, style, source)
			if size.Height < 144 || base < 115 {
				t.Errorf("%+v: a line of 100 points is %v high, its base line at %v", style, size.Height, base)
			}
		}
	}
}

func TestTitlesAreBolderThanOtherBoldTexts(t *testing.T) {
	use(t, theme.Options{Scale: 1.5})
	bold := fyne.TextStyle{Bold: true}
	wide := func(size float32, style fyne.TextStyle) float32 {
		w, ok := theme.Width("Since you were last here", size, style)
		all, _ := theme.Measure("Since you were last here", size, style)
		if !ok || all < w-0.5 || all > w+0.5 {
			t.Errorf("at %v it is %v wide, or %v", size, w, all)
		}
		return w / size
	}
	text, title := theme.Size(theme.Body), theme.Size(theme.Heading)
	if a, b := wide(text, bold), wide(title, bold); b < a*1.005 {
		t.Errorf("of one point a bold text is %v wide and a title %v", a, b)
	}
	if a, b := wide(text, fyne.TextStyle{}), wide(title, fyne.TextStyle{}); b > a*1.001 {
		t.Errorf("of one point a text is %v wide and a large one %v", a, b)
	}
	if theme.Source("Title", text, bold) != nil || theme.Source("Title", title, bold) == nil || theme.Source("Title 😀", title, bold) != nil {
		t.Error("other texts than titles have a source")
	}
	if a, b := theme.Source("雪", title, bold), theme.Source("雪", text, bold); a == nil || b == nil || a == b {
		t.Error("a title in Japanese is no bolder")
	}
}

func TestBoldTextsOfScriptsWithoutABoldTypefaceAreDrawnTwice(t *testing.T) {
	bold := fyne.TextStyle{Bold: true}
	for text, twice := range map[string]bool{"雪": true, "川沿いの支線 2": true, "سميرة": true, "한글": true, "Yuki": false, "Yuki 雪": false, "Ελλάδα": false, "Снег": false, "😀 12": false, "": false} {
		if got := theme.Embolden(text, 14, bold) > 0; got != twice {
			t.Errorf("%q: %v", text, got)
		}
		if theme.Embolden(text, 14, fyne.TextStyle{}) > 0 {
			t.Errorf("%q is drawn twice and is not bold", text)
		}
	}
}

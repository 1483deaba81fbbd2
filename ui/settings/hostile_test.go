package settings

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// A server's list of models, its errors and what it refuses are a stranger's texts:
// none may break the page, and none may be chosen as another than it is.
func TestWhatAHostileServerSaysBreaksNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("draws hundreds of texts: not beside the race detector")
	}
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	texts = append(texts, strings.Repeat("W", 5_000), strings.Repeat("a\u0301\u0302", 2_000), "\u202egnp.lwo\u2066", "owl\x00\x1b[31m\nwren")

	const width = 416
	f := open(t, theme.Options{Mode: theme.Light}, fyne.NewSize(width, 900))
	f.ShowPage(Assistant)
	quiet := &held{Dispatcher: f.env.Do} // asks nobody
	f.env.Do = quiet
	a := f.pages[Assistant].(*assistant)
	custom := models.Provider{ID: "custom", Name: "Another server", NeedsAddress: true}
	a.chooser.base = "http://127.0.0.1:9/v1"
	a.chooser.setProvider(custom)
	for i := 0; i < len(texts); i += mostMatches {
		some := texts[i:min(i+mostMatches, len(texts))]
		var offered []llm.ModelInfo
		for _, text := range some {
			offered = append(offered, llm.ModelInfo{ID: text})
		}
		a.chooser.gotModels(offered, nil, nil)
		at := models.State{ID: "custom:" + some[0], Provider: custom, Name: some[0], Host: "models.example"}
		a.current.show(at, models.Facts{Format: config.FormatNative, Refuses: some})
		text, tone := f.env.Words.Tested(nil, &llm.Error{Kind: llm.KindServer, Message: some[0]}, at, "")
		a.current.say(text, tone)
		if h := layout.HeightFor(a.body, width); h < 100 || h > 20_000 {
			t.Errorf("%q: the page is %v points high", some, h)
		}
		walk(f.frame.margins, func(o fyne.CanvasObject) {
			if right := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).X + o.Size().Width; o.Size().Width > 0 && right > width+0.5 {
				t.Errorf("%q: %T ends at %v", some, o, right)
			}
		})
		if words := f.words(); strings.ContainsAny(words, "\x00\x1b\u202e") {
			t.Errorf("%q: what hides or turns text is on the page", some)
		}
	}
	a.chooser.gotModels([]llm.ModelInfo{{ID: texts[len(texts)-1]}}, nil, nil)
	f.tap(t, "settings.model:"+clean.Line(texts[len(texts)-1], 60))
	if got, want := f.host.Settings().Assistant.Model, "custom:"+texts[len(texts)-1]; got != want {
		t.Errorf("chosen is %q, not %q", got, want)
	}
	if len(quiet.waiting) == 0 {
		t.Error(fmt.Errorf("nothing was to be asked: the page was not the real one"))
	}
}

// At twice the text size, in German and in a narrow window nothing may be cut.
func TestLongWordsInALargeTypeFitIntoANarrowWindow(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pages: not beside the race detector")
	}
	for _, width := range []float32{384, 448} { // of a window of 416 and 480 points, without the margins
		f := german(t, theme.Options{Mode: theme.Light, Scale: 2}, width)
		parts := f.parts(t)
		high := layout.HeightFor(parts, width)
		f.window.SetContent(parts)
		f.window.Resize(fyne.NewSize(width, high))
		parts.Resize(fyne.NewSize(width, high))
		f.draw(t, fmt.Sprintf("parts-large-%v", width))
		within(t, parts, width)
	}
}

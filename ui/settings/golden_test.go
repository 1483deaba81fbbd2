package settings

import (
	"fmt"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"
	"golang.org/x/text/language"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
	"bowerbird/ui/wordstest"
)

// parts are the parts of the assistant's page that depend on nobody's answer, filled
// with what is known of two models.
func (f *fixture) parts(t *testing.T) fyne.CanvasObject {
	t.Helper()
	quiet := &held{Dispatcher: f.env.Do} // asks nobody
	usual := f.env.Do
	f.env.Do = quiet
	defer func() { f.env.Do = usual }()
	a := newAssistant(f.Screen).(*assistant)
	var hosted models.Provider
	for _, p := range models.Providers() {
		if p.ID == "openrouter" {
			hosted = p
		}
	}
	elsewhere := models.State{ID: "openrouter:birds/owl", Provider: hosted, Name: "birds/owl", Host: hosted.Host}
	blocked := elsewhere
	blocked.Obstacle = models.LocalOnlyOn
	a.here.show(true, blocked)
	a.current.asked = present.Answered
	a.current.state = elsewhere
	a.current.show(elsewhere, models.Facts{
		ID: elsewhere.ID, Context: 131072, ContextFrom: llm.FromList, Params: 30.5, ActiveParams: 3.3,
		Format: "hermes", FormatFrom: llm.FromRefusal, Price: &llm.Price{Input: 0.5, Output: 1.5}, PriceFrom: llm.FromList,
		Refuses: []string{"stream_options"},
	})
	a.current.say(f.env.Words.Tested(nil, &llm.Error{Kind: llm.KindRateLimit, RetryAfterSeconds: 20}, elsewhere, ""))
	a.current.advanced.toggle()
	a.chooser.setProvider(hosted)
	a.chooser.at = elsewhere
	a.chooser.gotKey(models.KeyInMemory, config.KeyFileNone, nil)
	a.chooser.gotModels([]llm.ModelInfo{
		{ID: "birds/owl", Facts: llm.Facts{Context: 131072, Tools: llm.SaysNo, Price: &llm.Price{Input: 0.5, Output: 1.5}}},
		{ID: "birds/wren", Facts: llm.Facts{Context: 8192, Params: 3, Tools: llm.SaysYes, Price: &llm.Price{}}},
	}, nil, nil)
	parts := []fyne.CanvasObject{
		section(lang.L("Where your text goes"), a.here.rows),
		section(lang.L("Who answers"), a.current.rows),
		section(lang.L("Choose who answers"), a.chooser.rows),
	}
	return layout.Column(0, append(parts, section(lang.L("Answers"), a.answers.rows...))...)
}

func TestThePartsOfTheAssistantsPageLookAsTheyDid(t *testing.T) {
	if testing.Short() {
		t.Skip("draws pages: not beside the race detector")
	}
	for name, tt := range map[string]struct {
		look   theme.Options
		width  float32
		german bool
	}{
		"light-en":  {theme.Options{Mode: theme.Light}, 640, false},
		"dark-en":   {theme.Options{Mode: theme.Dark}, 640, false},
		"light-de":  {theme.Options{Mode: theme.Light}, 640, true},
		"dark-de":   {theme.Options{Mode: theme.Dark}, 640, true},
		"narrow-de": {theme.Options{Mode: theme.Light}, 384, true},
	} {
		t.Run(name, func(t *testing.T) {
			f := open(t, tt.look, fyne.NewSize(tt.width, 2000))
			if tt.german {
				f = german(t, tt.look, tt.width)
			}
			parts := f.parts(t)
			high := layout.HeightFor(parts, tt.width)
			f.window.SetContent(parts)
			f.window.Resize(fyne.NewSize(tt.width, high))
			parts.Resize(fyne.NewSize(tt.width, high))
			f.draw(t, "parts-"+name)
			test.AssertObjectRendersToMarkup(t, "parts-"+name+".xml", parts)
			within(t, parts, tt.width)
		})
	}
}

// german is open for somebody who speaks German.
func german(t *testing.T, look theme.Options, width float32) *fixture {
	t.Helper()
	wordstest.German(t)
	f := open(t, look, fyne.NewSize(width, 2000))
	f.env.Words = present.Words{L: lang.L, Tag: language.German}
	return f
}

// within makes sure that nothing of an object ends beyond a width. What stands in a
// field to type into may: that is scrolled there.
func within(t *testing.T, o fyne.CanvasObject, width float32) {
	t.Helper()
	walk(o, func(o fyne.CanvasObject) {
		if strings.HasPrefix(fmt.Sprintf("%T", o), "*widget.") {
			return
		}
		right := fyne.CurrentApp().Driver().AbsolutePositionForObject(o).X + o.Size().Width
		if right > width+0.5 && o.Size().Width > 0 {
			t.Errorf("%T ends at %v of %v: %s", o, right, width, said(o))
		}
	})
}

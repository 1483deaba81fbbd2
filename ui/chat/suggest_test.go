package chat

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"text/template"
	"time"

	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/live"
	"bowerbird/assets"
	"bowerbird/ui/answers"
	"bowerbird/ui/present"
)

func TestWhatIsSuggestedIsAnswered(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	found, err := st.app.Suggestions(t.Context())
	if err != nil || len(found) != 3 {
		t.Fatalf("%d questions are found in the sample: %v", len(found), err)
	}
	for _, language := range []string{"en", "de"} {
		word := translated(t, language)
		words := present.Words{L: func(text string, data ...any) string { return fillIn(t, word(text), data...) }}
		var asked []app.Question
		for _, text := range append(suggested(), firstQuestion(), "Summarise this thread") {
			q := app.Question{Text: word(text)}
			if text == "Summarise this thread" {
				q.Scope.Thread = found[0].Thread
			}
			asked = append(asked, q)
		}
		for _, one := range found {
			asked = append(asked, words.Suggested(one))
		}
		asked = append(asked, app.Question{
			Text: words.L("What does this person write about?"), Scope: app.Scope{Person: found[2].Person},
		})
		for _, q := range asked {
			st.NewChat()
			st.ask(q)
			st.Until("the answer is there", func() bool { return st.open.running == nil && len(st.open.turns) > 0 })
			if kinds := st.rowKinds(); strings.Contains(kinds, rowOffer) || !strings.Contains(kinds, rowSource) && !strings.Contains(kinds, rowTable) && !strings.Contains(kinds, rowChart) {
				t.Errorf("%s: %q is answered by %s: %s", language, q.Text, kinds, st.open.turns[0].Plain())
			}
		}
	}
}

// translated returns what the window says in a language, of all its packages.
func translated(t *testing.T, language string) func(string) string {
	t.Helper()
	files, err := fs.Glob(assets.Translations, "translations/*."+language+".json")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	said := map[string]any{}
	for _, file := range files {
		raw, err := fs.ReadFile(assets.Translations, file)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(raw, &said); err != nil {
			t.Fatal(file, err)
		}
	}
	return func(text string) string {
		word, ok := said[text].(string)
		if !ok {
			t.Errorf("%q is not there in %s", text, language)
		}
		return word
	}
}

func fillIn(t *testing.T, text string, data ...any) string {
	t.Helper()
	var b strings.Builder
	var values any
	if len(data) > 0 {
		values = data[0]
	}
	if err := template.Must(template.New("").Parse(text)).Execute(&b, values); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestAQuestionThatIsNotUnderstoodOffersOthersToClick(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.askIt("Write a poem about autumn")
	if got := st.rowKinds(); got != "question work said offer foot end" {
		t.Fatalf("shown are %s", got)
	}
	st.Picture("not-understood")
	offers := st.open.turns[0].Blocks[2].(*answers.Offer)
	if text := st.open.turns[0].Plain(); !strings.Contains(text, "\n- "+offers.Questions[0]) {
		t.Errorf("copied is %s", text)
	}
	st.press("chat.offer.1")
	st.Until("it is answered", func() bool { return st.open.running == nil && len(st.open.turns) == 2 })
	if got := st.open.turns[1].Question; got != offers.Questions[0] {
		t.Errorf("asked is %q", got)
	}
	st.askIt("help")
	st.Until("it is answered", func() bool { return st.open.running == nil && len(st.open.turns) == 3 })
	for _, b := range st.open.turns[2].Blocks {
		if o, ok := b.(*answers.Offer); ok {
			offers = o
		}
	}
	st.press(fmt.Sprintf("chat.offer.%d", len(offers.Questions)+1))
	if got := st.composer.entry.Text; got != offers.Patterns[0] || st.Window.Canvas().Focused() != st.composer.entry {
		t.Errorf("the field holds %q", got)
	}
	test.Type(st.composer.entry, "Ada")
	if got, want := st.composer.entry.Text, strings.Replace(offers.Patterns[0], "NAME", "Ada", 1); got != want || got == offers.Patterns[0] {
		t.Errorf("typing into the pattern makes %q", got)
	}
}

func TestTheFirstFetchingStaysInSightWhileNoRelayAnswers(t *testing.T) {
	half := live.Status{First: true, Stage: live.StageNotes, People: 103, PeopleDone: 41, Share: 0.4, Left: 18 * time.Second, Days: 3}
	lost, ended, whole, nobody := half, half, half, half
	lost.Offline = true
	ended.Stage, ended.Trouble, ended.Offline = live.StageWaiting, live.TroubleNet, true
	whole.Stage, whole.First = live.StageLive, false
	nobody.Stage, nobody.Trouble = live.StageWaiting, live.TroubleEmpty
	for _, tt := range []struct {
		name  string
		is    live.Status
		shown bool
	}{{"under way", half, true}, {"all connections lost", lost, true}, {"ended for that", ended, true}, {"done", whole, false}, {"nobody is followed", nobody, false}} {
		if got := isFirst(tt.is); got != tt.shown {
			t.Errorf("%s: shown is %v", tt.name, got)
		}
	}
	st := setStage(t, openApp(t), plain, window)
	st.sync.shown, st.sync.status = true, ended
	st.refresh()
	if got := st.sync.figure.Text(); got != "41 of 103 people" {
		t.Errorf("it says %q", got)
	}
	if got := st.sync.text.String(); !strings.Contains(got, "No relay can be reached") || !strings.Contains(got, "by itself") {
		t.Errorf("it says %q", got)
	}
}

func TestTheFirstFetchingIsShownWhileItLasts(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.sync.shown = true
	st.sync.status = live.Status{First: true, People: 103, PeopleDone: 41, Share: 0.4, Left: 18 * time.Second, Days: 3}
	st.refresh()
	if got := st.rowKinds(); got != "sync end" {
		t.Fatalf("shown are %s", got)
	}
	if got := st.sync.figure.Text(); got != "41 of 103 people · about 20 s left" {
		t.Errorf("it says %q", got)
	}
	st.Picture("sync")
}

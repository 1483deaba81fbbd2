package chat

import (
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/ui/answers"
	"bowerbird/ui/present"
)

// remote is a model that text would be sent to.
func (st *stage) remote() modelChoice {
	choice := models.Choice{ID: "openrouter:some/model"}
	return choiceOf(st.t.Context(), st.app, choice)
}

func TestAnOlderLookUpDoesNotTakeAChosenModelBack(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.loadModels()
	late := testkit.Receive(t, "what was read", st.Posted) // found before the choice, and not yet shown
	st.useModel(st.remote())
	late()
	if got := st.composer.model.Text(); !strings.Contains(got, "openrouter.ai") {
		t.Errorf("after the older look-up the picker says %q", got)
	}
	st.Settle()
	if got := st.composer.model.Text(); !strings.Contains(got, "openrouter.ai") {
		t.Errorf("in the end the picker says %q", got)
	}
}

func TestAQuestionGoesToTheModelThatThePickerNames(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.useModel(st.remote())
	st.ask(app.Question{Text: "How?"}) // it is not saved yet
	if got := st.open.running.question.Model.ID; got != "openrouter:some/model" {
		t.Errorf("it was sent to %q", got)
	}
	st.Until("it has failed for want of a key", func() bool { return st.open.running == nil })
	st.Settle()
	if err := st.app.SaveSettings(func(s *config.Settings) { s.Assistant.Model = config.DefaultModel }); err != nil {
		t.Fatal(err)
	}
	st.NewChat()
	st.ask(app.Question{Text: "How?"}) // the picker has not heard of it yet
	if got := st.open.running.question.Model.ID; !strings.Contains(st.composer.model.Text(), "openrouter.ai") || got != "openrouter:some/model" {
		t.Errorf("it was sent to %q, the picker says %q", got, st.composer.model.Text())
	}
	st.Until("it has failed too", func() bool { return st.open.running == nil })
}

func TestAModelThatCouldNotBeSavedIsNotChosen(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	if err := os.WriteFile(st.app.Places().Settings, []byte("{no settings"), 0o600); err != nil {
		t.Fatal(err)
	}
	st.useModel(st.remote())
	st.Settle()
	if got := st.composer.model.Text(); strings.Contains(got, "openrouter.ai") || !strings.HasPrefix(st.Calls.Last(), "toast ") {
		t.Errorf("the picker says %q, the last call was %q", got, st.Calls.Last())
	}
}

func TestTheLastOfTwoQuickChoicesIsSaved(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.useModel(st.remote())
	st.useModel(choiceOf(t.Context(), st.app, models.Choice{ID: config.DefaultModel}))
	st.Until("both are saved", func() bool { return !st.models.saving })
	if got := st.app.Settings().Assistant.ModelID(); got != config.DefaultModel {
		t.Errorf("saved is %q", got)
	}
}

func TestWhereNothingIsSentAModelElsewhereCannotBeChosen(t *testing.T) {
	a := openApp(t)
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.Model, s.Assistant.LocalOnly = "openrouter:some/model", true }); err != nil {
		t.Fatal(err)
	}
	st := setStage(t, a, plain, window)
	st.Settle()
	if got := st.composer.model.Text(); got != present.Isolate("some/model")+" · not asked" {
		t.Errorf("the picker says %q", got)
	}
	st.chooseModel(st.composer.model)
	st.Picture("models-only-here")
	for name, off := range map[string]bool{
		"menu:" + present.Isolate("some/model"): true, "menu:Nothing was sent from this computer": true,
		"menu:Built-in": false, "menu:Choose another model…": false,
	} {
		line, ok := st.named(name).(fyne.Disableable)
		if !ok || line.Disabled() != off {
			t.Errorf("%s cannot be chosen: %v, want %v", name, ok && line.Disabled(), off)
		}
	}
	st.press("menu:Built-in")
	st.Until("it is saved", func() bool { return !st.models.saving })
	st.askIt("How?")
	if st.open.turns[0].Model != config.DefaultModel {
		t.Errorf("it was asked of %s", st.open.turns[0].Model)
	}
}

func TestAQuestionThatIsNotSentIsAnsweredHere(t *testing.T) {
	a := openApp(t)
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.Model, s.Assistant.LocalOnly = "openrouter:some/model", true }); err != nil {
		t.Fatal(err)
	}
	st := setStage(t, a, plain, window)
	st.askIt("Top hashtags this week")
	if got := st.rowKinds(); got != "question problem end" {
		t.Fatalf("shown are %s", got)
	}
	st.models.outdate()
	st.models.choices = nil // whatever runs on the computer of the test
	st.press("chat.do.here")
	st.Until("it is answered", func() bool { return st.open.running == nil })
	if got := st.open.turns; len(got) != 1 || got[0].Host != "" || got[0].State != chats.Done {
		t.Errorf("%+v", got)
	}
}

func TestAModelWithoutAKeySaysWhatToDo(t *testing.T) {
	a := openApp(t)
	err := a.SaveSettings(func(s *config.Settings) { s.Assistant.Model = "openrouter:some/model" })
	if err != nil {
		t.Fatal(err)
	}
	st := setStage(t, a, plain, window)
	st.askIt("How?")
	if got := st.rowKinds(); got != "question problem end" {
		t.Fatalf("shown are %s", got)
	}
	st.press("chat.do.builtin")
	st.Until("the built-in has answered", func() bool { return st.open.running == nil })
	if got := st.open.turns; len(got) != 1 || got[0].Model != config.DefaultModel || got[0].State != chats.Done {
		t.Errorf("%+v", got)
	}
}

func TestAChatAboutAPersonOrAThreadStaysAboutIt(t *testing.T) {
	a := openApp(t)
	found, err := a.Suggestions(t.Context())
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	person := found[2]
	for name, test := range map[string]struct {
		begin func(*Screen)
		label string
		scope app.Scope
		then  string // is asked further
	}{
		"person": {func(s *Screen) { s.AskAbout(person.Person, person.Name, "What does "+person.Name+" write about?") }, present.Isolate(person.Name), app.Scope{Person: person.Person}, "Top hashtags this week"},
		"thread": {func(s *Screen) { s.Summarise(found[0].Thread) }, "This thread", app.Scope{Thread: found[0].Thread}, "What is this about?"},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, a, plain, window)
			answered := func(n int) {
				t.Helper()
				st.Until("it is answered", func() bool { return st.open.running == nil && len(st.open.turns) == n })
				st.Settle()
			}
			test.begin(st.Screen)
			answered(1)
			st.Picture("about-" + name)
			if got := st.open.scope.label(); got != test.label {
				t.Errorf("the picker stands at %q, want %q", got, test.label)
			}
			if name == "person" {
				for _, source := range sourcesOf(st.open.turns[0]).List {
					if source.PubKey != person.Person {
						t.Errorf("^%d is by %s", source.Index, source.Author)
					}
				}
			}
			st.askIt(test.then)
			answered(2)
			id := st.open.id
			st.NewChat()
			if st.open.scope.single() {
				t.Error("a new chat is about it too")
			}
			st.opened(id)
			if got := st.open.scope.label(); got != test.label || st.open.turns[1].Scope != test.scope {
				t.Errorf("opened again the picker stands at %q, and it was about %+v", got, st.open.turns[1].Scope)
			}
			st.act(0, answers.AskAgain)
			answered(1)
			if got := st.open.turns[0].Scope; got != test.scope {
				t.Errorf("asked again it was about %+v", got)
			}
		})
	}
}

package chat

import (
	"os"
	"strings"
	"testing"

	"bowerbird/app"
)

// remote is a model that text would be sent to.
func (st *stage) remote() modelChoice {
	choice := app.ModelChoice{ID: "openrouter:some/model"}
	return modelChoice{choice, st.app.ModelState(st.t.Context(), choice)}
}

func TestAnOlderLookUpDoesNotTakeAChosenModelBack(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.loadModels()
	late := <-st.posted // found before the choice, and not yet shown
	st.useModel(st.remote())
	late()
	if got := st.composer.model.Text(); !strings.Contains(got, "openrouter.ai") {
		t.Errorf("after the older look-up the picker says %q", got)
	}
	st.settle()
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
	st.until("it has failed for want of a key", func() bool { return st.open.running == nil })
	st.settle()
	if err := st.app.SaveSettings(func(s *app.Settings) { s.Assistant.Model = builtinModel }); err != nil {
		t.Fatal(err)
	}
	st.NewChat()
	st.ask(app.Question{Text: "How?"}) // the picker has not heard of it yet
	if got := st.open.running.question.Model.ID; !strings.Contains(st.composer.model.Text(), "openrouter.ai") || got != "openrouter:some/model" {
		t.Errorf("it was sent to %q, the picker says %q", got, st.composer.model.Text())
	}
	st.until("it has failed too", func() bool { return st.open.running == nil })
}

func TestAModelThatCouldNotBeSavedIsNotChosen(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	if err := os.WriteFile(st.app.Places().Settings, []byte("{no settings"), 0o600); err != nil {
		t.Fatal(err)
	}
	st.useModel(st.remote())
	st.settle()
	if got := st.composer.model.Text(); strings.Contains(got, "openrouter.ai") || !strings.HasPrefix(st.calls.last(), "toast ") {
		t.Errorf("the picker says %q, the last call was %q", got, st.calls.last())
	}
}

func TestTheLastOfTwoQuickChoicesIsSaved(t *testing.T) {
	st := setStage(t, openApp(t), plain, window)
	st.useModel(st.remote())
	st.useModel(modelChoice{app.ModelChoice{ID: builtinModel}, app.ModelState{ID: builtinModel}})
	st.until("both are saved", func() bool { return !st.models.saving })
	if got := st.app.Settings().Assistant.ModelID(); got != builtinModel {
		t.Errorf("saved is %q", got)
	}
}

func TestAModelOfWhichNothingIsKnownIsNotCalledBuiltIn(t *testing.T) {
	for _, m := range []app.ModelState{{}, {ID: "nobody:model", Obstacle: app.ModelUnknown}} {
		if got := modelLabel(m); strings.Contains(got, "this computer") {
			t.Errorf("%+v is called %q", m, got)
		}
	}
}

package chat

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// scope is what an answer may look at, where the question does not say.
type scope struct {
	app.Scope
	name string // of the person, where it is one's notes
}

// single reports whether it is about one person or thread.
func (c scope) single() bool { return c.Person != (ndb.PubKey{}) || c.Thread != (ndb.ID{}) }

func (c scope) label() string {
	switch {
	case c.Person != (ndb.PubKey{}):
		return present.Isolate(c.name)
	case c.Thread != (ndb.ID{}):
		return lang.L("This thread")
	case c.Everyone:
		return lang.L("All notes stored here")
	}
	return lang.L("From people I follow")
}

// models are those that can be chosen beside the field: the built-in, the one of
// the settings, those that run on this computer, and what was chosen before.
type models struct {
	current app.ModelState
	choices []modelChoice
	looking bool
}

type modelChoice struct {
	app.ModelChoice
	state app.ModelState
}

// builtinModel is the model without a model.
const builtinModel = "builtin:digest"

// loadModels finds out who can answer, away from the window's thread. Only this
// computer is asked.
func (s *Screen) loadModels() {
	if s.models.looking {
		return
	}
	s.models.looking = true
	before := s.models.choices
	s.env.Do.Go(func() func() {
		a := s.env.App
		current := a.CurrentModel(s.ctx)
		base := a.Settings().Assistant.BaseURL
		first := []modelChoice{
			{app.ModelChoice{ID: builtinModel}, a.ModelState(s.ctx, app.ModelChoice{ID: builtinModel})},
			{app.ModelChoice{ID: current.ID, BaseURL: base}, current},
		}
		s.env.Do.Do(func() { s.gotModels(current, merge(first, before), true) })
		var here []modelChoice
		for _, server := range a.LocalServers(s.ctx) {
			for _, m := range server.Models {
				choice := app.ModelChoice{ID: server.Provider.ID + ":" + m.ID, BaseURL: server.BaseURL}
				here = append(here, modelChoice{choice, a.ModelState(s.ctx, choice)})
			}
		}
		return func() { s.gotModels(current, merge(first, append(here, before...)), false) }
	})
}

// mostModels is how many models the menu offers; more are chosen in the settings.
const mostModels = 12

// merge lists choices, each once.
func merge(lists ...[]modelChoice) []modelChoice {
	var out []modelChoice
	for _, c := range slices.Concat(lists...) {
		same := func(o modelChoice) bool { return o.ID == c.ID }
		if c.ID != "" && !slices.ContainsFunc(out, same) && len(out) < mostModels {
			out = append(out, c)
		}
	}
	return out
}

func (s *Screen) gotModels(current app.ModelState, choices []modelChoice, looking bool) {
	s.models.looking = looking
	s.models.choices = choices
	s.models.current = current
	s.drawPickers()
}

// drawPickers says what the pickers stand at.
func (s *Screen) drawPickers() {
	s.composer.scope.SetText(s.open.scope.label())
	s.composer.model.SetText(modelLabel(s.models.current))
	s.composer.box.Refresh()
}

func (s *Screen) chooseScope(at fyne.CanvasObject) {
	scopes := []scope{{}, {Scope: app.Scope{Everyone: true}}}
	if s.open.about.single() {
		scopes = append(scopes, s.open.about)
	}
	items := make([]widgets.MenuItem, 0, len(scopes))
	for _, c := range scopes {
		items = append(items, widgets.MenuItem{Text: c.label(), Checked: s.open.scope == c, Do: func() {
			s.open.scope = c
			s.drawPickers()
		}})
	}
	widgets.ShowMenu(at, items...)
}

func (s *Screen) chooseModel(at fyne.CanvasObject) {
	var items []widgets.MenuItem
	for _, m := range s.models.choices {
		items = append(items, widgets.MenuItem{
			Text: modelLabel(m.state), Checked: m.ID == s.models.current.ID, Do: func() { s.useModel(m) },
		})
	}
	items = append(items, widgets.MenuItem{Rule: true}, widgets.MenuItem{
		Text: lang.L("Choose another model…"), Do: func() { s.env.Go.OpenSettings("assistant") },
	})
	widgets.ShowMenu(at, items...)
	s.loadModels()
}

// useModel makes a model the one that answers, here and from the next start on.
func (s *Screen) useModel(m modelChoice) {
	s.models.current = m.state
	s.drawPickers()
	s.env.Do.Go(func() func() {
		err := s.env.App.SaveSettings(func(set *app.Settings) {
			set.Assistant.Model, set.Assistant.BaseURL = m.ID, m.BaseURL
		})
		return func() {
			if err != nil {
				s.sayFailed(lang.L("This could not be saved."), err)
			}
		}
	})
}

// modelLabel says which model it is and where its text goes.
func modelLabel(m app.ModelState) string {
	switch {
	case m.Name == "":
		return lang.L("Built-in · stays on this computer")
	case m.Host == "":
		return lang.L("{{.Model}} · on this computer", in("Model", present.Isolate(m.Name)))
	}
	return lang.L("{{.Model}} · sent to {{.Host}}", in("Model", present.Isolate(m.Name), "Host", m.Host))
}

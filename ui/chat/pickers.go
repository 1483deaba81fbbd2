package chat

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
	"bowerbird/ui/widgets"
)

// scope is what an answer may look at unless the question says otherwise.
type scope struct {
	app.Scope
	name string // of the person, where it is one's notes
}

// single reports whether it is about one person or thread.
func (c scope) single() bool { return c.Person != (nostr.PubKey{}) || c.Thread != (nostr.ID{}) }

func (c scope) label() string {
	switch {
	case c.Person != (nostr.PubKey{}):
		return present.Isolate(c.name)
	case c.Thread != (nostr.ID{}):
		return lang.L("This thread")
	case c.Everyone:
		return lang.L("All notes stored here")
	}
	return lang.L("People I follow")
}

// modelMenu holds the models in the menu beside the field: the built-in, the settings'
// model, the models on this computer, and earlier choices.
type modelMenu struct {
	current modelChoice  // of the settings, as far as it is known; without an ID until then
	wanted  *modelChoice // what was chosen and is being saved; nil for nothing
	saving  bool
	choices []modelChoice
	// onlyHere is that the settings let no text off this computer.
	onlyHere bool
	asked    int                // counts what makes an earlier look-up worthless
	forget   context.CancelFunc // ends the look-up that runs
}

// shown is the model in the picker, which is asked next.
func (m *modelMenu) shown() modelChoice {
	if m.wanted != nil {
		return *m.wanted
	}
	return m.current
}

// here returns a model on this computer that can answer, else the built-in, which always
// can.
func (m *modelMenu) here() models.Choice {
	for _, c := range m.choices {
		if c.ID != config.DefaultModel && c.state.Host == "" && c.state.Obstacle == models.NoObstacle {
			return c.Choice
		}
	}
	return models.Choice{ID: config.DefaultModel}
}

// outdate cancels the look-up that is running, and returns the number of the next one.
func (m *modelMenu) outdate() int {
	if m.forget != nil {
		m.forget()
	}
	m.asked++
	return m.asked
}

type modelChoice struct {
	models.Choice
	state  models.State
	window int // how many tokens it reads at once; 0: not known
}

// choiceOf reads what is known of a model, without asking its server. It may wait for the
// keyring.
func choiceOf(ctx context.Context, a *app.App, c models.Choice) modelChoice {
	return modelChoice{c, a.Models().State(ctx, c), a.Models().Facts(c).Context}
}

func (m *modelMenu) pick(c modelChoice) present.ModelPick {
	return inWords().Pick(c.state, c.window, m.onlyHere)
}

// loadModels finds out which models can answer, off the window's thread. It asks this
// computer only, and cancels a look-up that is running: the settings may have changed
// since that began.
func (s *Screen) loadModels() {
	asked, before := s.models.outdate(), slices.Clone(s.models.choices)
	ctx, forget := context.WithCancel(s.ctx)
	s.models.forget = forget
	s.away(func() func() {
		a := s.env.App
		current := choiceOf(ctx, a, models.Choice{}.SettledBy(a.Settings()))
		first := []modelChoice{choiceOf(ctx, a, models.Choice{ID: config.DefaultModel}), current}
		for i, c := range before { // the settings may have changed what is known of them
			before[i] = choiceOf(ctx, a, c.Choice)
		}
		s.env.Do.Do(func() { s.gotModels(asked, current, merge(first, before)) })
		var here []modelChoice
		for _, server := range a.Models().LocalServers(ctx) {
			for _, m := range server.Models {
				choice := models.Choice{ID: server.Provider.ID + ":" + m.ID, BaseURL: server.BaseURL}
				here = append(here, choiceOf(ctx, a, choice))
			}
		}
		return func() { s.gotModels(asked, current, merge(first, append(here, before...))) }
	})
}

// mostModels is how many models the menu offers; more are chosen in the settings.
const mostModels = 12

// merge concatenates choices without duplicates, up to mostModels.
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

// gotModels shows the result of a look-up, unless a newer one has begun.
func (s *Screen) gotModels(asked int, current modelChoice, choices []modelChoice) {
	if asked != s.models.asked {
		return
	}
	s.models.choices, s.models.current = choices, current
	s.models.onlyHere = s.env.App.Settings().Assistant.LocalOnly
	s.drawPickers()
}

// drawPickers shows the scope and the model in the pickers.
func (s *Screen) drawPickers() {
	s.composer.scope.SetText(s.open.scope.label())
	pick := s.models.pick(s.models.shown())
	label := pick.Label
	if s.composer.narrow && s.models.shown().ID == config.DefaultModel { // which sends nothing anywhere
		label = pick.Name
	}
	s.composer.model.SetText(label)
	s.arrange() // the composer may need another height
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
		pick := s.models.pick(m)
		items = append(items, widgets.MenuItem{
			Text: pick.Name, Detail: pick.Place, Off: pick.Barred,
			Checked: m.ID == s.models.shown().ID, Do: func() { s.useModel(m) },
		})
	}
	items = append(items, widgets.MenuItem{Rule: true})
	if s.models.onlyHere {
		items = append(items, widgets.MenuItem{Text: lang.L("Nothing was sent from this computer"), Off: true})
	}
	items = append(items, widgets.MenuItem{
		Text: lang.L("Choose another model…"), Do: func() { s.env.Go.OpenSettings("assistant") },
	})
	widgets.ShowMenu(at, items...)
	s.loadModels()
}

// useModel makes a model answer from now on, also after a restart.
func (s *Screen) useModel(m modelChoice) {
	s.models.wanted = &m
	s.models.outdate()
	s.drawPickers()
	if !s.models.saving {
		s.saveModel()
	}
}

// saveModel writes the chosen model into the settings, one change at a time, so that the
// last choice wins. A choice that cannot be saved is dropped.
func (s *Screen) saveModel() {
	m := s.models.wanted
	s.models.saving = true
	s.away(func() func() {
		err := s.env.App.SaveSettings(func(set *config.Settings) {
			m.ChosenIn(set)
		})
		return func() {
			s.models.saving = false
			if err == nil {
				s.models.current = *m
			} else {
				s.sayFailed(lang.L("This could not be saved."), err)
			}
			if s.models.wanted != m {
				s.saveModel()
				return
			}
			s.models.wanted = nil
			s.drawPickers()
			s.loadModels()
		}
	})
}

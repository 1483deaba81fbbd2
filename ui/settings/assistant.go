package settings

import (
	"context"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// assistant is what answers, and when the digest is made by itself.
type assistant struct {
	s       *Screen
	body    *fyne.Container
	current *currentModel
	chooser *chooser
	found   *found
}

func newAssistant(s *Screen) page {
	a := &assistant{s: s}
	a.current = newCurrentModel(s)
	a.chooser = newChooser(s, a.changed)
	a.found = newFound(s, a.use)
	a.body = sheet(lang.L("Assistant"),
		section(lang.L("Who answers"), a.current.rows),
		section(lang.L("Choose who answers"), a.chooser.rows),
		section(lang.L("Running on this computer"), a.found.rows),
		newDigest(s),
	)
	return a
}

func (a *assistant) content() fyne.CanvasObject { return a.body }
func (a *assistant) first() fyne.Focusable      { return a.chooser.provider }

func (a *assistant) load() {
	a.current.load()
	a.chooser.load()
	a.found.load()
}

// use makes a model the one that answers.
func (a *assistant) use(choice app.ModelChoice) {
	a.s.host.Change(func(set *app.Settings) {
		set.Assistant.Model, set.Assistant.BaseURL = choice.ID, choice.BaseURL
	})
	a.chooser.reload()
	a.current.load()
}

// chosenModel is the model that the settings choose. The host has them at once, the
// App only when they are saved.
func (s *Screen) chosenModel() app.ModelChoice {
	chosen := s.host.Settings().Assistant
	choice := app.ModelChoice{ID: chosen.ModelID(), BaseURL: chosen.BaseURL}
	if choice.BaseURL == "" {
		provider, _, _ := strings.Cut(choice.ID, ":")
		for _, p := range s.env.App.Providers() {
			if p.ID == provider {
				choice.BaseURL = p.BaseURL
			}
		}
	}
	return choice
}

// changed follows a choice, or a key that was entered.
func (a *assistant) changed() { a.current.load() }

// currentModel says who answers now, and lets that be tested.
type currentModel struct {
	s      *Screen
	rows   *fyne.Container
	title  *prose.Text
	place  *prose.Text
	dot    *widgets.Dot
	test   *widgets.Button
	result *prose.Text
	asking int // which state is waited for; what was asked before is late
}

func newCurrentModel(s *Screen) *currentModel {
	m := &currentModel{s: s, title: prose.Plain(" ", theme.Body, theme.Text), place: note(" "), dot: widgets.NewDot(theme.Faint), result: note("")}
	m.test = widgets.NewButton(lang.L("Test"), widgets.Outline, m.try)
	m.test.ID = "settings.test"
	m.result.Hide()
	m.rows = layout.Column(8,
		layout.Row(12, 1, m.dot, layout.Column(2, m.title, m.place), m.test), m.result)
	return m
}

func (m *currentModel) load() {
	m.asking++
	mine, choice := m.asking, m.s.chosenModel()
	m.say("", present.ToneGood) // it was said of the one before
	m.s.work(func(ctx context.Context) func() {
		state := m.s.env.App.ModelState(ctx, choice)
		return func() {
			if mine != m.asking {
				return
			}
			m.show(m.s.env.Words.Model(state), state.Provider.ID == app.BuiltinProvider)
		}
	})
}

func (m *currentModel) show(l present.ModelLine, builtin bool) {
	m.dot.SetColor(screen.ToneColor(l.Tone, theme.Muted))
	m.title.SetSpans(prose.Span{Text: l.Title, Bold: true})
	text, color := l.Place, theme.Muted
	if l.Missing != "" {
		text, color = l.Missing, theme.Warn
	} else if builtin {
		text += ". " + lang.L("It quotes from your notes and needs no model.")
	}
	m.place.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: color})
	widgets.SetVisible(m.test, !builtin && l.Missing == "")
	m.s.frame.place()
}

// try asks the model for a word.
func (m *currentModel) try() {
	m.test.Disable()
	m.say(lang.L("Asking for a word…"), present.ToneNone)
	mine, choice := m.asking, m.s.chosenModel()
	m.s.work(func(ctx context.Context) func() {
		result, err := m.s.env.App.TestModel(ctx, choice)
		return func() {
			m.test.Enable()
			if mine != m.asking {
				return // of a model that is not the one above any more
			}
			text, tone := m.s.env.Words.Tested(result, err)
			m.dot.SetColor(screen.ToneColor(tone, theme.Muted))
			m.say(text, tone)
		}
	})
}

func (m *currentModel) say(text string, tone present.Tone) {
	m.result.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: screen.ToneColor(tone, theme.Muted)})
	widgets.SetVisible(m.result, text != "")
	m.s.frame.place()
}

// found are the model servers that run on this computer.
type found struct {
	s     *Screen
	use   func(app.ModelChoice)
	rows  *fyne.Container
	again *widgets.Button
	busy  bool
}

func newFound(s *Screen, use func(app.ModelChoice)) *found {
	f := &found{s: s, use: use, rows: layout.Column(10)}
	f.again = widgets.NewButton(lang.L("Look again"), widgets.Quiet, f.load)
	f.again.ID = "settings.look"
	f.say(lang.L("Looking…"))
	return f
}

func (f *found) say(text string) {
	f.rows.Objects = []fyne.CanvasObject{layout.Row(12, 0, note(text), f.again)}
}

func (f *found) load() {
	if f.busy {
		return
	}
	f.busy = true
	f.s.work(func(ctx context.Context) func() {
		servers := f.s.env.App.LocalServers(ctx)
		return func() {
			f.busy = false
			f.show(servers)
			f.s.frame.place()
		}
	})
}

// mostOffered is how many models of a server get a button; the others are found in
// the list above.
const mostOffered = 6

func (f *found) show(servers []app.LocalServer) {
	if len(servers) == 0 {
		f.say(lang.L("No model server runs on this computer. Ollama and LM Studio are two that can be installed; what they are asked stays here."))
		return
	}
	f.rows.Objects = nil
	for i, server := range servers {
		name := prose.New(prose.Span{Text: f.s.env.Words.LocalServer(server), Bold: true})
		if i == 0 {
			f.rows.Add(layout.Row(12, 0, name, f.again))
		} else {
			f.rows.Add(name)
		}
		var chips []fyne.CanvasObject
		for _, m := range server.Models[:min(len(server.Models), mostOffered)] {
			chip := widgets.NewChip(present.Isolate(clean(m.ID, 60)), func() { f.use(choiceOf(server.Provider, server.BaseURL, m.ID)) })
			chip.ID = "settings.local:" + clean(m.ID, 60)
			chips = append(chips, chip)
		}
		if len(chips) > 0 {
			f.rows.Add(layout.Wrap(8, chips...))
		}
	}
}

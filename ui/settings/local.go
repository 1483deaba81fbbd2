package settings

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// onlyHere is the switch that keeps text on this computer, with ways to a model that can
// answer then.
type onlyHere struct {
	s        *Screen
	use      func(models.Choice)
	switched func() // called after the switch was turned
	rows     *fyne.Container
	control  *widgets.Switch
	problem  *prose.Text
	ways     *fyne.Container // buttons that choose a model on this computer
	servers  []models.LocalServer
	asking   int // numbers the reads of the state: only the newest counts
}

func newOnlyHere(s *Screen, use func(models.Choice), switched func()) *onlyHere {
	h := &onlyHere{s: s, use: use, switched: switched, problem: note(""), ways: layout.Wrap(8)}
	h.control = onOff("settings.local-only", s.host.Settings().Assistant.LocalOnly, h.turn)
	about, _ := s.env.Words.OnlyHere(false, models.State{})
	h.rows = layout.Column(10, newField(lang.L("Answer on this computer only"), about, h.control), h.problem, h.ways)
	h.problem.Hide()
	h.ways.Hide()
	return h
}

// turn sets the switch. It takes effect before it is saved.
func (h *onlyHere) turn(on bool) {
	h.s.env.App.Models().KeepHere(on)
	h.s.host.Change(func(set *config.Settings) { set.Assistant.LocalOnly = on })
	h.s.host.AfterSave(h.switched)
}

// found receives the servers on this computer, whose models are offered.
func (h *onlyHere) found(servers []models.LocalServer) {
	h.servers = servers
	h.load()
}

// load shows whether the chosen model can answer.
func (h *onlyHere) load() {
	h.asking++
	mine, choice, on := h.asking, h.s.chosenModel(), h.s.host.Settings().Assistant.LocalOnly
	h.control.SetOn(on)
	h.s.work(func(ctx context.Context) func() {
		state := h.s.env.App.Models().State(ctx, choice)
		return func() {
			if mine == h.asking {
				h.show(on, state)
			}
		}
	})
}

func (h *onlyHere) show(on bool, state models.State) {
	_, problem := h.s.env.Words.OnlyHere(on, state)
	h.problem.SetSpans(prose.Span{Text: problem, Size: theme.Small, Color: theme.Warn})
	h.ways.Objects = nil
	builtin := widgets.Named("settings.use-builtin", widgets.NewButton(lang.L("Use the built-in assistant"), widgets.Outline, func() { h.use(models.Choice{}) }))
	h.ways.Add(builtin)
	for _, server := range h.servers {
		i := slices.IndexFunc(server.Models, func(m llm.ModelInfo) bool { return h.s.allowed(choiceOf(server.Provider, server.BaseURL, m.ID)) })
		if i < 0 {
			continue
		}
		name := server.Models[i].ID
		local := widgets.Named("settings.use-local:"+server.Provider.ID, widgets.NewButton(h.s.env.Words.LocalChoice(server, name), widgets.Outline, func() {
			h.use(choiceOf(server.Provider, server.BaseURL, name))
		}))
		h.ways.Add(local)
	}
	widgets.SetVisible(h.problem, problem != "")
	widgets.SetVisible(h.ways, problem != "")
	h.s.frame.place()
}

// found are the model servers that run on this computer.
type found struct {
	s      *Screen
	use    func(models.Choice)
	notify func([]models.LocalServer) // those that were found
	rows   *fyne.Container
	// servers are those that were found.
	servers []models.LocalServer
	again   *widgets.Button
	busy    bool
}

func newFound(s *Screen, use func(models.Choice), notify func([]models.LocalServer)) *found {
	f := &found{s: s, use: use, notify: notify, rows: layout.Column(10)}
	f.again = widgets.Named("settings.look", widgets.NewButton(lang.L("Look again"), widgets.Quiet, f.load))
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
		servers := f.s.env.App.Models().LocalServers(ctx)
		return func() {
			f.busy = false
			f.show(servers)
			f.notify(servers)
			f.s.frame.place()
		}
	})
}

// reshow draws the models again: some may no longer be chosen, or may again.
func (f *found) reshow() {
	if len(f.servers) > 0 {
		f.show(f.servers)
	}
}

// mostOffered is how many models of a server get a button; the list above has the others.
const mostOffered = 6

func (f *found) show(servers []models.LocalServer) {
	f.servers = servers
	if len(servers) == 0 {
		f.say(lang.L("No model server is running on this computer. Ollama and LM Studio are two that you can install; what you ask them stays here."))
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
			chip := widgets.Named("settings.local:"+clean.Line(m.ID, 60), widgets.NewChip(present.Isolate(clean.Line(m.ID, 60)), func() { f.use(choiceOf(server.Provider, server.BaseURL, m.ID)) }))
			if !f.s.allowed(choiceOf(server.Provider, server.BaseURL, m.ID)) {
				chip.Disable()
			}
			chips = append(chips, chip)
		}
		if len(chips) > 0 {
			f.rows.Add(layout.Wrap(8, chips...))
		}
	}
}

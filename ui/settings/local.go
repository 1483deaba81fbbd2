package settings

import (
	"context"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// onlyHere is the switch that lets no text off this computer, and the way to a model
// that can then answer.
type onlyHere struct {
	s        *Screen
	use      func(models.Choice)
	switched func() // the switch was turned, and holds
	rows     *fyne.Container
	control  *widgets.Segmented
	problem  *prose.Text
	ways     *fyne.Container // to models that answer here
	servers  []models.LocalServer
	asking   int // which state is waited for
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

// turn lets text off this computer or not. It holds before it is saved.
func (h *onlyHere) turn(on bool) {
	h.s.env.App.Models().KeepHere(on)
	h.s.host.Change(func(set *config.Settings) { set.Assistant.LocalOnly = on })
	h.s.host.AfterSave(h.switched)
}

// found takes the servers that run here, whose models are offered.
func (h *onlyHere) found(servers []models.LocalServer) {
	h.servers = servers
	h.load()
}

// load says whether the chosen model can answer with the switch as it is.
func (h *onlyHere) load() {
	h.asking++
	mine, choice, on := h.asking, h.s.chosenModel(), h.s.host.Settings().Assistant.LocalOnly
	h.control.SetSelected(map[bool]int{true: 1}[on])
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

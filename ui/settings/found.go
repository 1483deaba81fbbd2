package settings

import (
	"context"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/models"
	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/widgets"
)

// found are the model servers that run on this computer.
type found struct {
	s    *Screen
	use  func(models.Choice)
	told func([]models.LocalServer) // those that were found
	rows *fyne.Container
	// servers are those that were found.
	servers []models.LocalServer
	again   *widgets.Button
	busy    bool
}

func newFound(s *Screen, use func(models.Choice), told func([]models.LocalServer)) *found {
	f := &found{s: s, use: use, told: told, rows: layout.Column(10)}
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
		servers := f.s.env.App.Models().LocalServers(ctx)
		return func() {
			f.busy = false
			f.show(servers)
			f.told(servers)
			f.s.frame.place()
		}
	})
}

// reshow shows what was found anew: some may not be chosen any more, or may again.
func (f *found) reshow() {
	if len(f.servers) > 0 {
		f.show(f.servers)
	}
}

// mostOffered is how many models of a server get a button; the others are found in
// the list above.
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
			chip := widgets.NewChip(present.Isolate(clean.Line(m.ID, 60)), func() { f.use(choiceOf(server.Provider, server.BaseURL, m.ID)) })
			chip.ID = "settings.local:" + clean.Line(m.ID, 60)
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

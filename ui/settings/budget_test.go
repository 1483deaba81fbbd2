package settings

import (
	"strings"
	"testing"

	"bowerbird/app/config"
	"bowerbird/app/upkeep"
)

func TestABudgetIsChosenAndSaysWhatItDoes(t *testing.T) {
	f := light(t)
	t.Cleanup(func() { f.host.Change(func(s *config.Settings) { s.Storage = config.Storage{} }) })
	f.ShowPage(Storage)
	if words := f.words(); !strings.Contains(words, "Nothing is removed automatically.") || !strings.Contains(words, "None have been removed yet.") {
		t.Errorf("with no budget it says\n%s", words)
	}
	for _, tc := range []struct {
		budget config.Storage
		label  string
		says   string
	}{
		{config.Storage{MaxGB: 5}, "At most 5 GB", "the oldest notes are removed"},
		{config.Storage{Days: 30}, "Strangers' notes for 30 days", "Older notes by people you do not follow are removed"},
		{config.Storage{MaxGB: 7, Days: 11}, "At most 7 GB, Strangers' notes for 11 days", "the oldest notes are removed"},
	} {
		g := light(t)
		g.host.Change(func(s *config.Settings) { s.Storage = tc.budget })
		g.ShowPage(Storage)
		if words := g.words(); !strings.Contains(words, tc.label) || !strings.Contains(words, tc.says) || !strings.Contains(words, "Your own notes stay") {
			t.Errorf("%+v: it says\n%s", tc.budget, words)
		}
	}
}

func TestWhatThePruningLeftUndoneIsSaid(t *testing.T) {
	f := light(t)
	t.Cleanup(func() { f.host.Change(func(s *config.Settings) { s.Storage = config.Storage{} }) })
	f.host.Change(func(s *config.Settings) { s.Storage = config.Storage{MaxGB: 2} })
	f.ShowPage(Storage)
	page := f.pages[Storage].(*storage)
	const passed, goesOn = "What must stay takes up 300 MB more than that.", "It was interrupted and will continue by itself."
	for _, tc := range []struct {
		name           string
		last           upkeep.Pruning
		passed, goesOn bool
	}{
		{"done", upkeep.Pruning{At: 1, Notes: 5}, false, false},
		{"broken off", upkeep.Pruning{At: 1, Notes: 5, Stopped: true}, false, true},
		{"the limit is passed", upkeep.Pruning{At: 1, Over: 300e6, OverGB: 2}, true, false},
		{"another limit was", upkeep.Pruning{At: 1, Over: 300e6, OverGB: 1}, false, false},
	} {
		page.showPruning(tc.last)
		words := f.words()
		if strings.Contains(words, passed) != tc.passed || strings.Contains(words, goesOn) != tc.goesOn {
			t.Errorf("%s: it says\n%s", tc.name, words)
		}
	}
}

func TestCompactingTellsWhatItGaveBack(t *testing.T) {
	f := light(t)
	f.ShowPage(Storage)
	f.tap(t, "settings.compact")
	if words := f.words(); !strings.Contains(words, " freed; the notes now take up") {
		t.Errorf("after compacting it says\n%s", words)
	}
	f.tap(t, "settings.compact") // which can be done again
}

package models

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/llm"
)

func TestWhenToAskAboutAModelAgain(t *testing.T) {
	now := time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	here, far := newModelAt("http://127.0.0.1:1234/v1", "m"), newModelAt("https://llm.example/v1", "m")
	window, none := llm.Facts{Context: 4096}, llm.Facts{MostContext: 4096}
	for _, tt := range []struct {
		name  string
		of    modelAt
		told  llm.Facts
		asked time.Duration // ago; 0: never
		run   bool          // in this run
		due   bool
	}{
		{"never asked", far, llm.Facts{}, 0, false, true},
		{"in this run", far, llm.Facts{}, 0, true, false},
		{"here, in an earlier run", here, window, time.Minute, false, true},
		{"here, in this run", here, window, time.Minute, true, false},
		{"here, before it was loaded", here, none, time.Minute, true, true},
		{"elsewhere, some days ago", far, window, 6 * 24 * time.Hour, false, false},
		{"elsewhere, longer ago", far, window, 8 * 24 * time.Hour, false, true},
	} {
		var m memory
		if tt.asked > 0 {
			m.keepModel(tt.of, tt.told, llm.Facts{}, now.Add(-tt.asked))
		}
		if tt.run {
			m.wasAsked(tt.of)
		}
		if got := m.due(tt.of, now); got != tt.due {
			t.Errorf("%s: due %v", tt.name, got)
		}
	}
}

// Two programs, such as the window and the terminal, find things out side by side.
func TestWhatTwoProgramsFindOutIsAllKept(t *testing.T) {
	dir, now := t.TempDir(), time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)
	at := func(model string) modelAt { return newModelAt("https://llm.example/v1", model) }
	begin := func() *memory {
		m := &memory{}
		m.open(dir, slog.New(slog.DiscardHandler), func(raw json.RawMessage) json.RawMessage { return raw })
		return m
	}
	one := begin()
	one.keepModel(at("old"), llm.Facts{Context: 1000}, llm.Facts{}, now)
	one.keepModel(at("changed"), llm.Facts{Context: 1000}, llm.Facts{}, now)

	one, two := begin(), begin()
	var both sync.WaitGroup
	for name, m := range map[string]*memory{"one": one, "two": two} {
		both.Go(func() {
			for i := range 10 {
				m.keepModel(at(fmt.Sprint(name, i)), llm.Facts{Context: 2000}, llm.Facts{}, now)
			}
			m.keepList("https://"+name+".example/v1", []llm.ModelInfo{{ID: "owl"}}, now)
		})
	}
	both.Wait()
	two.keepModel(at("changed"), llm.Facts{Context: 3000}, llm.Facts{}, now)
	two.forget(at("old"))
	one.keepModel(at("last"), llm.Facts{Context: 4000}, llm.Facts{}, now) // knows nothing of what two did

	after := begin()
	for _, name := range []string{"one", "two"} {
		for i := range 10 {
			if got := after.model(at(fmt.Sprint(name, i))); got.Own.Context != 2000 {
				t.Errorf("what %s found out of %s%d was lost: %+v", name, name, i, got)
			}
		}
		if got := after.list("https://" + name + ".example/v1"); len(got) != 1 {
			t.Errorf("the list that %s got was lost", name)
		}
	}
	for model, want := range map[string]int{"old": 0, "changed": 3000, "last": 4000} {
		if got := after.model(at(model)).Own.Context; got != want {
			t.Errorf("%s reads %d, want %d", model, got, want)
		}
	}
}

// Servers whose lists are endless, of names that take six bytes a character, fill no
// more of the file than can be read again.
func TestEndlessListsTakeNothingOfWhatWasLearnedAway(t *testing.T) {
	name := strings.Repeat("<", 490)
	var list []llm.ModelInfo
	for i := range 3 * mostListed {
		list = append(list, llm.ModelInfo{ID: fmt.Sprint(name, i)})
	}
	for _, servers := range []int{1, 7} { // one is cut, and seven are too much all the same
		file := filepath.Join(t.TempDir(), "models.json")
		var m memory
		m.file, m.clean = file, func(raw json.RawMessage) json.RawMessage { return raw }
		m.models = map[modelAt]keptModel{{"http://h/v1", "owl"}: {Server: "http://h/v1", Model: "owl", Own: llm.Facts{Context: 9000}}}
		m.lists = map[string]keptList{}
		for i := range servers {
			server := fmt.Sprintf("http://h%d/v1", i)
			m.lists[server] = keptList{Server: server, Models: slices.Clone(list)}
		}
		m.save()
		kept, err := readModels(file)
		if err != nil || len(kept.Models) != 1 || kept.Models[0].Own.Context != 9000 {
			t.Errorf("%d servers: kept are %+v, %v", servers, kept.Models, err)
		}
		if servers == 1 && (len(kept.Lists) != 1 || len(kept.Lists[0].Models) != mostListed) {
			t.Errorf("%d lists are kept", len(kept.Lists))
		}
	}
}

package models

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
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

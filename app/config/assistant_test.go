package config

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Rows 002-2 and 002-46: what is chosen for a model replaces what is chosen for its
// provider, entry by entry; different entries come together.
func TestAModelsOwnEntriesStandBeforeThoseOfItsProvider(t *testing.T) {
	cold, warm := 0.0, 0.7
	s := Settings{
		Assistant: Assistant{Prompt: "Be brief."},
		Models: map[string]ModelOptions{
			"ollama":          {BaseURL: "http://127.0.0.1:9999/v1", Context: 8192, Temperature: &warm, Effort: "low"},
			"ollama:qwen3:8b": {Context: 40960, Temperature: &cold, Format: "hermes", Prompt: "Speak German."},
		},
	}
	for _, tt := range []struct {
		id   string
		want ModelOptions
	}{
		{"ollama:qwen3:8b", ModelOptions{
			BaseURL: "http://127.0.0.1:9999/v1", Context: 40960, Temperature: &cold, Format: "hermes", Effort: "low", Prompt: "Speak German.",
		}},
		{"ollama:gemma3:4b", ModelOptions{
			BaseURL: "http://127.0.0.1:9999/v1", Context: 8192, Temperature: &warm, Effort: "low", Prompt: "Be brief.",
		}},
		{"openrouter:qwen3:8b", ModelOptions{Prompt: "Be brief."}},
	} {
		if got := s.OptionsOf(tt.id); !reflect.DeepEqual(got, tt.want) {
			t.Errorf("%s: got %+v, want %+v", tt.id, got, tt.want)
		}
	}
	copied := s.Clone()
	*copied.Models["ollama:qwen3:8b"].Temperature = 2
	copied.Models["ollama"] = ModelOptions{}
	if cold != 0 || s.Models["ollama"].Context != 8192 {
		t.Error("changing a copy changed the settings")
	}
}

// Row 002-47: no key stands in a file of settings.
func TestWhatMakesNoSenseForAModelIsRefusedWithItsEntry(t *testing.T) {
	for _, tt := range []struct{ text, want string }{
		{"[models.\"ollama:qwen3:8b\"]\nbase_url = \"http://x/v1\"", `models."ollama:qwen3:8b".base_url`},
		{"[models.ollama]\ncontext = 12", `models."ollama".context is 12; want 1024 to`},
		{"[models.ollama]\ntemperature = 3.5", `models."ollama".temperature is 3.5; want 0 to 2`},
		{"[models.ollama]\ntemperature = nan", `models."ollama".temperature is NaN`},
		{"[models.ollama]\nprice_in = -1.0", `models."ollama".price_in is -1; want US dollars for a million tokens`},
		{"[models.ollama]\nformat = \"esperanto\"", `models."ollama".format is "esperanto"; want one of ["native" "none" "hermes"`},
		{"[models.ollama]\nmax_tokens = -1", `models."ollama".max_tokens is -1`},
		{"[models.openai]\nkey = \"sk-planted\"", `unknown entry "models.openai.key"`},
		{"[assistant]\napi_key = \"sk-planted\"", `unknown entry "assistant.api_key"`},
		{"[assistant]\nsteps = 51", "assistant.steps is 51; want 1 to 50"},
		{"[assistant]\nidle_minutes = -3", "assistant.idle_minutes is -3"},
	} {
		file := filepath.Join(t.TempDir(), "settings.toml")
		if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Load(file)
		if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "sk-planted") {
			t.Errorf("%s: %v; want %s", tt.text, err, tt.want)
		}
	}
}

func TestChoosingForAModelLeavesCopiesAsTheyAre(t *testing.T) {
	var s Settings
	s.SetOptions("ollama:owl", ModelOptions{Context: 8192})
	before := s
	s.SetOptions("ollama", ModelOptions{Effort: "low"})
	s.SetOptions("ollama:owl", ModelOptions{})
	if len(s.Models) != 1 || s.Models["ollama"].Effort != "low" {
		t.Errorf("got %+v", s.Models)
	}
	if len(before.Models) != 1 || before.Models["ollama:owl"].Context != 8192 {
		t.Errorf("the copy is %+v", before.Models)
	}
}

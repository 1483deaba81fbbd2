package models

import (
	"testing"
)

func TestAModelsIDIsTakenApart(t *testing.T) {
	for id, want := range map[string]Name{
		"ollama:qwen3:8b":         {"ollama", "Ollama", "qwen3:8b", "127.0.0.1:11434"},
		"openrouter:a/b:free":     {"openrouter", "OpenRouter", "a/b:free", "openrouter.ai"},
		"custom:m":                {"custom", "", "m", ""},
		"nobody:m":                {"nobody", "", "m", ""},
		"no id at all, not a one": {"", "", "no id at all, not a one", ""},
		"":                        {},
	} {
		if got := NameOf(id); got != want {
			t.Errorf("%q: %+v, want %+v", id, got, want)
		}
	}
}

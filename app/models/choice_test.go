package models

import (
	"testing"

	"bowerbird/app/config"
)

// Row 002-1: the settings of providers.
func TestChangingTheProviderAndBackKeepsEachAddress(t *testing.T) {
	const there, usual = "http://192.168.1.9:11434/v1", "http://127.0.0.1:11434/v1"
	s := config.Settings{Assistant: config.Assistant{Model: "custom:owl", BaseURL: "https://models.example/v1"}}
	for _, step := range []struct {
		choose       Choice
		model, where string // as settled afterwards
	}{
		{Choice{ID: "ollama:wren", BaseURL: there}, "ollama:wren", there},
		{Choice{}, config.DefaultModel, ""},
		{Choice{ID: "custom:owl"}, "custom:owl", "https://models.example/v1"},
		{Choice{ID: "ollama:wren"}, "ollama:wren", there},
		{Choice{ID: "ollama:wren", BaseURL: usual}, "ollama:wren", ""},
		{Choice{ID: "ollama:robin"}, "ollama:robin", ""},
	} {
		step.choose.ChosenIn(&s)
		got := Choice{}.SettledBy(s)
		if got.ID != step.model || got.BaseURL != step.where {
			t.Errorf("after choosing %+v: %+v, want %s at %q", step.choose, got, step.model, step.where)
		}
	}
	if s.Assistant.BaseURL != "" || len(s.Models) != 1 {
		t.Errorf("left: %+v, %+v", s.Assistant, s.Models)
	}
}

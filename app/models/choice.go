package models

import (
	"bowerbird/app/config"
	"bowerbird/llm"
)

// Choice names a model; empty fields fall back to the settings.
type Choice struct {
	ID      string // "provider:name"
	BaseURL string
}

// SettledBy fills what a choice leaves open from settings. An address belongs to its
// own provider, so that no other is asked there; that of the chosen model comes first.
func (c Choice) SettledBy(s config.Settings) Choice {
	if c.ID == "" {
		c.ID = s.Assistant.ModelID()
	}
	if c.BaseURL == "" && providerOf(c.ID) == providerOf(s.Assistant.ModelID()) {
		c.BaseURL = s.Assistant.BaseURL
	}
	if c.BaseURL == "" {
		c.BaseURL = s.OptionsOf(c.ID).BaseURL
	}
	return c
}

func providerOf(model string) string {
	provider, _, _ := llm.ParseModelID(model)
	return provider
}

// Settled fills what a choice leaves open from the settings that hold.
func (r *Registry) Settled(choice Choice) Choice { return choice.SettledBy(r.opt.Settings()) }

// ChosenIn makes a model the one that settings choose. The address of its server is
// kept with its provider, and so is that of the model that was chosen before: who
// changes the provider and back loses nothing. An empty BaseURL leaves the address that
// is kept; to return to the provider's own, name that one.
func (c Choice) ChosenIn(s *config.Settings) {
	if s.Assistant.BaseURL != "" {
		keepAddress(s, providerOf(s.Assistant.ModelID()), s.Assistant.BaseURL)
	}
	s.Assistant.BaseURL = ""
	s.Assistant.Model = c.ID
	if c.BaseURL != "" {
		keepAddress(s, providerOf(c.ID), c.BaseURL)
	}
}

// keepAddress keeps where a provider's server is, unless that is its own place.
func keepAddress(s *config.Settings, provider, address string) {
	row, ok := llm.FindProvider(provider)
	if !ok {
		return
	}
	o := s.Models[provider]
	if o.BaseURL = address; address == row.BaseURL {
		o.BaseURL = ""
	}
	s.SetOptions(provider, o)
}

// Name is what a model's id says.
type Name struct {
	Provider string // the part before the colon: "ollama"
	Title    string // its provider as people know it: "Ollama"; "" where that is not known, or the server is the user's own
	Name     string // as the provider names it: "qwen3:8b"
	Host     string // where the provider's own server is; "" where Title is
}

// NameOf takes a model's id, "provider:name", apart; what is no such id is all Name.
func NameOf(id string) Name {
	provider, name, err := llm.ParseModelID(id)
	if err != nil {
		return Name{Name: id}
	}
	n := Name{Provider: provider, Name: name}
	if row, known := llm.FindProvider(provider); known && row.BaseURL != "" {
		n.Title = row.Title
		n.Host, _ = hostOf(row.BaseURL)
	}
	return n
}

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

// SettledBy fills the empty fields of a choice from settings. An address is only used for
// its own provider; that of the chosen model takes precedence.
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

// Check returns an [*config.ArgumentError] if nobody could be asked: the id is not
// "provider:name", its provider is unknown, or so is the address of its server. It looks
// for no key and asks nobody.
func (c Choice) Check() error {
	if c.ID == config.DefaultModel {
		return nil
	}
	_, err := c.target()
	return err
}

// target is where the requests for a model go.
type target struct {
	provider llm.Provider
	base     string // address of its server
	at       modelAt
}

// target finds the server of a settled choice.
func (c Choice) target() (t target, err error) {
	provider, name, err := llm.ParseModelID(c.ID)
	if err != nil {
		return t, config.Argumentf("model", "%w, for example ollama:qwen3:8b, or %s, which needs no server", err, config.DefaultModel)
	}
	t.provider, t.base, err = server(provider, c.BaseURL)
	t.at = newModelAt(t.base, name)
	return t, err
}

// Settled fills what a choice leaves open from the current settings.
func (r *Registry) Settled(choice Choice) Choice { return choice.SettledBy(r.opt.Settings()) }

// ChosenIn makes a model the chosen one of settings. The address of its server is saved
// under its provider, and so is that of the previously chosen model, so that switching back
// loses nothing. An empty BaseURL leaves the saved address; to return to the provider's own
// server, pass that address.
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

// keepAddress saves the address of a provider's server, unless it is the provider's own.
func keepAddress(s *config.Settings, provider, address string) {
	p, ok := llm.FindProvider(provider)
	if !ok {
		return
	}
	o := s.Models[provider]
	if o.BaseURL = address; address == p.BaseURL {
		o.BaseURL = ""
	}
	s.SetOptions(provider, o)
}

// Name holds the parts of a model's id.
type Name struct {
	Provider string // the part before the colon: "ollama"
	Title    string // the provider's name for people: "Ollama"; "" if it is unknown or the server is the user's own
	Name     string // the provider's name for the model: "qwen3:8b"
	Host     string // of the provider's own server; "" if Title is
}

// NameOf splits a model's id, "provider:name". If a text is not such an id, all of it is
// Name.
func NameOf(id string) Name {
	provider, name, err := llm.ParseModelID(id)
	if err != nil {
		return Name{Name: id}
	}
	n := Name{Provider: provider, Name: name}
	if p, known := llm.FindProvider(provider); known && p.BaseURL != "" {
		n.Title = p.Title
		n.Host, _ = hostOf(p.BaseURL)
	}
	return n
}

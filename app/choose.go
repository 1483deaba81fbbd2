package app

import (
	"bowerbird/app/config"
	"bowerbird/llm"
)

// ChosenIn makes a model the one that settings choose. The address of its server is
// kept with its provider, and so is that of the model that was chosen before: who
// changes the provider and back loses nothing. An empty BaseURL leaves the address that
// is kept; to return to the provider's own, name that one.
func (c ModelChoice) ChosenIn(s *config.Settings) {
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

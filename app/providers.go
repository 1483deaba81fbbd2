package app

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bowerbird/app/config"
	"bowerbird/llm"
)

// BuiltinProvider is the provider of the model that needs no server.
const BuiltinProvider = "builtin"

// Provider is somebody whose models can answer.
type Provider struct {
	ID           string // the first part of a model's id: "openrouter"
	Name         string // as people know it: "OpenRouter"
	Host         string // where text is sent; "" when it stays on this computer
	BaseURL      string // of its server; "" for the built-in, and where NeedsAddress
	NeedsKey     bool   // nothing is answered without a key
	NeedsAddress bool   // the user has to say where the server is
	Local        bool   // it runs on this computer
}

// Providers returns whose models can answer, in the order in which to offer them:
// the built-in, what may run on this computer, then servers elsewhere.
func (a *App) Providers() []Provider {
	out := []Provider{{ID: BuiltinProvider, Name: "Built-in", Local: true}}
	for _, row := range llm.Providers() {
		p := Provider{ID: row.Name, Name: row.Title, BaseURL: row.BaseURL, NeedsKey: row.NeedsKey}
		p.NeedsAddress = row.BaseURL == ""
		if p.NeedsAddress {
			p.Name = "Another server"
		} else if host, local := whereTo(row.BaseURL); local {
			p.Local = true
		} else {
			p.Host = host
		}
		out = append(out, p)
	}
	slices.SortStableFunc(out, func(a, b Provider) int { return cmp.Compare(distance(a), distance(b)) })
	return out
}

// distance orders providers: this computer, elsewhere, not yet known.
func distance(p Provider) int {
	switch {
	case p.Local:
		return 0
	case p.NeedsAddress:
		return 2
	}
	return 1
}

// whereTo returns the host of a server, and whether what is sent there stays on
// this computer.
func whereTo(base string) (host string, local bool) {
	host, err := hostOf(base)
	if err != nil {
		return "", false
	}
	return host, llm.OnThisComputer(base)
}

// Obstacle is what keeps a model from answering.
type Obstacle string

// The obstacles.
const (
	NoObstacle     Obstacle = ""
	KeyMissing     Obstacle = "key"     // the provider needs a key, and none is known
	AddressMissing Obstacle = "address" // nobody said where the server is
	ModelUnknown   Obstacle = "model"   // the id is no PROVIDER:NAME of a known provider
	KeyringLocked  Obstacle = "keyring" // a key may be there, but the keyring does not answer
	KeysLocked     Obstacle = "keys"    // the key is in the file of keys, which is locked: see App.UnlockKeys
	// LocalOnlyOn: the settings let no text go off this computer (see LocalOnlyError).
	LocalOnlyOn Obstacle = "local_only"
)

// ModelState is what is known of a chosen model without asking its server.
type ModelState struct {
	ID       string // "provider:name"
	Provider Provider
	Name     string // as the provider names it: "qwen3:8b"; "" for the built-in
	Host     string // where text is sent; "" when it stays on this computer
	Obstacle Obstacle
}

// CurrentModel returns the state of the model that the settings choose.
func (a *App) CurrentModel(ctx context.Context) ModelState {
	return a.ModelState(ctx, ModelChoice{})
}

// ModelState returns the state of a model; an empty choice is that of the settings.
// It may wait for the keyring.
func (a *App) ModelState(ctx context.Context, choice ModelChoice) ModelState {
	choice = a.settle(choice)
	s := ModelState{ID: choice.ID}
	id, name, err := llm.ParseModelID(choice.ID)
	if i := slices.IndexFunc(a.Providers(), func(p Provider) bool { return p.ID == id }); err == nil && i >= 0 {
		s.Provider, s.Name = a.Providers()[i], name
	} else {
		s.Obstacle = ModelUnknown
		return s
	}
	if id == BuiltinProvider {
		s.Name = ""
		if choice.ID != config.DefaultModel {
			s.Obstacle = ModelUnknown
		}
		return s
	}
	row, base, err := server(id, choice.BaseURL)
	if err != nil {
		s.Obstacle = AddressMissing
		return s
	}
	if host, local := whereTo(base); !local {
		s.Host = host
	} else {
		s.Host = a.passesOn(row, newModelAt(base, name))
	}
	if a.modelKeepsHere(row, base, newModelAt(base, name)) != nil {
		s.Obstacle = LocalOnlyOn
		return s
	}
	if _, err := a.modelKey(ctx, row, base); err != nil && ctx.Err() == nil {
		s.Obstacle = KeyMissing
		switch {
		case errors.Is(err, config.ErrNoKeyring):
			s.Obstacle = KeyringLocked
		case errors.Is(err, config.ErrKeysLocked), errors.Is(err, config.ErrWrongPassword):
			s.Obstacle = KeysLocked
		}
	}
	return s
}

// settle fills what a choice leaves open from the settings that hold.
func (a *App) settle(choice ModelChoice) ModelChoice { return choice.SettledBy(a.Settings()) }

// SettledBy fills what a choice leaves open from settings. An address belongs to its
// own provider, so that no other is asked there; that of the chosen model comes first.
func (c ModelChoice) SettledBy(s config.Settings) ModelChoice {
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

package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"bowerbird/app/config"
	"bowerbird/llm"
)

// Builtin is the provider of the model that needs no server.
const Builtin = "builtin"

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
func Providers() []Provider {
	out := []Provider{{ID: Builtin, Name: "Built-in", Local: true}}
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
	KeysLocked     Obstacle = "keys"    // the key is in the file of keys, which is locked: see Registry.UnlockKeys
	// LocalOnlyOn: the settings let no text go off this computer (see LocalOnlyError).
	LocalOnlyOn Obstacle = "local_only"
)

// State is what is known of a chosen model without asking its server.
type State struct {
	ID       string // "provider:name"
	Provider Provider
	Name     string // as the provider names it: "qwen3:8b"; "" for the built-in
	Host     string // where text is sent; "" when it stays on this computer
	Obstacle Obstacle
}

// State returns the state of a model; an empty choice is that of the settings.
// It may wait for the keyring.
func (r *Registry) State(ctx context.Context, choice Choice) State {
	choice = r.Settled(choice)
	s := State{ID: choice.ID}
	id, name, err := llm.ParseModelID(choice.ID)
	if i := slices.IndexFunc(Providers(), func(p Provider) bool { return p.ID == id }); err == nil && i >= 0 {
		s.Provider, s.Name = Providers()[i], name
	} else {
		s.Obstacle = ModelUnknown
		return s
	}
	if id == Builtin {
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
		s.Host = r.passesOn(row, newModelAt(base, name))
	}
	if r.modelKeepsHere(row, base, newModelAt(base, name)) != nil {
		s.Obstacle = LocalOnlyOn
		return s
	}
	if _, err := r.modelKey(ctx, row, base); err != nil && ctx.Err() == nil {
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

// ServerHost returns the host that a provider's key is for: that of baseURL, else of
// the settings if it is their provider, else the provider's own.
func ServerHost(providerName, baseURL string, s config.Settings) (string, error) {
	choice := Choice{ID: providerName + ":?", BaseURL: baseURL}.SettledBy(s)
	_, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return "", err
	}
	return hostOf(base)
}

func server(providerName, baseURL string) (p llm.Provider, base string, err error) {
	p, ok := llm.FindProvider(providerName)
	if !ok {
		if providerName == Builtin {
			return p, "", config.Argumentf("model", "the one built-in model is %s, which needs no server", config.DefaultModel)
		}
		return p, "", config.Argumentf("model", "no provider is called %q; there are: %s; and %s, which needs none", providerName, strings.Join(providerNames(), ", "), config.DefaultModel)
	}
	if base = strings.TrimSpace(baseURL); base == "" {
		base = p.BaseURL
	}
	if base == "" {
		return p, "", config.Argumentf("model", "%s:… is a model on a server of your choice: say where that is, with --base-url or base_url in the settings", p.Name)
	}
	return p, base, nil
}

func providerNames() []string {
	var names []string
	for _, p := range llm.Providers() {
		names = append(names, p.Name)
	}
	return names
}

// originOf returns the beginning of an address, without what may be secret in it.
func originOf(base string) string {
	u, err := url.Parse(base)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

func hostOf(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%q is no address of a server; it should look like https://host/v1", base)
	}
	return u.Host, nil
}

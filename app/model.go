package app

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/config"
	"bowerbird/app/llm"
	"bowerbird/app/netsafe"
	"bowerbird/ndb"
)

// ModelChoice names a model; empty fields fall back to the settings.
type ModelChoice struct {
	ID      string // "provider:name"
	BaseURL string
}

// Model returns the chosen model. It connects to nothing yet. A key is looked for
// in the environment, then in the keyring under the server's host.
func (a *App) Model(ctx context.Context, choice ModelChoice) (llm.Model, error) {
	if choice.ID == "" {
		choice.ID = a.opt.Settings.Assistant.ModelID()
		if choice.BaseURL == "" {
			choice.BaseURL = a.opt.Settings.Assistant.BaseURL
		}
	}
	if choice.ID == config.DefaultModel {
		return a.digest(ctx)
	}
	return Server(ctx, choice, a.opt.Getenv)
}

// digest returns the model without a model.
func (a *App) digest(ctx context.Context) (llm.Model, error) {
	last, err := a.LastVisit(ctx)
	if err != nil {
		return nil, err
	}
	return builtin.New(builtin.Options{
		Now:       a.opt.Now,
		Zone:      func() *time.Location { return a.opt.Zone },
		LastVisit: func() time.Time { return last },
		Me:        a.myHex,
		Syncing:   a.syncing.Load,
	}), nil
}

func (a *App) myHex() string {
	if a.Me() == (ndb.PubKey{}) {
		return ""
	}
	return a.Me().String()
}

// Server returns the client of a model server. getenv tells the environment,
// where a key may stand.
func Server(ctx context.Context, choice ModelChoice, getenv func(string) string) (*llm.Client, error) {
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil {
		return nil, &ArgumentError{"model", fmt.Errorf("%w, for example ollama:qwen3:8b", err)}
	}
	provider, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return nil, err
	}
	web, err := netsafe.ForModel(base)
	if err != nil {
		return nil, err
	}
	key, err := modelKey(ctx, provider, base, getenv)
	if err != nil {
		return nil, err
	}
	return llm.New(llm.Options{Provider: provider, Model: name, BaseURL: base, Key: key, HTTP: web})
}

// ServerHost returns the host that a provider's key is for.
func ServerHost(providerName, baseURL string) (string, error) {
	_, base, err := server(providerName, baseURL)
	if err != nil {
		return "", err
	}
	return hostOf(base)
}

func server(providerName, baseURL string) (p llm.Provider, base string, err error) {
	p, ok := llm.FindProvider(providerName)
	if !ok {
		return p, "", argumentf("model", "no provider is called %q; there are: %s", providerName, strings.Join(providerNames(), ", "))
	}
	if base = baseURL; base == "" {
		base = p.BaseURL
	}
	if base == "" {
		return p, "", argumentf("model", "%s needs the address of its server: give --base-url, or base_url in the settings", p.Title)
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

// modelKey finds the key for a server. One from the environment was entered for
// the provider's own host, so no other gets it, unless the provider has none.
func modelKey(ctx context.Context, p llm.Provider, base string, getenv func(string) string) (llm.Key, error) {
	host, err := hostOf(base)
	if err != nil {
		return llm.Key{}, err
	}
	if own, err := hostOf(p.BaseURL); p.BaseURL == "" || err == nil && own == host {
		for _, name := range p.KeyEnv {
			if value := getenv(name); value != "" {
				return llm.NewKey(value, host), nil
			}
		}
	}
	secret, err := config.Keyring{}.ModelKey(ctx, host)
	switch {
	case err == nil:
		return llm.NewKey(secret.Reveal(), host), nil
	case !p.NeedsKey:
		return llm.Key{}, nil // most servers at home want none; no keyring is no reason to stop
	case errors.Is(err, config.ErrNoSecret):
		return llm.Key{}, fmt.Errorf("%s needs an API key: run \"bowerbird model key %s\", or set %s", p.Title, p.Name, envHint(p))
	}
	return llm.Key{}, fmt.Errorf("%w; set %s instead", err, envHint(p))
}

func envHint(p llm.Provider) string {
	if len(p.KeyEnv) == 0 {
		return "the key's environment variable"
	}
	return p.KeyEnv[0]
}

func hostOf(base string) (string, error) {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" {
		return "", fmt.Errorf("%q is no address of a server; it should look like https://host/v1", base)
	}
	return u.Host, nil
}

package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// Builtin is the provider of the model that needs no server.
const Builtin = "builtin"

// Provider is a service or program whose models can answer.
type Provider struct {
	ID           string // the first part of a model's id: "openrouter"
	Name         string // for people: "OpenRouter"
	Host         string // where text is sent; "" if it stays on this computer
	BaseURL      string // of its server; "" for the built-in model, and if NeedsAddress
	NeedsKey     bool   // no request succeeds without a key
	NeedsAddress bool   // the user has to enter where the server is
	Local        bool   // it runs on this computer
}

// Providers returns the providers in the order in which to offer them: the built-in model,
// what runs on this computer, servers elsewhere, then one of the user's choice.
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
	slices.SortStableFunc(out, func(a, b Provider) int {
		distance := func(p Provider) int {
			switch {
			case p.Local:
				return 0
			case p.NeedsAddress:
				return 2
			}
			return 1
		}
		return cmp.Compare(distance(a), distance(b))
	})
	return out
}

// whereTo returns the host of a server, and whether that is this computer.
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
	KeyMissing     Obstacle = "key"        // the provider needs a key, and there is none
	AddressMissing Obstacle = "address"    // it is not known where the server is
	ModelUnknown   Obstacle = "model"      // the id is not "provider:name" with a known provider
	KeyringLocked  Obstacle = "keyring"    // there may be a key, but the keyring does not answer
	KeysLocked     Obstacle = "keys"       // the key is in the key file, which is locked: see Registry.UnlockKeys
	LocalOnlyOn    Obstacle = "local_only" // the settings allow no text to leave this computer: see LocalOnlyError
)

// State is what is known of a chosen model without asking its server.
type State struct {
	ID       string // "provider:name"
	Provider Provider
	Name     string // the provider's name for it: "qwen3:8b"; "" for the built-in model
	Host     string // where text is sent; "" if it stays on this computer
	Obstacle Obstacle
}

// State returns the state of a model; an empty choice is that of the settings. It may wait
// for the keyring, and ask for the password of the key file.
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
	t, err := choice.target()
	if err != nil {
		s.Obstacle = AddressMissing
		return s
	}
	if host, local := whereTo(t.base); !local {
		s.Host = host
	} else {
		s.Host = r.passedTo(t)
	}
	if r.mayAsk(t) != nil {
		s.Obstacle = LocalOnlyOn
		return s
	}
	if _, err := r.modelKey(ctx, t.provider, t.base); err != nil && ctx.Err() == nil {
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

// anyModel stands for all models of a provider's server.
func anyModel(provider, baseURL string) Choice { return Choice{ID: provider + ":?", BaseURL: baseURL} }

// ServerHost returns the host that a provider's key is for: that of baseURL, otherwise of
// the address in the settings, otherwise the provider's own.
func ServerHost(provider, baseURL string, s config.Settings) (string, error) {
	t, err := anyModel(provider, baseURL).SettledBy(s).target()
	if err != nil {
		return "", err
	}
	return hostOf(t.base)
}

// server finds a provider and the address of its server, baseURL if it is not empty.
func server(providerName, baseURL string) (p llm.Provider, base string, err error) {
	p, ok := llm.FindProvider(providerName)
	if !ok {
		if providerName == Builtin {
			return p, "", config.Argumentf("model", "the one built-in model is %s, which needs no server", config.DefaultModel)
		}
		var names []string
		for _, p := range llm.Providers() {
			names = append(names, p.Name)
		}
		return p, "", config.Argumentf("model", "no provider is called %q; there are: %s; and %s, which needs none", providerName, strings.Join(names, ", "), config.DefaultModel)
	}
	if base = strings.TrimSpace(baseURL); base == "" {
		base = p.BaseURL
	}
	if base == "" {
		return p, "", config.Argumentf("model", "%s:… is a model on a server of your choice: say where that is, with --base-url or base_url in the settings", p.Name)
	}
	return p, base, nil
}

// origin returns the scheme and host of an address; the rest may hold secrets.
func origin(base string) string {
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

// List asks a provider's server, at baseURL, or if that is "" at the address in the settings
// or the provider's own, for its models, sorted by id. The built-in provider has none to
// choose from. The error may be an [*llm.Error].
func (r *Registry) List(ctx context.Context, provider, baseURL string) ([]llm.ModelInfo, error) {
	if provider == Builtin {
		return nil, nil
	}
	client, err := r.Client(ctx, anyModel(provider, baseURL))
	if err != nil {
		return nil, err
	}
	models, err := client.List(ctx)
	if err == nil {
		r.memory.keepList(client.Address(), models, r.opt.Now())
	}
	return models, err
}

// Known returns the models that a provider's server last listed, perhaps in an earlier run,
// to choose from while it cannot be reached; nil if it was never asked.
func (r *Registry) Known(provider, baseURL string) []llm.ModelInfo {
	t, err := r.Settled(anyModel(provider, baseURL)).target()
	if err != nil {
		return nil
	}
	return r.memory.list(t.at.server)
}

// Test asks a model for a word, to see that it answers and can use tools, for the price of a
// few tokens. The built-in model passes without being asked.
func (r *Registry) Test(ctx context.Context, choice Choice) (*llm.TestResult, error) {
	choice = r.Settled(choice)
	if choice.ID == config.DefaultModel {
		return &llm.TestResult{Tools: true}, nil
	}
	r.FindOut(ctx, choice) // so that the test uses the same format as questions
	client, err := r.Client(ctx, choice)
	if err != nil {
		return nil, err
	}
	return client.Test(ctx)
}

// LocalServer is a model server that runs on this computer.
type LocalServer struct {
	Provider Provider
	BaseURL  string
	Models   []llm.ModelInfo // empty if it has none yet
}

const localWait = 1500 * time.Millisecond

// LocalServers looks for model servers on this computer at the addresses where the known
// ones listen, for 1.5 seconds at most. Only loopback addresses are dialled.
func (r *Registry) LocalServers(ctx context.Context) []LocalServer {
	ctx, cancel := context.WithTimeout(ctx, localWait)
	defer cancel()
	var local []Provider
	for _, p := range Providers() {
		if p.Local && p.ID != Builtin {
			local = append(local, p)
		}
	}
	found := make([]*LocalServer, len(local))
	var all sync.WaitGroup
	for i, p := range local {
		all.Go(func() { found[i] = r.localServer(ctx, p) })
	}
	all.Wait()
	var out []LocalServer
	for _, s := range found {
		if s != nil {
			out = append(out, *s)
		}
	}
	return out
}

// localServer returns a provider's server if it lists models. No key is sent: any program
// may be listening there.
func (r *Registry) localServer(ctx context.Context, p Provider) *LocalServer {
	base := p.BaseURL
	if r.opt.LocalBase != nil {
		base = r.opt.LocalBase(p.ID)
	}
	if !llm.OnThisComputer(base) {
		return nil
	}
	row, base, err := server(p.ID, base)
	if err != nil {
		return nil
	}
	web, err := netsafe.ForServer(base)
	if err != nil {
		return nil
	}
	defer web.CloseIdleConnections()
	client, err := llm.New(llm.Options{Provider: row, Model: "?", BaseURL: base, HTTP: web})
	if err != nil {
		return nil
	}
	models, err := client.List(ctx)
	if err != nil {
		return nil
	}
	return &LocalServer{Provider: p, BaseURL: base, Models: models}
}

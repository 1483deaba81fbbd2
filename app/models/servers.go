package models

import (
	"context"
	"sync"
	"time"

	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

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
	web, err := netsafe.ForModel(base)
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

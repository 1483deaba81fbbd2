package models

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// clients are those of the models that were asked in this run, so that the next
// question goes over the same connection, with what was learned of the model's size,
// and waits where its server asked for it. The zero value is ready.
type clients struct {
	mu     sync.Mutex
	webs   map[string]*http.Client // by address
	models map[clientOf]madeClient
	gauges map[gaugeOf]*agent.Gauge
}

// clientOf is what a client was made for, all but the key. A change of any is another
// client.
type clientOf struct {
	provider, server, model string
	context, maxTokens      int
	format, effort          string
	temperature             string
	noCaching               bool
	passedTo                string
}

type madeClient struct {
	client *llm.Client
	key    llm.Key
}

// gaugeOf is what a gauge is of: the same name at another server, or with another
// window or length of answers, is another matter.
type gaugeOf struct {
	provider, server, model string
	context, answer         int
}

// mostClients is how many are kept; it is more than anybody switches between.
const mostClients = 64

func (c *clients) web(base string) (*http.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if web := c.webs[base]; web != nil {
		return web, nil
	}
	web, err := netsafe.ForModel(base)
	if err != nil {
		return nil, err
	}
	if len(c.webs) >= mostClients {
		c.closeIdle()
	}
	if c.webs == nil {
		c.webs = map[string]*http.Client{}
	}
	c.webs[base] = web
	return web, nil
}

func (c *clients) get(o llm.Options) (*llm.Client, error) {
	of := clientOf{
		provider: o.Provider.Name, server: o.BaseURL, model: o.Model, context: o.Context, maxTokens: o.MaxTokens,
		format: o.Format, effort: o.Effort, noCaching: o.NoCaching, passedTo: o.PassedTo,
	}
	if o.Temperature != nil {
		of.temperature = fmt.Sprint(*o.Temperature)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if made, ok := c.models[of]; ok && made.key.Same(o.Key) {
		return made.client, nil
	}
	client, err := llm.New(o)
	if err != nil {
		return nil, err
	}
	if c.models == nil || len(c.models) >= mostClients {
		c.models = map[clientOf]madeClient{}
	}
	c.models[of] = madeClient{client, o.Key}
	return client, nil
}

func (c *clients) gauge(model llm.Model) *agent.Gauge {
	info := model.Info()
	of := gaugeOf{provider: info.Provider, model: info.Name, context: info.Context, answer: info.Answer}
	if client, ok := model.(*llm.Client); ok {
		of.server = client.Address()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if g := c.gauges[of]; g != nil {
		return g
	}
	if c.gauges == nil || len(c.gauges) >= mostClients {
		c.gauges = map[gaugeOf]*agent.Gauge{}
	}
	c.gauges[of] = agent.NewGauge(info)
	return c.gauges[of]
}

func (c *clients) forget(provider, model string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	maps.DeleteFunc(c.gauges, func(of gaugeOf, _ *agent.Gauge) bool { return of.provider == provider && of.model == model })
}

// close closes the connections that nobody uses; those of requests under way close
// when these end.
func (c *clients) close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closeIdle()
	c.models, c.gauges = nil, nil
}

func (c *clients) closeIdle() {
	for _, web := range c.webs {
		web.CloseIdleConnections()
	}
	c.webs = nil
}

// Client returns the client of a model's server. It connects to nothing yet. The key is
// looked for in the environment, then among those entered in this run, then in the
// keyring and in the file of keys, under the server's host.
func (r *Registry) Client(ctx context.Context, choice Choice) (*llm.Client, error) {
	choice = r.Settled(choice)
	providerName, name, err := llm.ParseModelID(choice.ID)
	if err != nil {
		return nil, config.Argumentf("model", "%w, for example ollama:qwen3:8b, or %s, which needs no server", err, config.DefaultModel)
	}
	provider, base, err := server(providerName, choice.BaseURL)
	if err != nil {
		return nil, err
	}
	of := newModelAt(base, name)
	if err := r.modelKeepsHere(provider, base, of); err != nil {
		return nil, err
	}
	shared, err := r.clients.web(base)
	if err != nil {
		return nil, err
	}
	web := *shared
	web.Transport = keptHere{web.Transport, func() error { return r.modelKeepsHere(provider, base, of) }}
	key, err := r.modelKey(ctx, provider, base)
	if err != nil {
		return nil, err
	}
	r.knowKept(ctx)
	settings := r.opt.Settings()
	own, told := settings.OptionsOf(choice.ID), r.modelFacts(choice.ID, provider, of)
	return r.clients.get(llm.Options{
		Provider: provider, Model: name, BaseURL: base, Key: key, HTTP: &web, Learned: &r.memory.learned,
		Context: told.Context, Format: told.Format, Effort: own.Effort, Temperature: own.Temperature, MaxTokens: own.MaxTokens,
		NoCaching: settings.Assistant.NoPromptCaching, Sent: r.inspector.sent, PassedTo: r.passesOn(provider, of),
		Clock: r.opt.Clock,
	})
}

// passesOn returns the host to which a server on this computer passes on what is sent
// to a model; "" where it answers itself.
func (r *Registry) passesOn(p llm.Provider, of modelAt) string {
	if host := p.PassesOn(of.model); host != "" || !r.memory.told(of).Told.Elsewhere {
		return host
	}
	return cmp.Or(p.Cloud, "another server")
}

// modelKeepsHere is keepsHere for a model, which its server may pass on.
func (r *Registry) modelKeepsHere(p llm.Provider, base string, of modelAt) error {
	if host := r.passesOn(p, of); host != "" && r.onlyHere() {
		return &LocalOnlyError{Provider: p.Title, Host: host}
	}
	return r.keepsHere(p, base)
}

// Gauge returns what is known of how much a model takes; always the same for the same
// model.
func (r *Registry) Gauge(model llm.Model) *agent.Gauge { return r.clients.gauge(model) }

package models

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"sync"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// clients caches the clients of this run, so that the next question uses the same
// connection, what was learned about the model's size, and any wait that its server asked
// for. The zero value is ready to use.
type clients struct {
	mu     sync.Mutex
	webs   map[string]*http.Client // by address
	models map[string]madeClient   // by everything that they were made with except the key
	gauges map[gaugeOf]*agent.Gauge
}

type madeClient struct {
	client *llm.Client
	key    llm.Key
}

// gaugeOf identifies a gauge: the same model at another server, or with another window or
// limit of answers, has its own.
type gaugeOf struct {
	provider, server, model string
	context, answer         int
}

// mostClients is how many of each are cached: more than anybody switches between.
const mostClients = 64

func (c *clients) web(base string) (*http.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if web := c.webs[base]; web != nil {
		return web, nil
	}
	web, err := netsafe.ForServer(base)
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
	of := fmt.Sprintf("%q %q %q %q %q %q %d %d %t", o.Provider.Name, o.BaseURL, o.Model, o.Format, o.Effort, o.PassedTo, o.Context, o.MaxTokens, o.NoCaching)
	if o.Temperature != nil {
		of += fmt.Sprint(*o.Temperature)
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
		c.models = map[string]madeClient{}
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

// Client returns a client for a model. It does not connect yet. The key for the server's
// host comes from the environment, else from those entered in this run, the keyring, or
// the key file. Errors: [*config.ArgumentError], [*LocalOnlyError], and those of the keyring
// and the key file.
func (r *Registry) Client(ctx context.Context, choice Choice) (*llm.Client, error) {
	choice = r.Settled(choice)
	t, err := choice.target()
	if err != nil {
		return nil, err
	}
	if err := r.mayAsk(t); err != nil {
		return nil, err
	}
	shared, err := r.clients.web(t.base)
	if err != nil {
		return nil, err
	}
	web := *shared
	web.Transport = gate{web.Transport, func() error { return r.mayAsk(t) }}
	key, err := r.modelKey(ctx, t.provider, t.base)
	if err != nil {
		return nil, err
	}
	r.knowKept(ctx)
	settings := r.opt.Settings()
	own, facts := settings.OptionsOf(choice.ID), r.modelFacts(choice.ID, t)
	return r.clients.get(llm.Options{
		Provider: t.provider, Model: t.at.model, BaseURL: t.base, Key: key, HTTP: &web, Learned: &r.memory.learned,
		Context: facts.Context, Format: facts.Format, Effort: own.Effort, Temperature: own.Temperature, MaxTokens: own.MaxTokens,
		NoCaching: settings.Assistant.NoPromptCaching, Sent: r.inspector.sent, PassedTo: r.passedTo(t),
		Clock: r.opt.Clock,
	})
}

// Gauge returns the measure of how much a model takes; always the same for one model.
func (r *Registry) Gauge(model llm.Model) *agent.Gauge { return r.clients.gauge(model) }

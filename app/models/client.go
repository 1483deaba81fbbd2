package models

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
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

// SentRequest is one request of a turn, byte for byte as it was sent to a model's server.
// Secrets are removed before a request is sent.
type SentRequest struct {
	llm.SentRequest
	llm.Outcome        // zero until the server begins to answer
	Turn        string // id of the turn
	Size        int    // of the body, in bytes
	Dropped     bool   // Body is no longer kept: see inspectBytes
}

// How many turns are kept, and how much of what they sent.
const (
	inspectTurns = 20
	inspectBytes = 8 << 20
)

// inspector keeps what was last sent to models, in memory only: the chats are the one place
// that saves what the user asks. The zero value is ready to use.
type inspector struct {
	mu    sync.Mutex
	turns []inspectedTurn // the oldest first
	bytes int             // of all bodies
}

type inspectedTurn struct {
	chat, turn string
	sent       []SentRequest
}

// inspectedKey is the key of a context's turn.
type inspectedKey struct{}

// InTurn returns a context whose requests are recorded as those of a turn.
func InTurn(ctx context.Context, chat, turn string) context.Context {
	return context.WithValue(ctx, inspectedKey{}, inspectedTurn{chat: chat, turn: turn})
}

// sent is [llm.Options].Sent. A request outside a turn, such as a model's test, is not kept.
func (i *inspector) sent(ctx context.Context, s llm.SentRequest) func(llm.Outcome) {
	of, ok := ctx.Value(inspectedKey{}).(inspectedTurn)
	if !ok {
		return nil
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	turn := i.find(of)
	turn.sent = append(turn.sent, SentRequest{SentRequest: s, Turn: of.turn, Size: len(s.Body)})
	nth := len(turn.sent) - 1
	i.bytes += len(s.Body)
	i.dropBodies()
	return func(o llm.Outcome) {
		i.mu.Lock()
		defer i.mu.Unlock()
		// The turn may have been dropped meanwhile.
		if at := i.index(of); at >= 0 && nth < len(i.turns[at].sent) {
			i.turns[at].sent[nth].Outcome = o
		}
	}
}

func (i *inspector) index(of inspectedTurn) int {
	return slices.IndexFunc(i.turns, func(t inspectedTurn) bool { return t.chat == of.chat && t.turn == of.turn })
}

func (i *inspector) find(of inspectedTurn) *inspectedTurn {
	if at := i.index(of); at >= 0 {
		return &i.turns[at]
	}
	if len(i.turns) == inspectTurns {
		for _, s := range i.turns[0].sent {
			i.bytes -= len(s.Body)
		}
		i.turns = slices.Delete(i.turns, 0, 1)
	}
	i.turns = append(i.turns, of)
	return &i.turns[len(i.turns)-1]
}

// dropBodies drops the oldest bodies until the rest fits into inspectBytes. The request and
// its size are still returned.
func (i *inspector) dropBodies() {
	for t := range i.turns {
		for r := range i.turns[t].sent {
			if i.bytes <= inspectBytes {
				return
			}
			s := &i.turns[t].sent[r]
			i.bytes -= len(s.Body)
			s.Dropped = s.Dropped || s.Body != nil
			s.Body = nil
		}
	}
}

// Sent returns the requests for a turn of a chat, by its id, or for the whole chat if turn
// is "", oldest first. Only the last 20 turns of this run of the program are kept. There are
// none for the built-in model.
func (r *Registry) Sent(chat, turn string) []SentRequest {
	r.inspector.mu.Lock()
	defer r.inspector.mu.Unlock()
	var out []SentRequest
	for _, t := range r.inspector.turns {
		if t.chat == chat && (turn == "" || t.turn == turn) {
			out = append(out, t.sent...)
		}
	}
	return out
}

// Package models manages the models that can answer: which there are and which is chosen,
// what is known of each, its key, what was sent to it, and what keeps it from answering. It
// needs no store, so that it works beside an open window:
//
//	r := models.New(models.Options{Places: places, Settings: func() config.Settings { return settings }})
//	defer r.Close()
//	client, err := r.Client(ctx, models.Choice{ID: "ollama:qwen3:8b"})
//
// It leaves the protocols of servers to llm, and prompts and tools to app/agent.
package models

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// Options are what a Registry works with. Places and Settings are required.
type Options struct {
	Places   config.Places
	Settings func() config.Settings // the current ones
	Getenv   func(string) string    // where API keys may be; default os.Getenv
	Now      func() time.Time       // default time.Now
	Logger   *slog.Logger           // default: discard
	Redactor *agent.Redactor        // receives every key; default: a new one
	// KeysPassword asks the user for the password of the key file when a key in it is
	// needed; again: the previous answer was wrong. Nil: nobody is asked, and the key stays
	// locked (see UnlockKeys).
	KeysPassword func(ctx context.Context, again bool) (string, error)
	// Remember saves what is found out about models in Places.Data, and starts with what
	// earlier runs have saved.
	Remember bool

	LocalBase func(provider string) string // where LocalServers looks; default: the provider's own address
	Clock     llm.Clock                    // of the requests; default: this computer's
}

// Registry manages the models. Its methods may be called from any goroutine.
type Registry struct {
	opt       Options
	memory    memory
	clients   clients
	keys      runKeys
	keyFile   *config.KeyFile
	keyring   config.Keyring
	asking    asking
	knowsKept atomic.Bool // see knowKept
	inspector inspector
	keepHere  atomic.Bool // see KeepHere
}

// New returns a Registry. Its redactor receives the keys in the environment now, and others
// when they are looked up or entered.
func New(o Options) *Registry {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Redactor == nil {
		o.Redactor = agent.NewRedactor()
	}
	o.Redactor.Know(o.Getenv(EnvKeysPassword))
	for _, p := range llm.Providers() {
		for _, name := range p.KeyEnv {
			o.Redactor.Know(o.Getenv(name))
		}
	}
	r := &Registry{opt: o, keyFile: config.NewKeyFile(o.Places.Keys, o.Now), keyring: config.NewKeyring()}
	if o.Remember {
		r.memory.open(o.Places.Data, o.Logger, o.Redactor.JSON)
	}
	return r
}

// Close closes idle connections; those in use are closed when their requests end.
func (r *Registry) Close() { r.clients.close() }

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

// LocalOnlyError is returned if the settings allow no text to leave this computer
// ([config.Assistant].LocalOnly) and the model is elsewhere.
type LocalOnlyError struct {
	Provider string // its name for people: "OpenRouter"
	Host     string // where the text would have been sent
}

func (e *LocalOnlyError) Error() string {
	return fmt.Sprintf("%s was not asked: text would go to %s, and the settings keep it on this computer. "+
		"Choose a model that runs here or builtin:digest, or switch \"never send\" off (local_only in the settings)", e.Provider, e.Host)
}

// KeepHere keeps text on this computer from now on, even before that is saved in the
// settings and if it cannot be; false leaves it to the settings again.
func (r *Registry) KeepHere(on bool) { r.keepHere.Store(on) }

func (r *Registry) onlyHere() bool { return r.keepHere.Load() || r.opt.Settings().Assistant.LocalOnly }

// StaysHere reports whether text for a model stays on this computer, as far as is known
// without asking its server.
func (r *Registry) StaysHere(choice Choice) bool {
	choice = r.Settled(choice)
	if choice.ID == config.DefaultModel {
		return true
	}
	t, err := choice.target()
	return err == nil && r.staysHere(t)
}

func (r *Registry) staysHere(t target) bool {
	return llm.OnThisComputer(t.base) && r.passedTo(t) == ""
}

// passedTo returns the host to which a server on this computer passes on what it is sent
// for a model; "" if it answers itself.
func (r *Registry) passedTo(t target) string {
	if host := t.provider.PassesOn(t.at.model); host != "" || !r.memory.model(t.at).Own.Elsewhere {
		return host
	}
	return cmp.Or(t.provider.Cloud, "another server")
}

// mayAsk returns a *LocalOnlyError if the settings allow no text to be sent to a model.
// Another computer in the same network is not this one.
func (r *Registry) mayAsk(t target) error {
	if !r.onlyHere() || r.staysHere(t) {
		return nil
	}
	host := r.passedTo(t)
	if host == "" {
		host, _ = hostOf(t.base)
	}
	host = cmp.Or(host, strings.TrimSpace(t.base))
	return &LocalOnlyError{Provider: t.provider.Title, Host: host}
}

// gate checks before each request, so that a setting that is changed during a turn applies
// to the turn's next step.
type gate struct {
	next  http.RoundTripper
	check func() error
}

func (g gate) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.check(); err != nil {
		return nil, &netsafe.Error{Kind: netsafe.Refused, Op: "ask", Host: r.URL.Host, Err: err}
	}
	return g.next.RoundTrip(r)
}

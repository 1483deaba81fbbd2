// Package models knows the models that can answer: which there are, which of them is
// chosen, what is known of it, where its key is, what was sent to it, and what stands in
// the way. It needs no store, so that it works beside an open window:
//
//	r := models.New(models.Options{Places: places, Settings: func() config.Settings { return settings }})
//	defer r.Close()
//	client, err := r.Client(ctx, models.Choice{ID: "ollama:qwen3:8b"})
//
// How a model is spoken to is the business of llm; what it is told, that of app/agent.
package models

import (
	"context"
	"log/slog"
	"os"
	"sync/atomic"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/llm"
)

// Options are what a Registry works with. Places and Settings are required.
type Options struct {
	Places   config.Places
	Settings func() config.Settings // those that hold now
	Getenv   func(string) string    // where API keys may stand; default os.Getenv
	Now      func() time.Time       // default time.Now
	Logger   *slog.Logger           // default: discard
	Redactor *agent.Redactor        // hears of each key; default: one of its own
	// KeysPassword asks the user for the password of the file of keys, when a key in it
	// is needed; again: what was said before was wrong. Nil: nobody is asked, and the
	// key is locked (see UnlockKeys).
	KeysPassword func(ctx context.Context, again bool) (string, error)
	// Remember keeps what is found out about models in Places.Data, and begins with what
	// an earlier run has found out.
	Remember bool

	LocalBase func(provider string) string // where LocalServers looks; default: the provider's own place
	Clock     llm.Clock                    // of the requests; default: this computer's
}

// Registry is what is known of models. Its methods may be called from any goroutine.
type Registry struct {
	opt       Options
	memory    memory
	clients   clients
	keys      runKeys
	keyFile   *config.KeyFile
	keyring   config.Keyring
	asking    asking
	knowsKept atomic.Bool // the redactor knows the keys that were entered in earlier runs
	inspector inspector
	keepHere  atomic.Bool // the switch of the settings, LocalOnly, before it is saved
}

// New returns a Registry. From now on its redactor knows the keys that stand in the
// environment; the others it hears of when they are looked up or entered.
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

// Close closes the connections that nobody uses; those of requests under way close when
// these end.
func (r *Registry) Close() { r.clients.close() }

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

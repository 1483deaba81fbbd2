package app

import (
	"context"
	"errors"
	"log/slog"
	"sync"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/llm"
)

// newRedactor returns what cuts secrets out of all that leaves the program or is
// kept: one for the models, the chats and the log. It knows the API keys that stand
// in the environment; the others it is told of when they are looked up or entered.
func newRedactor(getenv func(string) string, own ...agent.SecretHash) *agent.Redactor {
	r := agent.NewRedactor(own...)
	r.Know(getenv(EnvKeysPassword))
	for _, p := range llm.Providers() {
		for _, name := range p.KeyEnv {
			r.Know(getenv(name))
		}
	}
	return r
}

// redactedLog returns a log that no secret reaches.
func redactedLog(r *agent.Redactor, log *slog.Logger) *slog.Logger {
	return slog.New(r.Handler(log.Handler()))
}

// keptKeys says whether the redactor knows the keys that were entered in earlier runs.
// The zero value is ready.
type keptKeys struct {
	mu    sync.Mutex
	known bool
}

// knowKept tells the redactor, once, of the keys of all servers: one that is not asked
// in this run has a key too, which may be pasted into a question. A keyring that does
// not answer is tried again at the next question.
func (a *App) knowKept(ctx context.Context) {
	a.kept.mu.Lock()
	known := a.kept.known
	a.kept.mu.Unlock()
	if known {
		return
	}
	// Without the lock: nobody waits for a keyring longer than their own context.
	for host := range a.keyHosts() {
		secret, err := a.keyring.ModelKey(ctx, host)
		switch {
		case err == nil:
			a.redactor.Know(secret.Reveal())
		case !errors.Is(err, config.ErrNoSecret):
			return
		}
	}
	a.kept.mu.Lock()
	a.kept.known = true
	a.kept.mu.Unlock()
}

// keyHosts returns the hosts that a key may have been entered for.
func (a *App) keyHosts() map[string]bool {
	hosts := map[string]bool{}
	add := func(base string) {
		if host, err := hostOf(base); err == nil {
			hosts[host] = true
		}
	}
	for _, p := range llm.Providers() {
		add(p.BaseURL)
	}
	s := a.Settings()
	add(s.Assistant.BaseURL)
	for _, m := range s.Models {
		add(m.BaseURL)
	}
	return hosts
}

package models

import (
	"context"
	"errors"
	"sync"

	"bowerbird/app/config"
	"bowerbird/llm"
)

// keptKeys says whether the redactor knows the keys that were entered in earlier runs.
// The zero value is ready.
type keptKeys struct {
	mu    sync.Mutex
	known bool
}

// knowKept tells the redactor, once, of the keys of all servers: one that is not asked
// in this run has a key too, which may be pasted into a question. A keyring that does
// not answer is tried again at the next question.
func (r *Registry) knowKept(ctx context.Context) {
	r.kept.mu.Lock()
	known := r.kept.known
	r.kept.mu.Unlock()
	if known {
		return
	}
	// Without the lock: nobody waits for a keyring longer than their own context.
	for host := range r.keyHosts() {
		secret, err := r.keyring.ModelKey(ctx, host)
		switch {
		case err == nil:
			r.opt.Redactor.Know(secret.Reveal())
		case !errors.Is(err, config.ErrNoSecret):
			return
		}
	}
	r.kept.mu.Lock()
	r.kept.known = true
	r.kept.mu.Unlock()
}

// keyHosts returns the hosts that a key may have been entered for.
func (r *Registry) keyHosts() map[string]bool {
	hosts := map[string]bool{}
	add := func(base string) {
		if host, err := hostOf(base); err == nil {
			hosts[host] = true
		}
	}
	for _, p := range llm.Providers() {
		add(p.BaseURL)
	}
	s := r.opt.Settings()
	add(s.Assistant.BaseURL)
	for _, m := range s.Models {
		add(m.BaseURL)
	}
	return hosts
}

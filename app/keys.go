package app

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"bowerbird/app/config"
	"bowerbird/app/llm"
)

// KeyPlace is where the key for a model's server is.
type KeyPlace string

// The places.
const (
	KeyNowhere       KeyPlace = ""
	KeyInKeyring     KeyPlace = "keyring"
	KeyInEnvironment KeyPlace = "environment" // set outside; it can be neither changed nor removed here
	KeyInMemory      KeyPlace = "memory"      // until the program ends: this computer has no keyring
)

// runKeys are keys for this run alone, by host. The zero value is ready.
type runKeys struct {
	mu   sync.Mutex
	keys map[string]config.Secret
}

func (r *runKeys) get(host string) config.Secret {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.keys[strings.ToLower(host)]
}

func (r *runKeys) set(host string, key config.Secret) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.keys == nil {
		r.keys = map[string]config.Secret{}
	}
	if key.IsZero() {
		delete(r.keys, strings.ToLower(host))
		return
	}
	r.keys[strings.ToLower(host)] = key
}

// maxKey is how long a key may be, in bytes: a keyring of Windows takes no more.
const maxKey = 2000

// SetModelKey keeps the key for a provider's server, at baseURL where it is not the
// provider's own. Without a keyring it is kept in memory until the program ends;
// the place that is returned says so. The key is sent to that server alone.
func (a *App) SetModelKey(ctx context.Context, provider, baseURL, key string) (KeyPlace, error) {
	host, err := a.keyHost(provider, baseURL)
	if err != nil {
		return KeyNowhere, err
	}
	secret := config.NewSecret(key)
	switch {
	case secret.IsZero():
		return KeyNowhere, argumentf("key", "no key was given")
	case len(secret.Reveal()) > maxKey || strings.ContainsFunc(secret.Reveal(), func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		// Never quoted: what was pasted may be another secret.
		return KeyNowhere, argumentf("key", "this is no key: it has spaces or characters that no key has, or it is too long")
	}
	a.redactor.Know(secret.Reveal())
	if err = (config.Keyring{}).SetModelKey(ctx, host, secret); err == nil {
		a.keys.set(host, config.Secret{})
		return KeyInKeyring, nil
	}
	if !errors.Is(err, config.ErrNoKeyring) || ctx.Err() != nil {
		return KeyNowhere, err
	}
	a.keys.set(host, secret)
	return KeyInMemory, nil
}

// RemoveModelKey forgets the key for a provider's server. That there is none is no
// error.
func (a *App) RemoveModelKey(ctx context.Context, provider, baseURL string) error {
	host, err := a.keyHost(provider, baseURL)
	if err != nil {
		return err
	}
	inMemory := !a.keys.get(host).IsZero()
	a.keys.set(host, config.Secret{})
	err = (config.Keyring{}).SetModelKey(ctx, host, config.Secret{})
	if errors.Is(err, config.ErrNoSecret) || inMemory && errors.Is(err, config.ErrNoKeyring) {
		return nil
	}
	return err
}

// ModelKeyPlace returns where the key for a provider's server is. The error is that
// of a keyring that does not answer.
func (a *App) ModelKeyPlace(ctx context.Context, provider, baseURL string) (KeyPlace, error) {
	baseURL = a.settle(ModelChoice{ID: provider + ":?", BaseURL: baseURL}).BaseURL
	row, base, err := server(provider, baseURL)
	if err != nil {
		return KeyNowhere, err
	}
	_, place, err := a.findKey(ctx, row, base)
	return place, err
}

func (a *App) keyHost(provider, baseURL string) (string, error) {
	return ServerHost(provider, baseURL, a.Settings())
}

// modelKey finds the key for a server, or says why a server that needs one has none.
func (a *App) modelKey(ctx context.Context, p llm.Provider, base string) (llm.Key, error) {
	key, _, err := a.findKey(ctx, p, base)
	switch {
	case !key.IsZero() || !p.NeedsKey:
		return key, nil // most servers at home want none; no keyring is no reason to stop
	case err == nil && keyInEnv(p, base):
		return key, fmt.Errorf("%s needs an API key: run \"bowerbird model key %s\", or set %s", p.Title, p.Name, p.KeyEnv[0])
	case err == nil:
		return key, fmt.Errorf("%s needs an API key: run \"bowerbird model key %s --base-url %s\"", p.Title, p.Name, originOf(base))
	case keyInEnv(p, base):
		return key, fmt.Errorf("%w; set %s instead", err, p.KeyEnv[0])
	}
	return key, err
}

// keyInEnv reports whether a key from the environment is used for a server. It was
// entered for the provider's own host, so no other gets it, unless the provider has
// none.
func keyInEnv(p llm.Provider, base string) bool {
	if len(p.KeyEnv) == 0 {
		return false
	}
	host, err := hostOf(base)
	own, ownErr := hostOf(p.BaseURL)
	return err == nil && (p.BaseURL == "" || ownErr == nil && own == host)
}

// findKey looks for a server's key in the environment, in memory and in the keyring.
// Whatever is found is cut out of all that leaves or is kept from now on.
func (a *App) findKey(ctx context.Context, p llm.Provider, base string) (llm.Key, KeyPlace, error) {
	host, err := hostOf(base)
	if err != nil {
		return llm.Key{}, KeyNowhere, err
	}
	if keyInEnv(p, base) {
		for _, name := range p.KeyEnv {
			if value := a.opt.Getenv(name); value != "" {
				a.redactor.Know(value)
				return llm.NewKey(value, host), KeyInEnvironment, nil
			}
		}
	}
	if secret := a.keys.get(host); !secret.IsZero() {
		return llm.NewKey(secret.Reveal(), host), KeyInMemory, nil
	}
	secret, err := config.Keyring{}.ModelKey(ctx, host)
	if errors.Is(err, config.ErrNoSecret) {
		return llm.Key{}, KeyNowhere, nil
	}
	if err != nil {
		return llm.Key{}, KeyNowhere, err
	}
	a.redactor.Know(secret.Reveal())
	return llm.NewKey(secret.Reveal(), host), KeyInKeyring, nil
}

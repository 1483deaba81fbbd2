package models

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"bowerbird/app/config"
	"bowerbird/llm"
)

// KeyPlace is where the key for a model's server is stored.
type KeyPlace string

// The places.
const (
	KeyNowhere       KeyPlace = ""
	KeyInKeyring     KeyPlace = "keyring"
	KeyInEnvironment KeyPlace = "environment" // it can be neither changed nor removed here
	KeyInFile        KeyPlace = "file"        // the key file, if this computer has no keyring
	KeyInMemory      KeyPlace = "memory"      // until the program ends, if there is neither a keyring nor an unlocked key file
)

// runKeys holds keys for this run only, by host. The zero value is ready to use.
type runKeys struct{ sync.Map }

func (r *runKeys) get(host string) config.Secret {
	key, _ := r.Load(strings.ToLower(host))
	secret, _ := key.(config.Secret)
	return secret
}

func (r *runKeys) set(host string, key config.Secret) {
	if key.IsZero() {
		r.Delete(strings.ToLower(host))
		return
	}
	r.Store(strings.ToLower(host), key)
}

// maxKey is the maximum length of a key in bytes, near the limit of the Windows keyring.
const maxKey = 2000

// SetKey stores the key for a provider's server, at baseURL if that is not the provider's
// own, and returns where: in the keyring; without one in the key file, if it is unlocked;
// otherwise in memory until the program ends. The key is sent to no other server.
func (r *Registry) SetKey(ctx context.Context, provider, baseURL, key string) (KeyPlace, error) {
	host, err := r.keyHost(provider, baseURL)
	if err != nil {
		return KeyNowhere, err
	}
	secret := config.NewSecret(key)
	switch {
	case secret.IsZero():
		return KeyNowhere, config.Argumentf("key", "no key was given")
	case len(secret.Reveal()) > maxKey || strings.ContainsFunc(secret.Reveal(), func(r rune) bool { return r <= ' ' || r >= 0x7f }):
		// The text is not quoted: it may be another secret, pasted by mistake.
		return KeyNowhere, config.Argumentf("key", "this is no key: it has spaces or characters that no key has, or it is too long")
	}
	return r.keep(ctx, host, secret)
}

// SetSecret stores a secret that belongs to no model's server, as SetKey stores keys. Its
// name is no host: "mcp:weather/API_KEY".
func (r *Registry) SetSecret(ctx context.Context, name, value string) (KeyPlace, error) {
	if value == "" || len(value) > maxKey {
		return KeyNowhere, config.Argumentf("secret", "want 1 to %d characters", maxKey)
	}
	return r.keep(ctx, name, config.NewSecret(value))
}

// Secret returns what SetSecret stored; zero if that is nothing.
func (r *Registry) Secret(ctx context.Context, name string) (config.Secret, error) {
	secret, _, err := r.keptKey(ctx, name)
	if !secret.IsZero() {
		r.opt.Redactor.Know(secret.Reveal())
	}
	return secret, err
}

// RemoveSecret removes what SetSecret stored; that it is nothing is not an error.
func (r *Registry) RemoveSecret(ctx context.Context, name string) error { return r.forget(ctx, name) }

// keep stores a secret under a host, or another name.
func (r *Registry) keep(ctx context.Context, host string, secret config.Secret) (KeyPlace, error) {
	r.opt.Redactor.Know(secret.Reveal())
	err := r.keyring.SetModelKey(ctx, host, secret)
	if err == nil {
		r.keys.set(host, config.Secret{})
		return KeyInKeyring, nil
	}
	if !errors.Is(err, config.ErrNoKeyring) {
		return KeyNowhere, err
	}
	if state, _ := r.keyFile.State(); state == config.KeyFileOpen {
		if err := r.keyFile.SetModelKey(host, secret); err != nil {
			return KeyNowhere, err
		}
		r.keys.set(host, config.Secret{})
		return KeyInFile, nil
	}
	r.keys.set(host, secret)
	return KeyInMemory, nil
}

// RemoveKey removes the key for a provider's server; that there is none is not an error.
func (r *Registry) RemoveKey(ctx context.Context, provider, baseURL string) error {
	host, err := r.keyHost(provider, baseURL)
	if err != nil {
		return err
	}
	return r.forget(ctx, host)
}

// forget removes the secret under a host, or another name.
func (r *Registry) forget(ctx context.Context, host string) error {
	removed := !r.keys.get(host).IsZero()
	r.keys.set(host, config.Secret{})
	inFile := r.keyFile.SetModelKey(host, config.Secret{})
	switch {
	case inFile == nil:
		removed = true
	case errors.Is(inFile, config.ErrNoSecret):
		inFile = nil
	}
	// Even if the file cannot be read, so that as much as possible is removed.
	err := r.keyring.SetModelKey(ctx, host, config.Secret{})
	if errors.Is(err, config.ErrNoSecret) || removed && errors.Is(err, config.ErrNoKeyring) {
		err = nil
	}
	return errors.Join(inFile, err)
}

// KeyPlace returns where the key for a provider's server is stored. Errors: those of a
// keyring that does not answer, and of a key file that is locked ([config.ErrKeysLocked])
// or damaged.
func (r *Registry) KeyPlace(ctx context.Context, provider, baseURL string) (KeyPlace, error) {
	t, err := r.Settled(anyModel(provider, baseURL)).target()
	if err != nil {
		return KeyNowhere, err
	}
	_, place, err := r.findKey(ctx, t.provider, t.base)
	return place, err
}

func (r *Registry) keyHost(provider, baseURL string) (string, error) {
	return ServerHost(provider, baseURL, r.opt.Settings())
}

// KeyFile returns the state of the key file, [config.Places].Keys, which stores keys under a
// password on a computer without a keyring. The error says what is wrong with a damaged one.
func (r *Registry) KeyFile() (config.KeyFileState, error) { return r.keyFile.State() }

// CreateKeyFile makes the key file and moves the keys that were entered in this run into
// it. If there is one already it returns [config.ErrKeyFileThere]; a damaged one is renamed.
// It takes up to a second, as do UnlockKeys and ChangeKeyPassword.
func (r *Registry) CreateKeyFile(password string) error {
	if err := r.keyFile.Create(password); err != nil {
		return err
	}
	return r.keepRunKeys()
}

// UnlockKeys unlocks the key file until the program ends and moves the keys that were
// entered in this run into it. Errors: [config.ErrWrongPassword] among others.
func (r *Registry) UnlockKeys(password string) error {
	if err := r.keyFile.Unlock(password); err != nil {
		return err
	}
	for _, key := range r.keyFile.Open() {
		r.opt.Redactor.Know(key.Reveal())
	}
	return r.keepRunKeys()
}

// ChangeKeyPassword changes the password of the key file.
func (r *Registry) ChangeKeyPassword(old, password string) error {
	return r.keyFile.ChangePassword(old, password)
}

// SetKeyFileAside renames a key file whose password is forgotten, so that another can be
// created, and returns its new path.
func (r *Registry) SetKeyFileAside() (to string, err error) { return r.keyFile.SetAside() }

func (r *Registry) keepRunKeys() error {
	var errs []error
	for host := range r.keys.Range {
		if err := r.keyFile.SetModelKey(host.(string), r.keys.get(host.(string))); err != nil {
			errs = append(errs, err)
			continue
		}
		r.keys.Delete(host)
	}
	return errors.Join(errs...)
}

// Environment variables.
const (
	// EnvAPIHost names the host, with its port if the address has one, that
	// BOWERBIRD_API_KEY is for: the provider "custom" has no host of its own, and a key is
	// only ever sent to the host that it was entered for.
	EnvAPIHost = "BOWERBIRD_API_HOST"
	// EnvKeysPassword unlocks the key file in scripts.
	EnvKeysPassword = "BOWERBIRD_KEYS_PASSWORD"
)

// modelKey finds the key for a server. If a server needs one and there is none, the error
// says what to do; other servers are asked without a key.
func (r *Registry) modelKey(ctx context.Context, p llm.Provider, base string) (llm.Key, error) {
	key, place, err := r.findKey(ctx, p, base)
	switch {
	case !key.IsZero():
		return key, nil
	case ctx.Err() != nil:
		return key, cmp.Or(err, ctx.Err())
	case err != nil && place == KeyInFile, errors.Is(err, errNoAPIHost):
		return key, err // there may be a key for this server
	case !p.NeedsKey:
		return key, nil // a missing keyring must not get in the way of local servers
	case err == nil && r.keyInEnv(p, base):
		return key, fmt.Errorf("%s needs an API key: run \"bowerbird model key %s\", or set %s", p.Title, p.Name, p.KeyEnv[0])
	case err == nil:
		return key, fmt.Errorf("%s needs an API key: run \"bowerbird model key %s --base-url %s\"", p.Title, p.Name, origin(base))
	case r.keyInEnv(p, base):
		return key, fmt.Errorf("%w; run \"bowerbird model key %s\" to keep the key in a file under a password, or set %s", err, p.Name, p.KeyEnv[0])
	}
	return key, err
}

// keyInEnv reports whether a key from the environment may be sent to a server: the
// provider's own, or if the provider has none, the one that EnvAPIHost names.
func (r *Registry) keyInEnv(p llm.Provider, base string) bool {
	if len(p.KeyEnv) == 0 {
		return false
	}
	host, err := hostOf(base)
	if err != nil {
		return false
	}
	if p.BaseURL == "" {
		return strings.EqualFold(r.envHost(), host)
	}
	own, err := hostOf(p.BaseURL)
	return err == nil && own == host
}

// envHost returns the host in EnvAPIHost, which may also be an address.
func (r *Registry) envHost() string {
	host := strings.TrimSpace(r.opt.Getenv(EnvAPIHost))
	if strings.Contains(host, "://") {
		host, _ = hostOf(host)
	}
	return strings.TrimSuffix(host, "/")
}

var errNoAPIHost = errors.New("there is a key in the environment, but it is not known for which host it is")

// findKey looks for a server's key in the environment, in memory, in the keyring and in the
// key file. The redactor removes what is found from everything that is sent or saved.
func (r *Registry) findKey(ctx context.Context, p llm.Provider, base string) (llm.Key, KeyPlace, error) {
	host, err := hostOf(base)
	if err != nil {
		return llm.Key{}, KeyNowhere, err
	}
	if value := r.envKey(p); value != "" && r.keyInEnv(p, base) {
		r.opt.Redactor.Know(value)
		return llm.NewKey(value, host), KeyInEnvironment, nil
	}
	secret, place, err := r.keptKey(ctx, host)
	if secret.IsZero() {
		if err == nil && p.BaseURL == "" && r.envKey(p) != "" && r.envHost() == "" {
			err = fmt.Errorf("%w: set %s=%s if it is for this one, or unset %s", errNoAPIHost, EnvAPIHost, host, p.KeyEnv[0])
		}
		return llm.Key{}, place, err
	}
	r.opt.Redactor.Know(secret.Reveal())
	return llm.NewKey(secret.Reveal(), host), place, nil
}

func (r *Registry) envKey(p llm.Provider) string {
	for _, name := range p.KeyEnv {
		if value := r.opt.Getenv(name); value != "" {
			return value
		}
	}
	return ""
}

// keptKey returns the key for a host that the user has entered; that there is none is not
// an error.
func (r *Registry) keptKey(ctx context.Context, host string) (config.Secret, KeyPlace, error) {
	if secret := r.keys.get(host); !secret.IsZero() {
		return secret, KeyInMemory, nil
	}
	secret, err := r.keyring.ModelKey(ctx, host)
	if err == nil {
		return secret, KeyInKeyring, nil
	}
	if ctx.Err() != nil { // nobody is waiting any more: do not ask for a password
		return config.Secret{}, KeyNowhere, err
	}
	inFile, fileErr := r.keyOfFile(ctx, host)
	switch {
	case fileErr == nil:
		return inFile, KeyInFile, nil
	case !errors.Is(fileErr, config.ErrNoSecret):
		return config.Secret{}, KeyInFile, fileErr
	case errors.Is(err, config.ErrNoSecret):
		return config.Secret{}, KeyNowhere, nil
	}
	return config.Secret{}, KeyNowhere, err
}

// keyOfFile returns a host's key from the key file, which it unlocks with the password from
// the environment or from the user.
func (r *Registry) keyOfFile(ctx context.Context, host string) (config.Secret, error) {
	secret, err := r.keyFile.ModelKey(host)
	if !errors.Is(err, config.ErrKeysLocked) {
		return secret, err
	}
	if password := r.opt.Getenv(EnvKeysPassword); password != "" {
		if err := r.UnlockKeys(password); err != nil {
			return secret, fmt.Errorf("%s, opened with %s: %w", r.opt.Places.Keys, EnvKeysPassword, err)
		}
	} else if err := r.askPassword(ctx); err != nil {
		return secret, err
	}
	return r.keyFile.ModelKey(host)
}

const passwordTries = 3

// askPassword asks the user for the password of the key file, once in a run: somebody who
// did not enter it is not asked again at the next look-up.
func (r *Registry) askPassword(ctx context.Context) error {
	if r.opt.KeysPassword == nil {
		return config.ErrKeysLocked
	}
	r.asking.mu.Lock()
	defer r.asking.mu.Unlock()
	if r.asking.failed != nil {
		return r.asking.failed
	}
	if state, err := r.keyFile.State(); err != nil || state == config.KeyFileOpen { // unlocked by another look-up meanwhile
		return err
	}
	var err error
	for try := range passwordTries {
		var password string
		if password, err = r.opt.KeysPassword(ctx, try > 0); err != nil {
			break
		}
		if err = r.UnlockKeys(password); !errors.Is(err, config.ErrWrongPassword) {
			break
		}
	}
	r.asking.failed = err
	return err
}

type asking struct {
	mu     sync.Mutex // held while the user is asked
	failed error
}

// knowKept passes the stored keys of all servers to the redactor, once: a key that is not
// used in this run may be pasted into a question too. A keyring that does not answer is
// tried again at the next question.
func (r *Registry) knowKept(ctx context.Context) {
	if r.knowsKept.Load() {
		return
	}
	for host := range r.keyHosts() {
		secret, err := r.keyring.ModelKey(ctx, host)
		switch {
		case err == nil:
			r.opt.Redactor.Know(secret.Reveal())
		case !errors.Is(err, config.ErrNoSecret):
			return
		}
	}
	r.knowsKept.Store(true)
}

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

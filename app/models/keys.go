package models

import (
	"context"
	"errors"
	"strings"
	"sync"

	"bowerbird/app/config"
)

// KeyPlace is where the key for a model's server is.
type KeyPlace string

// The places.
const (
	KeyNowhere       KeyPlace = ""
	KeyInKeyring     KeyPlace = "keyring"
	KeyInEnvironment KeyPlace = "environment" // set outside; it can be neither changed nor removed here
	KeyInFile        KeyPlace = "file"        // under a password: this computer has no keyring
	KeyInMemory      KeyPlace = "memory"      // until the program ends: there is neither keyring nor an open file
)

// runKeys are keys for this run alone, by host. The zero value is ready.
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

// maxKey is how long a key may be, in bytes: a keyring of Windows takes no more.
const maxKey = 2000

// SetKey keeps the key for a provider's server, at baseURL where it is not the
// provider's own. Without a keyring it is kept in the file of keys if that is open
// (see KeyFile), else in memory until the program ends; the place that is returned
// says so. The key is sent to that server alone.
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
		// Never quoted: what was pasted may be another secret.
		return KeyNowhere, config.Argumentf("key", "this is no key: it has spaces or characters that no key has, or it is too long")
	}
	r.opt.Redactor.Know(secret.Reveal())
	if err = r.keyring.SetModelKey(ctx, host, secret); err == nil {
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

// RemoveKey forgets the key for a provider's server. That there is none is no
// error.
func (r *Registry) RemoveKey(ctx context.Context, provider, baseURL string) error {
	host, err := r.keyHost(provider, baseURL)
	if err != nil {
		return err
	}
	removed := !r.keys.get(host).IsZero()
	r.keys.set(host, config.Secret{})
	inFile := r.keyFile.SetModelKey(host, config.Secret{})
	switch {
	case inFile == nil:
		removed = true
	case errors.Is(inFile, config.ErrNoSecret):
		inFile = nil
	}
	// Also where the file cannot be read: what can be removed is.
	err = r.keyring.SetModelKey(ctx, host, config.Secret{})
	if errors.Is(err, config.ErrNoSecret) || removed && errors.Is(err, config.ErrNoKeyring) {
		err = nil
	}
	return errors.Join(inFile, err)
}

// KeyPlace returns where the key for a provider's server is. The error is that
// of a keyring that does not answer, or says that the file of keys, where it is, is
// locked (config.ErrKeysLocked) or damaged.
func (r *Registry) KeyPlace(ctx context.Context, provider, baseURL string) (KeyPlace, error) {
	baseURL = r.Settled(Choice{ID: provider + ":?", BaseURL: baseURL}).BaseURL
	row, base, err := server(provider, baseURL)
	if err != nil {
		return KeyNowhere, err
	}
	_, place, err := r.findKey(ctx, row, base)
	return place, err
}

func (r *Registry) keyHost(provider, baseURL string) (string, error) {
	return ServerHost(provider, baseURL, r.opt.Settings())
}

// KeyFile returns the state of the file in which keys are kept under a password where
// the computer has no keyring: beside the settings, Places.Keys. The error says what
// is wrong with a damaged one.
func (r *Registry) KeyFile() (config.KeyFileState, error) { return r.keyFile.State() }

// CreateKeyFile makes the file of keys under a password, and puts the keys into it
// that were entered in this run. There may be none yet (ErrKeyFileThere); a damaged
// one is set aside. It takes up to a second, as do UnlockKeys and ChangeKeyPassword.
func (r *Registry) CreateKeyFile(password string) error {
	if err := r.keyFile.Create(password); err != nil {
		return err
	}
	return r.keepRunKeys()
}

// UnlockKeys opens the file of keys until the program ends, and puts the keys into it
// that were entered in this run. ErrWrongPassword says that the password is another.
func (r *Registry) UnlockKeys(password string) error {
	if err := r.keyFile.Unlock(password); err != nil {
		return err
	}
	for _, key := range r.keyFile.Open() {
		r.opt.Redactor.Know(key.Reveal())
	}
	return r.keepRunKeys()
}

// ChangeKeyPassword gives the file of keys another password.
func (r *Registry) ChangeKeyPassword(old, password string) error {
	return r.keyFile.ChangePassword(old, password)
}

// SetKeyFileAside renames the file of keys, whose password is forgotten: its keys are
// lost to Bowerbird until it is put back, and another file can be created. It returns
// where the file is now.
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

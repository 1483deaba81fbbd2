package models

import (
	"context"
	"errors"
	"strings"
	"sync"

	"bowerbird/app/config"
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

// RemoveKey removes the key for a provider's server; that there is none is not an error.
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
	// Even if the file cannot be read, so that as much as possible is removed.
	err = r.keyring.SetModelKey(ctx, host, config.Secret{})
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

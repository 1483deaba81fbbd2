package config

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync/atomic"
	"time"

	"github.com/zalando/go-keyring"
)

// Errors of the keyring.
var (
	ErrNoSecret  = errors.New("no secret stored")
	ErrNoKeyring = errors.New("the system's keyring cannot be used")
)

const (
	keyringService = "bowerbird"
	keyringWait    = 10 * time.Second
)

// Secret is a string that does not print itself.
type Secret struct{ value string }

// NewSecret wraps a value without surrounding white space, which pasted keys have.
func NewSecret(value string) Secret { return Secret{strings.TrimSpace(value)} }

// Reveal returns the value, for the one place that must send or store it.
func (s Secret) Reveal() string { return s.value }

// IsZero reports whether there is no secret.
func (s Secret) IsZero() bool { return s.value == "" }

func (s Secret) String() string { return "[redacted]" }

// GoString keeps %#v from printing the value.
func (s Secret) GoString() string { return "[redacted]" }

// MarshalText keeps encoders from writing the value.
func (s Secret) MarshalText() ([]byte, error) { return []byte("[redacted]"), nil }

// Keyring keeps secrets in the system's keyring, one per host: a key is never given to a
// host that it was not entered for.
//
// A locked keyring may show a prompt, or never answer. A call waits 10 s at most, and no
// longer than its context. The zero value is ready to use; a Keyring made by NewKeyring,
// and its copies, do not wait again for a keyring that has not answered an earlier call
// in that time.
type Keyring struct{ hung *atomic.Int32 }

// NewKeyring returns a Keyring that notices when the system's stops answering.
func NewKeyring() Keyring { return Keyring{new(atomic.Int32)} }

// ModelKey returns the API key stored for a model server's host. Errors: ErrNoSecret,
// that of ctx, and ErrNoKeyring for every other failure, since what a missing or locked
// keyring reports differs between systems.
func (k Keyring) ModelKey(ctx context.Context, host string) (Secret, error) {
	var value string
	err := k.patiently(ctx, func() (err error) {
		value, err = keyring.Get(keyringService, account(host))
		return err
	})
	if err != nil {
		return Secret{}, fmt.Errorf("API key for %s: %w", host, err)
	}
	return NewSecret(value), nil
}

// SetModelKey stores an API key for a host; a zero secret removes it.
func (k Keyring) SetModelKey(ctx context.Context, host string, key Secret) error {
	err := k.patiently(ctx, func() error {
		if key.IsZero() {
			return keyring.Delete(keyringService, account(host))
		}
		return keyring.Set(keyringService, account(host), key.Reveal())
	})
	if err != nil {
		return fmt.Errorf("API key for %s: %w", host, err)
	}
	return nil
}

// hostToken is where the keyring keeps the token of HostToken.
const hostToken = "mcp:token"

// HostToken returns the token by which programs of this computer may read by "bowerbird mcp
// --http". make makes it the first time. Errors as of ModelKey, but for ErrNoSecret.
func (k Keyring) HostToken(ctx context.Context, make func() string) (Secret, error) {
	var value string
	err := k.patiently(ctx, func() (err error) {
		value, err = keyring.Get(keyringService, hostToken)
		if errors.Is(err, keyring.ErrNotFound) {
			value = make()
			err = keyring.Set(keyringService, hostToken, value)
		}
		return err
	})
	if err != nil {
		return Secret{}, fmt.Errorf("token for other programs: %w", err)
	}
	return NewSecret(value), nil
}

// Probe reports whether the keyring answers at all.
func (k Keyring) Probe(ctx context.Context) error {
	err := k.patiently(ctx, func() error {
		_, err := keyring.Get(keyringService, "probe")
		return err
	})
	if errors.Is(err, ErrNoSecret) {
		return nil
	}
	return err
}

func account(host string) string { return "model:" + strings.ToLower(host) }

// patiently runs a keyring call that may hang at a prompt. One that never returns leaves
// its goroutine behind: it cannot be cancelled.
func (k Keyring) patiently(ctx context.Context, call func() error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if k.hung != nil && k.hung.Load() > 0 {
		return fmt.Errorf("%w: it does not answer", ErrNoKeyring)
	}
	done := make(chan error, 1)
	go func() { done <- call() }()
	select {
	case err := <-done:
		return keyringError(err)
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(keyringWait):
	}
	if k.hung != nil {
		k.hung.Add(1)
		go func() {
			<-done
			k.hung.Add(-1)
		}()
	}
	return fmt.Errorf("%w: it does not answer", ErrNoKeyring)
}

// keyringError classifies an error of the keyring.
func keyringError(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNoSecret
	case errors.Is(err, exec.ErrNotFound): // a program that starts a desktop's message bus
		return fmt.Errorf("%w: none runs in this session", ErrNoKeyring)
	}
	return fmt.Errorf("%w: %v", ErrNoKeyring, err)
}

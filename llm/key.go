package llm

import (
	"fmt"
	"log/slog"
	"strings"
)

// Key is an API key for one host. It cannot be printed, logged or marshalled by accident:
// all of these write "[key]", even if the Key is an unexported field of something else.
type Key struct {
	host   string
	secret func() string // a func, because fmt prints unexported fields
}

// NewKey returns a key for a host as in a URL, with its port if it has one. It is never sent
// to another host.
func NewKey(secret, host string) Key {
	secret = strings.TrimSpace(secret)
	if secret == "" {
		return Key{}
	}
	return Key{host: strings.ToLower(host), secret: func() string { return secret }}
}

// IsZero reports whether there is no key.
func (k Key) IsZero() bool { return k.secret == nil }

// Same reports whether two keys are the same, for the same host.
func (k Key) Same(other Key) bool {
	if k.IsZero() || other.IsZero() {
		return k.IsZero() && other.IsZero()
	}
	return k.host == other.host && k.secret() == other.secret()
}

const keyShown = "[key]"

// Format writes "[key]", whatever the verb.
func (k Key) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte(keyShown)) }

// MarshalText returns "[key]".
func (k Key) MarshalText() ([]byte, error) { return []byte(keyShown), nil }

// LogValue returns "[key]".
func (k Key) LogValue() slog.Value { return slog.StringValue(keyShown) }

// redact removes the key from a text.
func (k Key) redact(text string) string {
	if k.IsZero() {
		return text
	}
	return strings.ReplaceAll(text, k.secret(), keyShown)
}

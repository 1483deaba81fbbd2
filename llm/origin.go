package llm

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// dropForeign removes the data of other providers from a request made by
// [toolNames.request]. The user may change the model in the middle of a chat: the next one
// gets the text and calls of the one before, but not what only its provider can read, such
// as signatures and encrypted reasoning.
func (p Provider) dropForeign(req *Request, model string) {
	for i := range req.Messages {
		m := &req.Messages[i]
		if p.wrote(m.By, model) {
			continue
		}
		m.Echo, m.Reasoning = nil, ""
		for j := range m.Calls {
			m.Calls[j].Extra = nil
		}
	}
}

// wrote reports whether a message is by a model of this provider; without [Message].By, it
// is. A provider without a fixed address may be any server, so there the model must be the
// same.
func (p Provider) wrote(by, model string) bool {
	if by == "" {
		return true
	}
	provider, name, err := ParseModelID(by)
	return err == nil && provider == p.Name && (p.BaseURL != "" || name == model)
}

// standIns replace data that a provider requires with each message, for messages of another
// provider.
type standIns struct {
	// reasoning adds an empty reasoning_content to messages of the assistant that have none:
	// DeepSeek refuses a history without it while it thinks.
	reasoning bool
	// call is the extra_content of a message's first call if no call has any. Models whose
	// names begin with one of before do not support it.
	call   json.RawMessage
	before []string
}

// extras returns the extra_content of each call of a message; nil for none.
func (s standIns) extras(m *Message, model string) []json.RawMessage {
	out := make([]json.RawMessage, len(m.Calls))
	given := false
	for i, c := range m.Calls {
		if present(c.Extra) {
			out[i], given = c.Extra, true
		}
	}
	name := strings.TrimPrefix(model, "models/")
	older := slices.ContainsFunc(s.before, func(start string) bool { return strings.HasPrefix(name, start) })
	if !given && !older && len(out) > 0 {
		out[0] = s.call
	}
	return out
}

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

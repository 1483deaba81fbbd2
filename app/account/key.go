// Package account parses people's keys in every form: npub, nprofile, hex, and NIP-05
// names, which it looks up.
//
//	key, err := account.Resolve(ctx, client, "ada@example.com")
//
// A secret key is refused and never repeated, in an error or anywhere else, and a key is
// only ever one that was written, or one that the name's own domain returned.
package account

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// ErrNotAKey is returned for a text that is not a key in any form.
var ErrNotAKey = errors.New("not a key")

// More specific errors; each comes with ErrNotAKey.
var (
	ErrANote    = errors.New("it names a note, not a person")
	ErrMistyped = errors.New("it is mistyped")
)

// Key is a person's public key, and where their notes may be found.
type Key struct {
	PubKey nostr.PubKey
	Relays []string // hints of an nprofile or of NIP-05, unchecked
	Name   string   // the NIP-05 name that was looked up; "" for none
}

// Fetcher gets a document; *netsafe.Client is one.
type Fetcher interface {
	Fetch(ctx context.Context, r netsafe.Request) ([]byte, error)
}

// Resolve parses an npub, an nprofile, a hex key or a NIP-05 name; names are looked up
// through web. The error says what is wrong with the text, as far as that is possible
// without repeating a secret: nostr.ErrSecretKey for an nsec.
func Resolve(ctx context.Context, web Fetcher, text string) (Key, error) {
	text = strings.TrimSpace(text)
	if name, domain, ok := splitName(text); ok {
		if _, err := nostr.ParseCode(name); errors.Is(err, nostr.ErrSecretKey) {
			return Key{}, err
		}
		return lookUp(ctx, web, name, domain)
	}
	return Parse(text)
}

// Parse parses a key without the network; it returns ErrNotAKey for NIP-05 names.
func Parse(text string) (Key, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return Key{}, fmt.Errorf("%w: nothing was given; expected an npub, an nprofile, a hex key or a name like you@example.com", ErrNotAKey)
	}
	if len(text) >= 32 && strings.Trim(strings.ToLower(text), "0123456789abcdef") == "" {
		if len(text) != 64 {
			return Key{}, fmt.Errorf("%w: %w: %d hex digits, a key has 64", ErrNotAKey, ErrMistyped, len(text))
		}
		pk, err := nostr.ParsePubKey(strings.ToLower(text))
		if err != nil {
			return Key{}, fmt.Errorf("%w: %w", ErrNotAKey, err)
		}
		return Key{PubKey: pk}, onCurve(pk)
	}
	code, err := nostr.ParseCode(text)
	if err != nil {
		switch meant := strings.TrimPrefix(strings.ToLower(text), "nostr:"); {
		case strings.HasPrefix(meant, "npub1"), strings.HasPrefix(meant, "nprofile1"):
			err = fmt.Errorf("%w: %w: %w", ErrNotAKey, ErrMistyped, err)
		case errors.Is(err, nostr.ErrSecretKey):
			err = fmt.Errorf("%w: %w", ErrNotAKey, err)
		default:
			err = ErrNotAKey
		}
		return Key{}, fmt.Errorf("%w; expected an npub, an nprofile, a hex key or a name like you@example.com", err)
	}
	switch code.Prefix {
	case nostr.CodePubKey, nostr.CodeProfile:
		k := Key{PubKey: code.PubKey, Relays: code.Relays}
		return k, onCurve(k.PubKey)
	}
	return Key{}, fmt.Errorf("%w: %w; expected an npub or nprofile", ErrNotAKey, ErrANote)
}

// onCurve catches half of the typing errors in hex, which has no checksum.
func onCurve(pk nostr.PubKey) error {
	if _, err := schnorr.ParsePubKey(pk[:]); err != nil {
		return fmt.Errorf("%w: %w: no point of the curve has these digits", ErrNotAKey, ErrMistyped)
	}
	return nil
}

// NIP-05: the local part is a-z0-9-_. without regard to case.
var localPart = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// splitName splits a NIP-05 name; a bare domain means _@domain.
func splitName(text string) (name, domain string, ok bool) {
	name, domain, ok = strings.Cut(text, "@")
	if !ok {
		if !strings.Contains(text, ".") || strings.ContainsAny(text, ":/ ") {
			return "", "", false
		}
		name, domain = "_", text
	}
	return strings.ToLower(name), strings.ToLower(domain), true
}

// The limits of a look-up.
const (
	lookUpBytes   = 64 << 10
	lookUpTimeout = 5 * time.Second
	maxHints      = 8
)

// lookUp asks the domain for the key of the name (NIP-05): over https, without following
// redirects, as the NIP requires.
func lookUp(ctx context.Context, web Fetcher, name, domain string) (Key, error) {
	if !localPart.MatchString(name) {
		return Key{}, fmt.Errorf("%w: the part before the @ of a name may hold letters, digits and . _ - only", ErrNotAKey)
	}
	address := url.URL{Scheme: "https", Host: domain, Path: "/.well-known/nostr.json", RawQuery: url.Values{"name": {name}}.Encode()}
	if u, err := url.Parse(address.String()); err != nil || u.Host != domain || u.User != nil {
		return Key{}, fmt.Errorf("%w: %q is not a domain", ErrNotAKey, domain[:min(len(domain), 80)])
	}
	full := name + "@" + domain
	body, err := web.Fetch(ctx, netsafe.Request{
		URL: address.String(), Accept: "application/json", MaxBytes: lookUpBytes, Timeout: lookUpTimeout,
	})
	if err != nil {
		return Key{}, fmt.Errorf("looking up %s: %w", full, err)
	}
	var doc struct {
		Names  map[string]string   `json:"names"`
		Relays map[string][]string `json:"relays"`
	}
	if err := json.Unmarshal(body, &doc); err != nil {
		return Key{}, fmt.Errorf("looking up %s: the answer is not what NIP-05 asks for: %w", full, err)
	}
	hex, ok := doc.Names[name]
	if !ok {
		return Key{}, fmt.Errorf("looking up %s: the domain knows no such name", full)
	}
	pk, err := nostr.ParsePubKey(hex)
	if err == nil {
		err = onCurve(pk)
	}
	if err != nil {
		return Key{}, fmt.Errorf("looking up %s: the domain gave no valid key: %w", full, err)
	}
	hints := doc.Relays[hex]
	return Key{PubKey: pk, Relays: hints[:min(len(hints), maxHints)], Name: full}, nil
}

// ErrNobodyChosen is returned by whatever needs an account while none is chosen.
var ErrNobodyChosen = errors.New("no account is chosen: name one with --as where a command takes it, or as key under [person] in the settings file")

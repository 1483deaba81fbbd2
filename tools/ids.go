package tools

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

const idForms = "an id: 64 hex digits, the first 16 of them, note1…, nevent1… or naddr1…"

// errNotShown means that a note is not in the store or must not be shown.
var errNotShown = fmt.Errorf("note is not in the store: %w", ndb.ErrNotFound)

// note finds the event of an id in any form. The error is an *ArgumentError for what is
// not an id, and errNotShown for what is not there or must not be shown: a model cannot
// tell the two apart.
func (env *Env) note(ctx context.Context, v *viewer, path, text string) (*nostr.Event, error) {
	e, err := env.stored(ctx, path, text)
	switch {
	case errors.Is(err, ndb.ErrNotFound):
		return nil, errNotShown
	case err != nil:
		return nil, err
	case !v.shows(e):
		return nil, errNotShown
	}
	return e, nil
}

// stored finds an event without checking whether it may be shown.
func (env *Env) stored(ctx context.Context, path, text string) (*nostr.Event, error) {
	text = strings.TrimSpace(text)
	if isSecret(text) {
		return nil, wrongValue(path, idForms, text)
	}
	// Models shorten ids that they repeat.
	text = strings.TrimRight(text, "….")
	low := strings.TrimPrefix(strings.ToLower(text), "nostr:")
	if id, err := nostr.ParseID(low); err == nil {
		return env.Store.Event(ctx, id)
	}
	if len(low) >= 8 && len(low) < 64 && strings.Trim(low, "0123456789abcdef") == "" {
		return env.byPrefix(ctx, path, low)
	}
	code, err := nostr.ParseCode(text)
	if err != nil {
		return nil, &ArgumentError{Path: path, Expected: idForms, Got: describe(text) + " (" + err.Error() + ")"}
	}
	switch code.Prefix {
	case nostr.CodeNote, nostr.CodeEvent:
		return env.Store.Event(ctx, code.Event)
	case nostr.CodeAddress:
		if !addressed(code.Kind) {
			return nil, wrongValue(path, idForms, text)
		}
		return env.Store.Latest(ctx, code.Kind, code.PubKey, code.D)
	}
	return nil, wrongValue(path, idForms, text)
}

// byPrefix finds the one event whose id begins with prefix.
func (env *Env) byPrefix(ctx context.Context, path, prefix string) (*nostr.Event, error) {
	e, err := env.Store.EventByPrefix(ctx, prefix)
	switch {
	case err == nil, errors.Is(err, ndb.ErrNotFound), errors.Is(err, ndb.ErrClosed), errors.Is(err, ndb.ErrDamaged), ctx.Err() != nil:
		return e, err
	}
	return nil, &ArgumentError{Path: path, Expected: "more digits of the id, or all 64", Got: describe(prefix) + " (" + err.Error() + ")"}
}

// addressed reports whether a kind has one version per person and d tag (NIP-01).
func addressed(kind uint16) bool {
	return kind == 0 || kind == 3 || kind >= 10000 && kind < 20000 || kind >= 30000 && kind < 40000
}

// shortID is an id as models see it: 16 hex digits, which every tool resolves.
func shortID(hex string) string {
	if len(hex) > 16 {
		return hex[:16]
	}
	return hex
}

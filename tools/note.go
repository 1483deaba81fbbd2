package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
)

// Note is a note in a result.
type Note struct {
	NoteID        string `json:"note_id"`
	PubKey        string `json:"pubkey"`
	Name          string `json:"name"` // cleaned, one line; a short npub where no profile is stored
	Content       string `json:"content"`
	CreatedAt     string `json:"created_at"` // RFC 3339 with zone
	CreatedAtUnix int64  `json:"created_at_unix"`
	NoteKind      uint16 `json:"note_kind"`
	ReplyTo       string `json:"reply_to,omitempty"`  // the note that it replies to
	RepostOf      string `json:"repost_of,omitempty"` // kinds 6 and 16; Content is then empty
	About         string `json:"about,omitempty"`     // the note that a reaction or a zap is of
	Replies       int    `json:"replies"`
	Reactions     int    `json:"reactions"`
	Reposts       int    `json:"reposts"`
	ZapSats       int64  `json:"zap_sats"`
	Truncated     bool   `json:"truncated,omitempty"`

	// Event is the stored event behind the note, for typed readers.
	Event *nostr.Event `json:"-"`
}

// noteViews converts events to the one form in which every tool shows notes.
func (env *Env) noteViews(ctx context.Context, events []*nostr.Event) ([]Note, error) {
	var counted []nostr.ID
	for _, e := range events {
		if e.Kind != 7 { // counters of reactions are of no interest
			counted = append(counted, e.ID)
		}
	}
	counters, err := env.Store.CountersOf(ctx, counted)
	if err != nil {
		return nil, fmt.Errorf("read counters of %d notes: %w", len(counted), err)
	}
	notes := make([]Note, len(events))
	for i, e := range events {
		var c ndb.Counters
		if e.Kind != 7 {
			c, counters = counters[0], counters[1:]
		}
		if notes[i], err = env.noteView(ctx, e, c); err != nil {
			return nil, err
		}
	}
	return notes, nil
}

func (env *Env) noteView(ctx context.Context, e *nostr.Event, c ndb.Counters) (Note, error) {
	name, err := env.name(ctx, e.PubKey)
	if err != nil {
		return Note{}, err
	}
	n := Note{
		NoteID:        e.ID.String(),
		PubKey:        e.PubKey.String(),
		Name:          name,
		Content:       e.Content,
		CreatedAt:     env.stamp(e.CreatedAt),
		CreatedAtUnix: e.CreatedAt,
		NoteKind:      e.Kind,
		Replies:       c.Replies,
		Reactions:     c.Reactions,
		Reposts:       c.Reposts,
		ZapSats:       c.ZapSats,
		Event:         e,
	}
	if r, ok := nostr.ReplyTo(e); ok && r.Parent != (nostr.ID{}) {
		n.ReplyTo = r.Parent.String()
	}
	if e.Kind == 6 || e.Kind == 16 {
		// A repost's content is another event as JSON, which nobody verified and which
		// may be private or muted: it is read through its own id instead.
		n.Content = ""
		if id, ok := e.Tags.Value("e"); ok {
			if _, err := nostr.ParseID(id); err == nil {
				n.RepostOf = id
			}
		}
	}
	switch e.Kind {
	case 7:
		n.About = lastNote(e)
	case 9735:
		err = n.readZap(ctx, env)
	}
	return n, err
}

// lastNote is the note that a reaction is of: its last e tag (NIP-25).
func lastNote(e *nostr.Event) string {
	for _, t := range slices.Backward(e.Tags) {
		if len(t) > 1 && t[0] == "e" {
			if _, err := nostr.ParseID(t[1]); err == nil {
				return t[1]
			}
			break
		}
	}
	return ""
}

// readZap shows a zap as its sender's, not as that of the service that wrote the receipt.
// An invalid receipt stays the service's, with no amount.
func (n *Note) readZap(ctx context.Context, env *Env) error {
	zap, err := nostr.ParseZap(n.Event)
	if err != nil {
		return nil
	}
	n.PubKey, n.ZapSats = zap.Sender.String(), zap.Sats
	if zap.Event != (nostr.ID{}) {
		n.About = zap.Event.String()
	}
	n.Name, err = env.name(ctx, zap.Sender)
	return err
}

// Kept caches what the calls of one turn read again and again, of people and to count.
type Kept struct {
	homes  sync.Map // contact lists, by the reader's key
	names  sync.Map // by key
	ledger sync.Map // what the store has of who was asked and what they confirmed, by key
	mu     sync.Mutex
	counts []*counted
}

// count returns a count that covers one that is to be read, or else adds that and returns
// nil.
func (k *Kept) count(c *counted) *counted {
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.counts, func(o *counted) bool { return o.covers(c) }); i >= 0 {
		return k.counts[i]
	}
	k.counts = append(k.counts, c)
	return nil
}

// uncount removes a count.
func (k *Kept) uncount(c *counted) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.counts = slices.DeleteFunc(k.counts, func(o *counted) bool { return o == c })
}

// name returns the name to show for a person: never empty, always one clean line.
func (env *Env) name(ctx context.Context, pk nostr.PubKey) (string, error) {
	if env.Kept != nil {
		if name, ok := env.Kept.names.Load(pk); ok {
			return name.(string), nil
		}
	}
	p, err := env.Store.Profile(ctx, pk)
	if err != nil {
		return "", fmt.Errorf("read profile of %s: %w", pk, err)
	}
	name := displayName(p)
	if env.Kept != nil {
		env.Kept.names.Store(pk, name)
	}
	return name, nil
}

func displayName(p nostr.Profile) string {
	if name := clean.Line(p.Best(), maxNameRunes); name != "" {
		return name
	}
	return p.PubKey.Short()
}

// maxNameRunes is how much of a name is shown.
const maxNameRunes = 64

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

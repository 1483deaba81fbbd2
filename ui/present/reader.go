package present

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// Reader reads notes from a store as Notes. It reads the disk, so it must not be used on
// the window's thread. Its methods may be called from any goroutine; do not copy it, since
// it caches profiles.
type Reader struct {
	Store *ndb.Store
	Me    nostr.PubKey     // the account; zero for none
	Now   func() time.Time // in the user's zone
	Words Words
	// Shown filters threads, so that muted notes are left out; nil shows all. It must not
	// change while a method runs.
	Shown func(*nostr.Event) bool

	mu     sync.Mutex
	people map[nostr.PubKey]nostr.Profile
	follow map[nostr.PubKey]bool
	names  *nameBook // of those who are followed
	until  time.Time // when what is remembered is forgotten
}

// How long people are remembered, and how many.
const (
	rememberFor    = 30 * time.Second
	rememberPeople = 10_000
)

// Note reads one note. A note that is not stored gives a Note with Missing set;
// the error is that of the store or of ctx.
func (r *Reader) Note(ctx context.Context, id nostr.ID) (Note, error) {
	e, err := r.Store.Event(ctx, id)
	switch {
	case errors.Is(err, ndb.ErrNotFound):
		return r.missing(id), nil
	case err != nil:
		return Note{}, fmt.Errorf("read note %s: %w", id, err)
	}
	return r.FromEvent(ctx, e)
}

// Notes reads several notes, in the order of ids, with a Missing one in the place
// of each that is not stored.
func (r *Reader) Notes(ctx context.Context, ids []nostr.ID) ([]Note, error) {
	notes := make([]Note, 0, len(ids))
	for _, id := range ids {
		n, err := r.Note(ctx, id)
		if err != nil {
			return nil, err
		}
		notes = append(notes, n)
	}
	return notes, nil
}

// FromEvent is Note for an event that was read already.
func (r *Reader) FromEvent(ctx context.Context, e *nostr.Event) (Note, error) {
	b := builder{r: r, ctx: ctx, now: r.Now()}
	n := b.note(e, 0)
	if b.err != nil {
		return Note{}, fmt.Errorf("present note %s: %w", e.ID, b.err)
	}
	return n, nil
}

// Forget drops what is remembered of people, after their profiles or the follows
// have changed. Without it a change shows within half a minute.
func (r *Reader) Forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.until = time.Time{}
}

// fresh empties what is remembered when its time is over. It is called with mu held.
func (r *Reader) fresh(now time.Time) {
	if r.people == nil || !now.Before(r.until) || now.Add(rememberFor).Before(r.until) || len(r.people) > rememberPeople {
		r.people, r.follow, r.names = map[nostr.PubKey]nostr.Profile{}, nil, nil
		r.until = now.Add(rememberFor)
	}
}

// Face returns the address of a person's picture, "" for none, and whether the user follows
// them or is that person.
func (r *Reader) Face(ctx context.Context, pk nostr.PubKey) (url string, followed bool, err error) {
	p, err := r.person(ctx, pk)
	if err != nil {
		return "", false, err
	}
	follow, err := r.follows(ctx)
	if len(p.Picture) <= maxURL {
		url = p.Picture
	}
	return url, follow[pk] || pk == r.Me, err
}

// Named returns the user and the people whom they follow by their names, without those who
// share one.
func (r *Reader) Named(ctx context.Context) (map[string]nostr.PubKey, error) {
	follow, err := r.follows(ctx)
	if err != nil {
		return nil, err
	}
	named, shared := map[string]nostr.PubKey{}, map[string]bool{}
	for _, pk := range append(slices.Collect(maps.Keys(follow)), r.Me) {
		p, err := r.person(ctx, pk)
		if err != nil {
			return nil, err
		}
		name := displayName(p)
		other, taken := named[name]
		shared[name] = shared[name] || taken && other != pk
		named[name] = pk
	}
	maps.DeleteFunc(named, func(name string, _ nostr.PubKey) bool { return shared[name] })
	return named, nil
}

func (r *Reader) person(ctx context.Context, pk nostr.PubKey) (nostr.Profile, error) {
	r.mu.Lock()
	r.fresh(r.Now())
	p, known := r.people[pk]
	r.mu.Unlock()
	if known {
		return p, nil
	}
	p, err := r.Store.Profile(ctx, pk)
	if err != nil {
		return nostr.Profile{}, fmt.Errorf("read profile: %w", err)
	}
	r.mu.Lock()
	r.people[pk] = p
	r.mu.Unlock()
	return p, nil
}

// follows returns whom the user follows; never nil without an error.
func (r *Reader) follows(ctx context.Context) (map[nostr.PubKey]bool, error) {
	r.mu.Lock()
	r.fresh(r.Now())
	follow := r.follow
	r.mu.Unlock()
	if follow != nil {
		return follow, nil
	}
	follow = map[nostr.PubKey]bool{}
	if r.Me != (nostr.PubKey{}) {
		keys, err := r.Store.Contacts(ctx, r.Me)
		if err != nil && !errors.Is(err, ndb.ErrNotFound) {
			return nil, fmt.Errorf("read follows: %w", err)
		}
		for _, pk := range keys {
			follow[pk] = true
		}
	}
	r.mu.Lock()
	r.follow = follow
	r.mu.Unlock()
	return follow, nil
}

func (r *Reader) missing(id nostr.ID) Note {
	return Note{ID: id, Row: id, Missing: true, Link: eventLink(id, nostr.PubKey{})}
}

// eventLink returns the nostr: link of a note; "" when it cannot be written.
func eventLink(id nostr.ID, author nostr.PubKey) string {
	code, err := nostr.Code{Prefix: nostr.CodeEvent, Event: id, PubKey: author}.Encode()
	if err != nil {
		return ""
	}
	return "nostr:" + code
}

package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

const (
	fetchWait   = 10 * time.Second
	fetchMost   = 200 // notes at one time
	fetchRelays = 6   // of those that serve most people
	fetchHints  = 6   // of those in a note or a link
	namesMost   = 100 // people at one time
	namesWait   = 4 * time.Second
	threadMost  = 500 // replies of one relay
	threadStays = 2 * time.Second
)

// FetchNotes looks for notes that are not stored: at the relays that serve most of the
// people followed, and at hints, which are relays that strangers named. It asks for the
// first 200 ids, for ten seconds at most, and returns how many of them are stored in the
// end. It also looks for the names of their authors, for another four seconds at most.
// Errors: [ErrSample], and those of [Unreachable] if nobody answered.
func (l *Live) FetchNotes(ctx context.Context, ids []nostr.ID, hints []string) (found int, err error) {
	ids = ids[:min(len(ids), fetchMost)]
	missing, err := l.missing(ctx, ids)
	if err != nil || len(missing) == 0 {
		return len(ids) - len(missing), err
	}
	enough := func() bool {
		left, err := l.missing(ctx, missing)
		return err == nil && len(left) == 0
	}
	wanted := nostr.Filter{IDs: missing, Limit: new(len(missing))}
	_, askErr := l.ask(ctx, hints, 0, enough, wanted)
	left, err := l.missing(context.WithoutCancel(ctx), missing)
	found = len(ids) - len(left)
	if found > len(ids)-len(missing) {
		askErr = nil // some relay answered
		l.fetchNames(ctx, wanted)
	}
	return found, errors.Join(err, askErr)
}

// FetchThread looks for the notes of a thread, its root and the replies to it, by the same
// rules as FetchNotes. It returns how many notes were new.
func (l *Live) FetchThread(ctx context.Context, root nostr.ID, hints []string) (stored int, err error) {
	filters := []nostr.Filter{
		{IDs: []nostr.ID{root}, Limit: new(1)},
		{Tags: map[byte][]string{'e': {root.String()}}, Kinds: []uint16{1, 1111}, Limit: new(threadMost)},
		{Tags: map[byte][]string{'E': {root.String()}}, Kinds: []uint16{1111}, Limit: new(threadMost)},
	}
	stored, err = l.ask(ctx, hints, threadStays, nil, filters...)
	if stored > 0 {
		l.fetchNames(ctx, filters...)
	}
	return stored, err
}

// Linked returns what a code names: a note, the newest version of an article, or a person's
// profile. What is not stored is looked for by the same rules as FetchNotes, and in the
// relays that the code names; asking is called first. Errors: ndb.ErrNotFound if it is
// nowhere, and those of FetchNotes.
func (l *Live) Linked(ctx context.Context, code nostr.Code, asking func()) (*nostr.Event, error) {
	e, err := l.linked(ctx, code)
	if !errors.Is(err, ndb.ErrNotFound) {
		return e, err
	}
	asking()
	filter := nostr.Filter{Authors: []nostr.PubKey{code.PubKey}, Limit: new(1)}
	switch code.Prefix {
	case nostr.CodeNote, nostr.CodeEvent:
		filter = nostr.Filter{IDs: []nostr.ID{code.Event}, Limit: new(1)}
	case nostr.CodeAddress:
		filter.Kinds = []uint16{code.Kind}
		if code.D != "" || nostr.IsAddressable(code.Kind) {
			filter.Tags = map[byte][]string{'d': {code.D}}
		}
	default:
		filter.Kinds = []uint16{nostr.KindProfile}
	}
	enough := func() bool { _, err := l.linked(ctx, code); return err == nil }
	_, askErr := l.ask(ctx, code.Relays, 0, enough, filter)
	e, err = l.linked(context.WithoutCancel(ctx), code)
	if err == nil {
		l.fetchNames(ctx, filter)
	} else if askErr != nil {
		err = askErr
	}
	return e, err
}

func (l *Live) linked(ctx context.Context, code nostr.Code) (*nostr.Event, error) {
	switch code.Prefix {
	case nostr.CodeNote, nostr.CodeEvent:
		return l.opt.Notes.Event(ctx, code.Event)
	case nostr.CodeAddress:
		return l.opt.Notes.Latest(ctx, code.Kind, code.PubKey, code.D)
	}
	return l.opt.Notes.Latest(ctx, nostr.KindProfile, code.PubKey, "")
}

// FetchKind looks for events of one kind by one person at the relays in use. Its errors are
// those of FetchNotes.
func (l *Live) FetchKind(ctx context.Context, author nostr.PubKey, kind uint16, most int) error {
	_, err := l.ask(ctx, nil, 0, nil, nostr.Filter{Authors: []nostr.PubKey{author}, Kinds: []uint16{kind}, Limit: new(most)})
	return err
}

// fetchNames looks for the missing profiles of the authors of stored notes that match
// filters, only at the relays for everybody's profiles, never at those that strangers name.
func (l *Live) fetchNames(ctx context.Context, filters ...nostr.Filter) {
	nameless := l.nameless(ctx, filters...)
	if len(nameless) == 0 {
		return
	}
	_, err := notesync.Ask(ctx, notesync.Question{
		Store: l.opt.Notes, Client: l.client(), Me: l.opt.Me(), Never: l.syncSettings().Without,
		Filters: []nostr.Filter{{Authors: nameless, Kinds: []uint16{0}, Limit: new(len(nameless))}},
		Relays:  l.LookUpRelays(ctx, nil), Wait: namesWait, Linger: threadStays, Logger: l.opt.Logger,
		Enough: func() bool { return len(l.nameless(ctx, filters...)) == 0 },
	})
	if err != nil && ctx.Err() == nil {
		l.opt.Logger.Info("looking for names", "people", len(nameless), "error", err)
	}
}

// nameless returns the first 100 authors of stored notes that match filters and have no
// stored profile.
func (l *Live) nameless(ctx context.Context, filters ...nostr.Filter) (people []nostr.PubKey) {
	looked := map[nostr.PubKey]bool{}
	for e, err := range l.opt.Notes.Query(ctx, ndb.QueryOptions{}, filters...) {
		if err != nil || len(people) == namesMost {
			break
		}
		if looked[e.PubKey] {
			continue
		}
		looked[e.PubKey] = true
		if _, err := l.opt.Notes.Latest(ctx, 0, e.PubKey, ""); errors.Is(err, ndb.ErrNotFound) {
			people = append(people, e.PubKey)
		}
	}
	return people
}

// Unreachable reports whether an error means that no relay could be reached.
func Unreachable(err error) bool {
	return errors.Is(err, notesync.ErrNoNetwork) || errors.Is(err, notesync.ErrNoRelays)
}

func (l *Live) ask(ctx context.Context, hints []string, linger time.Duration, enough func() bool, filters ...nostr.Filter) (int, error) {
	if l.opt.Sample {
		return 0, ErrSample
	}
	return notesync.Ask(ctx, notesync.Question{
		Store: l.opt.Notes, Client: l.client(), Filters: filters, Me: l.opt.Me(),
		Relays: l.fetchRelays(ctx, hints), Never: l.syncSettings().Without,
		Wait: fetchWait, Linger: linger, Enough: enough, Logger: l.opt.Logger,
	})
}

func (l *Live) fetchRelays(ctx context.Context, hints []string) []string {
	settings := l.syncSettings()
	if settings.OnlyOwn {
		return l.OwnRelays(ctx)
	}
	urls := slices.Clone(settings.Relays)
	urls = append(urls, hints[:min(len(hints), fetchHints)]...)
	states, err := l.Relays(ctx)
	if err != nil {
		l.opt.Logger.Warn("choosing relays to look further", "error", err)
	}
	asked := 0
	for _, s := range states {
		if s.Notes && s.Phase != notesync.Waiting && asked < fetchRelays {
			urls = append(urls, s.URL)
			asked++
		}
	}
	return urls
}

func (l *Live) missing(ctx context.Context, ids []nostr.ID) (missing []nostr.ID, err error) {
	for _, id := range ids {
		switch _, err := l.opt.Notes.Event(ctx, id); {
		case errors.Is(err, ndb.ErrNotFound):
			missing = append(missing, id)
		case err != nil:
			return nil, fmt.Errorf("looking for a note: %w", err)
		}
	}
	return missing, nil
}

package feed

import (
	"context"

	"bowerbird/ndb"
)

// kinds of events that a timeline shows: notes (NIP-01), reposts (NIP-18),
// pictures (NIP-68) and articles (NIP-23).
var timelineKinds = []uint16{1, 6, 16, 20, 30023}

// timeline is a list of events, newest first, read page by page from a store.
type timeline struct {
	store   *ndb.Store
	authors []ndb.PubKey // nil for everybody
	kinds   []uint16
	// replies says whether what answers another note is shown too.
	replies bool
}

// page reads at most n events after a place; nil is the beginning.
func (tl timeline) page(ctx context.Context, after *ndb.Cursor, n int) ([]*ndb.Event, error) {
	var events []*ndb.Event
	opt := ndb.QueryOptions{After: after, Match: tl.shows}
	for e, err := range tl.store.Query(ctx, opt, ndb.Filter{Authors: tl.authors, Kinds: tl.kinds, Limit: &n}) {
		if err != nil {
			return events, err
		}
		events = append(events, e)
	}
	return events, nil
}

// shows reports whether an event stands in the timeline.
func (tl timeline) shows(e *ndb.Event) bool {
	if tl.replies || e.Kind != 1 {
		return true
	}
	_, isReply := ndb.ReplyTo(e)
	return !isReply
}

// filter is what new events of the timeline match.
func (tl timeline) filter() ndb.Filter {
	return ndb.Filter{Authors: tl.authors, Kinds: tl.kinds}
}

// homeAuthors returns whose notes stand in the home timeline: those the reader
// follows, and the reader.
func homeAuthors(ctx context.Context, store *ndb.Store, me ndb.PubKey) ([]ndb.PubKey, error) {
	follows, err := store.Contacts(ctx, me)
	if err != nil {
		return []ndb.PubKey{me}, err
	}
	return append(follows, me), nil
}

// cursorOf is the place of an event.
func cursorOf(e *ndb.Event) *ndb.Cursor { return &ndb.Cursor{CreatedAt: e.CreatedAt, ID: e.ID} }

package ndb

import (
	"context"
	"errors"
	"iter"
	"slices"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// Subscribe yields what becomes visible after the call and matches a filter: each event
// once, after it is on disk, in the order in which the notes were committed; a note dated
// in the future when its time comes. A filter's Search is matched as in Query, its Limit
// is ignored. With no filter nothing is yielded.
//
// Nothing is dropped, and a slow loop delays nobody: what it has not read yet stays in
// the store and is read from there. A note that is deleted, replaced or pruned before the
// loop reaches it is not yielded. What Put has stored when it returns is available to the
// loop's next step. The sequence ends with ctx and with Close, without an error; an error
// in between (ErrDamaged) concerns one note, and the sequence goes on after it. It is for
// one loop.
func (s *Store) Subscribe(ctx context.Context, filters ...nostr.Filter) iter.Seq2[*nostr.Event, error] {
	at := s.feed.end()
	filters = slices.Clone(filters)
	return func(yield func(*nostr.Event, error) bool) {
		for {
			notes, more := at.take(subscriptionPage)
			if len(notes) == 0 {
				select {
				case <-more:
					continue
				case <-ctx.Done():
				case <-s.closing:
				}
				return
			}
			for len(notes) > 0 {
				events, read, err := s.shownOf(ctx, notes, filters)
				notes = notes[read:]
				for _, e := range events {
					if !yield(e, nil) || ctx.Err() != nil || s.isClosing() {
						return
					}
				}
				if ctx.Err() != nil || errors.Is(err, ErrClosed) || err != nil && !yield(nil, err) {
					return
				}
			}
		}
	}
}

// subscriptionPage is how many notes are read at a time.
const subscriptionPage = 256

// shownOf reads notes that became visible and returns those that match, up to a page's
// worth of memory, and how many notes it has dealt with. An error concerns the last of
// them.
func (s *Store) shownOf(ctx context.Context, notes []uint32, filters []nostr.Filter) (events []*nostr.Event, read int, err error) {
	err = s.view(ctx, func(txn *badger.Txn) error {
		for size := 0; read < len(notes) && size < pageBytes; {
			e, err := s.event(txn, notes[read])
			read++
			if errors.Is(err, ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if isExpired(e, s.now()) || !slices.ContainsFunc(filters, func(f nostr.Filter) bool {
				return search.Passes(f, e, s.now())
			}) {
				continue
			}
			events, size = append(events, e), size+memorySize(e)
		}
		return nil
	})
	return events, read, err
}

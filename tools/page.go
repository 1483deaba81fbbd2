package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// notePage is one page of a selection, and how many notes match in total.
type notePage struct {
	events  []*nostr.Event
	more    bool // there are others
	total   int
	atLeast bool // counting ran out of time
	damaged bool // some notes could not be read
}

// page reads the notes after a position, and goes on counting to the end as long as the
// time of ctx allows. If the time ends before the page is full, that is an error: half of
// a page would look like the whole.
func (s *selection) page(ctx context.Context, after *ndb.Cursor, limit int) (notePage, error) {
	var p notePage
	opt := ndb.QueryOptions{Match: s.matches, After: after}
	for e, err := range s.env.Store.Query(ctx, opt, s.filter) {
		switch {
		case errors.Is(err, ndb.ErrDamaged): // comes after everything that could be read
			p.damaged = true
			continue
		case p.more && errors.Is(err, context.DeadlineExceeded):
			p.atLeast = true
			continue
		case err != nil:
			return p, s.tooSlow(err)
		}
		if p.total++; len(p.events) < limit {
			p.events = append(p.events, e)
			continue
		}
		p.more = true
	}
	if after == nil || p.atLeast {
		return p, nil
	}
	before, err := s.countTo(ctx, *after)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		p.atLeast = true
	case errors.Is(err, ndb.ErrDamaged):
		p.damaged = true
	case err != nil:
		return p, err
	}
	p.total += before
	return p, nil
}

// best reads the notes with the highest scores after a position, and counts all that
// match as long as the time of ctx allows.
func (s *selection) best(ctx context.Context, after *ndb.RankCursor, limit int) (notePage, *ndb.RankedPage, error) {
	ranked, err := s.env.Store.Ranked(ctx, s.filter, ndb.RankOptions{Match: s.matches, Limit: limit, After: after})
	if err != nil {
		return notePage{}, nil, s.tooSlow(err)
	}
	p := notePage{more: ranked.More}
	for _, hit := range ranked.Hits {
		p.events = append(p.events, hit.Event)
	}
	for _, err := range s.env.Store.Query(ctx, ndb.QueryOptions{Match: s.matches}, s.filter) {
		switch {
		case errors.Is(err, ndb.ErrDamaged):
			p.damaged = true
		case errors.Is(err, context.DeadlineExceeded):
			p.atLeast = true
		case err != nil:
			return p, nil, s.tooSlow(err)
		default:
			p.total++
		}
	}
	p.total = max(p.total, len(p.events))
	return p, &ranked, nil
}

// countTo counts the matching notes up to and including a position.
func (s *selection) countTo(ctx context.Context, to ndb.Cursor) (int, error) {
	f, n := s.filter, 0
	if f.Since == nil || *f.Since < to.CreatedAt {
		f.Since = &to.CreatedAt
	}
	for e, err := range s.env.Store.Query(ctx, ndb.QueryOptions{Match: s.matches}, f) {
		if err != nil {
			return n, s.tooSlow(err)
		}
		// Equal times come lowest id first.
		if e.CreatedAt > to.CreatedAt || bytes.Compare(e.ID[:], to.ID[:]) <= 0 {
			n++
		}
	}
	return n, nil
}

// each calls do with every note of the selection, newest first; it is for tools that
// count. cut means that the time of ctx ended before the last one.
func (s *selection) each(ctx context.Context, do func(*nostr.Event)) (cut bool, err error) {
	n := 0
	for e, err := range s.env.Store.Query(ctx, ndb.QueryOptions{Match: s.matches}, s.filter) {
		switch {
		case n > 0 && errors.Is(err, context.DeadlineExceeded):
			return true, nil
		case err != nil:
			return false, s.tooSlow(err)
		}
		n++
		do(e)
	}
	return false, nil
}

// tooSlow adds advice to a timeout.
func (s *selection) tooSlow(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("reading the store took too long: narrow the time, the people or the words: %w", err)
	}
	return fmt.Errorf("read notes: %w", err)
}

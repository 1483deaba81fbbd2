package notesync

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// feedKinds are the kinds that are fetched of the people followed: notes, reposts,
// reactions, and deletions of these.
func feedKinds() []uint16 {
	return []uint16{1, 5, 6, 7, 11, 16, 20, 62, 1068, 1111, 30023}
}

// profileKinds are fetched of everybody: name and relay list.
func profileKinds() []uint16 { return []uint16{0, 10002} }

func filterFor(p coverage.Purpose, people []nostr.PubKey) nostr.Filter {
	switch p {
	case coverage.Inbox:
		values := make([]string, len(people))
		for i, pk := range people {
			values[i] = pk.String()
		}
		// With receipts of zaps, which wallets sign, so that no feed has them.
		return nostr.Filter{Kinds: []uint16{1, 6, 7, 16, 1111, 9735}, Tags: map[byte][]string{'p': values}}
	case coverage.Profile:
		return nostr.Filter{Authors: people, Kinds: profileKinds()}
	default:
		return nostr.Filter{Authors: people, Kinds: feedKinds()}
	}
}

// errKindsChanged ends the work on some kinds of a window, which must be divided
// differently.
var errKindsChanged = errors.New("the relay takes fewer kinds")

// errKinds is the error of kinds that a relay does not answer.
var errKinds = errors.New("it refuses these kinds")

// fillKinds fills a window some kinds at a time; complete is what is complete for all of
// them. Kinds that the relay refuses alone, while it answers others, count as left out: for
// a feed they are recorded, and an inbox without them is not complete.
func (f *filler) fillKinds(ctx context.Context, t task, parts [][]uint16) error {
	var (
		rows     []rowSink // one for each part
		refused  []uint16
		refusal  error // of the last of refused
		given    error // why another part was given up
		answered bool
	)
	for len(parts) > 0 {
		part, sink := t, rowSink{sink: f.sink, rows: map[nostr.PubKey][]coverage.Interval{}}
		part.kinds, part.part, parts = parts[0], true, parts[1:]
		of := *f
		of.sink = sink
		err := of.fill(ctx, part)
		switch {
		case errors.Is(err, errKindsChanged):
			return f.fill(ctx, t)
		case errors.Is(err, errKinds) && len(part.kinds) > 1:
			parts = append(parts, slices.Collect(slices.Chunk(part.kinds, 1))...)
			continue
		case errors.Is(err, errKinds):
			refused, refusal = append(refused, part.kinds[0]), err
			continue
		case err != nil && (!errors.Is(err, errGivenUp) || errors.Is(err, errRefusesAll)):
			return err
		case err != nil:
			given, answered = err, answered || len(sink.rows) > 0
		default:
			answered = true
		}
		rows = append(rows, sink)
	}
	if len(rows) == 0 && t.purpose == coverage.Feed {
		return fmt.Errorf("%w: %w", errRefusesAll, refusal)
	} else if !answered || t.purpose == coverage.Inbox && refusal != nil {
		return cmp.Or(given, refusal)
	}
	if t.purpose == coverage.Feed {
		f.learned.kinds.refuse(refused)
		if f.checkKinds != nil {
			if err := f.checkKinds(ctx); err != nil {
				return err
			}
		}
	}
	verified := f.now().Unix()
	var whole []coverage.Row
	for _, a := range t.authors {
		var open []coverage.Interval
		for _, sink := range rows {
			for _, gap := range gaps(t.span, sink.rows[a]) {
				open = append(open, coverage.Interval{From: gap.from, To: gap.to})
			}
		}
		for _, s := range gaps(t.span, open) {
			whole = append(whole, coverage.Row{
				Author: a, Relay: f.relay, Purpose: t.purpose,
				Interval: coverage.Interval{From: s.from, To: s.to, VerifiedAt: verified, Proof: coverage.ProofEmpty},
			})
		}
	}
	if _, err := f.sink.put(ctx, nil, whole); err != nil {
		return err
	}
	return given
}

// rowSink stores events and holds back coverage: what is complete for some kinds is not for
// all.
type rowSink struct {
	sink
	rows map[nostr.PubKey][]coverage.Interval
}

func (s rowSink) put(ctx context.Context, events []*nostr.Event, rows []coverage.Row) ([]*nostr.Event, error) {
	for _, row := range rows {
		s.rows[row.Author] = append(s.rows[row.Author], row.Interval)
	}
	return s.sink.put(ctx, events, nil)
}

// fewerKinds continues with half of the kinds after a refusal that names kinds.
func (w *window) fewerKinds(ctx context.Context, why error) error {
	if !w.tooManyKinds() {
		if len(w.kinds) == 1 {
			return fmt.Errorf("%w: %w: %w", errGivenUp, errKinds, why)
		}
		w.learned.kinds.takes((len(w.kinds) + 1) / 2)
	}
	return w.anew(ctx)
}

func (w *window) tooManyKinds() bool {
	most := w.learned.kinds.known().Most
	return most > 0 && len(w.kinds) > most
}

// anew fills the window again with the number of kinds that is known by now.
func (w *window) anew(ctx context.Context) error {
	if w.part {
		return errKindsChanged
	}
	return w.fill(ctx, w.task)
}

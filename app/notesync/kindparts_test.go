package notesync

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// scripted answers each filter by a function.
type scripted func(nostr.Filter) page

func (s scripted) page(_ context.Context, f nostr.Filter) (page, error) { return s(f), nil }

// closed is the error of a REQ that a relay refused.
func closed(prefix, detail string) error {
	return &relay.Error{Kind: relay.Rejected, Relay: "wss://made.up", Prefix: prefix, Detail: detail}
}

// kindsTask is a window for one person, and a filler for it.
func kindsTask(s source, l sink) (*filler, task) {
	f := &filler{relay: "wss://made.up", source: s, sink: l, limit: 500, perFilter: 100, learned: new(experience), now: time.Now}
	return f, task{span: span{1000, 3000}, authors: []nostr.PubKey{{1}}, purpose: coverage.Feed}
}

// TestAWindowThatIsCutInTwoGoesByWhatIsKnownOfKinds: while a window is paged that has to
// be cut, another finds out that the relay goes by the first three kinds.
func TestAWindowThatIsCutInTwoGoesByWhatIsKnownOfKinds(t *testing.T) {
	r := &madeUpRelay{cap: 500, order: "oldest"}
	for i := range 20 {
		r.events = append(r.events, &nostr.Event{ID: nostr.ID{byte(i + 1)}, PubKey: nostr.PubKey{1}, Kind: []uint16{1, 30023}[i%2], CreatedAt: int64(1100 + 50*i)})
	}
	r.rng = rand.New(rand.NewPCG(1, 1))
	var f *filler
	l := &ledger{events: map[nostr.ID]bool{}}
	first := true
	f, window := kindsTask(scripted(func(q nostr.Filter) page {
		if q.Kinds = q.Kinds[:min(3, len(q.Kinds))]; first {
			first = false
			defer f.learned.kinds.takes(3)
		}
		p, _ := r.page(t.Context(), q) // it has no errors
		return p
	}), l)
	if err := f.fill(t.Context(), window); err != nil && !errors.Is(err, errGivenUp) {
		t.Fatal(err)
	}
	for _, e := range r.events {
		if l.covers(coverage.Feed, e.PubKey, e.CreatedAt) && !l.events[e.ID] {
			t.Fatalf("an event of kind %d is missing of what is called complete", e.Kind)
		}
	}
	if len(l.rows) == 0 {
		t.Error("nothing is called complete: the test has lost its meaning")
	}
}

// watchedSink calls a function before rows are written.
type watchedSink struct {
	*ledger
	before func()
}

func (s watchedSink) put(ctx context.Context, events []*nostr.Event, rows []coverage.Row) ([]*nostr.Event, error) {
	if len(rows) > 0 {
		s.before()
	}
	return s.ledger.put(ctx, events, rows)
}

// TestWhatIsKnownOfKindsIsKeptBeforeWhatIsCompleteByIt: a run may end between the two.
func TestWhatIsKnownOfKindsIsKeptBeforeWhatIsCompleteByIt(t *testing.T) {
	var f *filler
	var kept []uint16
	rows := 0
	f, window := kindsTask(scripted(func(q nostr.Filter) page {
		if slices.Contains(q.Kinds, 30023) {
			return page{err: closed("auth-required", "who are you?")}
		}
		return page{finished: true}
	}), watchedSink{&ledger{events: map[nostr.ID]bool{}}, func() {
		rows++
		if known := f.learned.kinds.known().Refused; !slices.Equal(known, kept) {
			t.Errorf("rows are written without %v, and kept is that it lacks %v", known, kept)
		}
	}})
	f.checkKinds = func(context.Context) error {
		kept = slices.Clone(f.learned.kinds.known().Refused)
		return nil
	}
	f.learned.kinds.takes(3)
	if err := f.fill(t.Context(), window); err != nil {
		t.Fatal(err)
	}
	if rows == 0 || !slices.Equal(f.learned.kinds.known().Refused, []uint16{30023}) {
		t.Errorf("%d rows, refused %v: the test has lost its meaning", rows, f.learned.kinds.known().Refused)
	}
}

// TestAKindIsRefusedOnlyWhereAnotherIsAnswered: no answer in time is none.
func TestAKindIsRefusedOnlyWhereAnotherIsAnswered(t *testing.T) {
	for _, tt := range []struct {
		name    string
		purpose coverage.Purpose
		others  page
		refused []uint16
	}{
		{"the others are answered", coverage.Feed, page{finished: true}, []uint16{7}},
		{"the others are not, in time", coverage.Feed, page{err: errBroken}, nil},
		{"in the inbox", coverage.Inbox, page{finished: true}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			f, window := kindsTask(scripted(func(q nostr.Filter) page {
				if slices.Contains(q.Kinds, 7) {
					return page{err: closed("auth-required", "who are you?")}
				}
				return tt.others
			}), &ledger{events: map[nostr.ID]bool{}})
			f.learned.kinds.takes(1)
			window.purpose, window.span = tt.purpose, span{1000, 1000}
			if err := f.fill(t.Context(), window); err != nil && !errors.Is(err, errGivenUp) {
				t.Fatal(err)
			}
			if got := f.learned.kinds.known().Refused; !slices.Equal(got, tt.refused) {
				t.Errorf("refused are %v, want %v", got, tt.refused)
			}
		})
	}
}

// TestARelayOfFewKindsThatRefusesAllIsNotAskedOn: no smaller question would be answered.
func TestARelayOfFewKindsThatRefusesAllIsNotAskedOn(t *testing.T) {
	for _, purpose := range []coverage.Purpose{coverage.Feed, coverage.Profile} {
		asked := 0
		f, window := kindsTask(scripted(func(nostr.Filter) page {
			asked++
			return page{err: closed("auth-required", "who are you?")}
		}), &ledger{events: map[nostr.ID]bool{}})
		f.learned.kinds.takes(3)
		window.purpose = purpose
		if err := f.fill(t.Context(), window); !errors.Is(err, errRefusesAll) {
			t.Errorf("%v: the window ended with %v", purpose, err)
		}
		if asked > 16 {
			t.Errorf("%v: it was asked %d questions", purpose, asked)
		}
	}
}

// TestTheInboxIsNotCompleteWhileAKindIsRefused: nothing else tells that it lacks one.
func TestTheInboxIsNotCompleteWhileAKindIsRefused(t *testing.T) {
	for _, refuses := range []bool{true, false} {
		l := &ledger{events: map[nostr.ID]bool{}}
		f, window := kindsTask(scripted(func(q nostr.Filter) page {
			if refuses && slices.Contains(q.Kinds, 9735) {
				return page{err: closed("auth-required", "who are you?")}
			}
			return page{finished: true}
		}), l)
		f.learned.kinds.takes(3)
		window.purpose = coverage.Inbox
		if err := f.fill(t.Context(), window); refuses != errors.Is(err, errGivenUp) {
			t.Errorf("refused %v: the window ended with %v", refuses, err)
		}
		if refuses == (len(l.rows) > 0) {
			t.Errorf("refused %v: %d rows", refuses, len(l.rows))
		}
	}
}

// TestWhatPartsProvedThatWereGivenUpIsKept: or each run would begin anew.
func TestWhatPartsProvedThatWereGivenUpIsKept(t *testing.T) {
	for _, purpose := range []coverage.Purpose{coverage.Feed, coverage.Inbox} {
		l := &ledger{events: map[nostr.ID]bool{}}
		f, window := kindsTask(scripted(func(q nostr.Filter) page {
			if *q.Until > 2999 {
				return page{err: errBroken}
			}
			return page{finished: true}
		}), l)
		f.learned.kinds.takes(3)
		window.purpose = purpose
		if err := f.fill(t.Context(), window); !errors.Is(err, errGivenUp) {
			t.Errorf("%v: the window ended with %v", purpose, err)
		}
		who := window.authors[0]
		if !l.covers(purpose, who, 1000) || !l.covers(purpose, who, 2999) || l.covers(purpose, who, 3000) {
			t.Errorf("%v: complete are %v, want 1000 to 2999", purpose, l.rows)
		}
	}
}

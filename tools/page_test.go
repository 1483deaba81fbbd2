package tools

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// countdown is a context whose time ends when it was asked n times.
type countdown struct {
	context.Context
	left atomic.Int64
	done chan struct{}
}

func newCountdown(ctx context.Context, n int64) *countdown {
	c := &countdown{Context: ctx, done: make(chan struct{})}
	c.left.Store(n)
	return c
}

func (c *countdown) Err() error {
	switch n := c.left.Add(-1); {
	case n == 0:
		close(c.done)
		return context.DeadlineExceeded
	case n < 0:
		return context.DeadlineExceeded
	}
	return nil
}

func (c *countdown) Done() <-chan struct{} { return c.done }

// A page is whole or an error, wherever the time ends; only the total may be
// short, and then it says so.
func TestWhenTimeEndsAPageIsWholeOrAnError(t *testing.T) {
	now := time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	store := storeOf(t, now, 300)
	env := &Env{Store: store, Now: func() time.Time { return now }}
	const limit, all = 10, 300
	errs, short, whole := 0, 0, 0
	parts := int64(20)
	if testing.Short() {
		parts = 4
	}
	for n := int64(1); n < 2000; n += 1 + n/parts {
		sel, err := env.selection(t.Context(), CountArgs{Context: ScopeAny})
		if err != nil {
			t.Fatal(err)
		}
		p, err := sel.page(newCountdown(t.Context(), n), nil, limit)
		switch {
		case err != nil:
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Fatalf("after %d: %v", n, err)
			}
			errs++
		case len(p.events) != limit || !p.more:
			t.Fatalf("after %d: a page of %d, more %v", n, len(p.events), p.more)
		case p.atLeast != (p.total < all) || p.total > all:
			t.Fatalf("after %d: total %d, at least %v", n, p.total, p.atLeast)
		case p.atLeast:
			short++
		default:
			whole++
		}
	}
	if errs == 0 || short == 0 || whole == 0 {
		t.Errorf("%d errors, %d short, %d whole: the time did not end everywhere", errs, short, whole)
	}
}

// What was counted when the time ends is told as "at least", newest first; before the
// first note it is an error.
func TestWhenTimeEndsCountsSayAtLeast(t *testing.T) {
	now := time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	env := &Env{Store: storeOf(t, now, 300), Now: func() time.Time { return now }, Timeout: time.Hour}
	const all = 300
	errs, short, whole := 0, 0, 0
	for n := int64(1); n < 2000; n += 1 + n/4 {
		sel, err := env.selection(t.Context(), CountArgs{Context: ScopeAny, Since: "30d"})
		if err != nil {
			t.Fatal(err)
		}
		counted, err := sel.count(newCountdown(t.Context(), n))
		switch {
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			t.Fatalf("after %d: %v", n, err)
		case err != nil:
			errs++
		case counted.Count == 0 || counted.Count > all || counted.CountAtLeast != (counted.Count < all):
			t.Fatalf("after %d: %+v", n, counted)
		case counted.CountAtLeast:
			short++
			if text := counted.ForModel(1000); !strings.Contains(text, `"count_at_least":true`) {
				t.Errorf("a model is told %s", text)
			}
		default:
			whole++
		}
		for _, by := range []string{"hour", "author", "term"} {
			all := newTally(by, time.UTC)
			cut, err := sel.each(newCountdown(t.Context(), n), all.add)
			if err != nil {
				continue
			}
			grouped, err := sel.grouped(t.Context(), all, cut, 500)
			if err != nil || grouped.TotalAtLeast != cut {
				t.Fatalf("after %d: %v, %d in all, at least: %v", n, err, grouped.Total, grouped.TotalAtLeast)
			}
			if cut && by == "hour" && (grouped.Buckets[0].Count == 0 || !grouped.Truncated) {
				t.Errorf("after %d: %+v is told of a time that was not read", n, grouped.Buckets[0])
			}
			if text := grouped.ForModel(8000); strings.Contains(text, "total_at_least") != cut {
				t.Errorf("after %d: a model is told %s", n, text)
			}
		}
	}
	if errs == 0 || short == 0 || whole == 0 {
		t.Errorf("%d errors, %d short, %d whole: the time did not end everywhere", errs, short, whole)
	}
}

func TestATimeoutSaysWhatCanBeDone(t *testing.T) {
	now := time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC)
	env := &Env{Store: storeOf(t, now, 20), Now: func() time.Time { return now }, Timeout: time.Nanosecond}
	_, err := New("query", queryDoc, None, runQuery).Call(t.Context(), env, json.RawMessage(`{"context":"any"}`))
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
}

// storeOf opens a store of n notes by one person, one a minute back from now.
func storeOf(t testing.TB, now time.Time, n int) *ndb.Store {
	t.Helper()
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	var events []*nostr.Event
	for i := range n {
		events = append(events, signedNote(t, fmt.Sprint("note ", i), now.Add(-time.Duration(i)*time.Minute)))
	}
	if _, err := s.Put(t.Context(), ndb.Batch{Events: events}); err != nil {
		t.Fatal(err)
	}
	return s
}

// signedNote signs by hand: tooltest imports this package.
func signedNote(t testing.TB, text string, at time.Time) *nostr.Event {
	t.Helper()
	sum := sha256.Sum256([]byte("bowerbird test key, worthless"))
	key, pub := btcec.PrivKeyFromBytes(sum[:])
	e := &nostr.Event{PubKey: nostr.PubKey(schnorr.SerializePubKey(pub)), Kind: 1, Content: text, CreatedAt: at.Unix(), Tags: nostr.Tags{}}
	e.ID = e.ComputeID()
	sig, err := schnorr.Sign(key, e.ID[:])
	if err != nil {
		t.Fatal(err)
	}
	e.Sig = nostr.Sig(sig.Serialize())
	return e
}

// TestACountThatPanicsIsNotKept: a panic is an error of one call; what it had counted by
// then must not be the answer of the next.
func TestACountThatPanicsIsNotKept(t *testing.T) {
	s := &selection{env: &Env{Kept: &Kept{}}} // without a store
	for call := range 2 {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("call %d had a count", call+1)
				}
			}()
			_, _ = s.counted(t.Context())
		}()
	}
}

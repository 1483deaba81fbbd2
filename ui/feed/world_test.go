package feed

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// worldNow is the end of the test worlds.
var worldNow = time.Date(2026, 3, 12, 14, 0, 0, 0, time.UTC)

// openWorld opens an App whose reader is that of a world, without its events.
func openWorld(t testing.TB, o testworld.Options) (*app.App, *testworld.World) {
	t.Helper()
	o.Now = worldNow
	w := worldOf(t, o)
	a, err := app.Open(t.Context(), app.Options{
		Places: config.Locate(t.TempDir(), ""), As: w.Me.Npub(), Zone: time.UTC,
		Now: func() time.Time { return worldNow }, Getenv: func(string) string { return "" },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	return a, w
}

// worlds are those that were made: signing thousands of notes takes long.
var worlds sync.Map

// worldOf returns a world, which is made once and must not be changed.
func worldOf(t testing.TB, o testworld.Options) *testworld.World {
	t.Helper()
	if w, made := worlds.Load(o); made {
		return w.(*testworld.World)
	}
	w, err := testworld.Make(o)
	if err != nil {
		t.Fatal(err)
	}
	worlds.Store(o, w)
	return w
}

// put stores events.
func put(t testing.TB, a *app.App, events ...*nostr.Event) {
	t.Helper()
	for part := range slices.Chunk(events, 500) {
		if _, err := a.Notes().Put(context.Background(), ndb.Batch{Events: part}); err != nil {
			t.Fatal(err)
		}
	}
}

// wantedHome is what stands in the home timeline, worked out the long way: all
// events of the store by the reader and those they follow, newest first, without
// replies unless they are wanted, without what stands within a screen above.
func wantedHome(t testing.TB, a *app.App, replies bool) []nostr.ID {
	t.Helper()
	follows, err := a.Notes().Contacts(t.Context(), a.Me())
	if err != nil {
		t.Fatal(err)
	}
	var all []*nostr.Event
	for _, e := range find(t, a, nostr.Filter{}, nil) {
		if !slices.Contains(follows, e.PubKey) && e.PubKey != a.Me() {
			continue
		}
		_, reply := nostr.ReplyTo(e)
		switch e.Kind {
		case kindNote:
			if reply && !replies {
				continue
			}
		case kindRepost, kindGenericRepost, kindPicture, kindArticle:
		case kindComment, kindVoiceComment:
			if !replies {
				continue
			}
		default:
			continue
		}
		all = append(all, e)
	}
	var rows, shown []nostr.ID
	for _, e := range all {
		of := e.ID
		if e.Kind == kindRepost || e.Kind == kindGenericRepost {
			v, _ := e.Tags.Value("e")
			if of, err = nostr.ParseID(v); err != nil {
				t.Fatalf("a repost of the world names no note: %v", e.Tags)
			}
			if _, err := a.Notes().Event(t.Context(), of); err != nil {
				if _, err := nostr.ParseEvent([]byte(e.Content)); err != nil {
					continue // of a note that was deleted
				}
			}
		}
		if slices.Contains(shown[max(0, len(shown)-foldWithin):], of) {
			continue
		}
		rows, shown = append(rows, e.ID), append(shown, of)
	}
	return rows
}

// rowIDs returns the notes of a list's rows.
func rowIDs(l *list) []nostr.ID {
	var ids []nostr.ID
	for _, row := range l.rows.IDs() {
		if id, ok := idOf(row); ok {
			ids = append(ids, id)
		}
	}
	return ids
}

func TestTheTimelineIsWhatThePeopleFollowedWrote(t *testing.T) {
	for seed := range uint64(3) {
		a, w := openWorld(t, testworld.Options{Seed: seed, Events: 2000, People: 60})
		put(t, a, w.Events...)
		for _, replies := range []bool{false, true} {
			tl, listed, err := homeTimeline(t.Context(), a, replies)
			if err != nil || !listed {
				t.Fatal(listed, err)
			}
			want := wantedHome(t, a, replies)
			if len(want) < 50 {
				t.Fatalf("the world has only %d rows", len(want))
			}
			for _, size := range []int{1000, 37} {
				var got []nostr.ID
				var after *item
				fold := folder{}
				for whole := false; !whole; {
					var items []item
					if items, whole, err = tl.page(t.Context(), after, size); err != nil {
						t.Fatal(err)
					}
					for _, it := range fold.fold(items) {
						got = append(got, it.id)
					}
					if len(items) > 0 {
						after = &items[len(items)-1]
					}
				}
				if !slices.Equal(got, want) {
					t.Errorf("seed %d, replies %v, pages of %d: %d rows, want %d", seed, replies, size, len(got), len(want))
				}
			}
		}
	}
}

func TestOfSeveralRepostsWithinAScreenOneIsShown(t *testing.T) {
	id := func(n byte) nostr.ID { return nostr.ID{n} }
	plain := func(n byte) item { return item{id: id(n), of: id(n)} }
	repost := func(n, of byte) item { return item{id: id(n), of: id(of)} }
	f := folder{}
	first := f.fold([]item{plain(1), repost(2, 9), repost(3, 9), plain(4)})
	second := f.fold([]item{plain(9), plain(5)})
	if len(first) != 3 || len(second) != 1 || second[0] != plain(5) {
		t.Errorf("folded to %v and %v", first, second)
	}
	for n := range byte(foldWithin) {
		f.fold([]item{plain(100 + n)})
	}
	if got := f.fold([]item{plain(9)}); len(got) != 1 {
		t.Error("a note far below its repost is not shown")
	}
}

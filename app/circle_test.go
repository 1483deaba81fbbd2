package app

import (
	"context"
	"strconv"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// circle is a reader and people whom they may follow.
type circle struct {
	me     testkit.Key
	people []testkit.Key
}

func newCircle(names ...string) circle {
	c := circle{me: testkit.NewKey("reader")}
	for _, name := range names {
		c.people = append(c.people, testkit.NewKey(name))
	}
	return c
}

// follows is the reader's list of the first n people, made so long ago.
func (c circle) follows(t *testing.T, n int, ago time.Duration) []byte {
	t.Helper()
	var tags [][]string
	for _, k := range c.people[:n] {
		tags = append(tags, []string{"p", k.PubKey})
	}
	return c.me.Event(t, 3, time.Now().Add(-ago).Unix(), "", tags...)
}

// notes are n notes of everybody over the last days.
func (c circle) notes(t *testing.T, n int) (all [][]byte) {
	t.Helper()
	for i, k := range c.people {
		all = append(all, k.Event(t, 0, time.Now().Unix()-1000, `{"name":"person `+strconv.Itoa(i)+`"}`))
		for j := range n {
			at := time.Now().Add(-time.Duration(j+1) * 71 * time.Hour / time.Duration(n+1))
			all = append(all, k.Event(t, 1, at.Unix(), "note "+strconv.Itoa(j)))
		}
	}
	return all
}

func pubKey(t *testing.T, hex string) nostr.PubKey {
	t.Helper()
	pk, err := nostr.ParsePubKey(hex)
	if err != nil {
		t.Fatal(err)
	}
	return pk
}

// reading opens an App that reads as the circle's reader, at relays of the test.
func (c circle) reading(t *testing.T, places config.Places, urls ...string) *App {
	t.Helper()
	a, err := Open(t.Context(), Options{
		Places: places, As: c.me.PubKey, AllowPrivate: true, sleep: hurry,
		Settings: config.Settings{Sync: config.Sync{Relays: urls, Indexers: urls[:1]}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// hurry sleeps a hundredth of what it should.
func hurry(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d / 100):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (a *App) isLive() bool { return a.Live().Status().Stage == live.StageLive }

func stored(t *testing.T, a *App, raw []byte) bool {
	t.Helper()
	e, err := nostr.ParseEvent(raw)
	if err != nil {
		t.Fatal(err)
	}
	_, err = a.Notes().Event(t.Context(), e.ID)
	return err == nil
}

func countNotes(t *testing.T, a *App) int {
	t.Helper()
	n, err := a.Notes().Count(t.Context(), ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{1}})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func closeApp(t *testing.T, a *App) {
	t.Helper()
	if err := a.Close(); err != nil {
		t.Error(err)
	}
}

package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// worldEnds is when the newest event of a world was written. The stores' clock
// is a minute later.
var worldEnds = time.Unix(1_750_000_000, 0)

// place is where the world and the store of one size lie.
type place struct {
	events int
	world  string // JSON Lines
	me     nostr.PubKey
	store  string
}

// newPlace makes the world if it is not there.
func newPlace(dir string, events int) (place, error) {
	folder := filepath.Join(dir, strconv.Itoa(events))
	p := place{events: events, world: filepath.Join(folder, "world.jsonl"), store: filepath.Join(folder, "store")}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return p, err
	}
	mine := filepath.Join(folder, "me")
	text, err := os.ReadFile(mine)
	if err == nil {
		p.me, err = nostr.ParsePubKey(string(text))
		return p, err
	}
	world, err := makeWorld(p)
	if err != nil {
		return p, fmt.Errorf("make a world of %d events: %w", events, err)
	}
	p.me = world.Me
	return p, os.WriteFile(mine, []byte(world.Me.String()), 0o600)
}

func makeWorld(p place) (*testworld.World, error) {
	f, err := os.Create(p.world)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	out := bufio.NewWriterSize(f, 1<<20)
	world, err := testworld.WriteJSONL(context.Background(), out, testworld.Options{
		Seed: 1, Now: worldEnds, Days: 30, Events: p.events,
		People: max(700, p.events/40), Followed: 300,
	})
	if err != nil {
		return nil, err
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	return world, f.Close()
}

func (p place) open() (*ndb.Store, error) {
	return ndb.Open(p.store, ndb.Options{
		Own: []nostr.PubKey{p.me},
		Now: func() time.Time { return worldEnds.Add(time.Minute) },
	})
}

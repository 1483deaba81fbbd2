// Package testworld makes test worlds: people with keys and the signed events that they
// would have sent, of any size, out of made-up words, with facts planted in them to
// measure a digest by. [Sample] is the program's own sample as such a world.
//
// Every event passes ndb's Verify. The same options give the same events, byte for byte.
// It is for tests and for what measures; the program has no need of it.
package testworld

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"bowerbird/app/sample/actor"
	"bowerbird/ndb/nostr"
)

// World is a made-up part of Nostr, seen by one person.
type World struct {
	Me      nostr.PubKey
	People  []actor.Person
	Events  []*nostr.Event // oldest first; nil when they were written elsewhere
	Planted []Fact         // what a good digest of the whole time tells
	Collude *Collusion     // nil unless asked for
}

// Collusion is what a ring of strangers pushes together: nothing of it belongs
// into a digest.
type Collusion struct {
	Terms  []string       // the words they push
	People []nostr.PubKey // none of them followed
	Events []nostr.ID
}

// Options say which test world is made. Now is required; a zero number
// stands for its default, but Planted and Colluders may be 0.
type Options struct {
	Seed      uint64
	Now       time.Time // no event is later
	Days      int       // the time before Now that the world fills; default 7
	People    int       // with me; default 200
	Followed  int       // by me; default a quarter of People
	Events    int       // without those of the colluders; default 5,000
	Shape     Shape
	Planted   int // facts, spread over the time
	Colluders int // strangers who push one thing together, a profile and 16 events each
}

func (o Options) withDefaults() (Options, error) {
	for _, d := range []struct {
		n     *int
		value int
	}{{&o.Days, 7}, {&o.People, 200}, {&o.Events, 5000}} {
		if *d.n == 0 {
			*d.n = d.value
		}
	}
	if o.Followed == 0 {
		o.Followed = o.People / 4
	}
	switch {
	case o.Now.IsZero():
		return o, errors.New("no time given")
	case o.Days < 0 || o.Planted < 0 || o.Colluders < 0:
		return o, errors.New("a number of days, facts or colluders is negative")
	case o.Followed < 12 || o.People < 2*o.Followed:
		return o, fmt.Errorf("%d people with %d followed: want at least 12 followed and as many strangers", o.People, o.Followed)
	case o.Events < 3*o.People+40*o.Planted+100:
		return o, fmt.Errorf("%d events are too few for %d people and %d facts", o.Events, o.People, o.Planted)
	}
	return o, nil
}

// Make makes a test world: words of made-up languages, people whose
// activity falls by a power law, threads, reactions, reposts, zaps, and facts to
// be found.
//
// A fact is a note by a person followed, with words that stand nowhere else,
// that 3 to 8 others followed take up within a day: by replies, own notes with
// some of its words, quotes or reposts. Nothing else marks it. No other thread
// is taken up by more than two people followed besides its author. Around the
// facts lies what a digest must not fall for: people who write all day, people
// who repeat their own slogan, words of hobbies that many share, greetings,
// stars (three strangers, four followed) whose notes scores of strangers answer
// and like, and on demand a ring of strangers who push one thing.
//
// The colluders change nothing else: a world without them has the same other
// events.
//
// The mix of a Mixed world, lists and facts aside, to a quarter more or less:
// 26 % notes, 20 % replies, 40 % reactions, 6 % reposts, 2.5 % quotes, 3 % zaps,
// 1.5 % profile edits, 1 % deletions. Other shapes shift it; see the recipes.
func Make(o Options) (*World, error) {
	var events []*nostr.Event
	w, err := generate(context.Background(), o, func(batch []*nostr.Event) error {
		events = append(events, batch...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	w.Events = events
	return w, nil
}

// WriteJSONL makes a world as Make does and writes its events to w, one a
// line, oldest first, in bounded memory. The World it returns has no Events.
func WriteJSONL(ctx context.Context, w io.Writer, o Options) (*World, error) {
	out := bufio.NewWriterSize(w, 1<<18)
	var line []byte
	world, err := generate(ctx, o, func(batch []*nostr.Event) error {
		for _, e := range batch {
			line = append(e.AppendJSON(line[:0]), '\n')
			if _, err := out.Write(line); err != nil {
				return fmt.Errorf("write event %s: %w", e.ID, err)
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return world, out.Flush()
}

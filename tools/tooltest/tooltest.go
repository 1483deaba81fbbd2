// Package tooltest helps to test tools on a real store with real, signed notes. A [World]
// has people who post, a fixed clock, and the [tools.Env] for calls; [Call] calls a tool the
// way the agent does.
package tooltest

import (
	"crypto/sha256"
	"encoding/json"
	"testing"
	"time"

	"github.com/btcsuite/btcd/btcec/v2"
	"github.com/btcsuite/btcd/btcec/v2/schnorr"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// Call calls a tool, and fails the test if that returns an error, or a result that does not
// pass [Fits].
func Call(t testing.TB, tool tools.Tool, env *tools.Env, args string) tools.Result {
	t.Helper()
	res, err := tool.Call(t.Context(), env, json.RawMessage(args))
	if err != nil {
		t.Fatalf("%s %s: %v", tool.Spec().Name, args, err)
	}
	if _, err := json.Marshal(res); err != nil {
		t.Fatalf("%s %s: the answer is no JSON: %v", tool.Spec().Name, args, err)
	}
	Fits(t, res)
	return res
}

// Fits checks that a result for a model is valid JSON within any limit.
func Fits(t testing.TB, res tools.Result) {
	t.Helper()
	for _, limit := range []int{tools.MinForModel, 2_000, 8_000, 64_000} {
		text := res.ForModel(limit)
		if len(text) > limit {
			t.Errorf("%T for a model is %d bytes, over %d", res, len(text), limit)
		}
		if !json.Valid([]byte(text)) {
			t.Errorf("%T for a model is no JSON: %s", res, text)
		}
	}
}

// Start is the time of a [World]: a Sunday noon in Berlin.
func Start() time.Time { return time.Date(2026, 5, 3, 10, 0, 0, 0, time.UTC) }

// World is a store with people in it.
type World struct {
	t     testing.TB
	Store *ndb.Store
	Now   time.Time // may be changed between calls
	Zone  *time.Location
	Me    *Person // the account; nil until Read is called
}

// NewWorld opens an empty store that is closed when the test ends.
func NewWorld(t testing.TB) *World {
	t.Helper()
	w := &World{t: t, Now: Start(), Zone: time.FixedZone("CEST", 2*60*60)}
	s, err := ndb.Open(t.TempDir(), ndb.Options{Now: func() time.Time { return w.Now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	w.Store = s
	return w
}

// Env returns the Env for the calls of one turn.
func (w *World) Env() *tools.Env {
	env := &tools.Env{
		Store:     w.Store,
		Now:       func() time.Time { return w.Now },
		Zone:      w.Zone,
		Presented: &tools.Presented{},
		Timeout:   time.Minute, // a busy machine must not fail a test
	}
	if w.Me != nil {
		env.Me = w.Me.Key
	}
	return env
}

// Read makes p the account, with a contact list of the others.
func (w *World) Read(p *Person, follows ...*Person) {
	w.t.Helper()
	w.Me = p
	var tags nostr.Tags
	for _, f := range follows {
		tags = append(tags, nostr.Tag{"p", f.Key.String()})
	}
	p.Post(Post{Kind: 3, Tags: tags})
}

// Put stores events, and fails the test unless each was stored.
func (w *World) Put(events ...*nostr.Event) {
	w.t.Helper()
	results, err := w.Store.Put(w.t.Context(), ndb.Batch{Events: events})
	if err != nil {
		w.t.Fatal(err)
	}
	for i, r := range results {
		if r.Outcome != ndb.Stored {
			w.t.Fatalf("event %d (kind %d) was not stored: outcome %d, %v", i, events[i].Kind, r.Outcome, r.Err)
		}
	}
}

// Person is somebody who posts. The key is derived from a label, and worthless.
type Person struct {
	Key  nostr.PubKey
	Name string

	world  *World
	secret *btcec.PrivateKey
}

// Person returns a person with a profile. The key is derived from label, so that two people
// can have the same name.
func (w *World) Person(label, name string) *Person {
	w.t.Helper()
	sum := sha256.Sum256([]byte("bowerbird test key, worthless: " + label))
	secret, public := btcec.PrivKeyFromBytes(sum[:])
	p := &Person{Key: nostr.PubKey(schnorr.SerializePubKey(public)), Name: name, world: w, secret: secret}
	if name != "" {
		profile, err := json.Marshal(map[string]string{"name": name})
		if err != nil {
			w.t.Fatal(err)
		}
		p.Post(Post{Content: string(profile), Ago: 1000 * time.Hour})
	}
	return p
}

// Post is an event to be signed.
type Post struct {
	Kind    uint16
	Content string
	Tags    nostr.Tags
	Ago     time.Duration // before the world's clock
}

// Post signs an event, stores it, and returns it.
func (p *Person) Post(post Post) *nostr.Event {
	p.world.t.Helper()
	e := p.Sign(post)
	p.world.Put(e)
	return e
}

// Sign signs an event without storing it.
func (p *Person) Sign(post Post) *nostr.Event {
	p.world.t.Helper()
	e := &nostr.Event{
		PubKey: p.Key, Kind: post.Kind, Content: post.Content, Tags: post.Tags,
		CreatedAt: p.world.Now.Add(-post.Ago).Unix(),
	}
	if e.Tags == nil {
		e.Tags = nostr.Tags{}
	}
	e.ID = e.ComputeID()
	sig, err := schnorr.Sign(p.secret, e.ID[:])
	if err != nil {
		p.world.t.Fatal(err)
	}
	e.Sig = nostr.Sig(sig.Serialize())
	return e
}

// Note posts a note (kind 1) dated ago before the world's clock.
func (p *Person) Note(text string, ago time.Duration, tags ...nostr.Tag) *nostr.Event {
	p.world.t.Helper()
	return p.Post(Post{Kind: 1, Content: text, Ago: ago, Tags: tags})
}

// Notes signs n notes without storing them. of returns the text and the age of each.
func (p *Person) Notes(n int, of func(i int) (text string, ago time.Duration)) []*nostr.Event {
	p.world.t.Helper()
	events := make([]*nostr.Event, n)
	for i := range events {
		text, ago := of(i)
		events[i] = p.Sign(Post{Kind: 1, Content: text, Ago: ago})
	}
	return events
}

// Reply posts a note that replies to parent in the thread of root (NIP-10).
func (p *Person) Reply(root, parent *nostr.Event, text string, ago time.Duration) *nostr.Event {
	p.world.t.Helper()
	tags := []nostr.Tag{{"e", root.ID.String(), "", "root"}}
	if parent.ID != root.ID {
		tags = append(tags, nostr.Tag{"e", parent.ID.String(), "", "reply"})
	}
	return p.Note(text, ago, append(tags, nostr.Tag{"p", parent.PubKey.String()})...)
}

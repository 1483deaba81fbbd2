// Package sample turns the hand-written texts of assets/sample into the sample that the
// program shows to a person without an account: about 60 people and 2,000 signed events,
// nearly all of them from the ten days before a given time.
//
// Every event passes ndb's Verify, every reply names its thread and the people it answers,
// and every zap receipt passes ndb's ParseZap. The same options make the same events, byte
// for byte. Nothing is read from the clock, the network or the machine's randomness.
// Storing and showing the events is left to others.
package sample

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"bowerbird/app/sample/actor"
	"bowerbird/assets"
	"bowerbird/ndb/nostr"
)

// Options configure the sample.
type Options struct {
	Now  time.Time // required: the sample ends here; most of it is in the ten days before
	Seed uint64    // other seeds give other keys, ids and reactions to the same texts
	// Relays returns where a person writes, at least one; nil: one of their own and one
	// that all have in common. It is called once for each, in a fixed order.
	Relays func(handle string) []string
}

// Make returns the sample: the hand-written texts at their times up to Now, with profiles,
// follows, relay lists, reactions, reposts, zaps and one spammer.
func Make(o Options) (*World, error) {
	files, err := fs.Sub(assets.Sample, "sample")
	if err != nil {
		return nil, fmt.Errorf("open sample texts: %w", err)
	}
	return makeFrom(files, o)
}

func makeFrom(files fs.FS, o Options) (*World, error) {
	if o.Now.IsZero() {
		return nil, errors.New("make sample: no time given")
	}
	s, err := readScript(files)
	if err != nil {
		return nil, err
	}
	st, err := newStage(s, o)
	if err != nil {
		return nil, fmt.Errorf("make sample: %w", err)
	}
	for _, step := range []func() error{st.setUp, st.play, st.crowd, st.sendSpam} {
		if err := step(); err != nil {
			return nil, fmt.Errorf("make sample: %w", err)
		}
	}
	return st.world(), nil
}

// World is the sample as its user sees it.
type World struct {
	Me     nostr.PubKey
	People []actor.Person
	Events []*nostr.Event // oldest first
	Texts  []Text         // the notes and articles among Events that were written by hand
}

// Text is a note or an article that was written by hand.
type Text struct {
	Event *nostr.Event
	Story string   // the file that it is in
	Fact  []string // the distinctive words of the news that it reports; nil for most
}

// stage is a sample being made.
type stage struct {
	script  *script
	seed    uint64
	now     time.Time
	day     time.Time // midnight UTC of now
	me      *actor.Actor
	muted   []*actor.Actor
	spammer *actor.Actor   // nil when nobody spams
	actors  []*actor.Actor // in the order of people.txt
	byName  map[string]*actor.Actor
	follows map[*actor.Actor][]*actor.Actor
	wallet  *actor.Actor
	labels  map[string]*actor.Post
	played  []playedPost
	events  []*nostr.Event
}

// playedPost is a text of the script and the event made of it.
type playedPost struct {
	entry *entry
	post  *actor.Post
}

func newStage(s *script, o Options) (*stage, error) {
	st := &stage{
		script: s, seed: o.Seed, now: o.Now.UTC(),
		byName: make(map[string]*actor.Actor),
		labels: make(map[string]*actor.Post),
	}
	st.day = st.now.Truncate(24 * time.Hour)
	for _, r := range s.people {
		p := actor.Person{
			Handle: r.handle, Name: r.name, NIP05: r.handle + "@" + r.home,
			About: r.about, Picture: face(r.handle), Lang: r.lang, Followed: r.followed,
		}
		relays := []string{"wss://relay." + r.home, "wss://hub.bower.example"}
		if o.Relays != nil {
			relays = o.Relays(r.handle)
		}
		a := actor.New(o.Seed, p, r.old, relays)
		st.actors = append(st.actors, a)
		st.byName[r.handle] = a
		switch {
		case r.me:
			st.me = a
		case r.muted:
			st.muted = append(st.muted, a)
		case r.spams:
			st.spammer = a
		}
	}
	if st.me == nil {
		return nil, errors.New("people.txt has nobody with the flag me")
	}
	// The wallet signs receipts as a service would; it is nobody's profile.
	st.wallet = actor.New(o.Seed, actor.Person{Handle: "wallet service"}, false, st.me.Relays)
	st.chooseFollows()
	return st, nil
}

// add signs an event if it is not signed yet, and adds it to the world.
func (st *stage) add(a *actor.Actor, e *nostr.Event) error {
	if e.Sig == (nostr.Sig{}) {
		if err := a.Sign(e); err != nil {
			return err
		}
	}
	st.events = append(st.events, e)
	return nil
}

// when converts a time of the script. The seconds depend on the text, so that people do not
// all write on the full minute.
func (st *stage) when(e *entry) time.Time {
	sec := actor.Number(st.seed, e.author+e.text) % 60
	return st.day.Add(e.at).Add(time.Duration(sec) * time.Second)
}

// play creates the texts, oldest first.
func (st *stage) play() error {
	for i := range st.script.entries {
		e := &st.script.entries[i]
		p, err := st.perform(e)
		if err != nil {
			return fmt.Errorf("%s.txt line %d: %w", e.file, e.line, err)
		}
		if p == nil {
			continue
		}
		if e.label != "" {
			st.labels[e.label] = p
		}
		st.played = append(st.played, playedPost{e, p})
	}
	return nil
}

func (st *stage) perform(e *entry) (*actor.Post, error) {
	a, at := st.byName[e.author], st.when(e)
	switch e.verb {
	case verbProfile:
		ev, err := a.Profile(at, e.text)
		if err != nil {
			return nil, err
		}
		return nil, st.add(a, ev)
	case verbDelete:
		return nil, st.add(a, a.Remove(at, st.labels[e.target], e.text))
	}
	p := st.write(a, e, at)
	return p, st.add(a, p.Event)
}

func (st *stage) write(a *actor.Actor, e *entry, at time.Time) *actor.Post {
	text, tags := e.addPicture(st.mentions(e.text))
	if e.quote != "" {
		q := st.labels[e.quote]
		link, quotes := q.Link()
		text += "\n\n" + link
		tags = append(tags, quotes...)
	}
	if e.expires > 0 {
		tags = append(tags, nostr.Tag{"expiration", fmt.Sprint(at.Add(e.expires).Unix())})
	}
	switch {
	case e.verb == verbArticle:
		return st.article(a, e, at)
	case e.reply != "":
		return a.Reply(at, st.labels[e.reply], text, tags)
	default:
		return a.Note(at, text, tags)
	}
}

// article creates an article. A later one with the same d tag is its new version, and keeps
// the date of first publication.
func (st *stage) article(a *actor.Actor, e *entry, at time.Time) *actor.Post {
	published := at
	for _, p := range st.played {
		if p.entry.verb == verbArticle && p.entry.target == e.target && p.entry.author == e.author {
			published = st.when(p.entry)
			break
		}
	}
	var tags nostr.Tags
	if e.picture != "" {
		tags = nostr.Tags{{"image", pictureHost + e.picture + ".png"}}
	}
	return a.Article(at, published, e.target, e.text, tags)
}

// mentions replaces {handle} by a link to that person (NIP-27), and returns their p tags.
func (st *stage) mentions(text string) (string, nostr.Tags) {
	var tags nostr.Tags
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		handle, after, closed := strings.Cut(rest, "}")
		a := st.byName[handle]
		if !found || !closed || a == nil {
			b.WriteString(text)
			return b.String(), tags
		}
		link, tag := a.Link()
		b.WriteString(before + link)
		tags = append(tags, tag)
		text = after
	}
}

package sample

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"bowerbird/assets"
	"bowerbird/ndb"
)

// Options say which sample is made.
type Options struct {
	Now  time.Time // required: the sample ends here and begins up to ten days before
	Seed uint64    // other seeds give other keys, ids and reactions to the same texts
	// Relays says where a person writes, at least one; nil: at one of their own and at
	// one that all have in common. It is asked once for each, in one order.
	Relays func(handle string) []string
}

// Make makes the sample: the hand-written texts at their times in the ten days
// up to Now, with profiles, follows, relay lists, reactions, reposts, zaps and
// one spammer around them.
//
// Times count from midnight UTC of Now's day, and what lies after Now is left
// out. So two samples of one day and seed share all ids that both have, and the
// newest note is never more than a few hours older than Now. Texts have no
// weekdays or dates in them, which would be wrong on other days.
func Make(o Options) (*World, error) {
	files, err := sampleTexts()
	if err != nil {
		return nil, err
	}
	return makeFrom(files, o)
}

func sampleTexts() (fs.FS, error) {
	files, err := fs.Sub(assets.Sample, "sample")
	if err != nil {
		return nil, fmt.Errorf("open sample texts: %w", err)
	}
	return files, nil
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
	return st.world()
}

// stage is a sample in the making.
type stage struct {
	script  *script
	seed    uint64
	now     time.Time
	day     time.Time // midnight UTC of now
	me      *actor
	muted   []*actor
	spammer *actor   // nil when nobody spams
	actors  []*actor // in the order of people.txt
	byName  map[string]*actor
	follows map[*actor][]*actor
	wallet  *actor
	labels  map[string]*post
	played  []playedPost
	events  []*ndb.Event
}

// playedPost is a text of the script and what became of it.
type playedPost struct {
	entry *entry
	post  *post
}

func newStage(s *script, o Options) (*stage, error) {
	st := &stage{
		script: s, seed: o.Seed, now: o.Now.UTC(),
		byName: make(map[string]*actor),
		labels: make(map[string]*post),
	}
	st.day = st.now.Truncate(24 * time.Hour)
	for _, r := range s.people {
		p := Person{
			Handle: r.handle, Name: r.name, NIP05: r.handle + "@" + r.home,
			About: r.about, Lang: r.lang, Followed: r.followed,
		}
		relays := []string{"wss://relay." + r.home, "wss://hub.bower.example"}
		if o.Relays != nil {
			relays = o.Relays(r.handle)
		}
		a := newActor(o.Seed, p, r.old, relays)
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
	st.wallet = newActor(o.Seed, Person{Handle: "wallet service"}, false, st.me.relays)
	st.chooseFollows()
	return st, nil
}

// add signs an event if that is still to be done and takes it into the world.
func (st *stage) add(a *actor, e *ndb.Event) error {
	if e.Sig == (ndb.Sig{}) {
		if err := a.signer.sign(e); err != nil {
			return err
		}
	}
	st.events = append(st.events, e)
	return nil
}

// when turns a time of the script into one of the calendar. The seconds hang on
// the text, so that people do not all write on the full minute.
func (st *stage) when(e *entry) time.Time {
	sec := seedOf(st.seed, e.author+e.text) % 60
	return st.day.Add(e.at).Add(time.Duration(sec) * time.Second)
}

// play writes the texts, oldest first, with what the script says was done with
// them.
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

func (st *stage) perform(e *entry) (*post, error) {
	a, at := st.byName[e.author], st.when(e)
	switch e.verb {
	case verbProfile:
		ev, err := a.profile(at, e.text)
		if err != nil {
			return nil, err
		}
		return nil, st.add(a, ev)
	case verbDelete:
		return nil, st.add(a, a.remove(at, st.labels[e.target], e.text))
	}
	p := st.write(a, e, at)
	return p, st.add(a, p.event)
}

func (st *stage) write(a *actor, e *entry, at time.Time) *post {
	text, tags := st.mentions(e.text)
	if e.quote != "" {
		q := st.labels[e.quote]
		text += "\n\n" + noteLink(q.event.ID)
		tags = append(tags, quoteTags(q)...)
	}
	if e.expires > 0 {
		tags = append(tags, ndb.Tag{"expiration", fmt.Sprint(at.Add(e.expires).Unix())})
	}
	switch {
	case e.verb == verbArticle:
		return st.article(a, e, at)
	case e.reply != "":
		return a.reply(at, st.labels[e.reply], text, tags)
	default:
		return a.note(at, text, tags)
	}
}

// article makes a NIP-23 article: its first line is the title, the next
// paragraph the summary. A later one with the same d tag is its new version and
// keeps the first one's date of publication.
func (st *stage) article(a *actor, e *entry, at time.Time) *post {
	published := at
	for _, p := range st.played {
		if p.entry.verb == verbArticle && p.entry.target == e.target && p.entry.author == e.author {
			published = st.when(p.entry)
			break
		}
	}
	title, body, _ := strings.Cut(strings.TrimPrefix(e.text, "# "), "\n")
	body = strings.TrimSpace(body)
	summary, _, _ := strings.Cut(body, "\n")
	tags := ndb.Tags{
		{"d", e.target},
		{"title", title},
		{"summary", summary},
		{"published_at", fmt.Sprint(published.Unix())},
	}
	return &post{event: a.event(kindArticle, at, body, append(tags, hashtags(body)...)), by: a}
}

// mentions turns {handle} into a link to that person (NIP-27), with its p tag.
func (st *stage) mentions(text string) (string, ndb.Tags) {
	var tags ndb.Tags
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		handle, after, closed := strings.Cut(rest, "}")
		a := st.byName[handle]
		if !found || !closed || a == nil {
			b.WriteString(text)
			return b.String(), tags
		}
		b.WriteString(before + personLink(a.PubKey))
		tags = append(tags, ndb.Tag{"p", a.PubKey.String(), a.relays[0]})
		text = after
	}
}

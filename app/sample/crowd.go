package sample

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"bowerbird/app/sample/actor"
	"bowerbird/ndb/nostr"
)

// chooseFollows decides who follows whom: the user follows those flagged in people.txt; the
// others follow most of those who write their language, and some more.
func (st *stage) chooseFollows() {
	st.follows = make(map[*actor.Actor][]*actor.Actor)
	for _, a := range st.actors {
		rng := actor.Random(st.seed, "follows of "+a.Handle)
		for _, b := range st.actors {
			likely := 0.25
			switch {
			case a.Lang == b.Lang && b.Followed:
				likely = 0.85
			case !b.Followed && b != st.me:
				likely = 0.08
			}
			roll := rng.Float64()
			if a != b && (a == st.me && b.Followed || a != st.me && roll < likely) {
				st.follows[a] = append(st.follows[a], b)
			}
		}
	}
}

// setUp publishes what people had published before their first note: profiles, relay lists,
// follows, and the user's own lists.
func (st *stage) setUp() error {
	start := st.day.AddDate(0, 0, firstDay-1)
	for i, a := range st.actors {
		at := start.Add(time.Duration(i*7) * time.Minute)
		profile, err := a.Profile(at, a.About)
		if err != nil {
			return err
		}
		lists := []*nostr.Event{profile, a.RelayList(at.Add(time.Minute)), a.Contacts(at.Add(2*time.Minute), st.follows[a])}
		for _, e := range lists {
			if err := st.add(a, e); err != nil {
				return err
			}
		}
	}
	return st.setUpMe(start)
}

// setUpMe publishes an older contact list of the user's, which the newer one replaces, and
// a mute list (NIP-51) of people, a word and a hashtag.
func (st *stage) setUpMe(start time.Time) error {
	mine := st.follows[st.me]
	older := st.me.Contacts(start.Add(-time.Hour), mine[:len(mine)/2])
	if err := st.add(st.me, older); err != nil {
		return err
	}
	return st.add(st.me, st.me.Mutes(start.Add(9*time.Hour), st.muted, "giveaway", "spoilers"))
}

// crowd adds reactions, reposts and zaps: those that the script names, and some at random.
func (st *stage) crowd() error {
	for _, p := range st.played {
		rng := actor.Random(st.seed, "crowd at "+p.entry.author+p.entry.text)
		if err := st.named(p, rng); err != nil {
			return err
		}
		if err := st.random(p, rng); err != nil {
			return err
		}
	}
	return nil
}

// later returns a time after a post: mostly within the hour, sometimes on the next day.
func later(rng *rand.Rand, p *actor.Post) time.Time {
	delay := time.Duration(30+rng.ExpFloat64()*4500) * time.Second
	return time.Unix(p.Event.CreatedAt, 0).UTC().Add(min(delay, 30*time.Hour))
}

func (st *stage) named(p playedPost, rng *rand.Rand) error {
	for _, l := range p.entry.likes {
		a := st.byName[l.handle]
		if err := st.add(a, a.React(later(rng, p.post), p.post, l.content)); err != nil {
			return err
		}
	}
	for _, h := range p.entry.boosts {
		a := st.byName[h]
		e, err := a.Repost(later(rng, p.post), p.post)
		if err != nil {
			return err
		}
		if err := st.add(a, e); err != nil {
			return err
		}
	}
	for _, z := range p.entry.zaps {
		if err := st.zap(p, rng, st.byName[z.handle], z.sats); err != nil {
			return err
		}
	}
	return nil
}

func (st *stage) zap(p playedPost, rng *rand.Rand, sender *actor.Actor, sats int64) error {
	comment := actor.Pick(rng, []string{"", "", "", "⚡", "🫶", "thank you"})
	e, err := st.wallet.ZapReceipt(later(rng, p.post), sender, p.post, sats, comment)
	if err != nil {
		return err
	}
	return st.add(st.wallet, e)
}

// random lets some of the author's followers react, or zap. Few notes get many likes.
func (st *stage) random(p playedPost, rng *rand.Rand) error {
	var readers []*actor.Actor
	for _, a := range st.actors {
		liked := slices.ContainsFunc(p.entry.likes, func(l like) bool { return l.handle == a.Handle })
		if !liked && slices.Contains(st.follows[a], p.post.By) && a != st.spammer {
			readers = append(readers, a)
		}
	}
	rng.Shuffle(len(readers), func(i, j int) { readers[i], readers[j] = readers[j], readers[i] })
	n := min(int(rng.ExpFloat64()*2.2), len(readers)/2)
	for _, a := range readers[:n] {
		if err := st.add(a, a.React(later(rng, p.post), p.post, actor.Taste(rng))); err != nil {
			return err
		}
	}
	if len(readers) > n && rng.IntN(12) == 0 {
		return st.zap(p, rng, readers[n], actor.Pick(rng, []int64{21, 21, 21, 42, 100, 210}))
	}
	return nil
}

// sendSpam publishes the texts of spam.txt in turn, 40 in all, by one stranger, each with
// another number at its end, so that no two have the same id or words.
func (st *stage) sendSpam() error {
	const times = 40
	a := st.spammer
	if a == nil || len(st.script.spam) == 0 {
		return nil
	}
	rng := actor.Random(st.seed, "spam")
	for i := range times {
		at := st.day.Add(-6 * 24 * time.Hour).Add(time.Duration(i*209) * time.Minute)
		text := strings.ReplaceAll(st.script.spam[i%len(st.script.spam)], "NUMBER", strconv.Itoa(1000+rng.IntN(9000)))
		if err := st.add(a, a.Note(at, text, nil).Event); err != nil {
			return err
		}
	}
	return nil
}

// world returns what is not after now, oldest first.
func (st *stage) world() *World {
	w := &World{Me: st.me.PubKey}
	for _, a := range st.actors {
		w.People = append(w.People, a.Person)
	}
	for _, e := range st.events {
		if e.CreatedAt <= st.now.Unix() {
			w.Events = append(w.Events, e)
		}
	}
	for _, p := range st.played {
		if p.post.Event.CreatedAt <= st.now.Unix() {
			w.Texts = append(w.Texts, Text{p.post.Event, p.entry.file, p.entry.fact})
		}
	}
	slices.SortFunc(w.Events, func(a, b *nostr.Event) int {
		return cmp.Or(cmp.Compare(a.CreatedAt, b.CreatedAt), slices.Compare(a.ID[:], b.ID[:]))
	})
	return w
}

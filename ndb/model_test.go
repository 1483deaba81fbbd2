package ndb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
	"bowerbird/ndb/search"
)

// model is the store's rules written down without any of its means: a list of all
// events ever offered, from which everything is worked out anew.
type model struct {
	now    int64
	events []*nostr.Event
	seen   map[nostr.ID]bool

	cached   []*nostr.Event // the answer of shown
	cachedAt int64
}

// offer takes an event; what has expired when it comes is refused.
func (m *model) offer(e *nostr.Event) {
	expiry := expiryOf(e)
	if m.seen[e.ID] || nostr.IsEphemeral(e.Kind) || expiry != noExpiry && expiry <= m.now {
		return
	}
	m.seen[e.ID] = true
	m.events = append(m.events, e)
}

func (m *model) inForce(e *nostr.Event) bool { return e.CreatedAt <= m.now+futureGrace }

// shown returns the events that a query may show, in order.
func (m *model) shown() []*nostr.Event {
	if m.cachedAt == m.now {
		return m.cached
	}
	var shown []*nostr.Event
	for _, e := range m.events {
		expiry := expiryOf(e)
		if m.inForce(e) && !m.gone(e) && m.isLatest(e) && (expiry == noExpiry || expiry > m.now) {
			shown = append(shown, e)
		}
	}
	slices.SortFunc(shown, func(a, b *nostr.Event) int {
		if a.CreatedAt != b.CreatedAt {
			return int(b.CreatedAt - a.CreatedAt)
		}
		return strings.Compare(a.ID.String(), b.ID.String())
	})
	m.cached, m.cachedAt = shown, m.now
	return shown
}

// gone reports whether the event was deleted or its author has vanished.
func (m *model) gone(e *nostr.Event) bool {
	for _, by := range m.events {
		if by.PubKey != e.PubKey || !m.inForce(by) {
			continue
		}
		if by.Kind == 62 && e.Kind != 62 && e.CreatedAt <= by.CreatedAt && slices.ContainsFunc(by.Tags, func(t nostr.Tag) bool { return t[1] == "ALL_RELAYS" }) {
			return true
		}
		if by.Kind != 5 || e.Kind == 5 || e.Kind == 62 {
			continue
		}
		for _, tag := range by.Tags {
			d, _ := e.Tags.Value("d")
			addr := fmt.Sprintf("%d:%s:%s", e.Kind, e.PubKey, d)
			if tag[0] == "e" && tag[1] == e.ID.String() || tag[0] == "a" && tag[1] == addr && e.CreatedAt <= by.CreatedAt && nostr.IsReplaceable(e.Kind) {
				return true
			}
		}
	}
	return false
}

// isLatest reports whether no version in force wins over this one, deleted or not.
func (m *model) isLatest(e *nostr.Event) bool {
	if !nostr.IsReplaceable(e.Kind) {
		return true
	}
	for _, other := range m.events {
		if other.PubKey == e.PubKey && other.Kind == e.Kind && nostr.D(other) == nostr.D(e) && m.inForce(other) &&
			(other.CreatedAt > e.CreatedAt || other.CreatedAt == e.CreatedAt && other.ID.String() < e.ID.String()) {
			return false
		}
	}
	return true
}

func (m *model) counters(id nostr.ID) (c Counters) {
	given := make(map[string]bool)
	for _, e := range m.shown() {
		for _, ef := range effectsOf(e) {
			if ef.target == id {
				c.add(ef, !given[string(ef.what)+e.PubKey.String()])
				given[string(ef.what)+e.PubKey.String()] = true
			}
		}
	}
	return c
}

func (m *model) query(f nostr.Filter) []string {
	var found []string
	for _, e := range m.shown() {
		if f.Limit != nil && len(found) == *f.Limit {
			break
		}
		if f.Matches(e) && matchesModelSearch(f, e) {
			found = append(found, e.ID.String())
		}
	}
	return found
}

func matchesModelSearch(f nostr.Filter, e *nostr.Event) bool {
	if f.Search == "" {
		return true
	}
	if f.Kinds != nil { // the filter names kinds, as the query may
		return search.Passes(nostr.Filter{Kinds: f.Kinds, Search: f.Search}, e, e.CreatedAt)
	}
	q, err := search.Parse(f.Search)
	return err == nil && q.Match(e)
}

// world makes random events that have much to do with each other.
type world struct {
	t      testing.TB
	rng    *rand.Rand
	people []person
	made   []*nostr.Event

	laterDeletions bool // deletions may be dated in the future
}

var modelWords = strings.Fields("bower bird blue note relay zap berlin tea 猫が好き кот")

func (w *world) event() *nostr.Event {
	who := w.people[w.rng.IntN(len(w.people))]
	created, later := testNow-int64(w.rng.IntN(40)), false
	if w.rng.IntN(12) == 0 {
		later = true
		created = testNow + futureGrace + int64(w.rng.IntN(40)) - 5
	}
	words := make([]string, 1+w.rng.IntN(4))
	for i := range words {
		words[i] = modelWords[w.rng.IntN(len(modelWords))]
	}
	text := strings.Join(words, " ")
	tags := nostr.Tags{{"t", modelWords[w.rng.IntN(4)]}}
	if w.rng.IntN(9) == 0 {
		tags = append(tags, nostr.Tag{"expiration", fmt.Sprint(testNow + w.rng.IntN(60) - 10)})
	}
	target := w.target()
	switch kind := []uint16{0, 1, 1, 1, 3, 5, 5, 6, 7, 7, 62, 1111, 10002, 20001, 30023, 30023}[w.rng.IntN(16)]; kind {
	case 0:
		return who.signs(w.t, kind, created, fmt.Sprintf(`{"name":%q,"about":%q}`, words[0], text), tags...)
	case 3:
		for range w.rng.IntN(90) {
			tags = append(tags, nostr.Tag{"p", w.people[w.rng.IntN(len(w.people))].key.String()})
		}
		return who.signs(w.t, kind, created, "", tags...)
	case 5:
		if later && !w.laterDeletions {
			created = testNow
		}
		return w.deletion(created)
	case 62:
		if w.rng.IntN(3) > 0 {
			return who.signs(w.t, 62, created, "", nostr.Tag{"relay", "wss://other.example"})
		}
		return who.signs(w.t, 62, testNow-30, "", nostr.Tag{"relay", "ALL_RELAYS"})
	case 1, 1111:
		if target != nil && w.rng.IntN(2) == 0 {
			tags = append(tags, nostr.Tag{"e", target.ID.String(), "", "reply"}, nostr.Tag{"p", target.PubKey.String()})
		} else if target != nil && w.rng.IntN(3) == 0 {
			tags = append(tags, nostr.Tag{"q", target.ID.String()})
		}
		if w.rng.IntN(10) == 0 {
			for i := range 80 {
				tags = append(tags, nostr.Tag{"t", fmt.Sprint("many", i)})
			}
			tags = append(tags, nostr.Tag{"r", strings.Repeat("long", 100)})
		}
	case 6, 7:
		if target != nil {
			tags = append(tags, nostr.Tag{"e", target.ID.String()}, nostr.Tag{"p", target.PubKey.String()})
		}
		text = []string{"+", "-", "🤙"}[w.rng.IntN(3)]
		return who.signs(w.t, kind, created, text, tags...)
	case 30023:
		tags = append(tags, nostr.Tag{"d", fmt.Sprint(w.rng.IntN(3))})
		return who.signs(w.t, kind, created, text, tags...)
	default:
		return who.signs(w.t, kind, created, text, tags...)
	}
	return who.signs(w.t, 1, created, text, tags...)
}

func (w *world) target() *nostr.Event {
	if len(w.made) == 0 {
		return nil
	}
	return w.made[w.rng.IntN(len(w.made))]
}

// deletion asks for some events to go, now and then for a stranger's.
func (w *world) deletion(created int64) *nostr.Event {
	who := w.people[w.rng.IntN(len(w.people))]
	tags := nostr.Tags{{"k", "1"}}
	for range 1 + w.rng.IntN(3) {
		target := w.target()
		if target == nil || target.CreatedAt > testNow && !w.laterDeletions {
			continue
		}
		if w.rng.IntN(5) > 0 {
			i := slices.IndexFunc(w.people, func(p person) bool { return p.key == target.PubKey })
			who = w.people[i]
		}
		created = max(created, target.CreatedAt)
		if nostr.IsReplaceable(target.Kind) && w.rng.IntN(2) == 0 {
			d, _ := target.Tags.Value("d")
			tags = append(tags, nostr.Tag{"a", fmt.Sprintf("%d:%s:%s", target.Kind, target.PubKey, d)})
		} else {
			tags = append(tags, nostr.Tag{"e", target.ID.String()})
		}
	}
	return who.signs(w.t, 5, created, "", tags...)
}

func (w *world) filter() nostr.Filter {
	var f nostr.Filter
	pick := func(n int) bool { return w.rng.IntN(n) == 0 }
	if pick(8) {
		f.IDs = []nostr.ID{}
		for range w.rng.IntN(6) {
			f.IDs = append(f.IDs, w.target().ID)
		}
	}
	if pick(3) {
		for range 1 + w.rng.IntN(22) {
			f.Authors = append(f.Authors, newPerson(w.rng.IntN(30)).key)
		}
	}
	if pick(2) {
		for range 1 + w.rng.IntN(3) {
			f.Kinds = append(f.Kinds, []uint16{0, 1, 3, 5, 7, 1111, 30023, 40}[w.rng.IntN(8)])
		}
	}
	if pick(3) {
		f.Tags = map[byte][]string{}
		switch w.rng.IntN(5) {
		case 0:
			f.Tags['e'] = []string{w.target().ID.String(), w.target().ID.String()}
		case 1:
			f.Tags['p'] = []string{w.people[0].key.String()}
		case 2:
			f.Tags['r'] = []string{strings.Repeat("long", 100)}
		case 3:
			f.Tags['t'] = []string{"many79", modelWords[0]}
			f.Tags['p'] = []string{w.people[1].key.String(), w.people[2].key.String()}
		default:
			f.Tags['t'] = []string{modelWords[w.rng.IntN(4)]}
		}
	}
	if pick(3) {
		f.Since = ptr(int64(testNow - w.rng.IntN(50)))
	}
	if pick(3) {
		f.Until = ptr(int64(testNow - w.rng.IntN(50) + 20))
	}
	if pick(3) {
		f.Limit = ptr(w.rng.IntN(15))
	}
	if pick(4) {
		f.Search = []string{"bower", "blue bird", `"note relay"`, "tea -zap", "猫が", "кот berlin", `-"blue note"`}[w.rng.IntN(7)]
	}
	return f
}

func TestTheStoreAnswersAsASimpleModelDoes(t *testing.T) {
	rounds := 25
	if testing.Short() {
		rounds = 3
	}
	for seed := range rounds {
		w := &world{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 1)), laterDeletions: seed%3 == 0}
		for i := range 6 + 15*(seed%2) {
			w.people = append(w.people, newPerson(i))
		}
		for range 90 {
			w.made = append(w.made, w.event())
		}
		offered := append(slices.Clone(w.made), w.made[:10]...)
		w.rng.Shuffle(len(offered), func(i, j int) { offered[i], offered[j] = offered[j], offered[i] })
		s, c := openTest(t)
		m := &model{now: testNow, seen: make(map[nostr.ID]bool)}
		for len(offered) > 0 {
			n := min(1+w.rng.IntN(40), len(offered))
			put(t, s, offered[:n]...)
			for _, e := range offered[:n] {
				m.offer(e)
			}
			offered = offered[n:]
		}
		for _, later := range []int64{0, 7, 15, 60} {
			c.unix, m.now = testNow+later, testNow+later
			name := fmt.Sprintf("seed %d, %d s later", seed, later)
			if !w.laterDeletions { // they take effect when they are swept
				compareQueries(t, name, s, m, w)
			}
			if err := s.Sweep(context.Background()); err != nil {
				t.Fatal(err)
			}
			compareQueries(t, name+", swept", s, m, w)
			for _, e := range w.made {
				want := Counters{}
				if slices.ContainsFunc(m.shown(), func(o *nostr.Event) bool { return o.ID == e.ID }) {
					want = m.counters(e.ID)
				}
				got, err := s.Counters(context.Background(), e.ID)
				if err != nil || got != want && m.inForce(e) {
					t.Errorf("%s: counters of %s: %+v, want %+v (%v)", name, e.ID, got, want, err)
				}
				if all, err := s.CountersOf(context.Background(), []nostr.ID{{}, e.ID}); err != nil || all[0] != (Counters{}) || want != (Counters{}) && all[1] != got {
					t.Errorf("%s: counters of none and of %s: %+v, want %+v (%v)", name, e.ID, all, got, err)
				}
			}
			mustBeSound(t, s)
		}
		if t.Failed() {
			return
		}
	}
}

// difference tells where two answers part.
func (w *world) difference(got, want []string) string {
	var text strings.Builder
	for i := range max(len(got), len(want)) {
		if i < len(got) && i < len(want) && got[i] == want[i] {
			continue
		}
		for _, e := range w.made {
			if i < len(got) && e.ID.String() == got[i] {
				fmt.Fprintf(&text, "got  %s\n", e.AppendJSON(nil))
			}
			if i < len(want) && e.ID.String() == want[i] {
				fmt.Fprintf(&text, "want %s\n", e.AppendJSON(nil))
			}
		}
		break
	}
	return text.String()
}

func compareQueries(t *testing.T, name string, s *Store, m *model, w *world) {
	t.Helper()
	for range 25 {
		f := w.filter()
		var got []string
		for _, e := range query(t, s, f) {
			got = append(got, e.ID.String())
		}
		if want := m.query(f); !slices.Equal(got, want) {
			text, _ := f.MarshalJSON()
			t.Errorf("%s: %.200s\n%s", name, text, w.difference(got, want))
			return
		}
	}
}

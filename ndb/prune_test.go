package ndb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// rule is what a pruning takes, worked out from the list of all events without any
// of the store's means.
type rule struct {
	t       *testing.T
	opt     PruneOptions
	follows map[nostr.PubKey]bool
	events  []*nostr.Event // all that is stored
	// As how old what is referred to counts, by the limit of size and by that of days.
	bySize, byDays         map[nostr.ID]int64
	namedBySize, namedDays map[nostr.PubKey]int64 // likewise people whom shown notes link to
}

func newRule(t *testing.T, opt PruneOptions, events []*nostr.Event) *rule {
	r := &rule{t: t, opt: opt, follows: map[nostr.PubKey]bool{}, events: events}
	for _, e := range events {
		if e.Kind == 3 && slices.Contains(opt.Me, e.PubKey) && e.CreatedAt <= testNow+futureGrace {
			for _, tag := range e.Tags {
				if raw, ok := hex32(tag[1]); ok && tag[0] == "p" {
					r.follows[nostr.PubKey(raw)] = true
				}
			}
		}
	}
	for _, me := range opt.Me {
		delete(r.follows, me)
	}
	r.bySize, r.namedBySize = r.marks(func(e *nostr.Event) int64 { return e.CreatedAt })
	r.byDays, r.namedDays = r.marks(func(e *nostr.Event) int64 {
		if r.follows[e.PubKey] {
			return forever
		}
		return e.CreatedAt
	})
	return r
}

// marks works out of what age each note counts for the sake of others, where those
// who keep what they refer to have the age given.
func (r *rule) marks(age func(*nostr.Event) int64) (marks map[nostr.ID]int64, named map[nostr.PubKey]int64) {
	marks, named = map[nostr.ID]int64{}, map[nostr.PubKey]int64{}
	for changed := true; changed; {
		changed = false
		for _, e := range r.events {
			mark := int64(0)
			if refersOn(e.Kind) {
				if mark = marks[e.ID]; r.follows[e.PubKey] || r.speaksToMe(e) {
					mark = max(mark, age(e))
				}
			}
			if slices.Contains(r.opt.Me, e.PubKey) {
				mark = forever
			}
			for link := range nostr.Links(e.Content) {
				named[link.PubKey] = max(named[link.PubKey], mark)
			}
			for _, target := range r.events {
				if mark > marks[target.ID] && r.refers(e, target) {
					marks[target.ID], changed = mark, true
				}
			}
		}
	}
	return marks, named
}

func (r *rule) speaksToMe(e *nostr.Event) bool {
	return slices.ContainsFunc(e.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && tag[0] == "p" && tag[1] == r.opt.Me[0].String()
	})
}

func (r *rule) refers(e, target *nostr.Event) bool {
	if slices.Contains(nostr.Quotes(e), target.ID) {
		return true
	}
	d, _ := target.Tags.Value("d")
	if !nostr.IsAddressable(target.Kind) {
		d = ""
	}
	addr := fmt.Sprintf("%d:%s:%s", target.Kind, target.PubKey, d)
	return slices.ContainsFunc(e.Tags, func(tag nostr.Tag) bool {
		return len(tag) > 1 && slices.Contains([]string{"e", "E", "q", "a", "A"}, tag[0]) &&
			(tag[1] == target.ID.String() || tag[1] == addr && nostr.IsReplaceable(target.Kind) && target.CreatedAt <= testNow+futureGrace)
	})
}

// goes reports whether a note goes.
func (r *rule) goes(e *nostr.Event, report PruneReport) bool {
	stranger := !r.follows[e.PubKey]
	switch {
	case slices.Contains(r.opt.Me, e.PubKey), e.Kind == 5, e.Kind == 62, e.CreatedAt > testNow+futureGrace,
		!stranger && nostr.IsReplaceable(e.Kind), isOfPerson(e.Kind), r.opt.Keep != nil && r.opt.Keep(e.ID):
		return false
	}
	return r.opt.Before > 0 && stranger && max(e.CreatedAt, r.byDays[e.ID]) < r.opt.Before ||
		r.opt.MaxBytes > 0 && max(e.CreatedAt, r.bySize[e.ID]) < report.BySize
}

// left returns what is to be left of a pruning, in order.
func (r *rule) left(report PruneReport) (left []*nostr.Event) {
	for _, e := range r.events {
		if !r.goes(e, report) {
			left = append(left, e)
		}
	}
	before := report.Before
	kept := func(e *nostr.Event) bool {
		return (r.opt.Before == 0 || max(r.byDays[e.ID], r.namedDays[e.PubKey]) >= r.opt.Before) &&
			(r.opt.MaxBytes == 0 || max(r.bySize[e.ID], r.namedBySize[e.PubKey]) >= report.BySize)
	}
	without := func(e *nostr.Event) bool {
		if !isOfPerson(e.Kind) || e.CreatedAt >= before || slices.Contains(r.opt.Me, e.PubKey) || r.follows[e.PubKey] || kept(e) {
			return false
		}
		return !slices.ContainsFunc(left, func(o *nostr.Event) bool {
			return o.PubKey == e.PubKey && !isOfPerson(o.Kind) ||
				o.Kind != 3 && slices.ContainsFunc(o.Tags, func(tag nostr.Tag) bool { return len(tag) > 1 && tag[0] == "p" && tag[1] == e.PubKey.String() })
		})
	}
	var people []*nostr.Event
	for _, e := range left {
		if !without(e) {
			people = append(people, e)
		}
	}
	return people
}

func stored(t *testing.T, s *Store) []*nostr.Event {
	t.Helper()
	return queryWith(t, s, QueryOptions{Hidden: true}, nostr.Filter{})
}

func idsOf(events []*nostr.Event) (ids []string) {
	for _, e := range events {
		ids = append(ids, e.ID.String()[:8]+" "+fmt.Sprint(e.Kind)+" "+e.Content)
	}
	return ids
}

// mustLeave prunes and compares what is left with the rule.
func mustLeave(t *testing.T, name string, s *Store, opt PruneOptions) PruneReport {
	t.Helper()
	before := stored(t, s)
	r := newRule(t, opt, before)
	dry := opt
	dry.DryRun = true
	told, err := s.Prune(context.Background(), dry)
	if err != nil {
		t.Fatal(err)
	}
	if got := stored(t, s); len(got) != len(before) {
		t.Fatalf("%s: a dry run removed %d", name, len(before)-len(got))
	}
	report, err := s.Prune(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if report.Notes != told.Notes || report.Before != told.Before || report.BySize != told.BySize || report.Stopped {
		t.Errorf("%s: the dry run says %+v, it did %+v", name, told, report)
	}
	want, got := idsOf(r.left(report)), idsOf(stored(t, s))
	if !slices.Equal(got, want) {
		for _, id := range want {
			if !slices.Contains(got, id) {
				t.Errorf("%s: gone, and should stay: %s", name, id)
			}
		}
		for _, id := range got {
			if !slices.Contains(want, id) {
				t.Errorf("%s: there, and should go: %s", name, id)
			}
		}
	}
	mustBeSound(t, s)
	return report
}

func TestPruningTakesOldNotesOfStrangersAndNothingThatIsProtected(t *testing.T) {
	s, _ := openTest(t)
	me, ada, eve, ivy := newPerson(1), newPerson(2), newPerson(3), newPerson(4)
	const day, old = 86_400, testNow - 40*86_400
	e := func(n *nostr.Event) string { return n.ID.String() }
	note := func(by person, text string, tags ...nostr.Tag) *nostr.Event {
		return by.signs(t, 1, old, text, tags...)
	}
	stranger := func(text string, tags ...nostr.Tag) *nostr.Event { return note(eve, text, tags...) }
	bookmarked, pinned, set, answered, root := stranger("bookmarked"), stranger("in a list"), stranger("in a set"), stranger("answered"), stranger("root")
	liked, quoted, linked, passed, zapped := stranger("liked"), stranger("quoted"), stranger("linked"), stranger("passed on"), stranger("cited in a chat")
	grandparent := stranger("root of what ada answered")
	parent := stranger("answered by ada", nostr.Tag{"e", e(grandparent), "", "root"})
	article := eve.signs(t, 30023, old, "article", nostr.Tag{"d", "x"})
	deleted := stranger("deleted")
	keep := []*nostr.Event{
		bookmarked, pinned, set, answered, root, liked, quoted, linked, passed, zapped, parent, grandparent, article,
		me.signs(t, 3, old, "follows", nostr.Tag{"p", ada.key.String()}),
		me.signs(t, 10003, old, "bookmarks", nostr.Tag{"e", e(bookmarked)}, nostr.Tag{"a", "30023:" + eve.key.String() + ":x"}),
		me.signs(t, 30001, old, "list", nostr.Tag{"d", "a"}, nostr.Tag{"e", e(pinned)}),
		me.signs(t, 30003, old, "set", nostr.Tag{"d", "a"}, nostr.Tag{"e", e(set)}),
		note(me, "reply", nostr.Tag{"e", e(root), "", "root"}, nostr.Tag{"e", e(answered), "", "reply"}),
		me.signs(t, 7, old, "+", nostr.Tag{"e", e(liked)}),
		note(me, "quote", nostr.Tag{"q", e(quoted)}),
		note(me, "look: nostr:"+linked.ID.Note()),
		me.signs(t, 6, old, "", nostr.Tag{"e", e(passed)}),
		note(ada, "reply", nostr.Tag{"e", e(parent), "", "reply"}),
		ada.signs(t, 0, old, `{"name":"ada"}`), ada.signs(t, 10002, old, "relays"), ada.signs(t, 30023, old, "hers", nostr.Tag{"d", "y"}),
		eve.signs(t, 0, old, `{"name":"eve"}`), // notes of hers stay
		eve.signs(t, 5, old, "deletion", nostr.Tag{"e", e(deleted)}),
		eve.signs(t, 1, testNow-29*day, "young enough"),
		eve.signs(t, 1, testNow+futureGrace+day, "from the future"),
	}
	replyToMe := stranger("answers me")
	gone := []*nostr.Event{
		stranger("idle talk"), eve.signs(t, 7, old, "+", nostr.Tag{"e", e(answered)}), eve.signs(t, 30023, old, "an article", nostr.Tag{"d", "z"}),
		stranger("answers what stays", nostr.Tag{"e", e(root), "", "reply"}), replyToMe,
		stranger("liked by ada only"), ivy.signs(t, 0, old, `{"name":"ivy"}`), ivy.signs(t, 1, old, "the last of ivy"),
	}
	ada7 := ada.signs(t, 7, old, "+", nostr.Tag{"e", e(gone[5])})
	whole := coverage.Interval{From: 0, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofFinish}
	cover := func(by person, p coverage.Purpose) coverage.Row {
		return coverage.Row{Author: by.key, Relay: "wss://r.example", Purpose: p, Interval: whole}
	}
	inboxed := eve.signs(t, 1, old+100, "to me, and old", nostr.Tag{"p", me.key.String()})
	_, err := s.Put(t.Context(), Batch{
		Events:   append(append(slices.Clone(keep), deleted, ada7, inboxed), gone...),
		Coverage: []coverage.Row{cover(me, coverage.Feed), cover(ada, coverage.Feed), cover(eve, coverage.Feed), cover(me, coverage.Inbox), cover(ivy, coverage.Profile)},
	})
	if err != nil {
		t.Fatal(err)
	}
	opt := PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow - 30*day, Keep: func(id nostr.ID) bool { return id == zapped.ID }}
	report := mustLeave(t, "thirty days", s, opt)
	for _, n := range keep {
		if _, err := s.Event(t.Context(), n.ID); err != nil {
			t.Errorf("%s is gone: %v", n.Content, err)
		}
	}
	for _, n := range append(gone, inboxed) {
		if _, err := s.Event(t.Context(), n.ID); !errors.Is(err, ErrNotFound) {
			t.Errorf("%s is still there (%v)", n.Content, err)
		}
	}
	if report.Notes != len(gone) || report.People != 1 || report.Before != opt.Before || report.Bytes == 0 {
		t.Errorf("report %+v", report)
	}
	if c, err := s.Counters(t.Context(), answered.ID); err != nil || c.Replies != 1 || c.Reactions != 0 {
		t.Errorf("counters %+v, %v", c, err)
	}
	for _, tc := range []struct {
		by   person
		p    coverage.Purpose
		from int64
	}{{me, coverage.Feed, 0}, {ada, coverage.Feed, 0}, {eve, coverage.Feed, old + 101}, {me, coverage.Inbox, old + 101}, {ivy, coverage.Profile, old + 1}} {
		rows, err := s.Coverage(t.Context(), tc.by.key, tc.p)
		if err != nil || len(rows) != 1 || rows[0].Interval.From != tc.from || rows[0].Interval.To != testNow {
			t.Errorf("coverage %d: %+v, %v; want from %d", tc.p, rows, err, tc.from)
		}
	}
	if outcome := put(t, s, deleted); outcome[0] != Deleted {
		t.Errorf("what was deleted before came back: %v", outcome)
	}
	if again, err := s.Prune(t.Context(), opt); err != nil || again.Notes != 0 || again.Before != 0 {
		t.Errorf("a second pruning: %+v, %v", again, err)
	}
}

func TestPruningOfRandomWorldsFollowsTheRule(t *testing.T) {
	pruned, worlds := 0, 24
	if testing.Short() {
		worlds = 4
	}
	for seed := range worlds {
		w := &world{t: t, rng: rand.New(rand.NewPCG(uint64(seed), 11))}
		for i := range 8 {
			w.people = append(w.people, newPerson(i))
		}
		me := w.people[0]
		for range 150 {
			w.made = append(w.made, w.event())
		}
		for range 15 { // strangers who speak to the reader, and people who are spoken of
			by, of := w.people[w.rng.IntN(8)], w.people[w.rng.IntN(8)]
			w.made = append(w.made, by.signs(t, 1, testNow-int64(w.rng.IntN(40)), "see nostr:"+of.key.Npub(),
				nostr.Tag{"p", w.people[w.rng.IntN(3)].key.String()}, nostr.Tag{"e", w.target().ID.String()}))
		}
		list := nostr.Tags{{"p", w.people[1].key.String()}, {"p", w.people[2].key.String()}, {"p", me.key.String()}}
		s, _ := openTest(t)
		put(t, s, append(w.made, me.signs(t, 3, testNow+1, "", list...))...)
		opt := PruneOptions{Me: []nostr.PubKey{me.key}, Keep: func(id nostr.ID) bool { return id[0] == 7 }}
		name := fmt.Sprintf("seed %d", seed)
		if seed%3 != 1 {
			opt.Before = testNow - int64(w.rng.IntN(40))
		}
		if seed%3 != 0 {
			_, bytes, err := s.Size(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			opt.MaxBytes = int64(float64(bytes) * w.rng.Float64())
		}
		pruned += mustLeave(t, name, s, opt).Notes
	}
	if pruned < 20*worlds {
		t.Errorf("only %d notes went in all", pruned)
	}
}

func TestAPruningThatIsBrokenOffLeavesAWholeStoreAndIsTakenUp(t *testing.T) {
	s, _ := openTest(t)
	me, eve := newPerson(1), newPerson(2)
	events := []*nostr.Event{me.signs(t, 3, testNow, "")}
	for i := range 450 {
		events = append(events, eve.signs(t, 1, testNow-1000+int64(i), fmt.Sprint(i)))
	}
	put(t, s, events...)
	ctx, cancel := context.WithCancel(t.Context())
	opt := PruneOptions{Me: []nostr.PubKey{me.key}, Before: testNow, Progress: func(done, of int) {
		if of != 450 {
			t.Errorf("%d of %d", done, of)
		}
		if done == 200 { // while it goes on, one is bookmarked, and one more comes
			put(t, s, me.signs(t, 10003, testNow, "", nostr.Tag{"e", events[300].ID.String()}), eve.signs(t, 1, testNow+1, "new"))
		}
		if done == 300 {
			cancel()
		}
	}}
	report, err := s.Prune(ctx, opt)
	if !errors.Is(err, context.Canceled) || report.Notes != 299 {
		t.Errorf("broken off: %+v, %v", report, err)
	}
	mustBeSound(t, s)
	opt.Progress = nil
	refused := errors.New("refused")
	opt.Begin = func(plan PruneReport) error {
		if plan.Before != testNow || plan.Notes != 150 {
			t.Errorf("told to begin with %+v", plan)
		}
		return refused
	}
	if report, err = s.Prune(t.Context(), opt); !errors.Is(err, refused) || report.Notes != 0 {
		t.Errorf("refused: %+v, %v", report, err)
	}
	opt.Begin = nil
	if report, err = s.Prune(t.Context(), opt); err != nil || report.Notes != 150 {
		t.Errorf("taken up: %+v, %v", report, err)
	}
	if got := query(t, s, nostr.Filter{Authors: []nostr.PubKey{eve.key}}); len(got) != 2 || got[1].ID != events[300].ID {
		t.Errorf("left is %q", contents(got))
	}
	for _, tc := range []struct {
		name string
		opt  PruneOptions
		want error
	}{
		{"nobody's follows", PruneOptions{Me: []nostr.PubKey{eve.key}, Before: 1}, ErrNotFollowing},
		{"no limit", PruneOptions{Me: []nostr.PubKey{me.key}}, nil},
		{"no reader", PruneOptions{Before: 1}, nil},
	} {
		if _, err := s.Prune(t.Context(), tc.opt); err == nil || tc.want != nil && !errors.Is(err, tc.want) {
			t.Errorf("%s: %v", tc.name, err)
		}
	}
}

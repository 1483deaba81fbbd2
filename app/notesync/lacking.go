package notesync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bowerbird/app/relay"
	"bowerbird/ndb"
)

// This file is about kinds: of which a relay gives nothing, and how many it takes in
// one filter. A relay may leave out a kind in silence as long as others are asked for
// with it: for members only, or since it goes by the first kinds of a filter. So each
// kind of which it gave nothing yet is asked for alone, of anybody, once a day.

// soughtKinds are the kinds that are asked for alone: those that many people use. The
// rest are rare, and each question makes a first sync longer.
var soughtKinds = []uint16{1, repost, reaction, 1111, 30023}

// kindsBucket holds, per relay, what was learnt of it about kinds.
const kindsBucket = "sync-kinds"

// kindsKept is for how many seconds that is believed of what it did not give.
const kindsKept = day

// keptKinds is a row of that bucket.
type keptKinds struct {
	Most    int      `json:"most,omitempty"`    // kinds a filter; 0 for no such limit
	Given   []uint16 `json:"given,omitempty"`   // an event of them came
	Refused []uint16 `json:"refused,omitempty"` // it does not answer a question for them
	Silent  []uint16 `json:"silent,omitempty"`  // asked for them alone it had nothing of anybody
	Telling bool     `json:"telling,omitempty"` // that it had nothing tells that it leaves them out
	Next    int64    `json:"next"`              // when to ask again, in unix seconds
}

// Reposts and reactions are of kinds that nearly everybody uses. A relay that gave so
// many events, one of these kinds among them, and of the other never one to anybody,
// leaves that out.
const (
	repost, reaction uint16 = 6, 7
	tellingEvents           = 500
)

// silentOfAll reports whether it is one of these that nothing came of, and not both:
// a relay for notes alone may hold no others.
func (k keptKinds) silentOfAll() bool {
	return slices.Contains(k.Silent, repost) != slices.Contains(k.Silent, reaction)
}

// lacking returns the kinds that are known to be left out, sorted. Where one is that
// nearly everybody uses, those that many do are taken to be, too.
func (k keptKinds) lacking() []uint16 {
	lacking := slices.Clone(k.Refused)
	for _, kind := range soughtKinds[1:] {
		if k.Telling && slices.Contains(k.Silent, kind) {
			lacking = append(lacking, kind)
		}
	}
	slices.Sort(lacking)
	return lacking
}

// tell judges the silence by how many events came.
func (k *kinds) tell(events int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	telling := k.kept.silentOfAll() && (k.kept.Telling || events >= tellingEvents)
	k.news = k.news || telling != k.kept.Telling
	k.kept.Telling = telling
}

// kindsInWords names kinds: "kind 6", "kinds 6 and 7".
func kindsInWords(list []uint16) string {
	words := make([]string, len(list))
	for i, kind := range list {
		words[i] = fmt.Sprint(kind)
	}
	last := len(words) - 1
	if last == 0 {
		return "kind " + words[0]
	}
	return "kinds " + strings.Join(words[:last], ", ") + " and " + words[last]
}

// kinds are what is known of a relay about kinds.
type kinds struct {
	mu   sync.Mutex
	kept keptKinds
	news bool // something of it is not kept yet
}

func readKinds(ctx context.Context, s *ndb.Store, url string) (k keptKinds) {
	raw, err := s.Bucket(kindsBucket).Get(ctx, url)
	if err != nil || json.Unmarshal(raw, &k) != nil {
		return keptKinds{} // it is asked again
	}
	return k
}

// KindsLacking returns the kinds of a feed that each of the relays leaves out, so that
// by their word nobody's notes are complete; and those of which none of them ever had
// an event of anybody: of these nobody can tell whether it would give them.
func KindsLacking(ctx context.Context, s *ndb.Store, urls []string) (lacking, unseen []uint16) {
	for i, url := range urls {
		k := readKinds(ctx, s, url)
		not := append(slices.Clone(k.Silent), k.Refused...)
		slices.Sort(not)
		if i == 0 {
			lacking, unseen = k.lacking(), not
			continue
		}
		lacking, unseen = common(lacking, k.lacking()), common(unseen, not)
	}
	return lacking, slices.DeleteFunc(unseen, func(kind uint16) bool { return slices.Contains(lacking, kind) })
}

func common(a, b []uint16) []uint16 {
	return slices.DeleteFunc(a, func(kind uint16) bool { return !slices.Contains(b, kind) })
}

// keepKinds keeps what is news of a relay.
func (r *run) keepKinds(ctx context.Context, l *link) error {
	k := &l.learnt.kinds
	k.mu.Lock()
	raw, err := json.Marshal(k.kept)
	news := k.news
	k.news = false
	k.mu.Unlock()
	if err != nil || !news {
		return err
	}
	if err := r.opt.Store.Bucket(kindsBucket).Put(ctx, map[string][]byte{l.url: raw}); err != nil {
		return fmt.Errorf("keeping which kinds a relay gives: %w", err)
	}
	return nil
}

func (k *kinds) known() keptKinds {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept
}

// gives notes what came when all kinds of a feed were asked for.
func (k *kinds) gives(events []*ndb.Event) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, e := range events {
		k.settle(e.Kind, &k.kept.Given)
	}
}

// settle moves a kind to one of the lists of what is kept. k.mu is held.
func (k *kinds) settle(kind uint16, to *[]uint16) {
	if slices.Contains(*to, kind) {
		return
	}
	for _, list := range []*[]uint16{&k.kept.Given, &k.kept.Refused, &k.kept.Silent} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(other uint16) bool { return other == kind })
	}
	*to = append(*to, kind)
	k.news = true
}

// refuse notes kinds that the relay does not answer.
func (k *kinds) refuse(list []uint16) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, kind := range list {
		k.settle(kind, &k.kept.Refused)
	}
}

// takes notes how many kinds a filter may have.
func (k *kinds) takes(most int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept.Most, k.news = most, true
}

// parts cuts the kinds of a filter into what the relay takes, without those that it
// does not answer.
func (k *kinds) parts(all []uint16) (parts [][]uint16) {
	kept := k.known()
	answered := slices.DeleteFunc(slices.Clone(all), func(kind uint16) bool { return slices.Contains(kept.Refused, kind) })
	if len(answered) == 0 {
		answered = all
	}
	if kept.Most == 0 {
		return [][]uint16{answered}
	}
	return slices.Collect(slices.Chunk(answered, kept.Most))
}

// ofTheKinds reports whether a relay refused a question for its kinds.
func ofTheKinds(err error) bool {
	var why *relay.Error
	if !errors.As(err, &why) || why.Kind != relay.Rejected {
		return false
	}
	text := strings.ToLower(why.Detail)
	login := why.Prefix == "auth-required" || strings.Contains(text, "auth-required") // strfry: "ERROR: auth-required: ..."
	return login || strings.Contains(text, "kind") && !strings.Contains(text, "author")
}

// heedKinds finds out what a relay leaves out that gives something, when it is time to,
// before more is called complete by its word.
func (r *run) heedKinds(ctx context.Context, l *link) error {
	k := &l.learnt.kinds
	l.learnt.heeding.Lock()
	defer l.learnt.heeding.Unlock()
	if kept := k.known(); len(kept.Given) == 0 || kept.Next > r.opt.Now().Unix() {
		return nil
	}
	var alone *ndb.Event // the last that it gives when asked for its kind alone
	for _, kind := range soughtKinds {
		if slices.Contains(k.known().Given, kind) {
			continue
		}
		p, err := r.askKind(ctx, l, kind)
		to := &k.kept.Silent
		switch {
		case err != nil:
			return err
		case ofTheKinds(p.err):
			to = &k.kept.Refused
		case errors.Is(p.err, relay.Rejected):
			continue // that tells nothing
		case p.err != nil:
			return fmt.Errorf("%w: %w", errGivenUp, p.err)
		case len(p.events) > 0:
			alone, to = p.events[0], &k.kept.Given
		}
		k.mu.Lock()
		k.settle(kind, to)
		k.mu.Unlock()
	}
	if alone != nil {
		if err := r.heedAll(ctx, l, alone); err != nil {
			return err
		}
	}
	k.mu.Lock()
	k.kept.Next, k.news = r.opt.Now().Unix()+kindsKept, true
	k.mu.Unlock()
	return r.keepKinds(ctx, l)
}

// askKind asks for one event of a kind: of anybody, and where the relay wants people
// named, of those whom it is asked for.
func (r *run) askKind(ctx context.Context, l *link, kind uint16) (page, error) {
	one, people := 1, r.choice.asked[l.url]
	f := ndb.Filter{Kinds: []uint16{kind}, Limit: &one}
	p, err := l.askOne(ctx, f, true)
	if err == nil && errors.Is(p.err, relay.Rejected) && len(people) > 0 {
		f.Authors = people[:min(len(people), max(1, l.asIt().perFilter))]
		p, err = l.askOne(ctx, f, true)
	}
	return p, err
}

// heedAll finds out among how many kinds a relay still goes by the last of them: it is
// asked for an event that it gave when its kind was asked for alone.
func (r *run) heedAll(ctx context.Context, l *link, e *ndb.Event) error {
	others := slices.DeleteFunc(feedKinds(), func(kind uint16) bool { return kind == e.Kind })
	most := len(others)
	if known := l.learnt.kinds.known().Most; known > 0 {
		most = known - 1
	}
	for n := most; ; n /= 2 {
		f := ndb.Filter{Authors: []ndb.PubKey{e.PubKey}, Kinds: append(slices.Clone(others[:n]), e.Kind), Since: &e.CreatedAt, Until: &e.CreatedAt}
		p, err := l.page(ctx, f)
		switch {
		case err != nil:
			return err
		case p.err != nil:
			return fmt.Errorf("%w: %w", errGivenUp, p.err)
		case slices.ContainsFunc(p.events, func(other *ndb.Event) bool { return other.ID == e.ID }):
			if n < most {
				l.learnt.kinds.takes(n + 1)
			}
			return nil
		case n == 0: // not even alone, now
			return nil
		}
	}
}

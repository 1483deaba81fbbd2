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
	"bowerbird/ndb/nostr"
)

// This file is about kinds: of which a relay gives nothing, and how many it takes in
// one filter. A relay may leave out a kind in silence as long as others are asked for
// with it: for members only, or since it goes by the first kinds of a filter. So each
// kind of which it gave nothing lately is asked for alone, of anybody, once a day.
//
// What a relay confirmed is complete but for the kinds that it is known to leave out.
// So these are kept before a row of the ledger is written that goes by them. And when
// it gives one of them, all that it confirmed is taken back before that is kept, and
// is fetched again: nobody knows what lacks in it.

// soughtKinds are the kinds that are asked for alone: those that many people use. The
// rest are rare, and each question makes a first sync longer.
var soughtKinds = []uint16{1, repost, reaction, 1111, 30023}

// kindsBucket holds, per relay, what was learnt of it about kinds.
const kindsBucket = "sync-kinds"

// kindsKept is for how many seconds that is believed of what it did not give.
const kindsKept = day

type keptKinds struct {
	Most    int      `json:"most,omitempty"`    // kinds a filter; 0 for no such limit
	Given   []uint16 `json:"given,omitempty"`   // an event of them came since kinds were last asked for alone
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

func (k *kinds) tell(events int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	telling := k.kept.silentOfAll() && (k.kept.Telling || events >= tellingEvents)
	k.news = k.news || telling != k.kept.Telling
	k.kept.Telling = telling
}

type kinds struct {
	mu    sync.Mutex
	kept  keptKinds
	news  bool // something of it is not kept yet
	stale bool // what the relay confirmed is to be taken back first

	confirming sync.RWMutex // held while rows are written, and to take them back
	takenBack  int          // how often they were
}

func readKinds(ctx context.Context, s *ndb.Store, url string) (k keptKinds) {
	raw, err := s.Bucket(kindsBucket).Get(ctx, url)
	if err != nil || json.Unmarshal(raw, &k) != nil {
		return keptKinds{} // it is asked again
	}
	k.Refused = common(k.Refused, feedKinds()) // there were versions that kept others
	return k
}

func common(a, b []uint16) []uint16 {
	return slices.DeleteFunc(a, func(kind uint16) bool { return !slices.Contains(b, kind) })
}

// keepKinds keeps what is news of a relay. Where it gives now what it left out before,
// what it confirmed is taken back first.
func (r *run) keepKinds(ctx context.Context, l *link) error {
	k := &l.learnt.kinds
	k.mu.Lock()
	raw, err := json.Marshal(k.kept)
	news, stale := k.news, k.stale
	k.news = false
	k.mu.Unlock()
	if err != nil || !news {
		return err
	}
	if stale {
		if err := k.takeBack(ctx, r.opt.Store, l.url); err != nil {
			return &storeError{err}
		}
		r.again.Store(true)
	}
	if err := r.opt.Store.Bucket(kindsBucket).Put(ctx, map[string][]byte{l.url: raw}); err != nil {
		return fmt.Errorf("keeping which kinds a relay gives: %w", err)
	}
	return nil
}

func (k *kinds) takeBack(ctx context.Context, s *ndb.Store, url string) error {
	k.confirming.Lock()
	defer k.confirming.Unlock()
	if err := s.Uncover(ctx, url); err != nil {
		return err
	}
	k.takenBack++
	k.mu.Lock()
	defer k.mu.Unlock()
	k.stale = false
	return nil
}

func (k *kinds) known() keptKinds {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.kept
}

func (k *kinds) gives(events []*nostr.Event) {
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
	k.stale = k.stale || to == &k.kept.Given && slices.Contains(k.kept.lacking(), kind)
	for _, list := range []*[]uint16{&k.kept.Given, &k.kept.Refused, &k.kept.Silent} {
		*list = slices.DeleteFunc(slices.Clone(*list), func(other uint16) bool { return other == kind })
	}
	*to = append(*to, kind)
	k.news = true
}

func (k *kinds) refuse(list []uint16) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, kind := range list {
		k.settle(kind, &k.kept.Refused)
	}
}

// takes notes how many kinds a filter may have; 0 for any number.
func (k *kinds) takes(most int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.news = k.news || most != k.kept.Most
	k.kept.Most = most
}

// parts cuts the kinds of a filter into what the relay takes, without those that it
// does not answer.
func (k *kinds) parts(all []uint16) (parts [][]uint16) {
	most, answered := k.known().Most, k.answered(all)
	if most == 0 {
		return [][]uint16{answered}
	}
	return slices.Collect(slices.Chunk(answered, most))
}

// answered leaves out the kinds that the relay does not answer; none where it answers
// none of them.
func (k *kinds) answered(all []uint16) []uint16 {
	refused := k.known().Refused
	if answered := slices.DeleteFunc(slices.Clone(all), func(kind uint16) bool { return slices.Contains(refused, kind) }); len(answered) > 0 {
		return answered
	}
	return all
}

func ofTheKinds(err error) bool {
	var why *relay.Error
	if !errors.As(err, &why) || why.Kind != relay.Rejected {
		return false
	}
	text := strings.ToLower(why.Detail)
	ofUs := why.Prefix == "auth-required" || why.Prefix == "restricted" || strings.Contains(text, "auth-required") // strfry: "ERROR: auth-required: ..."
	return ofUs || strings.Contains(text, "kind") && !strings.Contains(text, "author")
}

// heedKinds finds out what a relay leaves out that gives something, when it is time to,
// and keeps what is known, before more is called complete by its word.
func (r *run) heedKinds(ctx context.Context, l *link) error {
	k := &l.learnt.kinds
	l.learnt.heeding.Lock()
	defer l.learnt.heeding.Unlock()
	kept := k.known()
	if (kept.Next > 0 || len(kept.Given) > 0) && kept.Next <= r.opt.Now().Unix() {
		if err := r.askKinds(ctx, l, kept); err != nil {
			return err
		}
	}
	return r.keepKinds(ctx, l)
}

func (r *run) askKinds(ctx context.Context, l *link, kept keptKinds) error {
	k := &l.learnt.kinds
	var alone []*nostr.Event // that it gives when asked for their kind alone
	for _, kind := range feedKinds() {
		if !slices.Contains(soughtKinds, kind) && !slices.Contains(kept.Refused, kind) || slices.Contains(kept.Given, kind) {
			continue
		}
		p, err := r.askKind(ctx, l, kind)
		switch {
		case err != nil:
			return err
		case rejected(p.err):
			k.settleUngiven(kind, &k.kept.Refused)
		case p.err != nil:
			return fmt.Errorf("%w: %w", errGivenUp, p.err)
		case len(p.events) == 0:
			k.settleUngiven(kind, &k.kept.Silent)
		default:
			alone = append(alone, p.events[0])
		}
	}
	if len(alone) > 0 {
		if err := r.heedAll(ctx, l, alone[len(alone)-1]); err != nil {
			return err
		}
	}
	k.gives(alone) // not before it is known among how many kinds it goes by them
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept.Given, k.kept.Next, k.news = nil, r.opt.Now().Unix()+kindsKept, true
	return nil
}

// settleUngiven settles what came of a question for a kind alone, unless an event of it
// came meanwhile.
func (k *kinds) settleUngiven(kind uint16, to *[]uint16) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.Contains(k.kept.Given, kind) {
		k.settle(kind, to)
	}
}

// rejected reports whether a relay will not answer a question, for a reason that is not
// gone soon.
func rejected(err error) bool {
	why, ok := errors.AsType[*relay.Error](err)
	return ok && why.Kind == relay.Rejected && (why.Prefix != "error" && !tooMuch(why) || ofTheKinds(err) || ofTheQuestion(err))
}

// askKind asks for one event of a kind: of anybody, and where the relay wants people
// named, of those whom it is asked for, fewer of them where it refuses so many.
func (r *run) askKind(ctx context.Context, l *link, kind uint16) (page, error) {
	_, people, _ := l.learnt.narrow(r.choice.asked[l.url], 0)
	refuses := func(err error) bool { return errors.Is(err, relay.Rejected) && TroubleOf(err) != AskedTooMuch }
	f := nostr.Filter{Kinds: []uint16{kind}, Limit: new(1)}
	p, err := l.askOne(ctx, f, refuses)
	for n := min(len(people), max(1, l.asIt().perFilter)); n > 0 && err == nil && errors.Is(p.err, relay.Rejected); n /= 4 {
		if f.Authors != nil && (ofTheKinds(p.err) || !rejected(p.err)) {
			break
		}
		f.Authors = people[:n]
		p, err = l.askOne(ctx, f, refuses)
	}
	return p, err
}

// heedAll finds out among how many kinds a relay still goes by the last of them: it is
// asked for an event that it gave when its kind was asked for alone.
func (r *run) heedAll(ctx context.Context, l *link, e *nostr.Event) error {
	k := &l.learnt.kinds
	others := slices.DeleteFunc(k.answered(feedKinds()), func(kind uint16) bool { return kind == e.Kind })
	for n := len(others); ; n /= 2 {
		f := nostr.Filter{Authors: []nostr.PubKey{e.PubKey}, Kinds: append(slices.Clone(others[:n]), e.Kind), Since: &e.CreatedAt, Until: &e.CreatedAt}
		p, err := l.askOne(ctx, f, ofTheKinds)
		switch {
		case err != nil:
			return err
		case n > 0 && ofTheKinds(p.err):
		case p.err != nil:
			return fmt.Errorf("%w: %w", errGivenUp, p.err)
		case slices.ContainsFunc(p.events, func(other *nostr.Event) bool { return other.ID == e.ID }):
			k.goesBy(n+1, n == len(others))
			return nil
		case n == 0: // not even alone, now
			return nil
		}
	}
}

// goesBy notes among how many kinds the relay goes by the last. Where these are fewer
// than it was taken to go by, what it confirmed may lack kinds.
func (k *kinds) goesBy(most int, all bool) {
	k.mu.Lock()
	before := k.kept.Most
	k.stale = k.stale || k.kept.Next > 0 && !all && (before == 0 || most < before)
	k.mu.Unlock()
	if all {
		most = 0
	}
	k.takes(most)
}

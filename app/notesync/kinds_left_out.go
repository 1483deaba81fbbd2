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

// A relay may silently leave out a kind as long as others are asked for with it: because it
// is for members only, or because the relay uses only the first kinds of a filter. So each
// kind of which a relay has sent nothing lately is asked for alone, of anybody, once a day.
//
// What a relay confirms is complete except for the kinds that it is known to leave out, so
// these are saved before a row of the ledger is written. If the relay sends one of them
// after all, everything that it confirmed is first removed from the ledger, since nobody
// knows what is missing in it, and is fetched again.

// soughtKinds are the kinds that are asked for alone: those that many people use. Others are
// rare, and each question makes a first sync longer.
var soughtKinds = []uint16{1, repost, reaction, 1111, 30023}

// kindsBucket holds for each relay what was learned about the kinds that it sends.
const kindsBucket = "sync-kinds"

// kindsKept is for how many seconds a relay is believed to leave a kind out.
const kindsKept = day

type keptKinds struct {
	Most    int      `json:"most,omitempty"`    // kinds in a filter; 0 for no limit
	Given   []uint16 `json:"given,omitempty"`   // an event arrived since kinds were last asked for alone
	Refused []uint16 `json:"refused,omitempty"` // it does not answer a question for them
	Silent  []uint16 `json:"silent,omitempty"`  // it returned nothing of anybody for them alone
	Telling bool     `json:"telling,omitempty"` // Silent means that it leaves them out
	Next    int64    `json:"next"`              // when to ask again, unix seconds
}

// Nearly everybody uses reposts and reactions. A relay that has sent tellingEvents events,
// one of these kinds among them and never the other, leaves the other out.
const (
	repost, reaction uint16 = 6, 7
	tellingEvents           = 500
)

// silentOfAll reports whether exactly one of the two was never sent: a relay for notes
// alone may have neither.
func (k keptKinds) silentOfAll() bool {
	return slices.Contains(k.Silent, repost) != slices.Contains(k.Silent, reaction)
}

// leftOut returns the kinds that the relay is known to leave out, sorted. If it leaves out
// one that nearly everybody uses, it is taken to leave out every sought kind that it has
// not sent.
func (k keptKinds) leftOut() []uint16 {
	kinds := slices.Clone(k.Refused)
	for _, kind := range soughtKinds[1:] {
		if k.Telling && slices.Contains(k.Silent, kind) {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

// judgeSilence decides, by how many events the relay has sent, whether its silence means
// that it leaves kinds out.
func (k *kinds) judgeSilence(events int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	telling := k.kept.silentOfAll() && (k.kept.Telling || events >= tellingEvents)
	k.news = k.news || telling != k.kept.Telling
	k.kept.Telling = telling
}

type kinds struct {
	mu    sync.Mutex
	kept  keptKinds
	news  bool // something in kept is not saved yet
	stale bool // what the relay confirmed must be removed from the ledger first

	confirming sync.RWMutex // held while rows are written, exclusively while they are removed
	takenBack  int          // how often rows were removed
}

func readKinds(ctx context.Context, s *ndb.Store, url string) (k keptKinds) {
	raw, err := s.Bucket(kindsBucket).Get(ctx, url)
	if err != nil || json.Unmarshal(raw, &k) != nil {
		return keptKinds{}
	}
	// Earlier versions of the program saved other kinds too.
	k.Refused = slices.DeleteFunc(k.Refused, func(kind uint16) bool { return !slices.Contains(feedKinds(), kind) })
	return k
}

// keepKinds saves what is new about a relay. If it has sent what it used to leave out, what
// it confirmed is removed from the ledger first.
func (r *run) keepKinds(ctx context.Context, l *link) error {
	k := &l.learned.kinds
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

// settle moves a kind to one of the lists in kept. k.mu is held.
func (k *kinds) settle(kind uint16, to *[]uint16) {
	if slices.Contains(*to, kind) {
		return
	}
	k.stale = k.stale || to == &k.kept.Given && slices.Contains(k.kept.leftOut(), kind)
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

// takes records how many kinds a filter may have; 0 for any number.
func (k *kinds) takes(most int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.news = k.news || most != k.kept.Most
	k.kept.Most = most
}

// parts divides the kinds of a filter into as many as the relay accepts, without those that
// it does not answer.
func (k *kinds) parts(all []uint16) (parts [][]uint16) {
	most, answered := k.known().Most, k.answered(all)
	if most == 0 {
		return [][]uint16{answered}
	}
	return slices.Collect(slices.Chunk(answered, most))
}

// answered returns the kinds that the relay answers; all of them if it answers none.
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

// checkKinds finds out, if that is due, which kinds a relay leaves out, and saves it before
// more is called complete by its word. A relay that has sent nothing yet is not asked.
func (r *run) checkKinds(ctx context.Context, l *link) error {
	k := &l.learned.kinds
	l.learned.checking.Lock()
	defer l.learned.checking.Unlock()
	kept := k.known()
	if (kept.Next > 0 || len(kept.Given) > 0) && kept.Next <= r.opt.Now().Unix() {
		if err := r.askKinds(ctx, l, kept); err != nil {
			return err
		}
	}
	return r.keepKinds(ctx, l)
}

func (r *run) askKinds(ctx context.Context, l *link, kept keptKinds) error {
	k := &l.learned.kinds
	var alone []*nostr.Event // events that arrive if their kind is asked for alone
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
		if err := r.countKinds(ctx, l, alone[len(alone)-1]); err != nil {
			return err
		}
	}
	k.gives(alone) // only once it is known how many kinds of a filter it uses
	k.mu.Lock()
	defer k.mu.Unlock()
	k.kept.Given, k.kept.Next, k.news = nil, r.opt.Now().Unix()+kindsKept, true
	return nil
}

// settleUngiven settles a kind for which a question alone brought nothing, unless an event
// of it has arrived meanwhile.
func (k *kinds) settleUngiven(kind uint16, to *[]uint16) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if !slices.Contains(k.kept.Given, kind) {
		k.settle(kind, to)
	}
}

// rejected reports whether a relay refuses a question for a reason that will last.
func rejected(err error) bool {
	why, ok := errors.AsType[*relay.Error](err)
	return ok && why.Kind == relay.Rejected && (why.Prefix != "error" && !tooMuch(why) || ofTheKinds(err) || refusedThisQuery(err))
}

// askKind asks for one event of a kind, by anybody; if the relay insists on authors, by
// those whom it is asked for, fewer of them if it refuses so many.
func (r *run) askKind(ctx context.Context, l *link, kind uint16) (page, error) {
	_, people, _ := l.learned.narrow(r.choice.asked[l.url], 0)
	refuses := func(err error) bool {
		trouble, _ := TroubleOf(err)
		return errors.Is(err, relay.Rejected) && trouble != AskedTooMuch
	}
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

// countKinds finds out how many kinds of a filter a relay uses: it asks for an event that
// arrived when its kind was asked for alone, with this kind as the last of many.
func (r *run) countKinds(ctx context.Context, l *link, e *nostr.Event) error {
	k := &l.learned.kinds
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
		case n == 0: // not even alone, this time
			return nil
		}
	}
}

// goesBy records how many kinds of a filter the relay uses. If that is fewer than was
// assumed, kinds may be missing in what it confirmed.
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

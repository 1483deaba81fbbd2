package notesync

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// comparedMost is how many notes are fetched by id after a comparison; if more differ,
// pages are cheaper.
const comparedMost = 500

// compare confirms again what a relay has confirmed of the people of some tasks: it asks
// the relay how its set of ids differs from what it once sent us (NIP-77), and fetches what
// is new. It returns what is thereby known to be complete, which it has written into the
// ledger.
//
// The conclusions are limited, since a relay may put only its newest notes into the set, of
// all people or of each. So nothing counts that is older than the oldest id of its set, or
// than the newest note that it once sent and now leaves out. Nor can a comparison replace
// the first fill: time for which a person's notes were never paged counts only if the set
// has none of theirs in it. And the newest notes that the relay returns for some of the
// people must be in the set: see newest.
//
// Two gaps remain, which pages close after a week (see lookAgain); until those were read,
// no sets are compared. A relay that calls any set equal to its own is found out only if
// one of the newest notes is new to us. And a set that is cut, for each person, to exactly
// as many notes as we have of them may hide a late note older than all of these: to count
// nothing of a person that is older than their oldest note in the set would page again
// everybody who writes seldom, which is nearly everybody.
func (r *run) compare(ctx context.Context, l *link, tasks []task) (map[coverage.Purpose]known, error) {
	out := map[coverage.Purpose]known{}
	for _, purpose := range []coverage.Purpose{coverage.Feed, coverage.Inbox} {
		var people []nostr.PubKey
		for _, t := range tasks {
			if t.purpose == purpose {
				people = append(people, t.authors...)
			}
		}
		people, out[purpose] = distinct(people), known{}
		whole, err := r.comparePeople(ctx, l, purpose, people, out[purpose])
		if err != nil {
			return out, err
		}
		isLeft := func(pk nostr.PubKey) bool { return !slices.Contains(people, pk) }
		if whole && (purpose == coverage.Inbox || !slices.ContainsFunc(r.choice.asked[l.url], isLeft)) {
			if err := r.gaveAll(ctx, l.url, purpose); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// comparePeople compares sets of as many people at a time as the relay accepts, if it
// accepts all kinds in one question and no pages are due. whole means that all of them were
// compared and the relay sent everything that it ever withheld.
func (r *run) comparePeople(ctx context.Context, l *link, purpose coverage.Purpose, people []nostr.PubKey, to known) (whole bool, err error) {
	perSet := l.asIt().perSet
	most, _, _ := l.learned.narrow(nil, perSet)
	whole, refused := len(people) > 0, false
	for len(people) > 0 {
		kinds := l.learned.kinds.parts(filterFor(purpose, nil).Kinds)
		if perSet == 0 || len(kinds) > 1 || l.badSets.Load() || !r.isDue(ctx, badSets(l.url)) || r.pagesDue(ctx, l.url) {
			return false, nil
		}
		part := people[:min(most, len(people))]
		c := &comparison{
			run: r, link: l, purpose: purpose, kinds: kinds[0], sink: r.sink(l), now: r.opt.Now().Unix(),
			have: known{}, times: map[nostr.ID]int64{}, last: map[nostr.PubKey]int64{},
		}
		done, err := c.of(ctx, part, to)
		switch {
		case tooManyPeople(err) && len(part) > 1:
			most, refused = (len(part)+1)/2, true
			continue
		case tooManyPeople(err):
			return false, c.badly(ctx)
		case err != nil:
			return false, err
		}
		whole, people = whole && done, people[len(part):]
	}
	if refused {
		l.learned.takes(most)
	}
	return whole, nil
}

// tooManyPeople reports whether a relay refused a question because of its authors, so that
// it may accept fewer.
func tooManyPeople(err error) bool {
	why := strings.ToLower(said(err))
	return refusedThisQuery(err) && (strings.Contains(why, "author") || strings.Contains(why, "pubkey"))
}

// known is what is confirmed, by person.
type known map[nostr.PubKey][]coverage.Interval

type comparison struct {
	*run
	link    *link
	purpose coverage.Purpose
	kinds   []uint16
	sink    relaySink
	now     int64
	since   int64
	asked   int64                  // from then on everything was asked for of all people
	have    known                  // what the relay had confirmed before
	times   map[nostr.ID]int64     // dates of the events in the relay's set, as far as known
	last    map[nostr.PubKey]int64 // date of the newest event of each person in the set
	page    []*nostr.Event         // the newest events that the relay returns
}

func (c *comparison) holds(e *nostr.Event) {
	c.times[e.ID] = e.CreatedAt
	whose := c.whose(e)
	c.last[whose] = max(c.last[whose], e.CreatedAt)
}

func (c *comparison) whose(e *nostr.Event) nostr.PubKey {
	if c.purpose == coverage.Inbox {
		return c.opt.Me
	}
	return e.PubKey
}

// of compares the sets of some people and adds to what is known. whole means that it
// succeeded for all of them. The error may be that the relay refuses the question.
func (c *comparison) of(ctx context.Context, all []nostr.PubKey, to known) (whole bool, err error) {
	people, err := c.upToDate(ctx, all)
	if err != nil || len(people) == 0 {
		return false, err
	}
	f := filterFor(c.purpose, people)
	f.Kinds = c.kinds
	ours, err := c.ours(ctx, &f)
	if err != nil {
		return false, err
	}
	if trusted, err := c.newest(ctx, f, people); err != nil || !trusted {
		return false, err
	}
	diff, err := c.link.compare(ctx, f, ours)
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, relay.ErrTooDifferent), errors.Is(err, errRelayGivenUp), len(diff.Missing) > comparedMost:
		return false, nil // pages do it
	case tooManyPeople(err):
		return false, err
	case err != nil:
		return false, c.badly(ctx)
	}
	whole, err = c.fetch(ctx, f, diff.Missing)
	if err != nil || !whole {
		return false, err
	}
	if is, err := c.isOfAllKinds(ctx); err != nil || !is {
		return false, err
	}
	whole, err = c.conclude(ctx, people, diff.Extra, to)
	return whole && len(people) == len(all), err
}

// isOfAllKinds reports whether the question covered all kinds that the relay has, as far as
// that is known by now.
func (c *comparison) isOfAllKinds(ctx context.Context) (bool, error) {
	if c.purpose == coverage.Feed {
		if err := c.checkKinds(ctx, c.link); isOfRelay(err) {
			return false, nil
		} else if err != nil {
			return false, err
		}
	}
	kinds := c.link.learned.kinds.parts(filterFor(c.purpose, nil).Kinds)
	return len(kinds) == 1 && slices.Equal(kinds[0], c.kinds), nil
}

// upToDate returns the people of whom the relay confirmed something lately, and determines
// how far back to compare.
func (c *comparison) upToDate(ctx context.Context, people []nostr.PubKey) (kept []nostr.PubKey, err error) {
	recent := c.now - rechecks[len(rechecks)-1].back
	c.since = recent
	for _, pk := range people {
		all, err := c.confirmed(ctx, pk, c.purpose)
		if err != nil {
			return nil, err
		}
		have := all[c.link.url]
		if newest(have) >= recent {
			kept, c.have[pk] = append(kept, pk), have
			c.since, c.asked = min(c.since, due(have, c.now)), max(c.asked, have[0].From)
		}
	}
	c.since = max(c.since, c.past().from)
	if w, withheld := c.withheldBy(ctx, c.link.url, c.purpose); withheld {
		c.since = min(c.since, w.Since)
	}
	c.since = max(c.since, c.earliest(c.purpose))
	return kept, nil
}

// ours collects the ids of what the relay sent us and sets the times of the filter. The
// first is that of the last note before the window: if the relay's set has it, the set is
// not cut within the window.
func (c *comparison) ours(ctx context.Context, f *nostr.Filter) (items []relay.Item, err error) {
	sent := ndb.QueryOptions{Match: func(e *nostr.Event) bool {
		urls, err := c.opt.Store.SeenOn(ctx, e.ID)
		return err == nil && slices.Contains(urls, c.link.url)
	}}
	floor := max(min(c.past().from, c.asked), c.earliest(c.purpose), c.since-rechecks[1].back)
	last := *f
	last.Since, last.Until, last.Limit = &floor, new(c.since-1), new(1)
	for e, err := range c.opt.Store.Query(ctx, sent, last) {
		if err != nil {
			return nil, fmt.Errorf("reading what a relay sent: %w", err)
		}
		c.since = e.CreatedAt
	}
	f.Since, f.Until = &c.since, &c.now
	for e, err := range c.opt.Store.Query(ctx, sent, *f) {
		if err != nil {
			return nil, fmt.Errorf("reading what a relay sent: %w", err)
		}
		items = append(items, relay.Item{CreatedAt: e.CreatedAt, ID: e.ID})
		c.holds(e)
	}
	return c.withDropped(ctx, items)
}

// How many of the newest notes are asked for beside a comparison, and of how many people.
const (
	probedNotes  = 20
	probedPeople = 20
)

// newest asks for the newest notes of some of the people, which must then be in the relay's
// set: nothing else reveals a set that is never updated, or a relay that calls any set
// equal to its own. Without an answer no sets are compared.
func (c *comparison) newest(ctx context.Context, f nostr.Filter, people []nostr.PubKey) (ok bool, err error) {
	var some []nostr.PubKey
	for _, i := range rand.Perm(len(people))[:min(len(people), probedPeople, max(1, c.link.asIt().perFilter))] {
		some = append(some, people[i])
	}
	ask := filterFor(c.purpose, some)
	ask.Kinds = c.kinds
	ask.Until, ask.Limit = f.Until, new(probedNotes)
	p, err := c.link.page(ctx, ask)
	if tooManyPeople(p.err) {
		return false, p.err
	}
	if err != nil || p.err != nil {
		return false, ctx.Err()
	}
	invalid, err := c.put(ctx, c.link, ndb.Batch{Events: p.events})
	if c.purpose == coverage.Feed && len(invalid) == 0 {
		c.link.learned.kinds.gives(p.events)
	}
	for _, e := range p.events {
		if _, err := c.opt.Store.Event(ctx, e.ID); err == nil && !slices.Contains(invalid, e) {
			c.page = append(c.page, e) // unless it was deleted here: it need not be in the set
		}
	}
	return true, err
}

// fetch gets the notes that are in the relay's set and not in ours, even those that another
// relay sent, so that they do not differ the next time. whole means that all of them are
// stored now: a relay that names notes and does not send them is not compared with again.
func (c *comparison) fetch(ctx context.Context, f nostr.Filter, ids []nostr.ID) (whole bool, err error) {
	dropped := map[string][]byte{}
	for part := range slices.Chunk(ids, max(1, c.link.asIt().perFilter)) {
		for len(part) > 0 {
			p, err := c.link.page(ctx, nostr.Filter{IDs: part, Limit: new(len(part))})
			if err != nil || p.err != nil {
				return false, ctx.Err()
			}
			asked := slices.DeleteFunc(p.events, func(e *nostr.Event) bool { return !f.Matches(e) })
			invalid, err := c.put(ctx, c.link, ndb.Batch{Events: asked})
			if err != nil {
				return false, err
			}
			came := slices.DeleteFunc(asked, func(e *nostr.Event) bool { return slices.Contains(invalid, e) })
			rest := without(part, came, func(e *nostr.Event) nostr.ID { return e.ID })
			for _, e := range came {
				c.holds(e)
				if _, err := c.opt.Store.Event(ctx, e.ID); errors.Is(err, ndb.ErrNotFound) {
					row := fmt.Sprint(c.droppedRow(), c.whose(e), " ", e.CreatedAt, " ", e.ID)
					dropped[row] = tries{Next: c.now + int64(againLast/time.Second)}.row()
				}
			}
			if len(rest) == len(part) {
				if c.knows(ctx, rest) {
					break
				}
				if p.refused == 0 { // otherwise it sent something that cannot be stored
					err = c.withholds(ctx, ids)
				}
				return false, errors.Join(c.badly(ctx), err)
			}
			part = rest
		}
	}
	return true, c.keepTries(ctx, dropped)
}

func (c *comparison) knows(ctx context.Context, ids []nostr.ID) bool {
	for _, id := range ids {
		e, err := c.opt.Store.Event(ctx, id)
		if err != nil {
			return false
		}
		c.holds(e)
	}
	return true
}

// conclude writes what is proven into the ledger, unless the set misses a note of the page.
// whole means that the relay sent everything that it ever withheld.
func (c *comparison) conclude(ctx context.Context, people []nostr.PubKey, extra []nostr.ID, to known) (whole bool, err error) {
	from := c.since
	for _, id := range extra {
		from = max(from, c.times[id]+1)
		delete(c.times, id)
	}
	if len(c.times) > 0 {
		oldest := c.now
		for _, at := range c.times {
			oldest = min(oldest, at)
		}
		from = max(from, oldest+1)
	}
	for _, e := range c.page {
		if _, named := c.times[e.ID]; !named && e.CreatedAt >= from {
			return false, c.badly(ctx)
		}
	}
	var rows []coverage.Row
	for _, pk := range people {
		top, paged := c.now, newest(c.have[pk])
		if c.last[pk] > paged {
			top = paged
		}
		for _, h := range c.have[pk] {
			if h.To == paged {
				h.To = max(h.To, top)
			}
			if h.From = max(h.From, from); h.From > h.To {
				continue
			}
			h.VerifiedAt, h.Proof = c.now, coverage.ProofSame
			rows = append(rows, coverage.Row{Author: pk, Relay: c.link.url, Purpose: c.purpose, Interval: h})
			to[pk] = append(to[pk], h)
		}
	}
	_, err = c.sink.put(ctx, nil, rows)
	return c.gives(ctx, from), err
}

// forgotWait is how long to wait before the second and last try at a relay that no longer
// knows of the comparison.
const forgotWait = time.Second

func (l *link) compare(ctx context.Context, f nostr.Filter, ours []relay.Item) (relay.Difference, error) {
	conn, _, err := l.turn(ctx)
	if err != nil {
		return relay.Difference{}, err
	}
	defer l.places.give()
	d, err := conn.Compare(ctx, f, ours)
	if errors.Is(err, relay.ErrForgotten) && l.sleep(ctx, forgotWait) == nil {
		d, err = conn.Compare(ctx, f, ours)
	}
	return d, err
}

// badly stops comparing sets with the relay, in this run and for longer each time.
func (c *comparison) badly(ctx context.Context) error {
	c.link.badSets.Store(true)
	return c.inVain(ctx, []string{badSets(c.link.url)})
}

// badSets is the key of a relay that does not compare sets correctly.
func badSets(url string) string { return "sets:" + url }

// withDropped adds what the relay sent and the store does not keep, since it was deleted by
// its author or replaced: it would differ each time.
func (c *comparison) withDropped(ctx context.Context, items []relay.Item) ([]relay.Item, error) {
	prefix := c.droppedRow()
	for row, err := range c.opt.Store.Bucket(triesBucket).All(ctx, prefix) {
		if err != nil {
			return nil, fmt.Errorf("reading what was not kept: %w", err)
		}
		var at int64
		var whose, id string
		if _, err := fmt.Sscan(row.Key[len(prefix):], &whose, &at, &id); err != nil {
			continue
		}
		pk, _ := nostr.ParsePubKey(whose)
		parsed, err := nostr.ParseID(id)
		_, asked := c.have[pk]
		if err == nil && asked && at >= c.since && at <= c.now && readTries(row.Value).Next > c.now {
			items = append(items, relay.Item{CreatedAt: at, ID: parsed})
		}
	}
	return items, nil
}

// droppedRow begins the keys of events that the relay has and the store does not keep,
// followed by their author, date and id.
func (c *comparison) droppedRow() string {
	return fmt.Sprintf("not kept:%s %d ", c.link.url, c.purpose)
}

// withholding records that a relay named notes in a set and did not send them, through a
// broken index or because they are for members. Only the relay knows whose they are, so
// nobody's notes are complete by its word.
type withholding struct {
	tries            // never forgotten
	Since int64      `json:"since"` // how far back the notes may be
	IDs   []nostr.ID `json:"ids"`   // what its sets named
}

func withheldRow(url string, p coverage.Purpose) string {
	if p == coverage.Inbox {
		return "withholds:inbox:" + url
	}
	return "withholds:" + url
}

func (r *run) withheld(ctx context.Context, url string) bool {
	_, feed := r.withheldBy(ctx, url, coverage.Feed)
	_, inbox := r.withheldBy(ctx, url, coverage.Inbox)
	return feed || inbox
}

func (r *run) withheldBy(ctx context.Context, url string, p coverage.Purpose) (w withholding, withheld bool) {
	raw, err := r.opt.Store.Bucket(triesBucket).Get(ctx, withheldRow(url, p))
	if err == nil {
		_ = json.Unmarshal(raw, &w) // a broken row means all time
	}
	return w, err == nil
}

// gives reports whether the relay withholds nothing any more: a comparison that proved
// everything since from reached as far back as the notes may be, or all notes that were
// named have arrived. A set begins with a note that both sides have, if there is one, and
// so one second later.
func (c *comparison) gives(ctx context.Context, from int64) bool {
	w, withheld := c.withheldBy(ctx, c.link.url, c.purpose)
	lacks := func(id nostr.ID) bool {
		_, err := c.opt.Store.Event(ctx, id)
		return err != nil
	}
	return !withheld || from <= w.Since+1 || len(w.IDs) > 0 && !slices.ContainsFunc(w.IDs, lacks)
}

// withholds records that the relay did not send all of these ids.
func (c *comparison) withholds(ctx context.Context, ids []nostr.ID) error {
	before, _ := c.withheldBy(ctx, c.link.url, c.purpose)
	ids = append(before.IDs, slices.DeleteFunc(slices.Clone(ids), func(id nostr.ID) bool { return slices.Contains(before.IDs, id) })...)
	row, err := json.Marshal(withholding{tries{Next: math.MaxInt64}, c.since, ids})
	if err != nil {
		return err
	}
	return c.keepTries(ctx, map[string][]byte{withheldRow(c.link.url, c.purpose): row})
}

// gaveAll forgets what a relay withheld, after the sets of everybody were compared.
func (r *run) gaveAll(ctx context.Context, url string, p coverage.Purpose) error {
	if _, withheld := r.withheldBy(ctx, url, p); !withheld {
		return nil
	}
	return r.keepTries(ctx, map[string][]byte{withheldRow(url, p): nil})
}

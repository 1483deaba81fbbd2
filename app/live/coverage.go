package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// PersonCoverage is how complete one person's notes are.
type PersonCoverage struct {
	PubKey nostr.PubKey
	Name   string // "" if no profile is stored
	coverage.Verdict
	Last time.Time // up to when the relays that are asked for them have confirmed their notes; zero for never
	// Elsewhere means that other relays, which are not asked for them, have confirmed notes.
	Elsewhere bool
}

// Coverage is how complete the notes of the people whom the account follows are.
type Coverage struct {
	Since    time.Time // the window is from here until a moment ago
	Days     int
	People   []PersonCoverage // incomplete ones first, by Last, the latest first
	Complete int
	OneRelay int       // how many of Complete are confirmed by only one relay
	Asked    int       // how many relays were asked for the complete
	AsOf     time.Time // the earliest of the last confirmations of the complete; zero for nobody
}

// Fetched returns for how many people everything that can be fetched has been, and for how
// many others a relay has confirmed a part of the window.
func (c Coverage) Fetched() (whole, partly int) {
	for _, p := range c.People {
		if p.Whole() { // waiting does not bring what relays leave out or nobody asks for
			whole++
		} else if p.State == coverage.Partly {
			partly++
		}
	}
	return whole, partly
}

// Coverage returns the coverage of the days that are fetched, from the store. Without an
// account or its contact list, People is empty.
func (l *Live) Coverage(ctx context.Context) (Coverage, error) {
	book, err := l.ledger(ctx)
	if err != nil {
		return Coverage{}, err
	}
	c := Coverage{Since: time.Unix(book.from, 0).In(l.opt.Zone), Days: l.syncSettings().DaysBack(), People: []PersonCoverage{}}
	var verdicts []coverage.Verdict
	for _, p := range book.people {
		if p.PubKey == l.opt.Me() && !book.alone {
			continue
		}
		pc, err := p.view(ctx, l)
		if err != nil {
			return Coverage{}, err
		}
		verdicts = append(verdicts, p.Verdict)
		c.People = append(c.People, pc)
	}
	sum := coverage.SumUp(verdicts)
	c.Complete, c.OneRelay, c.Asked = sum.Complete, sum.OneRelay, sum.Relays
	if sum.AsOf > 0 {
		c.AsOf = time.Unix(sum.AsOf, 0).In(l.opt.Zone)
	}
	slices.SortStableFunc(c.People, func(a, b PersonCoverage) int {
		whole := func(p PersonCoverage) int {
			if p.State == coverage.Complete {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(whole(a), whole(b)), b.Last.Compare(a.Last), cmp.Compare(a.Name, b.Name))
	})
	return c, nil
}

func (l *Live) coverageOf(ctx context.Context, people []nostr.PubKey) ([]PersonCoverage, error) {
	from := l.syncedFrom()
	list := make([]PersonCoverage, 0, len(people))
	for _, pk := range people {
		p, err := l.personLedger(ctx, pk, from)
		if err != nil {
			return nil, err
		}
		pc, err := p.view(ctx, l)
		if err != nil {
			return nil, err
		}
		list = append(list, pc)
	}
	slices.SortStableFunc(list, func(a, b PersonCoverage) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// ledger is what the store holds about coverage.
type ledger struct {
	from   int64
	people []personLedger
	alone  bool                 // the account follows nobody else
	relays map[string]time.Time // up to when each has confirmed anything
}

func (b ledger) asked() map[string][]nostr.PubKey {
	asked := map[string][]nostr.PubKey{}
	for _, p := range b.people {
		for _, url := range p.asked {
			asked[url] = append(asked[url], p.PubKey)
		}
	}
	return asked
}

type personLedger struct {
	PersonCoverage // without the name
	asked          []string
	at             map[string]int64 // by relay: up to when
}

// syncedFrom returns where the window of fetching begins. What was pruned is not fetched
// again, and does not count as missing.
func (l *Live) syncedFrom() int64 {
	now := l.opt.Now()
	days := time.Duration(l.syncSettings().DaysBack()) * 24 * time.Hour
	feed, _ := l.opt.Upkeep.KeptFrom(context.Background())
	return min(max(now.Add(-days).Unix(), feed), now.Unix())
}

func (l *Live) ledger(ctx context.Context) (ledger, error) {
	book := ledger{from: l.syncedFrom(), relays: map[string]time.Time{}}
	me := l.opt.Me()
	if me == (nostr.PubKey{}) {
		return book, nil
	}
	people, err := l.opt.Notes.Contacts(ctx, me)
	if errors.Is(err, ndb.ErrNotFound) {
		return book, nil
	}
	if err != nil {
		return book, fmt.Errorf("reading whom you follow: %w", err)
	}
	book.alone = slices.Equal(people, []nostr.PubKey{me})
	if !slices.Contains(people, me) {
		people = append([]nostr.PubKey{me}, people...)
	}
	for _, pk := range people {
		p, err := l.personLedger(ctx, pk, book.from)
		if err != nil {
			return book, err
		}
		for url, to := range p.at {
			if at := time.Unix(to, 0); at.After(book.relays[url]) {
				book.relays[url] = at
			}
		}
		book.people = append(book.people, p)
	}
	return book, nil
}

func (l *Live) personLedger(ctx context.Context, pk nostr.PubKey, from int64) (personLedger, error) {
	known, err := notesync.Evidence(ctx, l.opt.Notes, pk)
	if err != nil {
		return personLedger{}, err
	}
	now := l.opt.Now().Unix()
	p, last := personLedger{asked: known.Asked, at: map[string]int64{}}, int64(0)
	p.PubKey, p.Verdict = pk, known.Judge(from, now, now)
	for _, row := range known.Rows {
		// The sample's ledger reaches into the future.
		p.at[row.Relay] = max(p.at[row.Relay], min(row.Interval.To, now))
		if p.asked != nil && !slices.Contains(p.asked, row.Relay) {
			p.Elsewhere = true
			continue
		}
		last = max(last, p.at[row.Relay])
	}
	if last > 0 {
		p.Last = time.Unix(last, 0).In(l.opt.Zone)
	}
	return p, nil
}

func (p personLedger) view(ctx context.Context, l *Live) (PersonCoverage, error) {
	profile, err := l.opt.Notes.Profile(ctx, p.PubKey)
	if err != nil {
		return PersonCoverage{}, fmt.Errorf("reading a name: %w", err)
	}
	p.Name = profile.Best()
	return p.PersonCoverage, nil
}

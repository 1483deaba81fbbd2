package app

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/ndb"
	"bowerbird/tools"
)

// Reached is how complete a person's notes are.
type Reached string

// The values of Reached.
const (
	ReachedAll    Reached = "complete" // one of the relays that count for them confirmed the whole time
	ReachedPartly Reached = "partly"   // some of the time, or all but for some kinds, or all by relays that are not theirs
	ReachedNot    Reached = "not"      // none of it
)

// PersonCoverage is how complete one person's notes are.
type PersonCoverage struct {
	PubKey  ndb.PubKey
	Name    string // "" when no profile is stored
	Picture string // an http or https URL by a stranger; "" for none
	State   Reached
	Alone   bool      // of those complete: by the word of one relay alone, though another was asked
	Share   float64   // of the time, 0 to 1, by the relay that confirmed the most
	Last    time.Time // up to when one of those relays confirmed their notes; zero for never
	Relays  []string  // whose word counts for them: their own, where one is asked
	// Elsewhere says that other relays gave what they have of them.
	Elsewhere bool
	// OwnLeftOut says that the whole time was confirmed, but by none of the relays that
	// they write to: nobody asked these.
	OwnLeftOut bool
	// Lacking are the only kinds that are missing: no relay that confirmed the rest of
	// the whole time gives them.
	Lacking []uint16
}

// Coverage is how complete the notes of the people are whom the reader follows.
type Coverage struct {
	Since    time.Time // the time it is about, until a moment ago
	Days     int
	People   []PersonCoverage // those not complete first, the one reached last before others
	Complete int
	OneRelay int       // of the complete, those of whom one relay alone says so
	Asked    int       // relays by whose word they are: all that were asked for the complete
	AsOf     time.Time // when the time of the complete was last looked through, the longest ago of them; zero for nobody
	Synced   bool      // false while nothing was ever confirmed
}

// Coverage says it person by person, for the days that are fetched. It reads the
// store. With nobody chosen, or no list of whom they follow, People is empty.
func (l *Live) Coverage(ctx context.Context) (Coverage, error) {
	a := l.app
	book, err := a.ledger(ctx)
	if err != nil {
		return Coverage{}, err
	}
	asked := map[string]bool{}
	c := Coverage{Since: time.Unix(book.from, 0).In(a.opt.Zone), Days: a.syncSettings().DaysBack(), People: []PersonCoverage{}}
	for _, p := range book.people {
		if p.key == a.Me() {
			continue
		}
		pc, err := p.view(ctx, a)
		if err != nil {
			return Coverage{}, err
		}
		if pc.State == ReachedAll {
			c.Complete++
			for _, url := range p.counts() {
				asked[url] = true
			}
			if asOf := time.Unix(p.asOf, 0).In(a.opt.Zone); c.AsOf.IsZero() || asOf.Before(c.AsOf) {
				c.AsOf = asOf
			}
		}
		if pc.Alone {
			c.OneRelay++
		}
		c.Synced = c.Synced || !pc.Last.IsZero()
		c.People = append(c.People, pc)
	}
	c.Asked = len(asked)
	slices.SortStableFunc(c.People, func(a, b PersonCoverage) int {
		whole := func(p PersonCoverage) int {
			if p.State == ReachedAll {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(whole(a), whole(b)), b.Last.Compare(a.Last), cmp.Compare(a.Name, b.Name))
	})
	return c, nil
}

// coverageOf says it of some people, by name.
func (l *Live) coverageOf(ctx context.Context, people []ndb.PubKey) ([]PersonCoverage, error) {
	from, to := l.app.synced()
	list := make([]PersonCoverage, 0, len(people))
	for _, pk := range people {
		p, err := l.app.personLedger(ctx, pk, from, to)
		if err != nil {
			return nil, err
		}
		pc, err := p.view(ctx, l.app)
		if err != nil {
			return nil, err
		}
		list = append(list, pc)
	}
	slices.SortStableFunc(list, func(a, b PersonCoverage) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// ledger is what the store holds about how complete notes are.
type ledger struct {
	from, to int64
	people   []personLedger
	relays   map[string]time.Time // up to when each confirmed anything
}

// asked returns, by relay, whose notes it is asked for.
func (b ledger) asked() map[string][]ndb.PubKey {
	asked := map[string][]ndb.PubKey{}
	for _, p := range b.people {
		for _, url := range p.asked {
			asked[url] = append(asked[url], p.key)
		}
	}
	return asked
}

type personLedger struct {
	key       ndb.PubKey
	asked     []string
	state     Reached
	share     float64
	asOf      int64 // when the whole time was last confirmed; for the complete
	alone     bool
	last      int64
	elsewhere bool
	leftOut   bool
	lacking   []uint16
	at        map[string]int64 // by relay: up to when
}

// counts returns the relays whose word counts: those chosen, where that is known, else
// all that confirmed anything.
func (p personLedger) counts() []string {
	if p.asked != nil {
		return p.asked
	}
	return slices.Collect(maps.Keys(p.at))
}

// settling is how long a note may be under way: the newest minutes are never
// waited for. The assistant's own statement goes by the same time.
const settling = 15 * time.Minute

// synced is the time that fetching is about.
func (a *App) synced() (from, to int64) {
	now := a.opt.Now()
	days := time.Duration(a.syncSettings().DaysBack()) * 24 * time.Hour
	// What was pruned is not fetched, nor missed.
	feed, _ := a.keptFrom(context.Background())
	to = now.Add(-settling).Unix()
	return min(max(now.Add(-days).Unix(), feed), to), to
}

// ledger reads it for the reader and the people they follow.
func (a *App) ledger(ctx context.Context) (ledger, error) {
	book := ledger{relays: map[string]time.Time{}}
	book.from, book.to = a.synced()
	me := a.Me()
	if me == (ndb.PubKey{}) {
		return book, nil
	}
	people, err := a.notes.Contacts(ctx, me)
	if errors.Is(err, ndb.ErrNotFound) {
		return book, nil
	}
	if err != nil {
		return book, fmt.Errorf("reading whom you follow: %w", err)
	}
	if !slices.Contains(people, me) {
		people = append([]ndb.PubKey{me}, people...)
	}
	for _, pk := range people {
		p, err := a.personLedger(ctx, pk, book.from, book.to)
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

func (a *App) personLedger(ctx context.Context, pk ndb.PubKey, from, to int64) (personLedger, error) {
	p := personLedger{key: pk, asked: notesync.RelaysAsked(ctx, a.notes, pk), state: ReachedNot, at: map[string]int64{}}
	rows, err := a.notes.Confirmed(ctx, pk, ndb.PurposeFeed)
	if err != nil {
		return p, fmt.Errorf("reading how complete notes are: %w", err)
	}
	p.asOf, p.alone = tools.LookedThrough(rows, p.asked, from, to)
	now := a.opt.Now().Unix()
	held := map[string]int64{} // seconds of the time, by relay
	for _, row := range rows {
		// The sample's ledger reaches into the future.
		p.at[row.Relay] = max(p.at[row.Relay], min(row.Interval.To, now))
		if p.asked != nil && !slices.Contains(p.asked, row.Relay) {
			p.elsewhere = true // its word does not count for them
			continue
		}
		p.last = max(p.last, p.at[row.Relay])
		if overlap := min(row.Interval.To, to) - max(row.Interval.From, from); overlap >= 0 {
			held[row.Relay] += overlap + 1
		}
	}
	var whole []string
	for url, seconds := range held {
		share := min(1, float64(seconds)/float64(to-from+1))
		if p.share = max(p.share, share); share == 1 {
			whole = append(whole, url)
		}
	}
	p.lacking, _ = notesync.KindsLacking(ctx, a.notes, whole)
	p.leftOut = p.share == 1 && notesync.OwnLeftOut(ctx, a.notes, pk, from, to)
	switch {
	case p.share == 1 && len(p.lacking) == 0 && !p.leftOut:
		p.state = ReachedAll
	case p.share > 0:
		p.state = ReachedPartly
	}
	p.alone = p.alone && p.state == ReachedAll
	return p, nil
}

// view adds who it is.
func (p personLedger) view(ctx context.Context, a *App) (PersonCoverage, error) {
	profile, err := a.notes.Profile(ctx, p.key)
	if err != nil {
		return PersonCoverage{}, fmt.Errorf("reading a name: %w", err)
	}
	pc := PersonCoverage{
		PubKey: p.key, Name: profile.Best(), Picture: profile.Picture,
		State: p.state, Alone: p.alone, Share: p.share, Relays: p.asked, Elsewhere: p.elsewhere, OwnLeftOut: p.leftOut, Lacking: p.lacking,
	}
	if p.last > 0 {
		pc.Last = time.Unix(p.last, 0).In(a.opt.Zone)
	}
	return pc, nil
}

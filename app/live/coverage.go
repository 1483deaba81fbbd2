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
		if whole := a.State == coverage.Complete; whole != (b.State == coverage.Complete) {
			return map[bool]int{true: 1, false: -1}[whole]
		}
		return cmp.Or(b.Last.Compare(a.Last), cmp.Compare(a.Name, b.Name))
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

type liveState struct {
	stage    Stage
	trouble  Trouble
	err      error
	nextTry  time.Time
	lastSync time.Time
	days     int

	progress notesync.Progress // of the current session
	reached  bool              // the session had a connection

	me           nostr.PubKey // account of the current session
	first        bool
	people, done int
	share        float64
	left         estimate
}

func (s *liveState) rest(stage Stage) {
	s.progress = notesync.Progress{}
	s.stage, s.trouble, s.err, s.nextTry, s.reached = stage, NoTrouble, nil, time.Time{}, false
}

// begin starts a session. A first sync that was interrupted continues with the figures that
// it has shown.
func (s *liveState) begin(me nostr.PubKey, first bool, days int) {
	s.rest(StageLists)
	if !first || !s.first || s.me != me {
		s.people, s.done, s.share, s.left = 0, 0, 0, estimate{}
	}
	s.me, s.first, s.days = me, first, days
}

func (s *liveState) fail(trouble Trouble, err error, next time.Time) {
	s.rest(StageWaiting)
	s.trouble, s.err, s.nextTry = trouble, err, next
}

// sharePrepared is the part of a first sync that finding out whom to ask counts for.
const sharePrepared = 0.05

func (s *liveState) advance(p notesync.Progress, now time.Time) {
	s.progress = p
	s.stage = Stage(p.Stage)
	s.reached = s.reached || p.Connected > 0
	if s.stage == StageLive && p.Connected > 0 {
		s.lastSync = now
	}
	if !s.first {
		return
	}
	s.people = max(s.people, p.People)
	switch s.stage {
	case StageNotes:
		s.done = max(s.done, min(p.Done, s.people))
		if s.people > 0 {
			s.share = max(s.share, sharePrepared, float64(s.done)/float64(s.people))
		}
		if p.Windows > 0 {
			s.left.update(float64(p.Filled)/float64(p.Windows), now)
		}
		if s.done == s.people && s.people > 0 {
			s.wholeFirst() // a silent relay may keep the session from ending for long
		}
	case StageContext, StageLive:
		s.wholeFirst()
	}
}

func (s *liveState) wholeFirst() {
	s.done, s.share, s.left, s.first = s.people, 1, estimate{}, false
}

func (s *liveState) status(now time.Time) Status {
	p := s.progress
	return Status{
		Stage: s.stage, Trouble: s.trouble, Err: s.err, NextTry: s.nextTry,
		Offline:   s.trouble == TroubleNet || s.reached && p.Connected == 0,
		Connected: p.Connected, Relays: max(p.Relays, p.Connected),
		LastSync: s.lastSync, Days: s.days,
		// Without the account, as everywhere, though its notes are fetched too.
		First: s.first, People: max(s.people-1, 0), PeopleDone: max(s.done-1, 0), Share: s.share,
		Left: max(s.left.at(now), p.Left), Limited: p.Limited, PerMinute: p.PerMinute,
	}
}

// When an estimate of the time left becomes useful.
const (
	estimateAfter = 2 * time.Second
	estimatePart  = 0.05
)

// estimate estimates how long something still takes. It counts down with the clock and is
// corrected gradually, so that it does not jump.
type estimate struct {
	began, end, corrected time.Time
}

func (e *estimate) update(part float64, now time.Time) {
	if e.began.IsZero() {
		e.began = now
	}
	elapsed := now.Sub(e.began)
	if elapsed < estimateAfter || part < estimatePart {
		return
	}
	end := now.Add(time.Duration(float64(elapsed) * (1 - part) / part))
	if e.end.IsZero() {
		e.end, e.corrected = end, now
		return
	}
	// The longer the last correction is ago the more this one weighs, up to a half.
	weight := min(0.5, now.Sub(e.corrected).Seconds()/10)
	e.end = e.end.Add(time.Duration(weight * float64(end.Sub(e.end))))
	e.corrected = now
}

// at returns what is left at now, in readable steps of at least five seconds; 0 while there
// is no estimate.
func (e *estimate) at(now time.Time) time.Duration {
	if e.end.IsZero() {
		return 0
	}
	left, step := e.end.Sub(now), 30*time.Second
	switch {
	case left <= 20*time.Second:
		step = 5 * time.Second
	case left <= 2*time.Minute:
		step = 10 * time.Second
	}
	return max(left.Round(step), 5*time.Second)
}

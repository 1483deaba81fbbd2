package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// RelayState is a snapshot of one relay's state.
type RelayState struct {
	URL     string
	Phase   notesync.Phase
	Trouble notesync.Trouble // what is wrong, if anything
	Said    string           // the relay's own words about it: a stranger's, cleaned
	Again   time.Time        // for notesync.Waiting: the next attempt; zero if unknown
	Share   float64          // of what is to be caught up, 0 to 1

	Notes bool // asked for notes
	Write bool // the account writes there
	Added bool // by the user in the settings
	Inbox bool // asked for what is addressed to the account

	People int           // whose notes it is asked for, without the account
	Today  int           // today's notes that it sent
	Answer time.Duration // time to the first word of an answer; 0 if unknown
	Slow   bool          // its answers take long
	// PerMinute is how many questions it answers, if it limits them, and Left how long it
	// still needs at that pace; 0 if unknown.
	PerMinute float64
	Left      time.Duration
	LastSync  time.Time // up to when its notes are stored; zero for never
}

// Name returns the address without "wss://".
func (s RelayState) Name() string { return strings.TrimPrefix(s.URL, "wss://") }

// Relays returns the relays that are asked, those that serve most people first. It reads
// the store.
func (l *Live) Relays(ctx context.Context) ([]RelayState, error) {
	states, _, err := l.relays(ctx)
	return states, err
}

func (l *Live) relays(ctx context.Context) ([]RelayState, map[string][]nostr.PubKey, error) {
	book, err := l.ledger(ctx)
	if err != nil {
		return nil, nil, err
	}
	today, err := l.today.count(ctx, l)
	if err != nil {
		return nil, nil, err
	}
	asked, states := book.asked(), relayStates{}
	for url := range asked {
		states.at(url).Notes = true
	}
	for _, url := range l.stillAsked(l.normalRelays(l.syncSettings().Relays)) {
		states.at(url).Added = true
	}
	for _, now := range l.now() {
		states.at(now.URL).take(now)
		if len(now.People) > 0 {
			asked[now.URL] = now.People
		}
	}
	for _, url := range l.listedRelays(ctx, "write") {
		if s := states[url]; s != nil {
			s.Write = true
		}
	}
	list := make([]RelayState, 0, len(states))
	for url, s := range states {
		// Without the account, as everywhere.
		asked[url] = slices.DeleteFunc(slices.Clone(asked[url]), func(pk nostr.PubKey) bool { return pk == l.opt.Me() })
		s.People, s.Today = len(asked[url]), today[url]
		if reached := book.relays[url]; reached.After(s.LastSync) {
			s.LastSync = reached
		}
		list = append(list, *s)
	}
	slices.SortFunc(list, func(a, b RelayState) int {
		return cmp.Or(cmp.Compare(b.People, a.People), cmp.Compare(a.URL, b.URL))
	})
	return list, asked, nil
}

type relayStates map[string]*RelayState

// at returns the state of a relay, resting until more is known.
func (s relayStates) at(url string) *RelayState {
	if s[url] == nil {
		s[url] = &RelayState{URL: url, Phase: notesync.Resting, Share: 1}
	}
	return s[url]
}

func (s *RelayState) take(now notesync.RelayState) {
	s.Phase, s.Trouble, s.Said, s.Again, s.Share = now.Phase, now.Trouble, now.Said, now.Again, now.Share
	s.Answer, s.Inbox = now.Answer, now.Inbox
	s.Slow, s.Left = now.Slow, now.Left
	if now.Every > 0 {
		s.PerMinute = float64(time.Minute) / float64(now.Every)
	}
	s.Notes = s.Notes || len(now.People) > 0
	if now.Phase == notesync.Following {
		s.LastSync = now.Heard
	}
}

func (l *Live) now() []notesync.RelayState {
	if session := l.running(); session != nil {
		return session.Relays()
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.failed
}

// running returns the current session; nil between two.
func (l *Live) running() *notesync.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session
}

// failedOf returns the relays that a session failed to reach, which are shown until the next
// one begins. If the name of none could be resolved, the network has failed, not the
// relays.
func failedOf(relays []notesync.RelayState) (failed []notesync.RelayState) {
	for _, r := range relays {
		if r.Trouble != notesync.NoTrouble && r.Trouble != notesync.Stopped {
			r.Phase, r.People = notesync.Waiting, nil
			failed = append(failed, r)
		}
	}
	unknown := func(r notesync.RelayState) bool {
		return r.Trouble == notesync.NameUnknown || r.Trouble == notesync.Offline
	}
	if len(failed) == len(relays) && !slices.ContainsFunc(failed, func(r notesync.RelayState) bool { return !unknown(r) }) {
		for i := range failed {
			failed[i].Trouble, failed[i].Said = notesync.Offline, ""
		}
	}
	return failed
}

// Notice is a relay's text for people: a stranger's words, cleaned.
type Notice = relay.Notice

// RelayDetails is all that is known of one relay.
type RelayDetails struct {
	RelayState
	For     []PersonCoverage // whose notes it is asked for, by name
	Notices []Notice         // the latest first
	Last    []*nostr.Event   // the newest events that it sent, at most 50
	Events  int              // that it sent in this run of the program
	Bytes   int64
}

// relayEvents is how many events RelayDetails holds at most; relayLooked among how many of
// the newest stored ones they are looked for.
const (
	relayEvents = 50
	relayLooked = 2000
)

// ErrNoSuchRelay is returned for a relay that is not asked.
var ErrNoSuchRelay = errors.New("this relay is not asked")

// Relay returns the details of one relay. It reads the store.
func (l *Live) Relay(ctx context.Context, url string) (RelayDetails, error) {
	states, asked, err := l.relays(ctx)
	if err != nil {
		return RelayDetails{}, err
	}
	i := slices.IndexFunc(states, func(s RelayState) bool { return s.URL == url })
	if i < 0 {
		return RelayDetails{}, fmt.Errorf("%w: %s", ErrNoSuchRelay, url)
	}
	d := RelayDetails{RelayState: states[i]}
	for _, now := range l.now() {
		if now.URL == url {
			d.Events, d.Bytes = now.Events, now.Bytes
			for _, n := range slices.Backward(now.Notices) {
				d.Notices = append(d.Notices, n)
			}
		}
	}
	if d.For, err = l.coverageOf(ctx, asked[url]); err != nil {
		return RelayDetails{}, err
	}
	d.Last, err = l.lastFrom(ctx, url)
	return d, err
}

func (l *Live) lastFrom(ctx context.Context, url string) (events []*nostr.Event, err error) {
	for e, err := range l.opt.Notes.Query(ctx, ndb.QueryOptions{}, nostr.Filter{Limit: new(relayLooked)}) {
		if err != nil {
			return nil, fmt.Errorf("looking for what a relay gave: %w", err)
		}
		urls, err := l.opt.Notes.SeenOn(ctx, e.ID)
		if err != nil {
			return nil, fmt.Errorf("looking for what a relay gave: %w", err)
		}
		if slices.Contains(urls, url) {
			if events = append(events, e); len(events) == relayEvents {
				break
			}
		}
	}
	return events, nil
}

// listedRelays returns the relays of the account's relay list for a use.
func (l *Live) listedRelays(ctx context.Context, use string) []string {
	return l.normalRelays(notesync.ListedRelays(ctx, l.opt.Notes, l.opt.Me(), use))
}

// todayCount caches how many of today's notes each relay sent.
type todayCount struct {
	mu     sync.Mutex
	at     time.Time
	counts map[string]int
}

const (
	countEvery = 20 * time.Second
	countMost  = 20_000
)

func (c *todayCount) count(ctx context.Context, l *Live) (map[string]int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := l.opt.Now().In(l.opt.Zone)
	if c.counts != nil && now.Sub(c.at).Abs() < countEvery {
		return c.counts, nil
	}
	y, m, d := now.Date()
	counts, midnight := map[string]int{}, time.Date(y, m, d, 0, 0, 0, 0, now.Location())
	filter := nostr.Filter{Kinds: []uint16{1, 6, 16, 20, 1111, 30023}, Since: new(midnight.Unix()), Limit: new(countMost)}
	for e, err := range l.opt.Notes.Query(ctx, ndb.QueryOptions{}, filter) {
		if err != nil {
			return nil, fmt.Errorf("counting today's notes: %w", err)
		}
		urls, err := l.opt.Notes.SeenOn(ctx, e.ID)
		if err != nil {
			return nil, fmt.Errorf("counting today's notes: %w", err)
		}
		for _, url := range urls {
			counts[url]++
		}
	}
	c.at, c.counts = now, counts
	return counts, nil
}

// Retry asks for everything again that was not fetched, of relays that failed, and looks up
// again whom the account follows and where they write. It does not wait.
func (l *Live) Retry() {
	if session := l.running(); session != nil {
		session.Refresh()
	}
	l.wake()
}

// RetryRelay asks one relay again at once. It does not wait.
func (l *Live) RetryRelay(url string) {
	if session := l.running(); session != nil {
		session.Retry(url)
	}
	l.wake()
	l.change(func(*liveState) {})
}

// RetryPeople asks again, at once, the relays that count for some people, and where those
// people write. It does not wait.
func (l *Live) RetryPeople(ctx context.Context, people ...nostr.PubKey) {
	if session := l.running(); session != nil {
		var urls []string
		for _, pk := range people {
			urls = append(urls, notesync.RelaysAsked(ctx, l.opt.Notes, pk)...)
		}
		if len(urls) > 0 {
			session.Retry(urls...)
		}
		session.Anew()
	}
	l.wake()
}

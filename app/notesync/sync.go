package notesync

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"bowerbird/app/netsafe"
	"bowerbird/app/relay"
	"bowerbird/ndb"
)

// Options say what to fetch. Store and Client are required, and either Me or
// Authors.
type Options struct {
	Store   *ndb.Store
	Client  *netsafe.Client // its policy says whether private relays are permitted
	Me      ndb.PubKey      // whose follows' notes are fetched; zero with Authors
	Authors []ndb.PubKey    // fetched instead of the people Me follows
	// Only are the only relays to ask, with no indexer and no write relay beside.
	Only []string
	// Base relays are asked for everybody, beside each author's own write relays.
	Base []string
	// Indexers are asked for profiles and relay lists; nil for DefaultIndexers.
	Indexers []string
	Days     int  // how far back, 1 or more
	Once     bool // end when every window is filled or given up
	Progress func(Progress)
	Limits   relay.Limits // zero fields take the defaults
	Now      func() time.Time
	Sleep    func(context.Context, time.Duration) error
	Logger   *slog.Logger
}

// DefaultIndexers hold profiles and relay lists of nearly everybody.
func DefaultIndexers() []string {
	return []string{"wss://purplepag.es", "wss://indexer.coracle.social", "wss://user.kindpag.es"}
}

// Progress is how far a run is.
type Progress struct {
	Stage     string // "lists", "profiles", "notes", "context", "live"
	People    int    // whose notes are fetched
	Relays    int    // asked
	Connected int
	Windows   int // to fill in all
	Filled    int // filled or given up
	Stored    int
}

// Errors that a caller can act on.
var (
	ErrNoContacts = errors.New("no contact list was found")
	ErrNobody     = errors.New("the contact list is empty")
	ErrNoRelays   = errors.New("no relay to ask")
	ErrNoNetwork  = errors.New("no relay could be reached")
)

// Run fetches until all is there (Options.Once) or ctx ends, and says what it
// did. What was fetched before an error stays stored; a run that is stopped is
// taken up by the next one, since only what the ledger lacks is asked for.
func Run(ctx context.Context, opt Options) (Summary, error) {
	opt = opt.withDefaults()
	r := &run{
		opt: opt, start: opt.Now().Unix(),
		links: map[string]*link{}, reasons: map[string]error{}, wanted: map[ndb.ID]bool{},
		// A connection outlives the question that needed it first, so it hangs on
		// the run's context.
		dial: func(url string) (*relay.Conn, error) {
			return relay.Dial(ctx, url, relay.Options{Client: opt.Client, Limits: opt.Limits})
		},
	}
	defer r.close()
	authors, err := r.people(ctx)
	if err != nil {
		return r.summary(ctx, nil), err
	}
	r.authors = authors
	if err := r.profiles(ctx); err != nil {
		return r.summary(ctx, authors), err
	}
	if err := r.notes(ctx); err != nil {
		return r.summary(ctx, authors), err
	}
	return r.summary(ctx, authors), nil
}

func (o Options) withDefaults() Options {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Progress == nil {
		o.Progress = func(Progress) {}
	}
	if o.Indexers == nil {
		o.Indexers = DefaultIndexers()
	}
	o.Days = max(o.Days, 1)
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// run is one Run.
type run struct {
	opt     Options
	start   int64 // unix seconds
	dial    func(url string) (*relay.Conn, error)
	authors []ndb.PubKey
	choice  choice

	mu       sync.Mutex
	links    map[string]*link
	order    []string         // of links, as they were opened
	reasons  map[string]error // why a relay gave less than was asked for
	wanted   map[ndb.ID]bool  // notes that others refer to
	progress Progress
}

// link returns the way to a relay, made on first use. The URL must be normal.
func (r *run) link(url string) *link {
	r.mu.Lock()
	defer r.mu.Unlock()
	l, ok := r.links[url]
	if !ok {
		l = &link{
			url: url, sleep: r.opt.Sleep, now: r.opt.Now, rand: rand.Float64,
			dial: func() (*relay.Conn, error) { return r.dial(url) },
		}
		r.links[url] = l
		r.order = append(r.order, url)
	}
	return l
}

// revive gives relays that were given up another chance when their time has come.
func (r *run) revive() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, l := range r.links {
		l.revive()
	}
}

func (r *run) close() {
	for _, l := range r.links {
		l.close()
	}
}

// put stores what a relay sent and passes wrong signatures back to it.
func (r *run) put(ctx context.Context, l *link, events []*ndb.Event, rows []ndb.Coverage) (invalid int, err error) {
	if len(events) == 0 && len(rows) == 0 {
		return 0, nil
	}
	results, err := r.opt.Store.Put(ctx, ndb.Batch{Events: events, Relay: l.url, Coverage: rows})
	if err != nil {
		return 0, fmt.Errorf("storing notes: %w", err)
	}
	stored := 0
	for _, res := range results {
		switch res.Outcome {
		case ndb.Stored:
			stored++
		case ndb.Invalid:
			invalid++
		}
	}
	l.badSignatures(invalid)
	r.refer(events)
	r.report(func(p *Progress) { p.Stored += stored })
	return invalid, nil
}

// report changes the progress and tells it.
func (r *run) report(change func(*Progress)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.progress)
	r.opt.Progress(r.progress)
}

// usable returns the normal forms of the relays that the policy permits, each once.
func (r *run) usable(urls ...string) []string {
	var out []string
	seen := map[string]bool{}
	for _, u := range urls {
		normal, err := relay.ParseURL(u, r.opt.Client.Policy())
		if err != nil || seen[normal] {
			continue
		}
		seen[normal] = true
		out = append(out, normal)
	}
	return out
}

package notesync

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"sync/atomic"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// Options say what to fetch. Store and Client are required, and either Me or
// Authors.
type Options struct {
	Store   *ndb.Store
	Client  *netsafe.Client // its policy says whether private relays are permitted
	Me      nostr.PubKey    // whose follows' notes are fetched; zero with Authors
	Authors []nostr.PubKey  // fetched instead of the people Me follows
	// Only are the only relays to ask, with no indexer and no write relay beside; nil
	// for no such limit. Where there are none of them, nobody is asked.
	Only []string
	// Base relays are asked for everybody, beside each author's own write relays.
	Base []string
	// Indexers are asked for profiles and relay lists; nil for DefaultIndexers.
	Indexers []string
	// Never are relays that are not asked, whoever names them.
	Never []string
	Days  int // how far back, 1 or more
	// From returns times, in unix seconds, before which nothing is asked for, of the
	// people's notes and of what others wrote to Me: it was pruned, and would be pruned
	// again. 0, or a nil From, for no such limit. It is asked again for each plan and
	// each page, since a run may outlive many prunings.
	From func() (feed, inbox int64)
	Once bool // end when every window is filled or given up
	// Refresh is after how long lists are looked up again; 0 for never. See
	// Session.Run.
	Refresh  time.Duration
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
func Run(ctx context.Context, opt Options) (Summary, error) { return New(opt).Run(ctx) }

// maxDays is about as far back as unix time goes.
const maxDays = 50 * 365

func (r *run) past() span {
	feed, _ := r.opt.From()
	return span{min(max(0, r.start-int64(r.opt.Days)*day, feed), r.start), r.start}
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
	if o.From == nil {
		o.From = func() (feed, inbox int64) { return 0, 0 }
	}
	if o.Indexers == nil {
		o.Indexers = DefaultIndexers()
	}
	o.Days = min(max(o.Days, 1), maxDays)
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

type run struct {
	opt     Options
	start   int64           // of the round, unix seconds
	life    context.Context // of the run: connections outlive the question that needed them first
	dials   chan struct{}   // holds a token for each dial under way
	wake    chan struct{}   // ends the wait of follow
	refresh atomic.Bool     // the next round is asked for
	again   atomic.Bool     // what some relay confirmed was taken back, and is to be fetched again
	banned  map[string]bool // relays that are never asked
	anew    bool            // the round was asked for: what it lately looked up counts for nothing
	lists   []nostr.ID      // of the reader's, that the round goes by
	tally   *tally          // of the round's windows, guarded by telling; nil before

	mu                  sync.Mutex // guards the writing of what follows, and the reading by others than the rounds
	authors             []nostr.PubKey
	choice              choice
	baseURLs, inboxURLs []string
	withholding         []string // relays that name notes which they do not give
	links               map[string]*link
	order               []string         // of links, as they were opened
	reasons             map[matter]error // why a relay gave less than was asked for
	wishes              *wishes          // what notes refer to that came since they were looked through

	telling  sync.Mutex
	progress Progress
}

const maxDials = 8

func (r *run) dial(ctx context.Context, url string) (*relay.Conn, manners, error) {
	select {
	case r.dials <- struct{}{}:
	case <-ctx.Done():
		return nil, manners{}, ctx.Err()
	}
	defer func() { <-r.dials }()
	// A relay that says nothing of itself is asked as is usual.
	info, _ := relay.FetchInfo(ctx, r.opt.Client, url)
	m := mannersFor(info, r.opt.Limits)
	conn, err := relay.Dial(r.life, url, relay.Options{Client: r.opt.Client, Limits: m.apply(r.opt.Limits)})
	return conn, m, err
}

// link returns the way to a relay, made on first use. The URL must be normal.
func (r *run) link(url string) *link {
	r.mu.Lock()
	defer r.mu.Unlock()
	l, ok := r.links[url]
	if !ok {
		l = r.newLink(url)
		r.links[url] = l
		r.order = append(r.order, url)
	}
	return l
}

func (r *run) leave(keep []string) {
	r.mu.Lock()
	links := maps.Clone(r.links)
	r.mu.Unlock()
	for _, url := range keep {
		delete(links, url)
	}
	forAll(links, (*link).leave)
}

func (r *run) close() {
	r.keepPaces(context.WithoutCancel(r.life))
	forAll(r.links, (*link).close)
}

// forAll does it side by side: a goodbye may take a second.
func forAll(links map[string]*link, do func(*link)) {
	var wg sync.WaitGroup
	for _, l := range links {
		wg.Go(func() { do(l) })
	}
	wg.Wait()
}

// storeError is a failure of the store, which ends a run; what a relay does
// wrong never does.
type storeError struct{ err error }

func (e *storeError) Error() string { return "storing notes: " + e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// put stores what a relay sent and passes wrong signatures back to it. It returns
// the events that had them. What the others refer to is looked for later.
func (r *run) put(ctx context.Context, l *link, b ndb.Batch) (invalid []*nostr.Event, err error) {
	invalid, stored, err := r.keep(ctx, l, b)
	if stored > 0 {
		r.refer(b.Events)
		if r.namesLists(b.Events) {
			r.rouse()
		}
	}
	return invalid, err
}

// keep is put without looking at what the events say.
func (r *run) keep(ctx context.Context, l *link, b ndb.Batch) (invalid []*nostr.Event, stored int, err error) {
	if len(b.Events) == 0 && len(b.Coverage) == 0 {
		return nil, 0, nil
	}
	b.Relay = l.url
	results, err := r.opt.Store.Put(ctx, b)
	if err != nil && ctx.Err() != nil {
		return nil, 0, ctx.Err()
	}
	if err != nil {
		return nil, 0, &storeError{err}
	}
	for i, res := range results {
		switch res.Outcome {
		case ndb.Stored:
			stored++
		case ndb.Invalid:
			invalid = append(invalid, b.Events[i])
		}
	}
	l.badSignatures(len(invalid))
	if stored > 0 {
		r.report(func(p *Progress) { p.Stored += stored })
	}
	return invalid, stored, nil
}

type matter struct{ url, what string }

// remember keeps why something could not be had from a relay, for the summary: the
// first reason, unless a later one ended it all. It is forgotten by forgive.
func (r *run) remember(url, what string, err error) {
	if err == nil {
		return
	}
	r.opt.Logger.Info("a relay gave less than was asked for", "relay", url, "error", err)
	r.mu.Lock()
	defer r.mu.Unlock()
	m := matter{url, what}
	if r.reasons[m] == nil || errors.Is(err, errRelayGivenUp) && !errors.Is(r.reasons[m], errRelayGivenUp) {
		r.reasons[m] = err
	}
}

func (r *run) forgive(url, what string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.reasons, matter{url, what})
}

// reason returns why a relay gave less than was asked for; nil when it gave all.
// r.mu is held, or the run has ended.
func (r *run) reason(url string) error {
	return cmp.Or(r.reasons[matter{url, stageNotes}], r.reasons[matter{url, stageProfiles}], r.reasons[matter{url, stageLists}])
}

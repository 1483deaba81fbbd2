// Package notesync decides what to ask which relay, so that the notes of the people whom an
// account follows arrive, newest first, and so that it is known which windows of time are
// complete.
//
//	summary, err := notesync.Run(ctx, notesync.Options{Store: store, …})
//
// A run has stages. It finds the account's own lists, then the names and relay lists of the
// people followed; chooses up to twenty relays that together serve everybody (relays.go);
// opens live subscriptions there (live.go); and fills the windows that the coverage ledger
// does not confirm yet (gaps.go, fill.go), each until a page shows that nothing is left.
// Last it fetches the notes that stored ones refer to, and the names of their authors and
// of people mentioned (context.go).
//
// A note may reach a relay long after its date. So live subscriptions start in the past,
// and what was confirmed is confirmed again from time to time (recheck.go): by one
// comparison of sets where a relay can do that (compare.go), and after a week, or where it
// cannot, by pages. Complete therefore always means: as of the last confirmation, whose
// time the ledger records.
//
// It promises that an interval is written into the ledger only once a relay has shown that
// it has nothing more there, and never before its notes, and what is known of kinds that
// the relay leaves out, are on disk; that what the ledger confirms is not asked for again
// before its time, except for the newest quarter of an hour; that relays are asked as they
// wish (pace.go), for fewer people or kinds if they refuse many (refuse.go,
// kinds.go), as learned from their refusals and saved; and that a bad relay does not hold
// up others (link.go).
//
// The number of events in a page proves nothing, since relays limit pages without saying
// so, and differently for each question. The proof is what a page shows below a time
// (fill.go), on one assumption: that a relay sends the newest events of those that were
// asked for.
//
// Coverage is judged for each person: complete if one of the relays that count for them
// ([RelaysAsked]) has confirmed the whole window. [coverage.Evidence] judges it, for the
// window and the assistant too, from what [Evidence] reads. A relay that silently leaves
// out a kind that others have of the same people does not count (refuse.go); one that
// leaves out a kind even when asked for it alone makes nobody complete (kinds_left_out.go), and
// once it sends the kind, everything that it confirmed is fetched again. Whether other
// relays hold more cannot be known.
//
// A [Session] is a run that can be inspected ([Session.Relays]) and steered
// ([Session.Retry], [Session.Refresh]). With Options.Refresh it continues in rounds, each
// of which looks up again whom the account follows and where they write. It waits for a
// network that went away; one that was never there ends it with [ErrNoNetwork]. [Ask] asks
// relays a single question.
//
// It leaves connections and their limits to app/relay, signatures and storage to ndb, and
// when to run again to its caller.
package notesync

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// Options configure a run. Store, Client, and either Me or Authors are required.
type Options struct {
	Store   *ndb.Store
	Client  *netsafe.Client // its policy decides whether private relays are permitted
	Me      nostr.PubKey    // the account, whose follows are fetched; may be zero with Authors
	Authors []nostr.PubKey  // fetched instead of the people whom Me follows
	// Only are the only relays to ask, without indexers and write relays; nil for no such
	// limit. If it is empty and not nil, nobody is asked.
	Only []string
	// Base relays are asked for everybody, beside each author's write relays.
	Base []string
	// Indexers are asked for profiles and relay lists; nil for DefaultIndexers.
	Indexers []string
	// Never are relays that are not asked, whoever lists them.
	Never []string
	Days  int // how far back, at least 1
	// From returns times, in unix seconds, before which nothing is asked for, in the feed
	// and in what is addressed to Me: it was pruned, and would be pruned again. 0, or a
	// nil From, for no such limit. It is called for each plan and each page, since a run
	// may outlive many prunings.
	From func() (feed, inbox int64)
	Once bool // end when every window is filled or given up
	// Refresh is after how long lists are looked up again; 0 for never. See Session.Run.
	Refresh  time.Duration
	Progress func(Progress)
	Limits   relay.Limits // zero fields take the defaults
	Now      func() time.Time
	Sleep    func(context.Context, time.Duration) error
	Logger   *slog.Logger
}

// DefaultIndexers returns relays that hold profiles and relay lists of nearly everybody.
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

// Run fetches until everything has arrived (Options.Once) or ctx ends, and returns a
// summary, also beside an error. What was fetched stays stored; the next run continues a
// stopped one, since only what the ledger does not confirm is asked for.
func Run(ctx context.Context, opt Options) (Summary, error) { return New(opt).Run(ctx) }

// maxDays is about as far back as unix time reaches.
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
	life    context.Context // of the run: connections outlive the question that first needed them
	dials   chan struct{}   // holds a token for each dial under way
	wake    chan struct{}   // ends the wait of follow
	refresh atomic.Bool     // the next round was requested
	again   atomic.Bool     // coverage was removed, and is to be fetched again
	banned  map[string]bool // relays that are never asked
	anew    bool            // the round was requested: earlier look-ups do not count
	lists   []nostr.ID      // of the account, on which the round is based
	tally   *tally          // of the round's windows, guarded by reporting; nil before

	mu                  sync.Mutex // guards writing what follows, and reading it outside the rounds
	authors             []nostr.PubKey
	choice              choice
	baseURLs, inboxURLs []string
	withholding         []string // relays that name notes and do not send them
	links               map[string]*link
	order               []string         // of links, as they were made
	reasons             map[matter]error // why a relay gave less than was asked for
	wishes              *wishes          // references of notes that arrived since they were last looked up

	reporting sync.Mutex // held while progress is reported
	progress  Progress
}

const maxDials = 8

func (r *run) dial(ctx context.Context, url string) (*relay.Conn, manners, error) {
	select {
	case r.dials <- struct{}{}:
	case <-ctx.Done():
		return nil, manners{}, ctx.Err()
	}
	defer func() { <-r.dials }()
	// A relay that reports nothing about itself is asked as usual.
	info, _ := relay.FetchInfo(ctx, r.opt.Client, url)
	m := mannersFor(info, r.opt.Limits)
	conn, err := relay.Dial(r.life, url, relay.Options{Client: r.opt.Client, Limits: m.apply(r.opt.Limits)})
	return conn, m, err
}

// link returns the link to a relay, made on first use. The URL must be in normal form.
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

// forAll runs do side by side: a closing handshake may take a second.
func forAll(links map[string]*link, do func(*link)) {
	var wg sync.WaitGroup
	for _, l := range links {
		wg.Go(func() { do(l) })
	}
	wg.Wait()
}

// storeError is a failure of the store, which ends a run; a relay's failure never does.
type storeError struct{ err error }

func (e *storeError) Error() string { return "storing notes: " + e.err.Error() }
func (e *storeError) Unwrap() error { return e.err }

// put stores what a relay sent, reports wrong signatures to its connection, and returns the
// events that had them. What the others refer to is looked up later.
func (r *run) put(ctx context.Context, l *link, b ndb.Batch) (invalid []*nostr.Event, err error) {
	invalid, stored, err := r.keep(ctx, l, b)
	if stored > 0 {
		r.refer(b.Events)
		if slices.ContainsFunc(b.Events, func(e *nostr.Event) bool {
			return e.PubKey == r.opt.Me && slices.Contains(listKinds(), e.Kind)
		}) {
			r.rouse() // the next round may be due
		}
	}
	return invalid, err
}

// keep is put without reading the events' references.
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

// remember records why something was not fetched from a relay, for the summary: the first
// reason, unless a later one gave the relay up. forgive removes it.
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

// reason returns why a relay did not answer everything; nil if it did. r.mu is held, or the
// run has ended.
func (r *run) reason(url string) error {
	return cmp.Or(r.reasons[matter{url, stageNotes}], r.reasons[matter{url, stageProfiles}], r.reasons[matter{url, stageLists}])
}

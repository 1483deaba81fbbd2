package notesync

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/netsafe"
)

// Progress is how far a run is. Within a round, stages come in order and once each; within
// a stage, Windows is constant and Filled and Done only grow.
type Progress struct {
	Stage     string // "lists", "profiles", "notes", "context", "live"
	People    int    // whose notes are fetched; 0 until that is known
	Relays    int    // asked for notes; 0 until that is known
	Connected int    // relays that are connected now
	Windows   int    // windows to fill in this stage, each at one relay
	Filled    int    // of Windows, filled or given up
	Done      int    // people for whom nothing is left that can be fetched
	Stored    int    // new events

	// Left is how long the slowest relay that limits questions needs at its pace; 0 if
	// there is none, or while that is unknown. Limited is that relay, PerMinute how many
	// questions it answers.
	Left      time.Duration
	Limited   string
	PerMinute float64

	// Change is the state of the relay whose change is being reported; nil if none is.
	Change *RelayState
}

// The stages.
const (
	stageLists    = "lists"
	stageProfiles = "profiles"
	stageNotes    = "notes"
	stageContext  = "context"
	stageLive     = "live"
)

// report changes the progress and reports it, one call at a time.
func (r *run) report(change func(*Progress)) {
	r.reporting.Lock()
	defer r.reporting.Unlock()
	change(&r.progress)
	r.notify(nil)
}

// notify calls Options.Progress. r.reporting is held.
func (r *run) notify(change *RelayState) {
	p := r.progress
	p.Change = change
	r.each(func(l *link) {
		l.mu.Lock()
		left, perMinute := l.outlook()
		l.mu.Unlock()
		if left > p.Left {
			p.Left, p.Limited, p.PerMinute = left, l.url, perMinute
		}
	})
	r.opt.Progress(p)
}

// shown is what was last reported of a relay.
type shown struct {
	phase     Phase
	trouble   Trouble
	connected bool
	slow      bool
}

// announce reports a relay's state if it has changed.
func (r *run) announce(l *link) {
	r.reporting.Lock()
	defer r.reporting.Unlock()
	st := l.state()
	was, now := l.shown, shown{st.Phase, st.Trouble, st.Connected, st.Slow}
	if was == now {
		return
	}
	l.shown = now
	if now.connected != was.connected {
		r.progress.Connected--
		if now.connected {
			r.progress.Connected += 2
		}
	}
	r.notify(&st)
}

func (r *run) enter(stage string, windows int) {
	r.report(func(p *Progress) { p.Stage, p.Windows, p.Filled = stage, windows, 0 })
}

func (r *run) stored() int {
	r.reporting.Lock()
	defer r.reporting.Unlock()
	return r.progress.Stored
}

// tally counts the people for whom nothing is left to fetch: one of the relays that count
// for them sent everything, or each of them sent all that it would.
type tally struct {
	left  map[string]map[nostr.PubKey]*rest // by relay
	open  map[nostr.PubKey]int              // relays that count for them and are not finished
	ready int
}

type rest struct {
	windows int
	failed  bool // one of them was given up
}

func newTally(counted map[nostr.PubKey][]string, plan todo) *tally {
	t := &tally{left: map[string]map[nostr.PubKey]*rest{}, open: map[nostr.PubKey]int{}}
	for pk, urls := range counted {
		t.open[pk] = len(urls)
		for _, url := range urls {
			if t.left[url] == nil {
				t.left[url] = map[nostr.PubKey]*rest{}
			}
			t.left[url][pk] = &rest{}
		}
		if len(urls) == 0 {
			t.ready++ // nobody can be asked
		}
	}
	for url, tasks := range plan {
		for _, task := range tasks {
			for _, pk := range task.authors {
				if r := t.left[url][pk]; r != nil && task.purpose == coverage.Feed {
					r.windows++
				}
			}
		}
	}
	for _, people := range t.left {
		for pk, r := range people {
			if r.windows == 0 {
				t.through(pk, r)
			}
		}
	}
	return t
}

// settle counts a window as done and returns for how many people nothing is left.
func (t *tally) settle(url string, done task, err error) int {
	for _, pk := range done.authors {
		r := t.left[url][pk]
		if r == nil || done.purpose != coverage.Feed {
			continue
		}
		r.windows--
		r.failed = r.failed || err != nil
		if r.windows == 0 {
			t.through(pk, r)
		}
	}
	return t.ready
}

func (t *tally) through(pk nostr.PubKey, r *rest) {
	before := t.open[pk]
	if before == 0 {
		return
	}
	t.open[pk]--
	if !r.failed {
		t.open[pk] = 0
	}
	if t.open[pk] == 0 {
		t.ready++
	}
}

// Summary is the result of a run and the coverage after it.
type Summary struct {
	People      int `json:"people"` // without the account, unless there is nobody else
	Complete    int `json:"complete"`
	Partly      int `json:"partly"`
	Unreachable int `json:"unreachable"`
	ButKinds    int `json:"-"` // of Partly, those whose whole window was confirmed except for what waiting does not bring
	// OwnLeftOut counts those of Partly who have write relays of their own, none of which
	// was asked for the whole window, while others confirmed it.
	OwnLeftOut int `json:"own_relays_not_asked,omitempty"`
	// RelaysAsked is how many relays the complete depend on.
	RelaysAsked int           `json:"relays_asked,omitempty"`
	Relays      []RelayReport `json:"relays"`
	Stored      int           `json:"stored"`
}

// RelayReport is the result of a run at one relay.
type RelayReport struct {
	URL    string `json:"url"`
	State  string `json:"state"` // "done", "partly" (something was given up), "failed" (nothing was fetched)
	Error  string `json:"error"` // in words; "" if done
	Events int    `json:"events"`
	Bytes  int64  `json:"bytes"`
	// Refused are the people about whom it answers no questions, though it does about
	// others.
	Refused []nostr.PubKey `json:"refused,omitempty"`
	// Missing are the kinds of the feed that it is known to leave out.
	Missing []uint16 `json:"lacking_kinds,omitempty"`
}

func (r *run) summary(ctx context.Context, authors []nostr.PubKey) (Summary, error) {
	ctx = context.WithoutCancel(ctx) // a run that was stopped has a summary too
	if len(r.opt.Authors) == 0 && len(authors) > 1 {
		authors = slices.DeleteFunc(slices.Clone(authors), func(a nostr.PubKey) bool { return a == r.opt.Me })
	}
	now := r.opt.Now().Unix()
	verdicts := make([]coverage.Verdict, len(authors))
	for i, a := range authors {
		known, err := Evidence(ctx, r.opt.Store, a)
		if err != nil {
			return Summary{}, err
		}
		verdicts[i] = known.Judge(r.past().from, now, now)
	}
	t := coverage.SumUp(verdicts)
	s := Summary{
		People: t.People, Complete: t.Complete, Partly: t.Partly, Unreachable: t.Nothing, ButKinds: t.ButKinds + t.OwnLeftOut,
		OwnLeftOut: t.OwnLeftOut, RelaysAsked: t.Relays, Stored: r.stored(), Relays: []RelayReport{},
	}
	for _, url := range r.order {
		s.Relays = append(s.Relays, r.relayReport(r.links[url]))
	}
	return s, nil
}

func (r *run) relayReport(l *link) RelayReport {
	stats := l.stats()
	rep := RelayReport{URL: l.url, State: "done", Events: stats.Events, Bytes: stats.Bytes}
	rep.Missing = l.learned.kinds.known().leftOut()
	cause := r.reason(l.url)
	rep.Refused = l.learned.refused()
	if cause == nil && l.stopped() {
		cause = context.Canceled
	}
	if cause != nil {
		_, rep.Error = TroubleOf(cause)
		if refusedThisQuery(cause) && len(rep.Refused) > 0 {
			rep.Error = fmt.Sprintf("for %d of the people %s", len(rep.Refused), rep.Error)
		}
		rep.State = "partly"
		if stats.Events == 0 {
			rep.State = "failed"
		}
	}
	return rep
}

// askedBucket holds for each author the relays that count for their coverage, so that
// coverage can be judged without a sync.
const askedBucket = "sync-asked"

// SaveAsked saves which relays count for whose coverage.
func SaveAsked(ctx context.Context, s *ndb.Store, asked map[nostr.PubKey][]string) error {
	values := make(map[string][]byte, len(asked))
	for a, urls := range asked {
		raw, err := json.Marshal(urls)
		if err != nil {
			return err
		}
		values[a.String()] = raw
	}
	if err := s.Bucket(askedBucket).Put(ctx, values); err != nil {
		return fmt.Errorf("saving the choice of relays: %w", err)
	}
	return nil
}

// RelaysAsked returns the relays that count for an author's coverage; none if the author
// was never synced.
func RelaysAsked(ctx context.Context, s *ndb.Store, author nostr.PubKey) []string {
	raw, err := s.Bucket(askedBucket).Get(ctx, author.String())
	if err != nil {
		return nil
	}
	var urls []string
	if json.Unmarshal(raw, &urls) != nil {
		return nil
	}
	return urls
}

// Evidence returns what is known about the coverage of an author's notes.
func Evidence(ctx context.Context, s *ndb.Store, author nostr.PubKey) (coverage.Evidence, error) {
	rows, err := s.Confirmed(ctx, author, coverage.Feed)
	if err != nil {
		return coverage.Evidence{}, fmt.Errorf("reading how complete notes are: %w", err)
	}
	e := coverage.Evidence{Rows: rows, Asked: RelaysAsked(ctx, s, author)}
	for _, url := range ListedRelays(ctx, s, author, "write") {
		if normal, err := relay.ParseURL(url, netsafe.Policy{AllowPrivate: true}); err == nil {
			e.Own = append(e.Own, normal)
		}
	}
	kinds := map[string]keptKinds{}
	for _, row := range rows {
		if _, read := kinds[row.Relay]; !read {
			kinds[row.Relay] = readKinds(ctx, s, row.Relay)
		}
	}
	e.Kinds = func(relay string) (missing, unseen []uint16) {
		k := kinds[relay]
		return k.leftOut(), slices.Concat(k.Silent, k.Refused)
	}
	return e, ctx.Err() // after the end of ctx, rows that could not be read would count as missing
}

package notesync

import (
	"time"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
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

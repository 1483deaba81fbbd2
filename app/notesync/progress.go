package notesync

import (
	"time"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// Progress is how far a run is. Within a round the stages come in their order and
// not again; within one of them Windows stays, and Filled and Done only grow.
type Progress struct {
	Stage     string // "lists", "profiles", "notes", "context", "live"
	People    int    // whose notes are fetched; 0 until that is known
	Relays    int    // asked for notes; 0 until that is known
	Connected int    // relays that are connected now
	Windows   int    // stretches of time to fill in this stage, each at one relay
	Filled    int    // of them, filled or given up
	Done      int    // people of whom nothing is left to be filled, as far as it can be
	Stored    int    // events that were new

	// Left is how long the slowest of the relays that limit how often they are asked
	// still needs at the pace that it was found to keep; 0 where none does, or while
	// that is not known. Limited is that relay, PerMinute how many questions it answers.
	Left      time.Duration
	Limited   string
	PerMinute float64

	// Change is how it stands with the relay whose change is what this call tells;
	// nil where it tells of none.
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

// report changes the progress and tells it, one call at a time.
func (r *run) report(change func(*Progress)) {
	r.telling.Lock()
	defer r.telling.Unlock()
	change(&r.progress)
	r.tell(nil)
}

// tell tells the progress. r.telling is held.
func (r *run) tell(change *RelayState) {
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

type told struct {
	phase     Phase
	trouble   Trouble
	connected bool
	slow      bool
}

// announce tells how it stands with a relay, if that changed.
func (r *run) announce(l *link) {
	r.telling.Lock()
	defer r.telling.Unlock()
	st := l.state()
	was, now := l.told, told{st.Phase, st.Trouble, st.Connected, st.Slow}
	if was == now {
		return
	}
	l.told = now
	if now.connected != was.connected {
		r.progress.Connected--
		if now.connected {
			r.progress.Connected += 2
		}
	}
	r.tell(&st)
}

func (r *run) enter(stage string, windows int) {
	r.report(func(p *Progress) { p.Stage, p.Windows, p.Filled = stage, windows, 0 })
}

func (r *run) stored() int {
	r.telling.Lock()
	defer r.telling.Unlock()
	return r.progress.Stored
}

// tally counts the people of whom nothing is left to fetch: one of the relays that
// count for them gave all, or each of them gave what it would.
type tally struct {
	left  map[string]map[nostr.PubKey]*rest // by relay
	open  map[nostr.PubKey]int              // relays that count for them and are not through
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

// settle counts a window as done with and returns how many people are.
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

func (t *tally) done() int { return t.ready }

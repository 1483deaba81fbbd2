package notesync

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"bowerbird/app/relay"
)

// Session is a run that can be inspected and steered. Its methods may be called from any
// goroutine, before, during and after Run.
type Session struct{ run *run }

// New returns a session that has not begun: nothing is asked before Run.
func New(opt Options) *Session {
	opt = opt.withDefaults()
	return &Session{&run{
		opt:   opt,
		links: map[string]*link{}, reasons: map[matter]error{}, wishes: newWishes(),
		dials: make(chan struct{}, maxDials), wake: make(chan struct{}, 1),
	}}
}

// Run does once what the function [Run] does.
//
// Without Options.Once and with Options.Refresh it continues in rounds: whom the account
// follows and where they write is looked up again after that time, when a list of the
// account arrives, or when Refresh or Anew is called. Connections are kept.
func (s *Session) Run(ctx context.Context) (Summary, error) {
	r := s.run
	r.life = ctx
	defer r.close()
	if !r.opt.Once {
		var wg sync.WaitGroup
		probing, stop := context.WithCancel(ctx)
		wg.Go(func() { r.probe(probing) })
		defer wg.Wait()
		defer stop()
	}
	for {
		err := r.round(ctx)
		if !errors.Is(err, errAgain) {
			s, unread := r.summary(ctx, r.authors)
			return s, errors.Join(err, unread)
		}
	}
}

// errAgain ends a round in favour of the next one.
var errAgain = errors.New("the lists are looked up again")

// round fetches what is missing, and stays up to date until ctx ends or the next round is
// due.
func (r *run) round(ctx context.Context) error {
	r.start = r.opt.Now().Unix()
	r.setBanned(ctx)
	authors, err := r.people(ctx)
	if err != nil {
		return err
	}
	r.mu.Lock()
	r.authors = authors
	r.mu.Unlock()
	if err := r.profiles(ctx); err != nil {
		return err
	}
	return r.notes(ctx)
}

// Retry asks relays at once that were given up or are waiting, all of them if none is
// named. What is missing from them is fetched when they answer.
func (s *Session) Retry(urls ...string) {
	s.run.each(func(l *link) {
		if len(urls) == 0 || slices.Contains(urls, l.url) {
			l.again()
		}
	})
}

// Anew begins the next round soon: at once if the run is up to date.
func (s *Session) Anew() {
	s.run.refresh.Store(true)
	s.run.rouse()
}

// Refresh is Anew after a Retry of all relays.
func (s *Session) Refresh() {
	s.Retry()
	s.Anew()
}

// Heard returns when the last byte arrived from any relay; zero for never.
func (s *Session) Heard() (last time.Time) {
	s.run.each(func(l *link) {
		if at := l.heardAt(); at.After(last) {
			last = at
		}
	})
	return last
}

// each calls do for every link, in order of creation.
func (r *run) each(do func(*link)) {
	r.mu.Lock()
	links := make([]*link, 0, len(r.order))
	for _, url := range r.order {
		links = append(links, r.links[url])
	}
	r.mu.Unlock()
	for _, l := range links {
		do(l)
	}
}

func (r *run) rouse() {
	select {
	case r.wake <- struct{}{}:
	default:
	}
}

// While no relay is connected all are tried again, after these waits.
const (
	probeFirst = 15 * time.Second
	probeMost  = 2 * time.Minute
)

// probe notices when a network that went away is back, so that this does not depend on the
// backoff of single relays. When one relay answers again, the others are tried too.
func (r *run) probe(ctx context.Context) {
	wait, gone := probeFirst, false
	for r.opt.Sleep(ctx, wait) == nil {
		switch up := r.connected() > 0; {
		case up && gone:
			r.each((*link).againIfNetwork)
			wait, gone = probeFirst, false
		case up:
			wait = probeFirst
		case r.anyReached(): // otherwise the first attempts are still being made
			gone = true
			r.each((*link).againIfNetwork)
			wait = min(2*wait, probeMost)
		}
	}
}

func (r *run) connected() int {
	r.reporting.Lock()
	defer r.reporting.Unlock()
	return r.progress.Connected
}

// anyReached reports whether there was ever a connection.
func (r *run) anyReached() (any bool) {
	r.each(func(l *link) { any = any || l.wasReached() })
	return any
}

func (r *run) newLink(url string) *link {
	l := &link{
		url: url, sleep: r.opt.Sleep, now: r.opt.Now, rand: rand.Float64,
		dial:    func(ctx context.Context) (*relay.Conn, manners, error) { return r.dial(ctx, url) },
		changed: r.announce,
		pace:    r.recallPace(r.life, url),
		places:  newPlaces(backfillREQs), gate: make(chan struct{}, 1), kick: make(chan struct{}),
	}
	l.learned.kinds.kept = readKinds(r.life, r.opt.Store, url)
	return l
}

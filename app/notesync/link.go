package notesync

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
)

// dialTries is how often a relay is dialled in a run until it is given up.
const dialTries = 3

// The waits after a relay said that it is asked too much.
const (
	rateWaitFirst = 5 * time.Second
	rateWaitMost  = 2 * time.Minute
	// rateWaitEnough: a relay that still refuses after a wait this long is left
	// for the next run.
	rateWaitEnough = 40 * time.Second
)

// link is the way to one relay for a run: it dials, dials again when the
// connection is lost, waits when the relay asks for it, and knows when to stop.
// Its methods may be called from any goroutine.
type link struct {
	url   string
	dial  func() (*relay.Conn, error)
	sleep func(context.Context, time.Duration) error
	now   func() time.Time
	rand  func() float64

	mu      sync.Mutex
	conn    *relay.Conn
	since   time.Time // when conn was made
	backoff relay.Backoff
	lost    int           // times in a row that no connection stood
	wait    time.Duration // after the last "too many requests"; 0 when none was said
	dead    error         // why the relay is given up for this run
	past    relay.Stats   // of the connections before
}

// page asks one filter. A page that broke off has an err of its own; the second
// result is an error only when the relay is given up.
func (l *link) page(ctx context.Context, f ndb.Filter) (page, error) {
	conn, err := l.connect(ctx)
	if err != nil {
		return page{}, err
	}
	got, err := conn.Fetch(ctx, f)
	p := page{events: got.Events, finished: got.Finish, refused: got.Refused, err: err}
	if err == nil {
		l.mu.Lock()
		l.wait, l.lost = 0, 0
		l.mu.Unlock()
		return p, nil
	}
	if ctx.Err() != nil {
		return p, ctx.Err()
	}
	return p, l.failed(ctx, conn, err)
}

// connect returns the standing connection, or makes one.
func (l *link) connect(ctx context.Context) (*relay.Conn, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		if l.dead != nil {
			return nil, l.dead
		}
		if l.conn != nil {
			cause := l.conn.Err()
			if cause == nil {
				return l.conn, nil
			}
			l.drop(cause)
			continue
		}
		if pause := l.backoff.Until.Sub(l.now()); pause > 0 {
			if err := l.sleep(ctx, pause); err != nil {
				return nil, err
			}
		}
		conn, err := l.dial()
		if err == nil {
			l.conn, l.since = conn, l.now()
			return conn, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l.count(err, 0)
	}
}

// drop forgets a connection that has ended. l.mu is held.
func (l *link) drop(cause error) {
	s := l.conn.Stats()
	l.past = sum(l.past, s)
	l.conn = nil
	l.count(cause, s.LastAlive.Sub(l.since))
}

// count notes a failure to stay connected, and gives the relay up when it will
// not get better in this run. l.mu is held.
func (l *link) count(cause error, alive time.Duration) {
	l.lost++
	l.backoff = l.backoff.Failed(cause, l.now(), alive, l.rand())
	const patience = 30 * time.Second // a relay to be left alone for longer can wait for the next run
	if l.lost >= dialTries || l.backoff.Until.Sub(l.now()) > patience {
		l.dead = fmt.Errorf("%w: %w", errRelayGivenUp, cause)
	}
}

var errRelayGivenUp = errors.New("relay given up")

// failed decides what a failed page means for the relay.
func (l *link) failed(ctx context.Context, conn *relay.Conn, cause error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	var why *relay.Error
	if !errors.As(cause, &why) {
		return cause
	}
	switch {
	case why.Kind == relay.Rejected && tooMuch(why) && l.wait < rateWaitEnough:
		l.wait = min(max(2*l.wait, rateWaitFirst), rateWaitMost)
		return l.sleep(ctx, l.wait)
	case why.Kind == relay.Rejected, why.Kind == relay.TooLarge, why.Kind == relay.Misbehaved:
		l.dead = fmt.Errorf("%w: %w", errRelayGivenUp, cause)
		return l.dead
	case conn.Err() != nil && l.conn == conn:
		l.drop(cause)
		return l.dead
	}
	return nil // a page that stalled: the window counts it
}

// tooMuch tells a relay that wants to be asked slower from one that will not
// answer at all.
func tooMuch(e *relay.Error) bool {
	return e.Prefix == "rate-limited" || e.Prefix == "error" || e.Prefix == ""
}

// reached reports whether the relay was ever connected in this run.
func (l *link) reached() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.since.IsZero()
}

// revive lets a relay that was given up be dialled again, when its time has come.
func (l *link) revive() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead != nil && !l.backoff.Until.After(l.now()) {
		l.dead, l.lost, l.wait = nil, 0, 0
	}
}

// badSignatures passes on how many events of the relay did not verify.
func (l *link) badSignatures(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil && n > 0 {
		l.conn.BadSignatures(n)
	}
}

// close ends the connection and returns what was transferred in all.
func (l *link) close() relay.Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		l.conn.Close()
		l.past = sum(l.past, l.conn.Stats())
		l.conn = nil
	}
	if l.dead == nil {
		l.dead = fmt.Errorf("%w: %w", errRelayGivenUp, &relay.Error{Kind: relay.Closed, Relay: l.url})
	}
	return l.past
}

func sum(a, b relay.Stats) relay.Stats {
	a.Events += b.Events
	a.Bytes += b.Bytes
	if a.Dropped == nil {
		a.Dropped = map[string]int{}
	}
	for reason, n := range b.Dropped {
		a.Dropped[reason] += n
	}
	a.Notices = append(a.Notices, b.Notices...)
	if b.LastAlive.After(a.LastAlive) {
		a.LastAlive = b.LastAlive
	}
	return a
}

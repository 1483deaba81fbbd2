package notesync

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
)

// linkTries is how often in a row a relay may fail (by not being there, by
// losing the connection, by a page without an end) until it is given up.
const linkTries = 3

// The waits after a relay said that it is asked too much.
const (
	rateWaitFirst = 5 * time.Second
	rateWaitMost  = 2 * time.Minute
	// rateWaitEnough: a relay that still refuses after a wait this long is left
	// for the next run.
	rateWaitEnough = 40 * time.Second
)

// A relay that was given up is left alone at least so long.
const (
	leaveFailed  = 15 * time.Second
	leaveRefused = 30 * time.Minute // it answers, but not us
	// patience: a relay that is not to be dialled for longer can wait for the
	// next run.
	patience = 30 * time.Second
)

// errRelayGivenUp is why nothing more is had from a relay in this run, or until
// its time has come.
var errRelayGivenUp = errors.New("relay given up")

// link is the way to one relay for a run: it dials, dials again when the
// connection is lost, asks no faster than it should, waits when the relay says
// so, and knows when to stop. Its methods may be called from any goroutine.
type link struct {
	url   string
	dial  func(context.Context) (*relay.Conn, manners, error)
	sleep func(context.Context, time.Duration) error
	now   func() time.Time
	rand  func() float64
	// stands is told when a connection is made (+1) and when its end is seen (-1).
	stands func(int)

	pace   pace
	places *places
	gate   chan struct{} // holds a token while somebody waits or dials
	learnt experience

	mu       sync.Mutex // never held while waiting
	conn     *relay.Conn
	manners  manners
	since    time.Time // when conn was made
	reached  bool      // whether there ever was one
	closed   bool
	backoff  relay.Backoff
	failures int           // in a row
	episodes int           // failures ever; see episode
	wait     time.Duration // after the last "too many requests"; 0 when none was said
	dead     error         // why the relay is given up
	until    time.Time     // dead: not before
	past     relay.Stats   // of the connections before
	open     int           // windows that are neither filled nor given up
	catching int           // of how many windows open is what is left; 0 when they are not told
	cause    error         // of the last failure; nil after a success
	refused  error         // why there is no live subscription on a standing connection
	heard    time.Time     // the last byte of the connections before
	follows  bool          // a live subscription gave all it had stored, and goes on
	away     bool          // left, until it is needed again
	lapsed   bool          // there was a time without a connection, and nobody looked for what was missed
	kick     chan struct{} // closed to end a wait for a better time
}

// page asks one filter. A page that broke off has an err of its own; the second
// result is an error only when the relay is given up or ctx has ended.
func (l *link) page(ctx context.Context, f ndb.Filter) (page, error) {
	if err := l.places.take(ctx); err != nil {
		return page{}, err
	}
	defer l.places.give()
	for {
		conn, err := l.connect(ctx)
		if err != nil {
			return page{}, err
		}
		if err := l.rest(ctx, l.pace.reserve(l.now())); err != nil {
			return page{}, err
		}
		asked := l.episode()
		got, err := conn.Fetch(ctx, f)
		p := page{events: got.Events, finished: got.Finish, refused: got.Refused, err: err}
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if ofTheQuestion(err) {
			return p, nil // the asker may ask for less
		}
		again, err := l.judge(conn, asked, err)
		if err != nil || !again {
			return p, err
		}
	}
}

func (l *link) rest(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	return l.sleep(ctx, d)
}

// episode returns the number of failures so far, whose change tells that a
// question was asked before the last of them.
func (l *link) episode() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.episodes
}

// connect returns the standing connection, or makes one. Others wait meanwhile,
// so that a lost connection is made again only once.
func (l *link) connect(ctx context.Context) (*relay.Conn, error) {
	if conn, _, err := l.standing(); conn != nil || err != nil {
		return conn, err
	}
	select {
	case l.gate <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-l.gate }()
	for {
		conn, pause, err := l.standing()
		if conn != nil || err != nil {
			return conn, err
		}
		if err := l.bide(ctx, pause); err != nil {
			return nil, err
		}
		conn, m, err := l.dial(ctx)
		if ctx.Err() != nil {
			if conn != nil {
				conn.Close()
			}
			return nil, ctx.Err()
		}
		l.dialled(conn, m, err)
	}
}

// bide waits for d, or until the relay is to be tried again at once.
func (l *link) bide(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	l.mu.Lock()
	kick := l.kick
	l.mu.Unlock()
	waiting, cancel := context.WithCancel(ctx)
	defer cancel()
	slept := make(chan error, 1)
	go func() { slept <- l.sleep(waiting, d) }()
	select {
	case err := <-slept:
		return err
	case <-kick:
		cancel()
		<-slept
		return ctx.Err()
	}
}

// standing returns the connection; or why the relay is given up; or how long to
// wait before it is dialled.
func (l *link) standing() (*relay.Conn, time.Duration, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		if cause := l.conn.Err(); cause != nil {
			l.drop(cause)
		}
	}
	if l.dead != nil {
		return nil, 0, l.dead
	}
	return l.conn, max(0, l.backoff.Until.Sub(l.now())), nil
}

func (l *link) dialled(conn *relay.Conn, m manners, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.fail(err, 0)
		return
	}
	if l.closed {
		go conn.Close() // it may take a second, and mu must not wait
		return
	}
	l.conn, l.manners, l.since, l.reached = conn, m, l.now(), true
	l.cause, l.away = nil, false
	l.places.narrow(m.backfill)
	l.stands(+1)
}

// drop forgets a connection that has ended. l.mu is held.
func (l *link) drop(cause error) {
	s := l.conn.Stats()
	l.past = sum(l.past, s)
	l.conn, l.heard, l.lapsed, l.follows = nil, s.LastAlive, true, false
	l.stands(-1)
	l.fail(cause, s.LastAlive.Sub(s.Connected))
}

// fail counts a failure to be or stay connected. l.mu is held.
func (l *link) fail(cause error, alive time.Duration) {
	l.cause = cause
	l.backoff = l.backoff.Failed(cause, l.now(), alive, l.rand())
	l.failures++
	l.episodes++
	if l.failures >= linkTries || l.backoff.Until.Sub(l.now()) > patience {
		l.giveUp(cause, leaveFailed)
	}
}

// giveUp leaves the relay alone for at least so long. l.mu is held.
func (l *link) giveUp(cause error, leave time.Duration) {
	l.cause, l.lapsed = cause, true
	l.dead = fmt.Errorf("%w: %w", errRelayGivenUp, cause)
	l.until = l.now().Add(leave)
	if l.backoff.Until.After(l.until) {
		l.until = l.backoff.Until
	}
}

// judge decides what became of a question: whether to ask it again after a wait,
// and whether the relay is given up. Questions that were open side by side and
// failed together are one failure: asked is the episode that they began in.
func (l *link) judge(conn *relay.Conn, asked int, cause error) (again bool, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	var why *relay.Error
	switch {
	case cause == nil:
		l.failures, l.wait, l.cause = 0, 0, nil
		return false, nil
	case l.conn == conn && conn.Err() != nil:
		l.drop(conn.Err())
		return false, l.dead
	case !errors.As(cause, &why):
		return false, fmt.Errorf("%w: %w", errRelayGivenUp, cause)
	case why.Kind == relay.Rejected && tooMuch(why):
		l.slower(asked, cause)
		return l.dead == nil, l.dead
	case why.Kind == relay.Rejected && why.Prefix != "error" && why.Prefix != "", why.Kind == relay.TooLarge:
		l.giveUp(cause, leaveRefused)
		return false, l.dead
	}
	if asked == l.episodes {
		l.failures++
		l.episodes++
		if l.failures >= linkTries {
			l.giveUp(cause, leaveFailed)
		}
	}
	return false, l.dead
}

// slower halves what is asked at one time, and waits. l.mu is held.
func (l *link) slower(asked int, cause error) {
	if asked != l.episodes {
		return // we wait already
	}
	if l.wait >= rateWaitEnough {
		l.giveUp(cause, leaveRefused)
		return
	}
	l.wait = min(max(2*l.wait, rateWaitFirst), rateWaitMost)
	l.episodes++
	l.pace.pause(l.now().Add(l.wait))
	l.places.halve()
}

// tooMuch tells a relay that wants to be asked slower from one that will not
// answer at all. Many say so in words only.
func tooMuch(e *relay.Error) bool {
	if e.Prefix == "rate-limited" {
		return true
	}
	text := strings.ToLower(e.Detail)
	for _, sign := range []string{"too many", "too fast", "rate limit", "slow down", "concurrent"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// leave ends the connection until the relay is needed again.
func (l *link) leave() {
	l.mu.Lock()
	conn := l.conn
	l.away = true
	l.mu.Unlock()
	l.hangUp(conn)
}

// badSignatures passes on how many events of the relay did not verify.
func (l *link) badSignatures(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil && n > 0 {
		l.conn.BadSignatures(n)
	}
}

// close ends the connection for good.
func (l *link) close() {
	l.mu.Lock()
	conn := l.conn
	l.closed = true
	if l.dead == nil {
		l.dead = fmt.Errorf("%w: %w", errRelayGivenUp, &relay.Error{Kind: relay.Closed, Relay: l.url})
	}
	l.mu.Unlock()
	l.hangUp(conn)
}

// hangUp closes a connection of ours, which is no failure of the relay.
func (l *link) hangUp(conn *relay.Conn) {
	if conn == nil {
		return
	}
	conn.Close()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == conn {
		s := conn.Stats()
		l.past = sum(l.past, s)
		l.conn, l.heard = nil, s.LastAlive
		l.stands(-1)
	}
}

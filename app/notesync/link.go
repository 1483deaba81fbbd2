package notesync

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb/nostr"
)

// linkTries is how often in a row a relay may fail (by not answering a dial, losing the
// connection, or a page without an end) until it is given up.
const linkTries = 3

// The waits after a relay said that it is asked too much; each is twice the previous one.
const (
	rateWaitFirst = 5 * time.Second
	// rateWaitEnough is the wait after which a relay that still refuses is left for the
	// next run: relays that limit questions per minute have answered before.
	rateWaitEnough = 80 * time.Second
)

// A relay that closed the connection after an answer is dialled again after hangUpWait; one
// that does so within soon, and repeatedly, is asked one question at a time.
const (
	hangUpWait  = time.Second
	hangUpHabit = 2
	soon        = time.Minute
)

// For how long a relay that was given up is left alone at least.
const (
	leaveFailed  = 15 * time.Second
	leaveRefused = 30 * time.Minute // it answers, but not us
	// patience is the longest wait for a dial within a run; with a longer one the relay is
	// left for the next run.
	patience = 30 * time.Second
)

// errRelayGivenUp is the error of a relay that is not asked any more in this run, or until
// its wait is over.
var errRelayGivenUp = errors.New("relay given up")

// link is a run's connection to one relay: it dials, dials again when the connection is
// lost, asks no faster than it should, waits if the relay says so, and knows when to give
// up. Its methods may be called from any goroutine.
type link struct {
	url     string
	dial    func(context.Context) (*relay.Conn, manners, error)
	sleep   func(context.Context, time.Duration) error
	now     func() time.Time
	rand    func() float64
	changed func(*link) // called when its state may have changed; mu is not held

	pace    *pace
	places  *places
	gate    chan struct{} // holds a token while somebody waits to dial, or dials
	learned experience
	shown   shown // last reported; guarded by run.reporting

	badSets atomic.Bool // it does not compare sets correctly

	mu       sync.Mutex // never held while waiting
	conn     *relay.Conn
	manners  manners
	reached  bool // a connection was made
	closed   bool
	backoff  relay.Backoff
	failures int           // in a row
	episodes int           // failures in all; see episode
	alone    int           // questions of earlier episodes were asked side by side; 0 if all may be
	wait     time.Duration // after the last "too many requests"; 0 if there was none
	limited  error         // that refusal
	hangUps  int           // how often it closed the connection soon after an answer
	dead     error         // why the relay is given up
	until    time.Time     // when dead ends at the earliest
	past     relay.Stats   // of earlier connections
	open     int           // windows that are neither filled nor given up
	filled   int           // windows that are filled or given up
	pages    int           // answers
	catching int           // open when catching up began; 0 if it is not
	cause    error         // of the last failure; nil after a success
	refused  error         // why there is no live subscription on an open connection
	heard    time.Time     // last byte of the earlier connections
	follows  bool          // a live subscription has sent all stored events and continues
	away     bool          // closed by us until it is needed again
	lapsed   bool          // there was a time without a connection that was not caught up
	kick     chan struct{} // closed to end waits
}

// connect returns the open connection, or makes one. Others wait meanwhile, so that a lost
// connection is replaced only once.
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
	_, err := pause(ctx, l.sleep, d, kick)
	return err
}

// standing returns the open connection, or why the relay is given up, or how long to wait
// before dialling.
func (l *link) standing() (*relay.Conn, time.Duration, error) {
	l.mu.Lock()
	lost := l.conn != nil && l.conn.Err() != nil
	if lost {
		l.drop(l.conn.Err())
	}
	l.mu.Unlock()
	if lost {
		l.changed(l)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead != nil {
		return nil, 0, l.dead
	}
	return l.conn, max(0, l.backoff.Until.Sub(l.now())), nil
}

func (l *link) dialled(conn *relay.Conn, m manners, err error) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		l.fail(err, 0)
		return
	}
	if l.closed {
		go conn.Close() // takes up to a second, and mu must not be held that long
		return
	}
	l.conn, l.manners, l.reached = conn, m, true
	l.cause, l.away = nil, false
	l.places.narrow(m.backfill)
}

// drop removes a connection that has ended. l.mu is held.
func (l *link) drop(cause error) {
	s := l.conn.Stats()
	l.past = sum(l.past, s)
	l.conn, l.heard, l.lapsed, l.follows = nil, s.LastAlive, true, false
	alive := s.LastAlive.Sub(s.Connected)
	if s.Ends == 0 || !errors.Is(cause, relay.Lost) {
		l.fail(cause, alive)
		return
	}
	// It answers and then closes the connection. If it does so repeatedly, questions asked
	// side by side would be cut off.
	l.cause = cause
	l.episodes++
	l.backoff = relay.Backoff{Until: l.now().Add(hangUpWait)}
	if alive >= soon {
		l.hangUps = 0
	} else if l.hangUps++; l.hangUps > 1 {
		l.places.narrow(1)
	}
}

// fail counts a failure to connect or stay connected. l.mu is held.
func (l *link) fail(cause error, alive time.Duration) {
	l.cause = cause
	l.backoff = l.backoff.Failed(cause, l.now(), alive, l.rand())
	l.failures++
	l.episodes++
	if l.failures >= linkTries || l.backoff.Until.Sub(l.now()) > patience {
		l.giveUp(cause, leaveFailed)
	}
}

// giveUp leaves the relay alone for at least leave. l.mu is held.
func (l *link) giveUp(cause error, leave time.Duration) {
	l.cause, l.lapsed = cause, true
	l.dead = fmt.Errorf("%w: %w", errRelayGivenUp, cause)
	l.until = l.now().Add(leave)
	if l.backoff.Until.After(l.until) {
		l.until = l.backoff.Until
	}
	l.rouse()
}

// rouse ends all waits. l.mu is held.
func (l *link) rouse() {
	close(l.kick)
	l.kick = make(chan struct{})
}

func (l *link) leave() {
	l.mu.Lock()
	conn := l.conn
	l.away = true
	l.mu.Unlock()
	l.hangUp(conn)
}

func (l *link) badSignatures(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil && n > 0 {
		l.conn.BadSignatures(n)
	}
}

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

// hangUp closes our connection, which does not count as a failure of the relay.
func (l *link) hangUp(conn *relay.Conn) {
	if conn == nil {
		return
	}
	conn.Close()
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn == conn {
		s := conn.Stats()
		l.past = sum(l.past, s)
		l.conn, l.heard = nil, s.LastAlive
	}
}

// page asks one filter. A page that broke off has an error in err; the second result is an
// error only if the relay is given up or ctx has ended.
//
// A relay that closes the connection after an answer is asked once more. Some always do so,
// and one that shuts down may have ended its answer in the middle: such a page counts if
// the relay returns the same again.
func (l *link) page(ctx context.Context, f nostr.Filter) (page, error) {
	return l.askOne(ctx, f, func(err error) bool { return l.learned.kinds.known().Most > 0 && ofTheKinds(err) })
}

// askOne asks one filter as it is. A refusal that the caller expects affects only this
// question.
func (l *link) askOne(ctx context.Context, f nostr.Filter, expected func(error) bool) (page, error) {
	var before *page // a page before the connection was closed
	for tries := 1; ; {
		conn, asked, err := l.turn(ctx)
		if err != nil {
			return page{}, err
		}
		got, err := conn.Fetch(ctx, f)
		l.places.give()
		p := page{events: got.Events, finished: got.Finish, refused: got.Refused, err: err}
		if ctx.Err() != nil {
			return p, ctx.Err()
		}
		if refusedThisQuery(err) || expected(err) {
			return p, nil // the caller may ask for less
		}
		next, err := l.judge(conn, asked, err)
		switch {
		case err != nil:
			return p, err
		case got.Ended && before != nil && sameEvents(before.events, p.events):
			p.err = nil
			return p, nil
		case next == askAgain:
			continue
		case next == askAnew && tries < pageTries && (got.Ended || len(p.events) == 0):
			if tries++; got.Ended {
				before = &p
			}
			continue
		}
		return p, nil
	}
}

func sameEvents(a, b []*nostr.Event) bool {
	id := func(e *nostr.Event) nostr.ID { return e.ID }
	return maps.Equal(keysOf(a, id), keysOf(b, id))
}

// turn waits until a question may be asked, and takes a place for it. It also returns the
// question's episode: what was asked before the last refusal says nothing about the wait
// after it.
func (l *link) turn(ctx context.Context) (conn *relay.Conn, asked int, err error) {
	for {
		if asked, err = l.liveTurn(ctx); err != nil {
			return nil, 0, err
		}
		if err := l.places.take(ctx); err != nil {
			return nil, 0, err
		}
		conn, err := l.connect(ctx)
		if err == nil && asked == l.episode() {
			return conn, asked, nil
		}
		l.places.give()
		if err != nil {
			return nil, 0, err
		}
	}
}

// liveTurn is turn for a live subscription, which takes no place.
func (l *link) liveTurn(ctx context.Context) (asked int, err error) {
	for {
		asked = l.episode()
		err := l.bide(ctx, l.pace.reserve(l.now()))
		if err != nil || asked == l.episode() {
			return asked, err
		}
	}
}

// episode returns the number of failures so far, which identifies the questions that were
// asked before the next one.
func (l *link) episode() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.episodes
}

type verdict int

const (
	askNoMore verdict = iota // answered, or for the caller to decide
	askAgain                 // refused for now: after a wait
	askAnew                  // the connection was closed, though the relay answers
)

// judge decides what a question's error means: whether to ask again, and whether the relay
// is given up. Questions that were open side by side and failed together count as one
// failure: asked is their episode.
func (l *link) judge(conn *relay.Conn, asked int, cause error) (verdict, error) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	var why *relay.Error
	switch {
	case cause == nil:
		l.failures, l.cause = 0, nil
		l.pages++
		l.pace.answered()
		if asked == l.episodes {
			l.wait, l.limited = 0, nil
		}
		return askNoMore, nil
	case conn.Err() != nil:
		if l.conn == conn {
			l.drop(conn.Err())
		}
		if l.dead == nil && conn.Stats().Ends > 0 {
			return askAnew, nil
		}
		return askNoMore, l.dead
	case !errors.As(cause, &why):
		return askNoMore, fmt.Errorf("%w: %w", errRelayGivenUp, cause)
	case why.Kind == relay.Rejected && tooMuch(why):
		if asked == l.episodes && l.wait >= rateWaitEnough {
			l.giveUp(cause, leaveRefused)
		}
		l.slower(asked, cause)
		return askAgain, l.dead
	case why.Kind == relay.Rejected && why.Prefix != "error" && why.Prefix != "", why.Kind == relay.TooLarge:
		l.giveUp(cause, leaveRefused)
		return askNoMore, l.dead
	}
	if why.Kind == relay.NoReply && l.pages > 0 && l.places.narrow(1) {
		l.alone = l.episodes + 1 // perhaps it answers one question at a time
	}
	next := askNoMore
	if why.Kind == relay.NoReply && asked < l.alone {
		next = askAgain
	}
	if asked == l.episodes {
		l.failures++
		l.episodes++
		if l.failures >= linkTries {
			l.giveUp(cause, leaveFailed)
		}
	}
	return next, l.dead
}

// slower lets a relay that refused rest, and asks it more slowly from then on, one question
// at a time. Refusals of questions under way count as the same one. l.mu is held.
func (l *link) slower(asked int, cause error) {
	if asked != l.episodes || l.wait >= rateWaitEnough {
		return
	}
	if l.wait == 0 {
		l.pace.slower(l.now())
	}
	l.wait = max(2*l.wait, rateWaitFirst)
	l.limited = cause
	l.episodes++
	l.pace.pause(l.now().Add(l.wait))
	l.places.narrow(1)
}

// tooMuch distinguishes a relay that wants to be asked more slowly from one that does not
// answer at all. Many say so only in words.
func tooMuch(e *relay.Error) bool {
	text, signs := strings.ToLower(e.Detail), []string{"too many", "too fast", "rate limit", "slow down", "concurrent"}
	return e.Prefix == "rate-limited" || slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

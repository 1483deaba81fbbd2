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

// linkTries is how often in a row a relay may fail (by not being there, by
// losing the connection, by a page without an end) until it is given up.
const linkTries = 3

// The waits after a relay said that it is asked too much.
const (
	rateWaitFirst = 5 * time.Second
	// rateWaitEnough: a relay that still refuses after a wait this long is left
	// for the next run. Those that count by the minute have answered before.
	rateWaitEnough = 80 * time.Second
)

// A relay that hung up after an answer is dialled again after hangUpWait; one that
// does so soon, and not for the first time, is asked one thing after the other.
const (
	hangUpWait  = time.Second
	hangUpHabit = 2
	soon        = time.Minute
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
	url     string
	dial    func(context.Context) (*relay.Conn, manners, error)
	sleep   func(context.Context, time.Duration) error
	now     func() time.Time
	rand    func() float64
	changed func(*link) // is told when how it stands may have changed; mu is not held

	pace   *pace
	places *places
	gate   chan struct{} // holds a token while somebody waits or dials
	learnt experience
	told   told // guarded by the run's telling

	badSets atomic.Bool // it compared sets, or rather did not

	mu       sync.Mutex // never held while waiting
	conn     *relay.Conn
	manners  manners
	reached  bool // whether there ever was one
	closed   bool
	backoff  relay.Backoff
	failures int           // in a row
	episodes int           // failures ever; see episode
	wait     time.Duration // after the last "too many requests"; 0 when none was said
	limited  error         // what it said then
	hangUps  int           // times that it hung up soon after an answer
	dead     error         // why the relay is given up
	until    time.Time     // dead: not before
	past     relay.Stats   // of the connections before
	open     int           // windows that are neither filled nor given up
	filled   int           // windows that are
	pages    int           // answers
	catching int           // of how many windows open is what is left; 0 when they are not told
	cause    error         // of the last failure; nil after a success
	refused  error         // why there is no live subscription on a standing connection
	heard    time.Time     // the last byte of the connections before
	follows  bool          // a live subscription gave all it had stored, and goes on
	away     bool          // left, until it is needed again
	lapsed   bool          // there was a time without a connection, and nobody looked for what was missed
	kick     chan struct{} // closed to end a wait for a better time
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
	_, err := pause(ctx, l.sleep, d, kick)
	return err
}

// standing returns the connection; or why the relay is given up; or how long to
// wait before it is dialled.
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
		go conn.Close() // it may take a second, and mu must not wait
		return
	}
	l.conn, l.manners, l.reached = conn, m, true
	l.cause, l.away = nil, false
	l.places.narrow(m.backfill)
}

// drop forgets a connection that has ended. l.mu is held.
func (l *link) drop(cause error) {
	s := l.conn.Stats()
	l.past = sum(l.past, s)
	l.conn, l.heard, l.lapsed, l.follows = nil, s.LastAlive, true, false
	alive := s.LastAlive.Sub(s.Connected)
	if s.Ends == 0 || !errors.Is(cause, relay.Lost) {
		l.fail(cause, alive)
		return
	}
	// It answers and then hangs up. If it does so time and again, what is asked side
	// by side would only be cut off.
	l.cause = cause
	l.episodes++
	l.backoff = relay.Backoff{Until: l.now().Add(hangUpWait)}
	if alive >= soon {
		l.hangUps = 0
	} else if l.hangUps++; l.hangUps > 1 {
		l.places.narrow(1)
	}
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
	l.rouse() // who waits for their turn
}

// rouse ends the waits for a better time. l.mu is held.
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

// hangUp closes a connection of ours, which is no failure of the relay.
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

// This file holds how a link asks, and what it makes of the answers.

// page asks one filter. A page that broke off has an err of its own; the second
// result is an error only when the relay is given up or ctx has ended.
//
// A relay that hangs up after an answer is asked once more. Some do so always, and
// one that is shut down may have ended its answer in the middle: a page before a
// goodbye counts when the relay gives the same again.
func (l *link) page(ctx context.Context, f nostr.Filter) (page, error) {
	return l.askOne(ctx, f, func(err error) bool { return l.learnt.kinds.known().Most > 0 && ofTheKinds(err) })
}

// askOne asks one filter as it is. A refusal that the asker expects ends nothing but
// this question.
func (l *link) askOne(ctx context.Context, f nostr.Filter, expected func(error) bool) (page, error) {
	var before *page // that ended with a goodbye
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
		if ofTheQuestion(err) || expected(err) {
			return p, nil // the asker may ask for less
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
	ids := func(events []*nostr.Event) map[nostr.ID]bool {
		set := make(map[nostr.ID]bool, len(events))
		for _, e := range events {
			set[e.ID] = true
		}
		return set
	}
	return maps.Equal(ids(a), ids(b))
}

// turn waits until a question may be asked, and takes a place for it. It also
// returns the episode that the question belongs to: what was asked before the last
// refusal says nothing about the wait after it.
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

// episode returns the number of failures so far, whose change tells that a
// question was asked before the last of them.
func (l *link) episode() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.episodes
}

type verdict int

const (
	askNoMore verdict = iota // it was answered, or its asker decides
	askAgain                 // the relay refused: when its time has come
	askAnew                  // the relay hung up, though it answers
)

// judge decides what became of a question: whether to ask it again, and whether the
// relay is given up. Questions that were open side by side and failed together are
// one failure: asked is the episode that they began in.
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
	if why.Kind == relay.NoReply && l.pages > 0 {
		l.places.narrow(1) // it answers, but maybe one question at a time
	}
	if asked == l.episodes {
		l.failures++
		l.episodes++
		if l.failures >= linkTries {
			l.giveUp(cause, leaveFailed)
		}
	}
	return askNoMore, l.dead
}

// slower lets a relay rest that refused, and asks it slower from then on, one
// question at a time. Refusals of what was under way are the same one. l.mu is held.
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

// tooMuch tells a relay that wants to be asked slower from one that will not
// answer at all. Many say so in words only.
func tooMuch(e *relay.Error) bool {
	text, signs := strings.ToLower(e.Detail), []string{"too many", "too fast", "rate limit", "slow down", "concurrent"}
	return e.Prefix == "rate-limited" || slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(text, sign) })
}

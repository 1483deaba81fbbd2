package notesync

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"bowerbird/app/relay"
)

// This file holds what a link is told and asked about its relay; link.go holds what
// it does.

// asIt returns how the relay wants to be asked: known once it was connected.
func (l *link) asIt() manners {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.manners
	m.perFilter, _, _ = l.learnt.narrow(nil, m.perFilter)
	return m
}

func (l *link) lacks(n int) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open += n
	l.filled -= min(n, 0)
	if l.open == 0 {
		l.catching = 0
	}
}

// doneWithout gives up what is open, and returns what the relay said if it wants fewer
// questions.
func (l *link) doneWithout() (limited error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open, l.catching = 0, 0
	return l.limited
}

// catchUp says that the windows which are open now are to be told as catching up.
func (l *link) catchUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.catching = l.open
}

func (l *link) stopped() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.open > 0
}

func (l *link) wasReached() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reached
}

func (l *link) revive() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.dead != nil && !l.closed && !l.until.After(l.now()) {
		l.dead, l.limited, l.failures, l.wait = nil, nil, 0, 0
	}
}

func (l *link) again() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		return
	}
	l.dead, l.refused, l.limited, l.failures, l.wait = nil, nil, nil, 0, 0
	l.backoff = relay.Backoff{}
	l.pace.resume()
	l.rouse()
}

// againIfNetwork is again, unless it was the relay that failed.
func (l *link) againIfNetwork() {
	l.mu.Lock()
	trouble, _ := troubleOf(l.cause)
	away := l.away
	l.mu.Unlock()
	if trouble.ofTheNetwork() && !away {
		l.again()
	}
}

// isBack reports whether there is a connection again after a time without one, in
// which something may have been missed.
func (l *link) isBack() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.conn != nil && l.lapsed
}

func (l *link) caughtUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lapsed = false
}

func (l *link) follow(stands bool) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.follows = stands
}

func (l *link) refusesAll(cause error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.giveUp(cause, leaveRefused)
}

func (l *link) refuse(cause error, leave time.Duration) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.refused = cause
	if cause != nil {
		l.until = l.now().Add(leave)
	}
}

// wontListen returns how long a relay is left without a live subscription that
// ended with err.
func (l *link) wontListen(err error) time.Duration {
	trouble, _ := troubleOf(err)
	switch trouble {
	case WantsLogin, NotForAll, TooLong:
		l.refuse(err, leaveRefused)
		return leaveRefused
	case Refuses:
		l.refuse(err, proveEvery)
		return proveEvery
	}
	return retryEvery
}

// wantsLess lets the relay rest when it refused a live subscription as one too many.
func (l *link) wantsLess(asked int, err error) {
	var why *relay.Error
	if !errors.As(err, &why) || why.Kind != relay.Rejected || !tooMuch(why) {
		return
	}
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.slower(asked, err)
}

func (l *link) stats() relay.Stats {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		return sum(l.past, l.conn.Stats())
	}
	return l.past
}

func sum(a, b relay.Stats) relay.Stats {
	notices := slices.Concat(a.Notices, b.Notices)
	return relay.Stats{
		Events: a.Events + b.Events, Bytes: a.Bytes + b.Bytes, Answer: cmp.Or(b.Answer, a.Answer),
		Notices: notices[max(0, len(notices)-noticesKept):],
	}
}

// noticesKept is how many notices of a relay are kept.
const noticesKept = 50

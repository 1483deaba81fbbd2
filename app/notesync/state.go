package notesync

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb/nostr"
)

// asIt returns how the relay wants to be asked, known once it was connected.
func (l *link) asIt() manners {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.manners
	m.perFilter, _, _ = l.learned.narrow(nil, m.perFilter)
	return m
}

// addWindows adds n windows to those that are open, or counts -n as done.
func (l *link) addWindows(n int) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open += n
	l.filled -= min(n, 0)
	if l.open == 0 {
		l.catching = 0
	}
}

// doneWithout gives up the open windows, and returns the refusal if the relay wants fewer
// questions.
func (l *link) doneWithout() (limited error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.open, l.catching = 0, 0
	return l.limited
}

// catchUp begins to report the open windows as catching up.
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

// againIfNetwork is again, unless the relay itself has failed.
func (l *link) againIfNetwork() {
	l.mu.Lock()
	trouble, _ := TroubleOf(l.cause)
	away := l.away
	l.mu.Unlock()
	if trouble.ofTheNetwork() && !away {
		l.again()
	}
}

// isBack reports whether there is a connection again after a time without one, in which
// events may have been missed.
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

func (l *link) follow(open bool) {
	defer l.changed(l)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.follows = open
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

// wontListen returns for how long to leave a relay without a live subscription after one
// ended with err.
func (l *link) wontListen(err error) time.Duration {
	switch trouble, _ := TroubleOf(err); trouble {
	case WantsLogin, NotForAll, TooLong:
		l.refuse(err, leaveRefused)
		return leaveRefused
	case Refuses:
		l.refuse(err, proveEvery)
		return proveEvery
	}
	return retryEvery
}

// wantsLess lets the relay rest if it refused a live subscription as one too many.
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
		Notices: notices[max(0, len(notices)-50):],
	}
}

// Phase is what is going on with a relay.
type Phase string

// The phases.
const (
	Resting    Phase = "resting"     // nothing is wanted from it
	Connecting Phase = "connecting"  // it is being reached, for the first time or again
	Reached    Phase = "reached"     // connected and being asked
	CatchingUp Phase = "catching up" // it is sending what is missing of the past
	Following  Phase = "following"   // up to date, with a live subscription
	Waiting    Phase = "waiting"     // it failed and will be tried again
)

// RelayState is a snapshot of one relay's state.
type RelayState struct {
	URL     string
	Phase   Phase
	Trouble Trouble   // what is wrong, or was at the last attempt
	Said    string    // the relay's own words about it, cleaned; "" for none
	Why     string    // Trouble and Said as a sentence without its subject; "" for none
	Again   time.Time // for Waiting: when it is tried again; zero if unknown

	Inbox  bool           // asked for what is addressed to the account
	People []nostr.PubKey // whose notes it is asked for, sorted; must not be changed
	Share  float64        // of what is to be caught up, 0 to 1; 1 if there is nothing

	Connected bool
	Heard     time.Time     // when the last byte arrived; zero for never
	Answer    time.Duration // time to the first word of an answer; 0 before the first
	Slow      bool          // Answer is at least slowAnswer
	HangsUp   bool          // it closes the connection after each answer
	Every     time.Duration // between two questions, if it limits them; otherwise 0
	Left      time.Duration // until what is missing has arrived at that pace; 0 if unknown
	Events    int
	Bytes     int64
	Notices   []relay.Notice // the latest last
}

// Relays returns the state of every relay that the session asks or has asked, in order of
// first use.
func (s *Session) Relays() []RelayState {
	r := s.run
	r.mu.Lock()
	asked, inbox := r.choice.asked, r.inboxURLs
	r.mu.Unlock()
	var states []RelayState
	r.each(func(l *link) {
		st := l.state()
		st.People = asked[l.url]
		st.Inbox = slices.Contains(inbox, l.url)
		states = append(states, st)
	})
	return states
}

func (l *link) state() RelayState {
	l.mu.Lock()
	defer l.mu.Unlock()
	st := RelayState{URL: l.url, Share: 1, Heard: l.heard, Answer: l.past.Answer, Connected: l.conn != nil && l.conn.Err() == nil}
	total := l.past
	if l.conn != nil {
		now := l.conn.Stats()
		total = sum(l.past, now)
		st.Heard = now.LastAlive
		if now.Answer > 0 {
			st.Answer = now.Answer
		}
	}
	st.Events, st.Bytes, st.Notices = total.Events, total.Bytes, total.Notices
	if l.catching > 0 && l.open > 0 {
		st.Share = 1 - float64(l.open)/float64(l.catching)
	}
	st.Slow, st.HangsUp = st.Answer >= slowAnswer, l.hangUps > hangUpHabit
	st.Every, _ = l.pace.slow(l.now())
	st.Left, _ = l.outlook()
	var cause error
	st.Phase, st.Again, cause = l.phase(st)
	st.Trouble, st.Why = TroubleOf(cause)
	st.Said = said(cause)
	return st
}

// slowAnswer is how long a relay that is called slow takes at least; one that takes much
// longer counts as not answering.
const slowAnswer = 4 * time.Second

// phase determines what is going on, and what is wrong. l.mu is held.
func (l *link) phase(st RelayState) (phase Phase, again time.Time, cause error) {
	_, hold := l.pace.slow(l.now())
	switch {
	case l.dead != nil && l.cause == nil || l.closed:
		return Resting, time.Time{}, l.cause
	case l.dead != nil:
		return Waiting, l.until, l.cause
	case l.limited != nil && !hold.IsZero():
		return Waiting, hold, l.limited
	case l.refused != nil && st.Connected:
		return Waiting, l.until, l.refused
	case !st.Connected:
		return Connecting, l.backoff.Until, l.cause
	case st.Share < 1:
		return CatchingUp, time.Time{}, nil
	case !l.follows && l.manners.live > 0:
		return Reached, time.Time{}, nil
	}
	return Following, time.Time{}, nil
}

// outlook returns how long a relay that limits questions needs for the open windows, and
// how many questions it answers per minute; 0 if it sets no limits, or while that is
// unknown. It assumes two questions for each window, or as many as the previous ones took.
// l.mu is held.
func (l *link) outlook() (left time.Duration, perMinute float64) {
	every, hold := l.pace.measured(l.now())
	if every == 0 || l.dead != nil || l.open == 0 {
		return 0, 0
	}
	begun := l.filled + min(l.open, backfillREQs)
	each := max(2, float64(l.pages)/float64(begun))
	left = time.Duration(float64(l.open) * each * float64(every))
	if !hold.IsZero() {
		left += hold.Sub(l.now())
	}
	return left, float64(time.Minute) / float64(every)
}

func (l *link) heardAt() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		return l.conn.Stats().LastAlive
	}
	return l.heard
}

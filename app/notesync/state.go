package notesync

import (
	"slices"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb/nostr"
)

// Phase is what goes on with a relay.
type Phase string

// The phases.
const (
	Resting    Phase = "resting"     // nothing is wanted of it at this time
	Connecting Phase = "connecting"  // it is being reached, for the first time or again
	Reached    Phase = "reached"     // it is connected, and asked for this or that
	CatchingUp Phase = "catching up" // it gives what is lacking of the past
	Following  Phase = "following"   // it is up to date and asked for what is new
	Waiting    Phase = "waiting"     // it failed; it is tried again
)

// RelayState is how it stands with one relay: one moment's picture.
type RelayState struct {
	URL     string
	Phase   Phase
	Trouble Trouble   // what is in the way, or was when the last attempt failed
	Said    string    // the relay's own words to that, clean; "" for none
	Why     string    // Trouble and what was said, as a sentence without its subject; "" for none
	Again   time.Time // for Waiting: not asked before; zero when that is not known

	Inbox  bool           // asked for what others say to the reader
	People []nostr.PubKey // whose notes it is asked for, sorted; shared, not to be changed
	Share  float64        // of what is to be caught up, 0 to 1; 1 when there is nothing

	Connected bool
	Heard     time.Time     // the last byte; zero for never
	Answer    time.Duration // to its first word on a question; 0 before the first
	Slow      bool          // it takes long to answer
	HangsUp   bool          // it ends the connection after each answer
	Every     time.Duration // between two questions, where it limits them; else 0
	Left      time.Duration // until it has given what is lacking, at that pace; 0 while that is not known
	Events    int
	Bytes     int64
	Notices   []relay.Notice // what it said for people to read, the latest last
}

// Relays returns the state of every relay that the session asks or asked, in the
// order in which it came to them.
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
	if st.Trouble, st.Said = troubleOf(cause); cause != nil {
		st.Why = inWords(cause)
	}
	return st
}

// slowAnswer is how long a relay takes that is called slow; one that takes much
// longer counts as not answering.
const slowAnswer = 4 * time.Second

// phase decides what goes on, and what is in the way. l.mu is held.
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

// outlook returns how long a relay that limits questions will need for what is open,
// and how many it answers in a minute; 0 for one that does not, or while that is not
// known. A window takes two questions, or as many as those before took. l.mu is held.
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

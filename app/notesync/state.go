package notesync

import (
	"slices"
	"time"

	"bowerbird/app/relay"
	"bowerbird/ndb"
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
	Again   time.Time // for Waiting: not asked before; zero when that is not known

	Base   bool         // asked for everybody
	Inbox  bool         // asked for what others say to the reader
	People []ndb.PubKey // whose notes it is asked for, sorted; shared, not to be changed
	Share  float64      // of what is to be caught up, 0 to 1; 1 when there is nothing

	Connected bool
	Heard     time.Time     // the last byte; zero for never
	Answer    time.Duration // to its first word on a question; 0 before the first
	Events    int
	Bytes     int64
	Notices   []relay.Notice // what it said for people to read, the latest last
}

// Relays returns the state of every relay that the session asks or asked, in the
// order in which it came to them.
func (s *Session) Relays() []RelayState {
	r := s.run
	r.mu.Lock()
	asked, base, inbox := r.choice.asked, r.baseURLs, r.inboxURLs
	r.mu.Unlock()
	var states []RelayState
	r.each(func(l *link) {
		st := l.state()
		st.People = asked[l.url]
		st.Base, st.Inbox = slices.Contains(base, l.url), slices.Contains(inbox, l.url)
		states = append(states, st)
	})
	return states
}

// state returns what the link itself knows.
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
	st.Phase, st.Trouble, st.Said, st.Again = l.phase(st)
	return st
}

// phase decides what goes on. l.mu is held.
func (l *link) phase(st RelayState) (Phase, Trouble, string, time.Time) {
	trouble, said := troubleOf(l.cause)
	switch {
	case l.dead != nil && trouble == NoTrouble || l.closed:
		return Resting, trouble, said, time.Time{}
	case l.dead != nil:
		return Waiting, trouble, said, l.until
	case l.refused != nil && st.Connected:
		trouble, said = troubleOf(l.refused)
		return Waiting, trouble, said, l.until
	case !st.Connected:
		return Connecting, trouble, said, l.backoff.Until
	case st.Share < 1:
		return CatchingUp, NoTrouble, "", time.Time{}
	case !l.follows && l.manners.live > 0:
		return Reached, NoTrouble, "", time.Time{}
	}
	return Following, NoTrouble, "", time.Time{}
}

// heardAt returns when the last byte came.
func (l *link) heardAt() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.conn != nil {
		return l.conn.Stats().LastAlive
	}
	return l.heard
}

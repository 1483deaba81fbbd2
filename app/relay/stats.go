package relay

import (
	"maps"
	"slices"
	"strconv"
	"time"
)

const (
	maxNotices    = 50
	maxNoticeText = 300 // bytes
)

// Why a message was dropped, beside the reasons of [nostr.ParseEvent].
const (
	dropMessage      = "message"      // it cannot be parsed
	dropSubscription = "subscription" // for a subscription that was never opened
	dropFilter       = "filter"       // it was not asked for
)

// Stats count what happened on a connection so far.
type Stats struct {
	Connected time.Time
	LastAlive time.Time      // when the last byte arrived
	Events    int            // returned
	Ends      int            // EOSE messages
	Bytes     int64          // of all messages
	Dropped   map[string]int // bad events by reason: a nostr.Reason, "message", "subscription" or "filter"
	Notices   []Notice       // the last 50
	// Answer is how long the relay takes to the first word of an answer: a mean weighted
	// towards the latest; 0 before the first.
	Answer time.Duration
}

// Notice is a relay's text for people: cleaned, at most 300 bytes.
type Notice struct {
	At   time.Time
	Text string
}

// Stats returns a copy.
func (c *Conn) Stats() Stats {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.LastAlive = c.link.seen
	s.Dropped = maps.Clone(s.Dropped)
	s.Notices = slices.Clone(s.Notices)
	return s
}

// BadSignatures reports that n events had wrong signatures. They count like other bad
// events: more than Limits.Bad end the connection.
func (c *Conn) BadSignatures(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for range n {
		if err := c.bad("signature"); err != nil {
			c.cancel(err)
			return
		}
	}
}

// answered measures the time to the first word of an answer, event or EOSE. c.mu is held.
func (c *Conn) answered(sub *Sub, now time.Time) {
	if sub.sent.IsZero() || !sub.last.IsZero() || !sub.eose.IsZero() {
		return
	}
	took := now.Sub(sub.sent)
	if c.stats.Answer > 0 {
		took = (3*c.stats.Answer + took) / 4
	}
	c.stats.Answer = took
}

// bad counts a bad event. An error ends the connection. c.mu is held.
func (c *Conn) bad(reason string) error {
	c.stats.Dropped[reason]++
	c.strikes++
	if c.strikes > c.limits.Bad {
		return c.fail(Misbehaved, "more than "+strconv.Itoa(c.limits.Bad)+" bad events, the last for its "+reason, nil)
	}
	return nil
}

// note records a NOTICE. c.mu is held.
func (c *Conn) note(now time.Time, text string) {
	if len(c.stats.Notices) == maxNotices {
		c.stats.Notices = slices.Delete(c.stats.Notices, 0, 1)
	}
	c.stats.Notices = append(c.stats.Notices, Notice{At: now, Text: clean(text, maxNoticeText)})
}

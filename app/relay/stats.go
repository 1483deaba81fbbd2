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

// Why an event was dropped, beside the reasons of nostr.ParseEvent.
const (
	dropMessage      = "message"      // no message at all
	dropSubscription = "subscription" // for a subscription that was never opened
	dropFilter       = "filter"       // it does not match what was asked for
)

// Stats are what happened on a connection so far.
type Stats struct {
	Connected time.Time
	LastAlive time.Time      // the last byte that came
	Events    int            // handed on
	Ends      int            // EOSEs that came
	Bytes     int64          // of all messages
	Dropped   map[string]int // bad events by reason: a nostr.Reason, "message", "subscription" or "filter"
	Notices   []Notice       // the last 50
	// Answer is how long the relay takes to its first word on a question, a mean in
	// which the latest count most; 0 before the first.
	Answer time.Duration
}

// Notice is what a relay said for people to read: cleaned, at most 300 bytes.
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

// BadSignatures tells the connection that n of the events it handed on had a
// wrong signature. They count like every other lie: over Limits.Bad ends it.
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

// answered notes the first word on a question, event or EOSE. c.mu is held.
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

// bad counts a lie. The error ends the connection. c.mu is held.
func (c *Conn) bad(reason string) error {
	c.stats.Dropped[reason]++
	c.strikes++
	if c.strikes > c.limits.Bad {
		return c.fail(Misbehaved, "more than "+strconv.Itoa(c.limits.Bad)+" bad events, the last for its "+reason, nil)
	}
	return nil
}

// note keeps a NOTICE. c.mu is held.
func (c *Conn) note(now time.Time, text string) {
	if len(c.stats.Notices) == maxNotices {
		c.stats.Notices = slices.Delete(c.stats.Notices, 0, 1)
	}
	c.stats.Notices = append(c.stats.Notices, Notice{At: now, Text: clean(text, maxNoticeText)})
}

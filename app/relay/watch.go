package relay

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// link is the state of the connection's health.
type link struct {
	seen     time.Time // when the last byte arrived
	message  time.Time // start of the message that is being read; zero between two
	progress time.Time // when the last event or EOSE arrived that was asked for
	pinged   time.Time
	pinging  bool
	blocked  time.Time // since when the reader has waited for space; zero if it does not
	limited  time.Time // when the last NOTICE with one of refusalWords arrived

	pings     int // received since pingsFrom
	pingsFrom time.Time
}

// watch checks all deadlines on every tick. It returns why the connection is to end.
func (c *Conn) watch(ticks <-chan time.Time) error {
	for {
		select {
		case <-ticks:
		case <-c.ctx.Done():
			return nil
		}
		if err := c.check(c.clock.Now()); err != nil {
			return err
		}
	}
}

func (c *Conn) check(now time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.link.blocked.IsZero() {
		return nil // the delay is ours
	}
	if now.Sub(c.link.seen) >= c.limits.Dead {
		return c.fail(Silent, fmt.Sprintf("nothing for %v", c.limits.Dead), nil)
	}
	if start := c.link.message; !start.IsZero() && now.Sub(start) >= c.limits.Message {
		return c.fail(Frame, fmt.Sprintf("a message that took over %v", c.limits.Message), nil)
	}
	for _, sub := range c.subs {
		c.checkSub(sub, now)
	}
	if now.Sub(c.link.pinged) >= c.limits.Ping && !c.link.pinging {
		c.ping(now)
	}
	return nil
}

// checkSub ends a subscription whose deadline has passed. c.mu is held.
func (c *Conn) checkSub(sub *Sub, now time.Time) {
	if sub.sent.IsZero() {
		return
	}
	switch waited := now.Sub(sub.sent); {
	case !sub.eose.IsZero():
		if sub.mode == Stored && now.Sub(sub.eose) >= c.limits.Grace {
			c.settled(sub)
		}
	case sub.last.IsZero() && c.refusedByNotice(sub, now):
		c.quit(sub, &Error{Kind: Rejected, Relay: c.url, Prefix: "rate-limited", Detail: "a NOTICE instead of an answer"})
	case sub.last.IsZero() && waited >= c.limits.FirstByte && now.Sub(c.link.progress) >= c.limits.FirstByte:
		// A relay that is busy with our other pages is not silent.
		c.quit(sub, c.fail(NoReply, fmt.Sprintf("nothing for %v", c.limits.FirstByte), nil))
	case sub.mode == Live:
	case !sub.last.IsZero() && now.Sub(sub.last) >= c.limits.Idle:
		c.quit(sub, c.fail(Stalled, fmt.Sprintf("nothing more for %v", c.limits.Idle), nil))
	case waited >= c.limits.Page:
		c.quit(sub, c.fail(TooLong, fmt.Sprintf("no end after %v", c.limits.Page), nil))
	}
}

// refusedByNotice reports whether a NOTICE near the REQ was its only answer.
func (c *Conn) refusedByNotice(sub *Sub, now time.Time) bool {
	notice := c.link.limited
	if notice.IsZero() || notice.Sub(sub.sent).Abs() > c.limits.Notice {
		return false
	}
	return now.Sub(notice) >= c.limits.Notice && now.Sub(sub.sent) >= c.limits.Notice
}

// ping sends a ping now, or after the pong to the one under way. c.mu is held.
func (c *Conn) ping(now time.Time) {
	c.link.pinged = now
	if !c.link.pinging {
		c.link.pinging = true
		c.wg.Go(c.pingPong)
	}
}

// pingPong sends pings one after another while there are pages to settle. If a relay
// answers none, its pages are settled by Limits.Grace.
func (c *Conn) pingPong() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for again := true; again; again = len(c.settling) > 0 {
		pages := c.settling
		c.settling = nil
		c.mu.Unlock()
		err := c.ws.Ping(c.ctx)
		c.mu.Lock()
		if err != nil {
			break
		}
		for _, sub := range pages {
			c.settled(sub)
		}
	}
	c.link.pinging = false
}

// More than maxPings by the relay within pingSpan are an attack.
const (
	maxPings = 200
	pingSpan = 10 * time.Second
)

func (c *Conn) onPing() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.clock.Now()
	c.link.seen = now
	if now.Sub(c.link.pingsFrom) > pingSpan {
		c.link.pingsFrom, c.link.pings = now, 0
	}
	c.link.pings++
	if c.link.pings > maxPings {
		c.cancel(c.fail(Misbehaved, "a flood of pings", nil))
		return false
	}
	return true
}

// alive records a sign of life; starts means that a message begins.
func (c *Conn) alive(starts bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.seen = c.clock.Now()
	if starts {
		c.link.message = c.link.seen
	}
}

func (c *Conn) received(size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.link.message = time.Time{}
	c.stats.Bytes += int64(size)
}

// unblock extends all deadlines by the time that the reader waited for us. c.mu is held.
func (c *Conn) unblock(now time.Time) {
	waited := now.Sub(c.link.blocked)
	c.link.blocked = time.Time{}
	c.link.seen = now
	for _, sub := range c.subs {
		for _, at := range []*time.Time{&sub.sent, &sub.last, &sub.eose} {
			if !at.IsZero() {
				*at = at.Add(waited)
			}
		}
	}
}

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

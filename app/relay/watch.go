package relay

import (
	"fmt"
	"time"
)

// link is what is known of the connection's health.
type link struct {
	seen     time.Time // the last byte
	message  time.Time // start of the message that is being read; zero between two
	progress time.Time // the last event or EOSE that was asked for
	pinged   time.Time
	pinging  bool
	blocked  time.Time // since when the reader waits for room; zero when it does not
	limited  time.Time // the last NOTICE that sounded like "too many"

	pings     int // of the relay, since pingsFrom
	pingsFrom time.Time
}

// watch looks at all deadlines on every tick. It returns why the connection is
// to end.
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
		return nil // it is us who are slow
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

// checkSub ends a subscription that is overdue. c.mu is held.
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
		// A relay that is busy with our other pages is not held to be silent.
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

// ping sees to it that a ping goes out: now, or after the pong of the one that is
// out. c.mu is held.
func (c *Conn) ping(now time.Time) {
	c.link.pinged = now
	if !c.link.pinging {
		c.link.pinging = true
		c.wg.Go(c.pingPong)
	}
}

// pingPong sends pings one after another while there are pages to settle. A
// relay that answers none shows as silence; its pages are settled by Limits.Grace.
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

// The relay's own pings: more than maxPings within pingSpan are an attack.
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

// alive notes a sign of life; starts says that it is the start of a message.
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

// unblock forgives the time that the reader spent waiting for us. c.mu is held.
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

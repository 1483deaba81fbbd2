package relay

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/coder/websocket"

	"bowerbird/ndb/nostr"
)

// skew is how far behind our clock the date of a new event may be.
const skew = 15 * time.Minute

// read is the only reader. It returns why the connection is to end.
func (c *Conn) read() error {
	var buf bytes.Buffer // reused: nothing parsed points into it
	for c.ctx.Err() == nil {
		// No context: an ended one would cut the socket before the closing handshake.
		kind, r, err := c.ws.Reader(context.Background())
		if err != nil {
			return c.readError(err)
		}
		c.alive(true)
		if kind != websocket.MessageText {
			return c.fail(Frame, "a binary message", nil)
		}
		buf.Reset()
		if _, err := buf.ReadFrom(heard{r, c}); err != nil {
			return c.readError(err)
		}
		c.received(buf.Len())
		if err := c.dispatch(buf.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// heard records signs of life while a long message arrives.
type heard struct {
	r io.Reader
	c *Conn
}

func (h heard) Read(p []byte) (int, error) {
	n, err := h.r.Read(p)
	h.c.alive(false)
	return n, err
}

func (c *Conn) readError(err error) error {
	var closed websocket.CloseError
	switch {
	case errors.As(err, &closed):
		return c.fail(Lost, clean(closed.Code.String()+" "+closed.Reason, maxNoticeText), nil)
	case errors.Is(err, websocket.ErrMessageTooBig):
		return c.fail(Frame, "a message over the limit", nil)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed):
		return c.fail(Lost, "cut off", nil)
	}
	if _, ok := errors.AsType[net.Error](err); ok {
		return c.fail(Lost, "cut off", err)
	}
	return c.fail(Frame, "", err)
}

func (c *Conn) dispatch(frame []byte) error {
	m, err := parseMessage(frame)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err != nil {
		return c.bad(dropMessage)
	}
	now := c.clock.Now()
	switch m.label {
	case labelEvent:
		return c.event(m)
	case labelEOSE:
		c.endOfStored(m, now)
	case labelNegMsg, labelNegErr:
		if !c.negotiated(m) {
			return c.bad(dropSubscription)
		}
	case labelClosed:
		if c.talks[m.sub] != nil {
			c.negotiated(m)
			return nil
		}
		// After a page's EOSE it says nothing new.
		if sub := c.subs[m.sub]; sub != nil && (sub.mode == Live || sub.eose.IsZero()) {
			c.end(sub, &Error{Kind: Rejected, Relay: c.url, Prefix: prefixOf(m.text), Detail: clean(m.text, maxNoticeText)})
		}
	case labelNotice:
		c.note(now, m.text)
		c.refuseTalks(m.text)
		text := strings.ToLower(m.text)
		if slices.ContainsFunc(refusalWords, func(word string) bool { return strings.Contains(text, word) }) {
			c.link.limited = now
		}
	}
	// OK, AUTH and other NIPs answer nothing that was asked.
	return nil
}

// event checks and queues an event. c.mu is held, except while parsing.
func (c *Conn) event(m message) error {
	sub := c.subs[m.sub]
	if sub == nil {
		if c.gone.late(m.sub) {
			return nil
		}
		return c.bad(dropSubscription)
	}
	sub.received++
	if sub.most > 0 && sub.received > sub.most {
		c.quit(sub, c.fail(Overrun, "more events than the limit asked for", nil))
		return nil
	}
	c.mu.Unlock()
	event, reason := checkEvent(m.event, sub.filters)
	c.mu.Lock()
	now := c.clock.Now()
	sub.sentBy(now)
	c.answered(sub, now)
	sub.last, c.link.progress = now, now
	if reason != "" {
		sub.refused++
		if odd(reason) {
			c.stats.Dropped[reason]++
			return nil
		}
		return c.bad(reason)
	}
	if sub.mode == Stored && !sub.eose.IsZero() && event.CreatedAt < now.Add(-skew).Unix() {
		sub.unruly = true // not published just now
	}
	return c.push(sub, item{event: event, size: len(m.event)})
}

// checkEvent parses an event, or returns why it is bad. The id is checked first: nothing
// can be concluded from an event with a wrong one.
func checkEvent(raw []byte, filters []nostr.Filter) (*nostr.Event, string) {
	event, err := nostr.ParseEvent(raw)
	if err != nil {
		if invalid, ok := errors.AsType[*nostr.InvalidError](err); ok {
			return nil, string(invalid.Reason)
		}
		return nil, string(nostr.ReasonShape)
	}
	if event.ComputeID() != event.ID {
		return nil, string(nostr.ReasonID)
	}
	for i := range filters {
		if filters[i].Matches(event) {
			return event, ""
		}
	}
	return nil, dropFilter
}

// odd reports whether honest relays store events that are bad in this way, since they
// accept what older or laxer rules allow. Such events are dropped without counting against
// the relay.
func odd(reason string) bool {
	return slices.Contains([]nostr.Reason{
		nostr.ReasonUTF8, nostr.ReasonTime, nostr.ReasonKind, nostr.ReasonTags, nostr.ReasonSize,
	}, nostr.Reason(reason))
}

// push queues an item when there is space. While it waits nothing is read from the socket,
// and TCP holds the relay back. c.mu is held, except while waiting.
func (c *Conn) push(sub *Sub, it item) error {
	for sub.err == nil && c.full(it.size) {
		c.link.blocked = c.clock.Now()
		c.mu.Unlock()
		select {
		case <-c.space:
		case <-c.ctx.Done():
		}
		c.mu.Lock()
		c.unblock(c.clock.Now())
		if c.ctx.Err() != nil {
			return nil
		}
	}
	if sub.err != nil {
		return nil // closed meanwhile
	}
	c.queue.events++
	c.queue.bytes += it.size
	c.stats.Events++
	sub.items = append(sub.items, it)
	sub.signal()
	return nil
}

func (c *Conn) full(more int) bool {
	return c.queue.events >= c.limits.QueueEvents ||
		c.queue.events > 0 && c.queue.bytes+more > c.limits.QueueBytes
}

// endOfStored handles EOSE. It does not complete a page: some relays send events after it,
// and their pages would look empty. Frames arrive in order, so the pong to a ping proves
// that nothing was still on its way. c.mu is held.
func (c *Conn) endOfStored(m message, now time.Time) {
	sub := c.subs[m.sub]
	if sub == nil || !sub.eose.IsZero() {
		return
	}
	sub.sentBy(now)
	c.answered(sub, now)
	sub.eose, c.link.progress = now, now
	c.stats.Ends++
	sub.finish = m.hint == "finish"
	if sub.mode == Live {
		sub.items = append(sub.items, item{})
		sub.signal()
		return
	}
	c.send(outgoing{data: closeMessage(sub.id)})
	c.settling = append(c.settling, sub)
	c.ping(now)
}

// settled completes a page after its EOSE. c.mu is held.
func (c *Conn) settled(sub *Sub) {
	if sub.unruly {
		c.end(sub, c.fail(Unruly, "events after EOSE", nil))
		return
	}
	c.end(sub, EOSE)
}

// refusalWords show that a NOTICE takes the place of the CLOSED of a REQ.
var refusalWords = []string{"rate", "too many", "too fast", "slow down", "concurrent", "subscription limit", "max sub"}

package relay

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"time"

	"bowerbird/ndb/nostr"
)

// Mode is how long a subscription lasts.
type Mode uint8

// The modes.
const (
	Stored Mode = iota // until EOSE: a page of stored events
	Live               // until closed: stored events, then new ones
)

// Sub is one subscription. Next must not be called by two goroutines at a time.
type Sub struct {
	conn    *Conn
	id      string
	mode    Mode
	filters []nostr.Filter
	most    int           // events that the filters' limits permit; 0 for any number
	wake    chan struct{} // wakes Next

	// Guarded by conn.mu.
	items    []item
	err      error // why it ended; nil while it is open
	received int   // events, bad ones included
	refused  int   // bad ones
	finish   bool  // NIP-67: the relay has no more than what came before EOSE
	unruly   bool
	sent     time.Time // when the REQ was sent; zero before
	last     time.Time // when the last event arrived; zero before
	eose     time.Time // zero before
}

// load measures the queue of unread events.
type load struct{ events, bytes int }

// item is an event, or if event is nil the EOSE of a Live subscription.
type item struct {
	event *nostr.Event
	size  int
}

// Subscribe sends a REQ. It waits while Limits.Subscriptions are open, at most until ctx
// ends; afterwards ctx is not used any more. The error is an [*Error] or that of ctx.
func (c *Conn) Subscribe(ctx context.Context, mode Mode, filters ...nostr.Filter) (*Sub, error) {
	if len(filters) == 0 {
		return nil, errors.New("subscribe: no filter")
	}
	id := newID()
	req, err := reqMessage(id, filters)
	if err != nil {
		return nil, err
	}
	if err := c.takePlace(ctx, "REQ", req); err != nil {
		return nil, err
	}
	s := &Sub{conn: c, id: id, mode: mode, filters: filters, most: c.most(mode, filters), wake: make(chan struct{}, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ctx.Err() != nil { // run may already have ended all subscriptions
		<-c.places
		return nil, c.Err()
	}
	c.subs[id] = s
	c.send(outgoing{data: req, opens: s})
	return s, nil
}

// takePlace waits for one of Limits.Subscriptions for a message that opens something.
func (c *Conn) takePlace(ctx context.Context, label string, msg []byte) error {
	if len(msg) > c.limits.Outgoing {
		return c.fail(TooLarge, fmt.Sprintf("a %s of %d bytes, it takes %d", label, len(msg), c.limits.Outgoing), nil)
	}
	select {
	case c.places <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	case <-c.ctx.Done():
		return c.Err()
	}
}

// newID returns a random id: a relay that guesses one could end or fill subscriptions of
// other connections.
func newID() string {
	var id [8]byte
	_, _ = rand.Read(id[:]) // never fails
	return hex.EncodeToString(id[:])
}

// most returns how many events the filters permit; 0 for any number. Some relays ignore the
// limit for kinds of which each author has one event.
func (c *Conn) most(mode Mode, filters []nostr.Filter) int {
	if mode == Live {
		return 0
	}
	sum := 0
	for _, f := range filters {
		if f.Limit == nil {
			return 0
		}
		most := *f.Limit
		if !slices.ContainsFunc(f.Kinds, func(kind uint16) bool { return !nostr.OneEach(kind) }) {
			most = max(most, len(f.Authors)*len(f.Kinds))
		}
		sum += most
	}
	return sum + c.limits.Slack
}

// Next returns the next event. At the end of the stored events it returns [EOSE]; when the
// subscription has ended otherwise, an [*Error], after the events that arrived before. When
// ctx ends it returns ctx's error and the subscription continues.
//
// The event's id is correct and it matches the filters. Its signature is not verified.
func (s *Sub) Next(ctx context.Context) (*nostr.Event, error) {
	it, err := s.next(ctx)
	return it.event, err
}

func (s *Sub) next(ctx context.Context) (item, error) {
	for {
		if it, ok, err := s.take(); ok || err != nil {
			return it, err
		}
		select {
		case <-s.wake:
		case <-ctx.Done():
			return item{}, ctx.Err()
		}
	}
}

// take returns the first item, if there is one, or an error if it is EOSE or there will be
// none.
func (s *Sub) take() (it item, ok bool, err error) {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(s.items) == 0 {
		return item{}, false, s.err
	}
	it = s.items[0]
	s.items[0] = item{}
	s.items = s.items[1:]
	if it.event == nil {
		return item{}, false, EOSE
	}
	c.release(load{events: 1, bytes: it.size})
	return it, true, nil
}

// Close ends the subscription and drops unread events. It does not wait.
func (s *Sub) Close() {
	c := s.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	c.quit(s, c.fail(Closed, "", nil))
	var dropped load
	for _, it := range s.items {
		if it.event != nil {
			dropped.events++
			dropped.bytes += it.size
		}
	}
	s.items = nil
	c.release(dropped)
}

// end removes a subscription from the connection because of err, if it has not ended yet.
// c.mu is held.
func (c *Conn) end(s *Sub, err error) {
	if s.err != nil {
		return
	}
	s.err = err
	delete(c.subs, s.id)
	c.gone.add(s.id)
	<-c.places
	s.signal()
}

// quit ends a subscription and sends CLOSE if the relay knows of it. c.mu is held.
func (c *Conn) quit(s *Sub, err error) {
	open := s.err == nil && (s.mode == Live || s.eose.IsZero())
	if open && !c.unsend(s) {
		c.send(outgoing{data: closeMessage(s.id)})
	}
	c.end(s, err)
}

// sentBy records that the REQ was sent: an answer may be read before the writer has
// recorded it. conn.mu is held.
func (s *Sub) sentBy(now time.Time) {
	if s.sent.IsZero() {
		s.sent = now
	}
}

func (s *Sub) signal() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// release frees space in the queue. c.mu is held.
func (c *Conn) release(l load) {
	c.queue.events -= l.events
	c.queue.bytes -= l.bytes
	select {
	case c.space <- struct{}{}:
	default:
	}
}

// departed remembers the last ended subscriptions: a relay may have sent events before it
// received our CLOSE.
type departed struct {
	ids  []string
	left map[string]int // events that may still arrive
}

const (
	maxDeparted = 64
	maxLate     = 2000 // events after the end of one subscription
)

func (d *departed) add(id string) {
	if d.left == nil {
		d.left = make(map[string]int)
	}
	if len(d.ids) == maxDeparted {
		delete(d.left, d.ids[0])
		d.ids = append(d.ids[:0], d.ids[1:]...)
	}
	d.ids = append(d.ids, id)
	d.left[id] = maxLate
}

// late reports whether an event for id may have been sent before our CLOSE arrived.
func (d *departed) late(id string) bool {
	if d.left[id] == 0 {
		return false
	}
	d.left[id]--
	return true
}

// Page is the answer to one REQ.
type Page struct {
	// Events in order of arrival: they match the filters, ids are correct, signatures not
	// verified. An event may be there twice.
	Events []*nostr.Event
	Finish bool // NIP-67: the relay has no more
	// Ended means that EOSE arrived, but the relay then closed the connection. A relay that
	// shuts down ends its answers in the middle in the same way, so this does not prove that
	// the page is complete.
	Ended bool
	// Refused is how many bad events were dropped. A page of bad events only is a failure,
	// not an empty window.
	Refused int
}

// Fetch sends a REQ and collects the answer up to EOSE. The error is nil only if EOSE
// arrived and nothing followed it; otherwise the page holds what arrived before, and the
// error is an [*Error] (Rejected, NoReply, Stalled, TooLong, Overrun, Unruly, or why the
// connection ended) or that of ctx.
func (c *Conn) Fetch(ctx context.Context, filters ...nostr.Filter) (Page, error) {
	sub, err := c.Subscribe(ctx, Stored, filters...)
	if err != nil {
		return Page{}, err
	}
	defer sub.Close()
	var page Page
	for size := 0; ; {
		var it item
		if it, err = sub.next(ctx); err != nil {
			break
		}
		if size += it.size; size > c.limits.PageBytes {
			err = c.fail(Overrun, "more bytes than a page may have", nil)
			break
		}
		page.Events = append(page.Events, it.event)
	}
	if err == EOSE {
		err = nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	page.Finish, page.Refused = sub.finish, sub.refused
	page.Ended = errors.Is(err, Lost) && !sub.eose.IsZero() && !sub.unruly
	return page, err
}

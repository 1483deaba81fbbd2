package relay

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"bowerbird/ndb/nostr"
)

// Mode is how long a subscription lasts.
type Mode uint8

// The modes.
const (
	Stored Mode = iota // until EOSE: a page of what the relay has
	Live               // until closed: what it has, then what comes
)

// Sub is one subscription. Next is for one goroutine at a time.
type Sub struct {
	conn    *Conn
	id      string
	mode    Mode
	filters []nostr.Filter
	most    int           // events that the filters' limits allow; 0 for any number
	wake    chan struct{} // tells Next of news

	// Guarded by conn.mu.
	items    []item
	err      error // why it ended; nil while it is open
	received int   // events, bad ones included
	refused  int   // bad ones
	finish   bool  // by NIP-67: what it sent before EOSE is all it has
	unruly   bool
	sent     time.Time // when the REQ went out; zero before
	last     time.Time // when the last event came; zero before
	eose     time.Time // zero before
}

// load is how much waits to be read by us.
type load struct{ events, bytes int }

// item is an event, or the EOSE of a Live subscription when event is nil.
type item struct {
	event *nostr.Event
	size  int
}

// Subscribe sends a REQ. It waits while Limits.Subscriptions are open, until ctx
// ends; afterwards ctx does not matter. The error is an *Error or that of ctx.
func (c *Conn) Subscribe(ctx context.Context, mode Mode, filters ...nostr.Filter) (*Sub, error) {
	if len(filters) == 0 {
		return nil, errors.New("subscribe: no filter")
	}
	id, err := c.newID()
	if err != nil {
		return nil, err
	}
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
	if c.ctx.Err() != nil { // run may have ended all subscriptions by now
		<-c.places
		return nil, c.Err()
	}
	c.subs[id] = s
	c.send(outgoing{data: req, opens: s})
	return s, nil
}

// takePlace waits until a message may be sent that opens something, and takes one of
// Limits.Subscriptions for it.
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

// newID makes an id that a relay cannot guess, so that it cannot end or fill the
// subscriptions of another program's making.
func (c *Conn) newID() (string, error) {
	var id [8]byte
	if _, err := io.ReadFull(c.rand, id[:]); err != nil {
		return "", fmt.Errorf("make subscription id: %w", err)
	}
	return hex.EncodeToString(id[:]), nil
}

// most returns how many events may come for the filters. Some relays give lists of
// which there is one for each author and kind all at one time, whatever the limit.
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

// Next returns the next event. It returns EOSE at the end of what the relay has
// stored, and an *Error when the subscription has ended otherwise; events that
// came before come first. When ctx ends it returns ctx's error and the
// subscription goes on.
//
// The event's id is right and it matches the filters. Its signature is not checked.
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

// take returns the first item if there is one, and an error when there will be
// none or it is EOSE.
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

// Close ends the subscription and drops what was not read. It does not wait.
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

// end takes the subscription off the connection, for err. A second end does
// nothing. c.mu is held.
func (c *Conn) end(s *Sub, err error) {
	if s.err != nil {
		return
	}
	s.err = err
	delete(c.subs, s.id)
	c.gone.add(s.id)
	<-c.places
	s.tell()
}

// quit ends the subscription and tells the relay, if it knows of it. c.mu is held.
func (c *Conn) quit(s *Sub, err error) {
	open := s.err == nil && (s.mode == Live || s.eose.IsZero())
	if open && !c.unsend(s) {
		c.send(outgoing{data: closeMessage(s.id)})
	}
	c.end(s, err)
}

// sentBy notes that the REQ has gone out. The answer can be quicker than the
// writer that says so. conn.mu is held.
func (s *Sub) sentBy(now time.Time) {
	if s.sent.IsZero() {
		s.sent = now
	}
}

func (s *Sub) tell() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// release gives room back to the reader. c.mu is held.
func (c *Conn) release(l load) {
	c.queue.events -= l.events
	c.queue.bytes -= l.bytes
	select {
	case c.space <- struct{}{}:
	default:
	}
}

// departed remembers ended subscriptions, because a relay may have sent events
// before our CLOSE reached it. The oldest are forgotten.
type departed struct {
	ids  []string
	left map[string]int // events that may still trickle in
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

// late reports whether an event for id may be a latecomer.
func (d *departed) late(id string) bool {
	if d.left[id] == 0 {
		return false
	}
	d.left[id]--
	return true
}

// Page is the answer to one REQ.
type Page struct {
	// Events in the order they came: ids right, filters met, signatures unchecked.
	// The same event may be there twice.
	Events []*nostr.Event
	// Finish: the relay said, by NIP-67, that there is no more.
	Finish bool
	// Ended: EOSE came, though the error says that the relay then hung up. Nothing can
	// have been under way after it; but a relay that is shut down ends its answers in
	// the middle in the same way, so this alone does not prove that the page is whole.
	Ended bool
	// Refused is how many events were dropped as bad. A page of nothing but refused
	// events is a failure, not an empty window.
	Refused int
}

// Fetch sends a REQ and gathers its answer up to EOSE. The error is nil only if
// EOSE came and nothing followed it; otherwise the page holds what came
// before, and the error is an *Error (Rejected, NoReply, Stalled, TooLong, Overrun,
// Unruly, or why the connection ended) or that of ctx.
func (c *Conn) Fetch(ctx context.Context, filters ...nostr.Filter) (Page, error) {
	sub, err := c.Subscribe(ctx, Stored, filters...)
	if err != nil {
		return Page{}, err
	}
	defer sub.Close()
	page, err := c.gather(ctx, sub)
	c.mu.Lock()
	defer c.mu.Unlock()
	page.Finish, page.Refused = sub.finish, sub.refused
	page.Ended = errors.Is(err, Lost) && !sub.eose.IsZero() && !sub.unruly
	return page, err
}

func (c *Conn) gather(ctx context.Context, sub *Sub) (Page, error) {
	var page Page
	size := 0
	for {
		it, err := sub.next(ctx)
		if err == EOSE {
			return page, nil
		}
		if err != nil {
			return page, err
		}
		if size += it.size; size > c.limits.PageBytes {
			return page, c.fail(Overrun, "more bytes than a page may have", nil)
		}
		page.Events = append(page.Events, it.event)
	}
}

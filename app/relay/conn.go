// Package relay is one connection to one Nostr relay.
//
// A relay is a stranger: it may lie, stall, flood, or fall silent. A [Conn] promises that
// every event it returns was asked for and that its id is the hash of its content; that
// memory, waiting time and the number of bad events are bounded by [Limits]; that a slow
// reader slows the relay down and loses nothing; and that Close leaves no goroutine behind.
//
//	conn, err := relay.Dial(ctx, "wss://relay.example", relay.Options{Client: netsafe.New(netsafe.Policy{})})
//	if err != nil {
//		return err // a *netsafe.Error: see Backoff for when to try again
//	}
//	defer conn.Close()
//	page, err := conn.Fetch(ctx, filter) // one REQ to its end
//	sub, err := conn.Subscribe(ctx, relay.Live, filters...)
//	for {
//		event, err := sub.Next(ctx)
//		if err == relay.EOSE { continue } // events are new from here on
//		if err != nil { return err }      // an *Error: its Kind is the reason
//	}
//
// It leaves to others: signatures ([bowerbird/ndb.Store.Put] verifies them; report bad ones
// with [Conn.BadSignatures]), what to ask and when (app/notesync), and what a page proves.
//
// The events of one Conn share one queue. Read every [Sub] or close it: an unread one
// blocks the others.
package relay

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptrace"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"bowerbird/netsafe"
)

// closeWait is how long to wait for the relay's half of the closing handshake.
const closeWait = time.Second

// Options configure Dial.
type Options struct {
	Client *netsafe.Client // required: its policy applies to the relay
	Limits Limits          // zero fields take DefaultLimits
	Clock  Clock           // nil: the system's
}

// Conn is one connection to one relay. Its methods may be called from any goroutine.
type Conn struct {
	url    string
	limits Limits
	clock  Clock
	ws     *websocket.Conn
	raw    net.Conn // under ws; used only to bound the closing handshake

	ctx    context.Context // ends with the connection; its cause is the reason
	cancel context.CancelCauseFunc
	done   chan struct{}  // closed when no goroutine is left
	wg     sync.WaitGroup // all goroutines except run

	places chan struct{} // one token for each open subscription
	wake   chan struct{} // signals new messages to the writer
	space  chan struct{} // signals free space in the queue to the reader

	mu       sync.Mutex // guards all below and the state of every Sub
	subs     map[string]*Sub
	talks    map[string]*negotiation
	gone     departed
	settling []*Sub // pages with EOSE, to be completed by the next pong
	out      []outgoing
	queue    load
	stats    Stats
	strikes  int // bad events: see Limits.Bad
	link     link
}

// Dial connects to the relay at url, which [ParseURL] must accept under the client's
// policy. The connection lives until Close, until ctx ends, or until the relay ends it. The
// error is a [*netsafe.Error].
func Dial(ctx context.Context, url string, opt Options) (*Conn, error) {
	normal, err := ParseURL(url, opt.Client.Policy())
	if err != nil {
		return nil, err
	}
	limits := opt.Limits.withDefaults()
	c := &Conn{
		url:    normal,
		limits: limits,
		clock:  opt.Clock,
		done:   make(chan struct{}),
		places: make(chan struct{}, limits.Subscriptions),
		wake:   make(chan struct{}, 1),
		space:  make(chan struct{}, 1),
		subs:   make(map[string]*Sub),
		talks:  make(map[string]*negotiation),
	}
	if c.clock == nil {
		c.clock = systemClock{}
	}
	if err := c.handshake(ctx, opt.Client); err != nil {
		return nil, err
	}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	now := c.clock.Now()
	c.link = link{seen: now, pinged: now}
	c.stats = Stats{Connected: now, Dropped: make(map[string]int)}
	go c.run()
	return c, nil
}

// handshake opens the WebSocket without compression, so that a small frame cannot inflate
// to a large one.
func (c *Conn) handshake(ctx context.Context, client *netsafe.Client) error {
	ctx, cancel := context.WithTimeout(ctx, c.limits.Dial)
	defer cancel()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(info httptrace.GotConnInfo) { c.raw = info.Conn },
	})
	ws, resp, err := websocket.Dial(ctx, c.url, &websocket.DialOptions{
		HTTPClient:      client.WebSocket(),
		CompressionMode: websocket.CompressionDisabled,
		OnPingReceived:  func(context.Context, []byte) bool { return c.onPing() },
		OnPongReceived:  func(context.Context, []byte) { c.alive(false) },
	})
	switch {
	case err == nil:
		c.ws = ws
		ws.SetReadLimit(c.limits.Frame)
		return nil
	case resp != nil && resp.StatusCode != http.StatusSwitchingProtocols:
		return netsafe.StatusError("dial", c.url, resp)
	case resp != nil:
		return &netsafe.Error{Kind: netsafe.Protocol, Op: "dial", Host: c.url, Err: err}
	}
	return netsafe.Classify("dial", c.url, err)
}

func (c *Conn) run() {
	defer close(c.done)
	ticks, stop := c.clock.Tick(tickEvery)
	defer stop()
	c.wg.Go(func() { c.cancel(c.read()) })
	c.wg.Go(func() { c.cancel(c.write()) })
	c.wg.Go(func() { c.cancel(c.watch(ticks)) })
	<-c.ctx.Done()
	c.shut()
	c.wg.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, sub := range c.subs {
		c.end(sub, c.Err())
	}
}

func (c *Conn) shut() {
	code := websocket.StatusNormalClosure
	if errors.Is(c.Err(), Misbehaved) {
		code = websocket.StatusPolicyViolation
	}
	// The errors of a dead socket are of no interest.
	_ = c.raw.SetDeadline(time.Now().Add(closeWait))
	_ = c.ws.Close(code, "")
}

// Close ends the connection and all its subscriptions and returns when all its goroutines
// have ended, after about a second at most. Events that were received before can still be
// read from the subscriptions.
func (c *Conn) Close() {
	c.cancel(&Error{Kind: Closed, Relay: c.url})
	<-c.done
}

// Err returns nil while the connection is open, then an [*Error].
func (c *Conn) Err() error {
	cause := context.Cause(c.ctx)
	if cause == nil {
		return nil
	}
	if known, ok := errors.AsType[*Error](cause); ok {
		return known
	}
	return &Error{Kind: Closed, Relay: c.url, Err: cause}
}

func (c *Conn) fail(kind Kind, detail string, err error) *Error {
	return &Error{Kind: kind, Relay: c.url, Detail: detail, Err: err}
}

// outgoing is a message to be sent, and the subscription that it opens, if any.
type outgoing struct {
	data  []byte
	opens *Sub
}

// send queues a message without waiting. The queue is bounded: while the writer is stuck,
// at most Limits.Subscriptions wait to be opened, and as many to be closed. c.mu is held.
func (c *Conn) send(o outgoing) {
	c.out = append(c.out, o)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// unsend removes a REQ that was not sent yet, and reports whether it could. c.mu is held.
func (c *Conn) unsend(s *Sub) bool {
	before := len(c.out)
	c.out = slices.DeleteFunc(c.out, func(o outgoing) bool { return o.opens == s })
	return len(c.out) < before
}

// write is the only writer. It returns why the connection is to end.
func (c *Conn) write() error {
	for {
		select {
		case <-c.wake:
		case <-c.ctx.Done():
			return nil
		}
		for o, ok := c.nextOut(); ok; o, ok = c.nextOut() {
			if err := c.writeOne(o); err != nil {
				return err
			}
		}
	}
}

func (c *Conn) nextOut() (outgoing, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.out) == 0 {
		return outgoing{}, false
	}
	o := c.out[0]
	c.out[0] = outgoing{}
	c.out = c.out[1:]
	return o, true
}

func (c *Conn) writeOne(o outgoing) error {
	// Not c.ctx: an ended one would cut the socket before the closing handshake.
	ctx, cancel := context.WithTimeout(context.Background(), c.limits.Write)
	defer cancel()
	if err := c.ws.Write(ctx, websocket.MessageText, o.data); err != nil {
		return c.fail(Lost, "it accepts no more messages", err)
	}
	if o.opens != nil {
		c.mu.Lock()
		o.opens.sentBy(c.clock.Now())
		c.mu.Unlock()
	}
	return nil
}

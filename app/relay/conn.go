// Package relay is one connection to one Nostr relay.
//
// A relay is a stranger: it may lie, stall, flood, or die without a word. A Conn
// promises that what it hands on is an event that was asked for, whose id is
// the hash of what it says; that memory, waiting time and the number of lies it
// puts up with are bounded by Limits; that a reader who falls behind slows the
// relay down and loses nothing; and that Close leaves no goroutine behind.
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
//		if err == relay.EOSE { continue } // from here on events are new
//		if err != nil { return err }      // an *Error: its Kind says why
//	}
//
// It leaves to others: signatures (ndb.Store.Put checks them; tell the Conn of
// bad ones with BadSignatures), what to ask and when (app/notesync), and what
// became of a page (Page says what was seen, not what it proves).
//
// Events of one Conn share one queue. Read every Sub, or close it: one that is
// left unread holds up the others.
package relay

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"sync"
	"time"

	"github.com/coder/websocket"

	"bowerbird/netsafe"
)

// closeWait is how long we wait for the relay's half of the closing handshake.
const closeWait = time.Second

// Options are what Dial needs beside the address.
type Options struct {
	Client *netsafe.Client // required: its policy holds for the relay too
	Limits Limits          // fields left 0 take DefaultLimits
	Clock  Clock           // nil: the system's
	Rand   io.Reader       // for subscription ids; nil: crypto/rand
}

// Conn is one connection to one relay. Its methods may be called from any
// goroutine.
type Conn struct {
	url    string
	limits Limits
	clock  Clock
	rand   io.Reader
	ws     *websocket.Conn
	raw    net.Conn // what ws runs on; only to bound its closing

	ctx    context.Context // ends when the connection is to end; its cause says why
	cancel context.CancelCauseFunc
	done   chan struct{}  // closed when no goroutine is left
	wg     sync.WaitGroup // all goroutines but run

	places chan struct{} // holds one token for each open subscription
	wake   chan struct{} // tells the writer of new messages
	space  chan struct{} // tells the reader of room in the queue

	mu       sync.Mutex // guards all below, and the state of every Sub
	subs     map[string]*Sub
	talks    map[string]*negotiation
	gone     departed
	settling []*Sub // pages whose EOSE came, for the next ping to prove
	out      []outgoing
	queue    load
	stats    Stats
	strikes  int // bad events, see Limits.Bad
	link     link
}

// Dial connects to the relay at url, which ParseURL must accept under the
// client's policy. The connection lives until Close, until ctx ends, or until
// the relay ends it. The error is a *netsafe.Error.
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
		rand:   opt.Rand,
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
	if c.rand == nil {
		c.rand = rand.Reader
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

// handshake opens the WebSocket, without compression: what a frame may inflate
// to is then what it is.
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

// shut says goodbye and closes the socket.
func (c *Conn) shut() {
	code := websocket.StatusNormalClosure
	if errors.Is(c.Err(), Misbehaved) {
		code = websocket.StatusPolicyViolation
	}
	// Both have failed already when the socket is dead.
	_ = c.raw.SetDeadline(time.Now().Add(closeWait))
	_ = c.ws.Close(code, "")
}

// Close ends the connection and all its subscriptions, and returns when no
// goroutine of it is left, after about a second at most. What was received before
// can still be read from the subscriptions.
func (c *Conn) Close() {
	c.cancel(&Error{Kind: Closed, Relay: c.url})
	<-c.done
}

// Err returns nil while the connection lives, then an *Error.
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

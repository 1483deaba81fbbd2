package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Options configure a [Client].
type Options struct {
	Provider Provider
	Model    string // as the provider names it
	BaseURL  string // instead of the provider's; with or without /v1
	Key      Key
	// HTTP sends the requests, and decides what may be dialled. Its Timeout is ignored,
	// since a stream may last long. Redirects are followed only within one host.
	HTTP *http.Client
	// Context is the model's window in tokens; 0 if unknown.
	Context int
	// Effort is the reasoning effort to ask for; "" leaves it to the provider.
	Effort string
	// Temperature and MaxTokens are for requests that set none; nil and 0 leave them to
	// the provider.
	Temperature *float64
	MaxTokens   int
	// NoCaching means that providers are not asked to cache the beginning of requests.
	NoCaching bool
	// Format is the text format for the tools of a model that has no native calls: the
	// name of a [textcall.Format] that has a Writer. With "" or "native", native calls are
	// used; with "none", the model gets no tools.
	Format string
	// Sent, if not nil, is called with every request before it is sent, retries included,
	// and with the context of Stream. The function that it returns, if not nil, is called
	// with the outcome.
	Sent func(context.Context, SentRequest) func(Outcome)
	// Learned is shared by all clients of the program; nil: the client's own.
	Learned *Learned
	// PassedTo is the host that the server at BaseURL passes requests on to; "" if it
	// answers them itself.
	PassedTo string
	// Clock is the source of time; nil: the system's clock.
	Clock Clock
	// Random returns 64 random bits, for the waits between tries and for the ids of calls;
	// nil: math/rand/v2. It must be safe for concurrent use.
	Random func() uint64
	// Tries is how many times a request is retried; 0: 3 times; negative: never.
	Tries int
}

// Client is a [Model] on a server of any family.
type Client struct {
	opt     Options // the defaults filled in
	row     Provider
	model   string
	base    *url.URL
	local   bool
	http    *http.Client
	noTools bool
	format  string // the text format chosen in Options; "" for native calls
	hold    hold
	fits    sync.Map // a fit by the hash of its schema
}

var _ Model = (*Client)(nil)

// New returns a [Client], without connecting to anything.
func New(o Options) (*Client, error) {
	address := cmp.Or(o.BaseURL, o.Provider.BaseURL)
	if address == "" {
		return nil, fmt.Errorf("set up %s: it needs a base URL", o.Provider.Title)
	}
	base, err := parseBase(address)
	if err != nil {
		return nil, err
	}
	if o.HTTP == nil {
		return nil, errors.New("set up a model: no HTTP client given")
	}
	own := *o.HTTP
	own.Timeout = 0
	own.CheckRedirect = checkRedirect(own.CheckRedirect)
	if o.Learned == nil {
		o.Learned = &Learned{}
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Random == nil {
		o.Random = rand.Uint64
	}
	o.Tries = cmp.Or(o.Tries, defaultTries)
	c := &Client{opt: o, row: o.Provider, model: o.Model, base: base, local: onThisComputer(base), http: &own}
	if c.noTools = o.Format == formatNone; c.noTools || o.Format == "" || o.Format == formatNative {
		return c, nil
	}
	if writerOf(o.Format) == nil {
		return nil, fmt.Errorf("set up a model: no text format %q that can be written", o.Format)
	}
	c.format = o.Format
	return c, nil
}

// Info implements [Model].
func (c *Client) Info() Info {
	info := Info{Provider: c.row.Name, Name: c.model, Host: c.base.Host, Context: c.opt.Context, Answer: c.opt.MaxTokens}
	if c.local {
		info.Host = c.opt.PassedTo
	}
	return info
}

// Stream implements [Model]. If a try fails and another one may succeed, the request is
// repeated after an [EventRetrying], which discards what came before. An answer that ended
// but cannot be used ends with an error that has its finish reason.
func (c *Client) Stream(ctx context.Context, req *Request) iter.Seq2[Event, error] {
	return func(yield func(Event, error) bool) {
		if e := c.missing(); e != nil {
			yield(Event{}, e)
			return
		}
		names := newToolNames(req)
		own := names.request(req)
		own.Temperature, own.MaxTokens = cmp.Or(req.Temperature, c.opt.Temperature), cmp.Or(req.MaxTokens, c.opt.MaxTokens)
		c.row.dropForeign(own, c.model)
		if c.noTools {
			own = withoutTools(own)
		}
		if !c.queue(ctx, yield) {
			return
		}
		for try, nth := 0, 1; ; nth++ {
			a := &attempt{client: c, ctx: ctx, req: own, names: names, yield: yield, nth: nth}
			a.run()
			if a.err == nil || a.left || ctx.Err() != nil || !c.again(a, &try) {
				a.finish()
				return
			}
		}
	}
}

// missing returns the error for a setting without which no request can succeed.
func (c *Client) missing() *Error {
	switch {
	case c.model == "":
		return &Error{Kind: KindNotFound, Message: "no model is chosen"}
	case c.row.NeedsKey && c.opt.Key.IsZero() && !c.local:
		return &Error{Kind: KindAuth, Message: fmt.Sprintf("%s needs a key, and none is set", c.row.Title)}
	}
	return nil
}

// attempt is one try of a request.
type attempt struct {
	client *Client
	ctx    context.Context
	req    *Request
	names  toolNames
	yield  func(Event, error) bool

	nth   int    // from 1
	sent  []byte // the body
	watch *watch // over the body of the answer
	set   settings
	// inText is the text format that was learned, even if the options set another.
	inText   string
	listed   []Tool                       // the tools that were sent, as they describe themselves
	renamed  map[string]map[string]string // their properties, see schemaRule.fit
	unmarked bool                         // cache marks are left out because of the options only
	tail     []Event                      // to be emitted if this is the last try
	err      *Error
	emitted  bool // the caller has received events
	left     bool // the caller left the loop
	over     bool // the caller has received the EventFinish
}

func (a *attempt) run() {
	ctx, cancel := context.WithCancelCause(a.ctx)
	defer cancel(nil)
	c := a.client
	a.set = c.opt.Learned.get(c.lessonKey(), settings{effort: c.opt.Effort})
	a.inText = a.set.format
	a.set.format = cmp.Or(c.format, a.set.format)
	if a.unmarked = c.opt.NoCaching && !a.set.drop["cache_control"]; a.unmarked {
		a.set.dropMember("cache_control")
	}
	speaks := c.row.family(a.set)
	req := a.req
	if w := writerOf(a.set.format); w != nil {
		req = inText(req, w)
	} else {
		req = a.fitted()
	}
	to, body := speaks.request(c, req, a.set)
	stream, err := a.post(ctx, cancel, to, body)
	if err != nil {
		a.err = c.failure(ctx, err)
		return
	}
	defer stream.Close()

	readable := a.req.Tools
	if len(readable) > 0 {
		readable = slices.Concat(readable, a.req.Hidden)
	}
	inText := newTextReader(readable, a.set.format, opensThinking(c.model))
	answer := newAnswer(c.row, speaks, inText, c.newID)
	answer.silent = a.req.Answered
	defer answer.close()
	broken := a.read(ctx, stream, answer)
	if answer.done {
		a.watch.restrict(overLimit)
	}
	if a.left {
		return
	}
	if broken == nil || broken.Kind != KindCancelled {
		a.emit(answer.held(broken == nil && answer.complete()))
	}
	a.tail, a.err = answer.end(broken)
	if a.err != nil {
		a.err = c.clean(a.err)
	}
}

// read passes the stream on, and returns the error that broke it. After the end of the
// answer, errors do not matter any more.
func (a *attempt) read(ctx context.Context, stream *eventBody, answer *answer) *Error {
	for {
		event, err := stream.next()
		switch {
		case a.ctx.Err() != nil:
			return cancelled(context.Cause(a.ctx))
		case errors.Is(err, io.EOF):
			answer.done = true
			return nil
		case errors.Is(err, errNoDone), err != nil && answer.complete() && !errors.Is(err, errTooLarge):
			return nil
		case err != nil:
			return a.client.failure(ctx, err)
		}
		events, stop, failed := answer.read(event)
		a.emit(events)
		if a.left || stop || failed != nil {
			return failed
		}
		if answer.complete() {
			a.watch.restrict(endLimit)
		}
	}
}

// emit passes events on until the caller leaves or ctx ends.
func (a *attempt) emit(events []Event) {
	for _, e := range events {
		if a.left || a.ctx.Err() != nil {
			return
		}
		if e.Call != nil {
			if e.Call.Invalid == "" {
				e.Call.Arguments = restore(e.Call.Arguments, a.renamed[e.Call.Name])
			}
			e.Call.Name = a.names.ownName(e.Call.Name)
		}
		a.emitted, a.left = true, !a.yield(e, nil)
		a.over = e.Type == EventFinish
	}
}

// finish emits the remaining events and the error, unless the caller has left.
func (a *attempt) finish() {
	a.emit(a.tail)
	if a.left || a.over {
		return
	}
	if a.ctx.Err() != nil {
		a.err = cancelled(context.Cause(a.ctx))
	}
	if a.err != nil {
		a.yield(Event{}, a.err)
	}
}

func (c *Client) failure(ctx context.Context, err error) *Error {
	return c.clean(transportError(ctx, err, c.base.Host))
}

// clean removes the key from an error: some servers repeat what they received.
func (c *Client) clean(e *Error) *Error {
	if c.opt.Key.IsZero() {
		return e
	}
	e.Message, e.Code = c.opt.Key.redact(e.Message), c.opt.Key.redact(e.Code)
	if e.Err != nil && strings.Contains(e.Err.Error(), c.opt.Key.secret()) {
		e.Err = errors.New(c.opt.Key.redact(e.Err.Error()))
	}
	return e
}

func (c *Client) newID() string {
	const digits = len(letters)
	var id [9]byte
	for i, bits := 0, c.opt.Random(); i < len(id); i++ {
		id[i] = letters[bits%uint64(digits)]
		bits /= uint64(digits)
	}
	return string(id[:])
}

func (c *Client) lessonKey() lessonKey {
	return lessonKey{c.base.String(), c.model, c.opt.Effort}
}

package relay

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	gonostr "github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy/storage/vector"

	"bowerbird/ndb/nostr"
)

// The limits of comparing two sets (NIP-77).
const (
	negFrame  = 60_000 // bytes of one message before they are written as hex
	negRounds = 20
	// negIDs is how many ids may differ: pages fetch more notes with less traffic.
	negIDs = 5000
)

// ErrTooDifferent is returned by Compare if a large part of the sets differs.
var ErrTooDifferent = errors.New("the sets differ too much to be compared")

// ErrForgotten is returned if the relay no longer knows of the comparison. Khatru also says
// so if our message arrives before it has saved the previous one.
var ErrForgotten = errors.New("the relay no longer knows of the comparison")

// Item is an event in a set.
type Item struct {
	CreatedAt int64
	ID        nostr.ID
}

// Difference is how the relay's set differs from ours.
type Difference struct {
	Missing []nostr.ID // in the relay's set, as it says, and not in ours
	Extra   []nostr.ID // in our set and not in the relay's
}

// Compare finds by NIP-77 how the relay's events for a filter differ from a set of ours,
// whose items must be distinct. The relay is sent only fingerprints of the set, and ids
// where they differ. What it names are mere ids: it need not have the events, and its set
// need not hold all its events.
//
// The error is ErrTooDifferent, an [*Error] (Rejected if the relay cannot compare, also
// with ErrForgotten; NoReply, Misbehaved, or why the connection ended) or that of ctx.
func (c *Conn) Compare(ctx context.Context, filter nostr.Filter, ours []Item) (Difference, error) {
	frame := min(negFrame, (c.limits.Outgoing-256)/2)
	if frame < 4096 {
		return Difference{}, c.fail(TooLarge, "its limit of messages is too low to compare sets", nil)
	}
	n := newSet(ours, frame)
	talk, err := c.negotiate(ctx, filter, n.Start())
	if err != nil {
		return Difference{}, err
	}
	defer talk.close()
	var d Difference
	for range negRounds {
		msg, err := talk.answer(ctx)
		if err != nil {
			return d, err
		}
		if err := checkNegMessage(msg); err != nil {
			return d, c.fail(Misbehaved, "comparing sets: "+err.Error(), nil)
		}
		reply, err := d.reconcile(n, msg)
		if err != nil {
			return d, c.fail(Misbehaved, "comparing sets", err)
		}
		if len(d.Missing)+len(d.Extra) > negIDs {
			return d, ErrTooDifferent
		}
		if reply == "" {
			return d, nil
		}
		talk.send(reply)
	}
	return d, c.fail(Misbehaved, fmt.Sprintf("comparing sets: no end after %d rounds", negRounds), nil)
}

func newSet(items []Item, frame int) *negentropy.Negentropy {
	set := vector.New()
	for _, it := range items {
		set.Insert(gonostr.Timestamp(it.CreatedAt), it.ID.String())
	}
	set.Seal()
	return negentropy.New(set, frame)
}

// reconcile passes a checked message to the library and collects what it finds: the library
// blocks until its findings are read.
func (d *Difference) reconcile(n *negentropy.Negentropy, msg string) (reply string, err error) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		reply, err = n.Reconcile(msg)
	}()
	take := func(to *[]nostr.ID, id string) {
		if parsed, err := nostr.ParseID(id); err == nil { // closed channels return ""
			*to = append(*to, parsed)
		}
	}
	for {
		select {
		case id := <-n.Haves:
			take(&d.Extra, id)
		case id := <-n.HaveNots:
			take(&d.Missing, id)
		case <-done:
			for len(n.Haves) > 0 {
				take(&d.Extra, <-n.Haves)
			}
			for len(n.HaveNots) > 0 {
				take(&d.Missing, <-n.HaveNots)
			}
			return reply, err
		}
	}
}

type negotiation struct {
	conn    *Conn
	id      string
	answers chan negAnswer // buffered: a relay answers each message once
}

type negAnswer struct {
	msg string
	err error
}

func (c *Conn) negotiate(ctx context.Context, filter nostr.Filter, first string) (*negotiation, error) {
	id := newID()
	open, err := json.Marshal([]any{"NEG-OPEN", id, filter, first})
	if err != nil {
		return nil, fmt.Errorf("write NEG-OPEN: %w", err)
	}
	if err := c.takePlace(ctx, "NEG-OPEN", open); err != nil {
		return nil, err
	}
	n := &negotiation{conn: c, id: id, answers: make(chan negAnswer, 1)}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.talks[id] = n
	c.send(outgoing{data: open})
	return n, nil
}

func (n *negotiation) send(msg string) {
	n.conn.mu.Lock()
	defer n.conn.mu.Unlock()
	n.conn.send(outgoing{data: []byte(`["NEG-MSG","` + n.id + `","` + msg + `"]`)}) // both are hex
}

func (n *negotiation) answer(ctx context.Context) (string, error) {
	late := time.NewTimer(n.conn.limits.FirstByte)
	defer late.Stop()
	select {
	case a := <-n.answers:
		return a.msg, a.err
	case <-late.C:
		return "", n.conn.fail(NoReply, fmt.Sprintf("nothing for %v", n.conn.limits.FirstByte), nil)
	case <-n.conn.ctx.Done():
		return "", n.conn.Err()
	case <-ctx.Done():
		return "", ctx.Err()
	}
}

// close ends a comparison, even one that the relay has already ended.
func (n *negotiation) close() {
	c := n.conn
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.talks, n.id)
	c.gone.add(n.id)
	c.send(outgoing{data: []byte(`["NEG-CLOSE","` + n.id + `"]`)})
	<-c.places
}

// answered delivers an answer, and drops one that nobody waits for. c.mu is held.
func (n *negotiation) answered(a negAnswer) {
	select {
	case n.answers <- a:
	default:
	}
}

// negotiated handles NEG-MSG, NEG-ERR, and a CLOSED instead of it. It reports whether the
// message belongs to a comparison, open or ended. c.mu is held.
func (c *Conn) negotiated(m message) bool {
	n := c.talks[m.sub]
	switch {
	case n == nil:
		return c.gone.late(m.sub)
	case m.label == labelNegMsg:
		n.answered(negAnswer{msg: m.text})
	default:
		err := &Error{Kind: Rejected, Relay: c.url, Prefix: prefixOf(m.text), Detail: clean(m.text, maxNoticeText)}
		if m.label == labelNegErr && strings.HasPrefix(strings.ToLower(m.text), "closed") {
			err.Err = ErrForgotten
		}
		n.answered(negAnswer{err: err})
	}
	return true
}

// refuseTalks ends all comparisons because of a NOTICE, which relays send that do not know
// NIP-77. c.mu is held.
func (c *Conn) refuseTalks(text string) {
	for _, n := range c.talks {
		n.answered(negAnswer{err: &Error{Kind: Rejected, Relay: c.url, Detail: clean(text, maxNoticeText)}})
	}
}

var errNegMessage = errors.New("not a message of the protocol")

// checkNegMessage validates a relay's message for the library, which trusts it: it
// allocates space for as many ids as a message announces and panics on numbers that it
// cannot encode again. Bounds must be in order, lengths must not exceed the message, and
// hex digits must be lower case, as ours are.
func checkNegMessage(msg string) error {
	data, err := hex.DecodeString(msg)
	if err != nil || strings.ContainsAny(msg, "ABCDEF") || len(data) == 0 || data[0] != negVersion {
		return errNegMessage
	}
	r := negReader{data: data[1:]}
	var (
		at   uint64
		over bool // the bound without end has come
	)
	for len(r.data) > 0 && !r.bad {
		switch delta := r.number(); {
		case over:
			return errNegMessage
		case delta == 0:
			over = true
		default:
			if at += delta - 1; at > maxNegTime {
				return errNegMessage
			}
		}
		r.skip(r.upTo(32), 1)
		switch r.number() {
		case 0: // skip
		case 1:
			r.skip(16, 1) // a fingerprint
		case 2:
			r.skip(r.number(), 32)
		default:
			return errNegMessage
		}
	}
	if r.bad {
		return errNegMessage
	}
	return nil
}

const (
	negVersion = 0x61
	maxNegTime = 1 << 53
)

// negReader reads the parts of a message. bad is set once it ends too early.
type negReader struct {
	data []byte
	bad  bool
}

// number reads a number in base 128, most significant digit first.
func (r *negReader) number() (v uint64) {
	for i, b := range r.data {
		if v = v<<7 | uint64(b&0x7f); v > maxNegTime+1 {
			break
		}
		if b < 0x80 {
			r.data = r.data[i+1:]
			return v
		}
	}
	r.bad, r.data = true, nil
	return 0
}

// upTo reads a number that must not exceed most.
func (r *negReader) upTo(most uint64) uint64 {
	n := r.number()
	if n > most {
		r.bad, n = true, 0
	}
	return n
}

func (r *negReader) skip(n uint64, size int) {
	if n > uint64(len(r.data)/size) {
		r.bad, r.data = true, nil
		return
	}
	r.data = r.data[int(n)*size:]
}

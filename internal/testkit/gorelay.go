package testkit

import (
	"cmp"
	"encoding/json"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"
	"github.com/nbd-wtf/go-nostr/nip77/negentropy"
)

// GoRelay is an honest relay in this process: it answers filters newest first,
// goes on with what is published later, and can be made to go away and come
// back. For what a real relay does there is NPMRelay; this one counts what it is
// asked, and is quick.
type GoRelay struct {
	URL string // ws://127.0.0.1:PORT

	t    testing.TB
	opt  GoRelayOptions
	addr string

	mu     sync.Mutex
	server *http.Server // nil while it is away
	events []storedEvent
	known  map[string]bool
	stays  map[*stay]bool
	reqs   []string
	dials  int
	left   int // events that may be sent before it goes away; -1 for any number
	no     int // REQs refused
	negs   []string
	up     int64     // bytes of all messages that came
	used   int       // REQs of what Rate permits
	minute time.Time // the last that was counted off
	wg     sync.WaitGroup
}

// GoRelayOptions change what a GoRelay does.
type GoRelayOptions struct {
	Page       int                       // the most events for one filter; 0 for no cap
	Quarter    bool                      // a limit above Page gets a quarter of it, a filter for lists of which there is one each all
	MaxSubs    int                       // subscriptions at one time; more are refused; 0 for any number
	Mute       bool                      // it says nothing to a REQ that it refuses
	MaxMessage int                       // bytes of a REQ; longer ones are refused; 0 for any number
	Refuse     func(nostr.Filter) string // why it will not answer a filter; "" when it will
	LeavesOut  func(*nostr.Event) bool   // events that it holds, names in sets and never gives
	Reads      func(*nostr.Filter)       // makes of a filter what it takes it for
	Info       string                    // the NIP-11 document; "" for none

	// Compares: it compares sets (NIP-77), of the newest CompareCap events that match; 0
	// for all. NegAnswer returns the frames that it answers with, given the message that
	// would be right; nil for that message.
	Compares   bool
	CompareCap int
	NegAnswer  func(sub, right string) [][]byte
	HangUp     bool // it closes the connection after each EOSE
	Rate       Rate // how many REQs it answers
}

// Rate limits the REQs that a relay answers as khatru does: Most of them, and when
// they are used up, More again after each minute.
type Rate struct {
	Most, More int  // 0 for any number
	Notice     bool // a NOTICE is all that it says to the others
	Now        func() time.Time
}

// over reports whether one more is over the limit. r.mu is held.
func (r *GoRelay) over() bool {
	rate := r.opt.Rate
	if rate.Most == 0 {
		return false
	}
	if r.minute.IsZero() {
		r.minute = rate.Now()
	}
	for ; rate.Now().Sub(r.minute) >= time.Minute; r.minute = r.minute.Add(time.Minute) {
		r.used = max(0, r.used-rate.More)
	}
	if r.used >= rate.Most {
		return true
	}
	r.used++
	return false
}

type storedEvent struct {
	event *nostr.Event
	json  []byte
}

// StartGoRelay starts a relay that holds the events, each as JSON. It ends with
// the test.
func StartGoRelay(t testing.TB, opt GoRelayOptions, events ...[]byte) *GoRelay {
	t.Helper()
	r := &GoRelay{t: t, opt: opt, addr: "127.0.0.1:0", known: make(map[string]bool), stays: make(map[*stay]bool), left: -1}
	r.Publish(events...)
	r.Start()
	t.Cleanup(r.Stop)
	return r
}

// Start lets the relay come back after Stop or BreakAfter, at the same address
// and with the same events.
func (r *GoRelay) Start() {
	r.t.Helper()
	listener, err := net.Listen("tcp", r.addr)
	if err != nil {
		r.t.Fatalf("start the relay: %v", err)
	}
	server := &http.Server{Handler: http.HandlerFunc(r.serve)}
	r.mu.Lock()
	r.addr, r.server, r.left = listener.Addr().String(), server, -1
	r.URL = "ws://" + r.addr
	r.mu.Unlock()
	r.wg.Go(func() { _ = server.Serve(listener) }) // until Close
}

// Stop ends the relay and all connections without a word. Doing so twice does no
// harm.
func (r *GoRelay) Stop() {
	r.mu.Lock()
	r.leave()
	r.mu.Unlock()
	r.wg.Wait()
}

// BreakAfter lets the relay end as by Stop when it has sent n more events.
func (r *GoRelay) BreakAfter(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = n
}

// leave closes everything. r.mu is held.
func (r *GoRelay) leave() {
	if r.server != nil {
		_ = r.server.Close()
		r.server = nil
	}
	for s := range r.stays {
		_ = s.peer.conn.Close()
	}
}

// Publish stores events and sends them to whoever waits for them.
func (r *GoRelay) Publish(events ...[]byte) {
	r.t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, data := range events {
		e := new(nostr.Event)
		if err := e.UnmarshalJSON(data); err != nil {
			r.t.Errorf("publish: %v", err)
			return
		}
		if r.known[e.ID] {
			continue
		}
		r.known[e.ID] = true
		r.events = append(r.events, storedEvent{e, data})
		for s := range r.stays {
			s.tell(e, data)
		}
	}
	slices.SortFunc(r.events, func(a, b storedEvent) int {
		return cmp.Or(cmp.Compare(b.event.CreatedAt, a.event.CreatedAt), strings.Compare(a.event.ID, b.event.ID))
	})
}

// REQs returns the REQ messages that came so far, in order.
func (r *GoRelay) REQs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.reqs)
}

// NEGs returns the NEG-OPEN and NEG-MSG messages that came so far, in order.
func (r *GoRelay) NEGs() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.negs)
}

// Received returns how many bytes of messages came.
func (r *GoRelay) Received() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.up
}

// Refused returns how many REQs were over the relay's limits.
func (r *GoRelay) Refused() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.no
}

// Open returns how many connections and subscriptions stand.
func (r *GoRelay) Open() (connections, subscriptions int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for s := range r.stays {
		subscriptions += len(s.subs)
	}
	return len(r.stays), subscriptions
}

// Dials returns how many connections were made.
func (r *GoRelay) Dials() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.dials
}

func (r *GoRelay) serve(w http.ResponseWriter, req *http.Request) {
	if req.Header.Get("Sec-WebSocket-Key") == "" {
		if r.opt.Info == "" {
			http.NotFound(w, req)
			return
		}
		_, _ = w.Write([]byte(r.opt.Info)) // the client may be gone
		return
	}
	p, err := upgrade(w, req, "")
	if err != nil {
		return
	}
	defer p.conn.Close()
	s := &stay{relay: r, peer: p, subs: make(map[string]nostr.Filters), negs: make(map[string]*negentropy.Negentropy)}
	r.mu.Lock()
	if r.server == nil {
		r.mu.Unlock()
		return
	}
	r.stays[s] = true
	r.dials++
	r.wg.Add(1)
	r.mu.Unlock()
	defer r.wg.Done()
	s.talk()
	r.mu.Lock()
	delete(r.stays, s)
	r.mu.Unlock()
}

// stay is one client's connection. Its fields are guarded by relay.mu.
type stay struct {
	relay *GoRelay
	peer  *peer
	subs  map[string]nostr.Filters
	negs  map[string]*negentropy.Negentropy
}

func (s *stay) talk() {
	for {
		data, err := s.peer.next()
		if err != nil {
			return
		}
		s.relay.mu.Lock()
		s.relay.up += int64(len(data))
		s.relay.mu.Unlock()
		var parts []json.RawMessage
		var label, sub string
		if json.Unmarshal(data, &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[0], &label) != nil || json.Unmarshal(parts[1], &sub) != nil {
			continue
		}
		switch label {
		case "CLOSE":
			s.relay.mu.Lock()
			delete(s.subs, sub)
			s.relay.mu.Unlock()
		case "NEG-OPEN", "NEG-MSG", "NEG-CLOSE":
			if !s.compare(label, sub, string(data), parts[2:]) {
				return
			}
		case "REQ":
			var filters nostr.Filters
			if json.Unmarshal([]byte("["+strings.Join(texts(parts[2:]), ",")+"]"), &filters) != nil {
				return
			}
			if !s.answer(sub, string(data), filters) {
				return
			}
		}
	}
}

func texts(parts []json.RawMessage) []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = string(p)
	}
	return out
}

// answer sends what is stored. From here on new events follow.
func (s *stay) answer(sub, req string, filters nostr.Filters) bool {
	r := s.relay
	r.mu.Lock()
	r.reqs = append(r.reqs, req)
	if reason := s.tooMuch(req, filters); reason != "" {
		r.no++
		r.mu.Unlock()
		return r.opt.Mute || s.peer.write(message("CLOSED", sub, reason)) == nil
	}
	if r.over() {
		r.no++
		r.mu.Unlock()
		if r.opt.Rate.Notice {
			return s.peer.write(message("NOTICE", "you are asking too fast, slow down")) == nil
		}
		return s.peer.write(message("CLOSED", sub, "rate-limited: slow down, please")) == nil
	}
	s.subs[sub] = filters
	var page []storedEvent
	for _, f := range filters {
		page = append(page, r.page(f)...)
	}
	broken := r.left >= 0 && len(page) >= r.left
	if r.left >= 0 {
		page = page[:min(len(page), r.left)]
		r.left -= len(page)
	}
	r.mu.Unlock()
	var out []byte
	for _, e := range page {
		out = append(out, eventMessage(sub, e.json)...)
		if len(out) > 64<<10 {
			if s.peer.write(out) != nil {
				return false
			}
			out = out[:0]
		}
	}
	if broken {
		_ = s.peer.write(out)
		r.mu.Lock()
		r.leave()
		r.mu.Unlock()
		return false
	}
	out = append(out, message("EOSE", sub)...)
	if r.opt.HangUp {
		out = append(append(out, frame(opClose|finBit, 2)...), 1000>>8, 1000&0xff)
	}
	return s.peer.write(out) == nil && !r.opt.HangUp
}

// tooMuch returns why a REQ is refused. relay.mu is held.
func (s *stay) tooMuch(req string, filters nostr.Filters) string {
	opt := s.relay.opt
	for _, f := range filters {
		if opt.Refuse == nil {
			break
		}
		if reason := opt.Refuse(f); reason != "" {
			return reason
		}
	}
	switch {
	case opt.MaxSubs > 0 && len(s.subs) >= opt.MaxSubs:
		return "rate-limited: too many subscriptions"
	case opt.MaxMessage > 0 && len(req) > opt.MaxMessage:
		return "invalid: too long"
	}
	return ""
}

// page finds what matches one filter. r.mu is held.
func (r *GoRelay) page(f nostr.Filter) []storedEvent {
	if r.opt.Reads != nil {
		r.opt.Reads(&f)
	}
	return r.matching(f, r.opt.Page, r.opt.LeavesOut)
}

// matching finds what matches a filter, at most its limit and the given one; 0 for no
// such limit. r.mu is held.
func (r *GoRelay) matching(f nostr.Filter, limit int, leavesOut func(*nostr.Event) bool) []storedEvent {
	switch {
	case f.Limit > 0 && (limit == 0 || f.Limit <= limit):
		limit = f.Limit
	case r.opt.Quarter && !slices.ContainsFunc(f.Kinds, func(k int) bool { return k != 0 && k != 3 && (k < 10000 || k >= 20000) }):
		limit = len(f.Kinds) * len(f.Authors)
	case r.opt.Quarter:
		limit /= 4
	}
	authors := make(map[string]bool, len(f.Authors))
	for _, a := range f.Authors {
		authors[a] = true
	}
	rest := f
	rest.Authors = nil
	from := 0
	if f.Until != nil {
		from, _ = slices.BinarySearchFunc(r.events, *f.Until, func(e storedEvent, until nostr.Timestamp) int {
			return cmp.Compare(until, e.event.CreatedAt)
		})
	}
	var page []storedEvent
	for _, e := range r.events[from:] {
		if f.Since != nil && e.event.CreatedAt < *f.Since || limit > 0 && len(page) == limit {
			break
		}
		if leavesOut != nil && leavesOut(e.event) {
			continue
		}
		if (f.Authors == nil || authors[e.event.PubKey]) && rest.Matches(e.event) {
			page = append(page, e)
		}
	}
	return page
}

// tell sends an event to the subscriptions that it matches. relay.mu is held.
func (s *stay) tell(e *nostr.Event, data []byte) {
	for sub, filters := range s.subs {
		if filters.Match(e) {
			_ = s.peer.write(eventMessage(sub, data)) // a client that is gone ends its stay itself
		}
	}
}

// eventMessage makes a frame, with the event as it was published.
func eventMessage(sub string, event []byte) []byte {
	id, _ := json.Marshal(sub) // a string has a JSON form
	text := make([]byte, 0, len(event)+len(id)+12)
	text = append(append(append(append(append(text, `["EVENT",`...), id...), ','), event...), ']')
	return append(frame(opText|finBit, uint64(len(text))), text...)
}

package testkit

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/nbd-wtf/go-nostr"
)

// Hostile is a relay on loopback that misbehaves as the path of its URL says; see
// Ways. In all that its way does not touch it is an honest relay, which answers
// filters newest first, so that a client can be held to what it must get.
type Hostile struct {
	server *httptest.Server
	t      testing.TB
	done   chan struct{} // closed when the test ends
	wg     sync.WaitGroup

	events   []*nostr.Event // newest first, equal times by lowest id
	releases chan struct{}

	mu    sync.Mutex
	got   []string
	peers map[*peer]bool
	dials map[string]int // handshakes by way
}

// StartHostile starts a relay that holds the events, each as JSON. It ends with
// the test.
func StartHostile(t testing.TB, events ...[]byte) *Hostile {
	t.Helper()
	h := &Hostile{
		t: t, done: make(chan struct{}), releases: make(chan struct{}, 1000),
		peers: make(map[*peer]bool), dials: make(map[string]int),
	}
	for _, data := range events {
		e := new(nostr.Event)
		if err := e.UnmarshalJSON(data); err != nil {
			t.Fatal(err)
		}
		h.events = append(h.events, e)
	}
	slices.SortFunc(h.events, func(a, b *nostr.Event) int {
		if a.CreatedAt != b.CreatedAt {
			return int(b.CreatedAt - a.CreatedAt)
		}
		return strings.Compare(a.ID, b.ID)
	})
	h.server = httptest.NewServer(http.HandlerFunc(h.serve))
	t.Cleanup(h.stop)
	return h
}

func (h *Hostile) stop() {
	close(h.done)
	h.mu.Lock()
	for p := range h.peers {
		p.conn.Close()
	}
	h.mu.Unlock()
	h.server.Close()
	h.wg.Wait()
}

// At returns the URL of the relay that misbehaves in the given way.
func (h *Hostile) At(way string) string {
	if _, _, ok := find(way); !ok {
		h.t.Fatalf("a hostile relay knows no way %q", way)
	}
	return "ws" + strings.TrimPrefix(h.server.URL, "http") + "/" + way
}

// Got returns the messages that clients sent so far, in order.
func (h *Hostile) Got() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.got)
}

// Dials returns how many clients came to the relay of a way.
func (h *Hostile) Dials(way string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dials[way]
}

// Release lets go one thing that a slow way holds back, now or when it comes to it.
func (h *Hostile) Release() { h.releases <- struct{}{} }

// held waits for Release, and reports false when the test ends first.
func (h *Hostile) held() bool {
	select {
	case <-h.releases:
		return true
	case <-h.done:
		return false
	}
}

func (h *Hostile) serve(w http.ResponseWriter, r *http.Request) {
	name := strings.Trim(r.URL.Path, "/")
	way, n, ok := find(name)
	if !ok {
		http.NotFound(w, r)
		return
	}
	h.mu.Lock()
	h.dials[name]++
	h.mu.Unlock()
	if way.http != nil {
		way.http(w, r, n)
		return
	}
	p, err := upgrade(w, r, way.accept)
	if err != nil {
		return
	}
	// A hijacked connection is no longer the server's to wait for.
	h.wg.Add(1)
	defer h.wg.Done()
	h.mu.Lock()
	h.peers[p] = true
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.peers, p)
		h.mu.Unlock()
		p.conn.Close()
	}()
	if way.accept != "" {
		return
	}
	if way.deaf {
		<-h.done
		return
	}
	p.pongs = !way.mute
	v := &visit{h: h, peer: p, way: way, n: n}
	v.talk()
}

// visit is one client's stay.
type visit struct {
	h    *Hostile
	peer *peer
	way  way
	n    int // the number at the end of the way's name
	reqs int
	open []string       // subscriptions, the oldest first
	busy sync.WaitGroup // answers under way
}

func (v *visit) talk() {
	defer v.busy.Wait()
	for {
		data, err := v.peer.next()
		if err != nil {
			v.peer.conn.Close() // ends what an answer is writing
			return
		}
		v.h.mu.Lock()
		v.h.got = append(v.h.got, string(data))
		v.h.mu.Unlock()
		var parts []json.RawMessage
		var label, sub string
		if json.Unmarshal(data, &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[0], &label) != nil || json.Unmarshal(parts[1], &sub) != nil {
			continue
		}
		switch label {
		case "CLOSE":
			v.open = slices.DeleteFunc(v.open, func(s string) bool { return s == sub })
		case "REQ":
			v.reqs++
			req := request{visit: v, sub: sub, page: v.h.page(parts[2:]), number: v.reqs}
			if req.excess = v.way.maxSubs && len(v.open) >= v.n; !req.excess {
				v.open = append(v.open, sub)
			}
			v.busy.Go(func() {
				if v.way.answer == nil {
					req.honest()
				} else if !v.way.answer(&req) {
					v.peer.conn.Close()
				}
			})
		}
	}
}

// page is what an honest relay answers to the filters.
func (h *Hostile) page(filters []json.RawMessage) []*nostr.Event {
	var page []*nostr.Event
	seen := make(map[string]bool)
	for _, raw := range filters {
		var f nostr.Filter
		if err := json.Unmarshal(raw, &f); err != nil {
			continue
		}
		left := f.Limit
		if left == 0 && !f.LimitZero {
			left = len(h.events)
		}
		for _, e := range h.events {
			if left == 0 {
				break
			}
			if f.Matches(e) {
				left--
				if !seen[e.ID] {
					seen[e.ID] = true
					page = append(page, e)
				}
			}
		}
	}
	return page
}

// request is a REQ and what an honest relay would send for it.
type request struct {
	*visit
	sub    string
	page   []*nostr.Event
	number int  // of the visit, from 1
	excess bool // one more than the way permits
}

// say sends a message made of the parts, and reports whether the client took it.
func (r *request) say(parts ...any) bool {
	return r.peer.write(message(parts...)) == nil
}

func (r *request) event(e *nostr.Event) bool { return r.say("EVENT", r.sub, raw(e)) }

func (r *request) eose() bool { return r.say("EOSE", r.sub) }

func (r *request) events(page []*nostr.Event) bool {
	for _, e := range page {
		if !r.event(e) {
			return false
		}
	}
	return true
}

func (r *request) honest() bool { return r.events(r.page) && r.eose() }

// raw is an event as NIP-01 writes it, so that lies about it stay lies.
func raw(e *nostr.Event) json.RawMessage {
	data, err := e.MarshalJSON()
	if err != nil {
		panic("testkit: " + err.Error()) // it was read from JSON
	}
	return data
}

// find returns the way of a name, with the number that may stand at its end.
func find(name string) (way, int, bool) {
	if w, ok := ways[name]; ok {
		return w, 0, true
	}
	i := strings.LastIndexByte(name, '-')
	if i < 0 {
		return way{}, 0, false
	}
	n, err := strconv.Atoi(name[i+1:])
	w, ok := ways[name[:i]+"-N"]
	return w, n, ok && err == nil
}

// Ways returns the names of all ways to misbehave, sorted; -N at the end of one
// stands for a number.
func Ways() []string {
	var names []string
	for name := range ways {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

package testkit

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"

	"github.com/nbd-wtf/go-nostr"
)

// way is one way to misbehave.
type way struct {
	// http answers the handshake in place of a WebSocket.
	http func(w http.ResponseWriter, r *http.Request, n int)
	// accept overrides the handshake's proof.
	accept string
	// mute leaves pings unanswered.
	mute bool
	// deaf reads nothing after the handshake.
	deaf bool
	// maxSubs makes the number in the name that of subscriptions at one time.
	maxSubs bool
	// answer answers a REQ; false cuts the connection.
	answer func(r *request) bool
}

// ways are all ways, by the path of the URL.
var ways = map[string]way{
	"honest":  {},
	"no-pong": {mute: true},
	"finish":  {answer: func(r *request) bool { return r.events(r.page) && r.say("EOSE", r.sub, "finish") }},
	"more":    {answer: func(r *request) bool { return r.events(r.page) && r.say("EOSE", r.sub, "more") }},

	// Lies about events.
	"bad-sig":    {answer: lie(func(e *nostr.Event, _ []*nostr.Event, _ int) { e.Sig = flip(e.Sig) })},
	"wrong-id":   {answer: lie(func(e *nostr.Event, all []*nostr.Event, i int) { e.ID = all[(i+1)%len(all)].ID })},
	"wrong-key":  {answer: lie(func(e *nostr.Event, _ []*nostr.Event, _ int) { e.PubKey = flip(e.PubKey) })},
	"no-tags":    {answer: each(func(r *request, e *nostr.Event) bool { return r.patched(e, `"tags":[]`, `"nothing":[]`) })},
	"bad-time":   {answer: each(func(r *request, e *nostr.Event) bool { return r.patched(e, `"created_at":`, `"created_at":-`) })},
	"bad-json":   {answer: each(func(r *request, e *nostr.Event) bool { return r.patched(e, `"`, ``) })},
	"wrong-sub":  {answer: each(func(r *request, e *nostr.Event) bool { return r.say("EVENT", "1", raw(e)) })},
	"off-filter": {answer: func(r *request) bool { return r.events(r.h.events) && r.eose() }},
	"dupes": {answer: func(r *request) bool {
		return r.events(slices.Concat(r.page, r.page)) && r.eose()
	}},

	// Too much.
	"flood": {answer: func(r *request) bool {
		for len(r.page) > 0 && r.events(r.page) {
		}
		return false
	}},
	"closed-flood": {answer: func(r *request) bool {
		for r.say("CLOSED", "1", "error: go away") {
		}
		return false
	}},
	"notices": {answer: func(r *request) bool {
		for i := range 200 {
			r.say("NOTICE", fmt.Sprintf("\x1b[31m\u202enumber\n %d\u200b", i))
		}
		return r.honest()
	}},
	"odd-notices": {answer: func(r *request) bool {
		return r.say("NOTICE") && r.say("NOTICE", []int{1}) && r.say("WHAT", 7) && r.say("OK", "x") && r.honest()
	}},
	"ping-flood": {answer: func(r *request) bool {
		for r.peer.write(frame(opPing|finBit, 4), []byte("ping")) == nil {
		}
		return false
	}},

	// Too little.
	"no-reply":   {answer: func(*request) bool { return true }},
	"never-eose": {answer: func(r *request) bool { return r.events(r.page) }},
	"slow-eose":  {answer: func(r *request) bool { return r.events(r.page) && r.h.held() && r.eose() }},
	"silent":     {mute: true, answer: func(*request) bool { return true }},
	"drip": {answer: func(r *request) bool {
		for _, e := range r.page {
			if !r.h.held() || !r.event(e) {
				return false
			}
		}
		return r.eose()
	}},
	// In one write, so that no pong comes between.
	"eose-first": {answer: func(r *request) bool {
		all := message("EOSE", r.sub)
		for _, e := range r.page {
			all = append(all, message("EVENT", r.sub, raw(e))...)
		}
		return r.peer.write(all) == nil
	}},
	"cap-N": {answer: func(r *request) bool { return r.events(r.page[:min(r.n, len(r.page))]) && r.eose() }},
	"no-limit": {answer: func(r *request) bool {
		for range 20 {
			if !r.events(r.page) {
				return false
			}
		}
		return r.eose()
	}},
	"random-order": {answer: func(r *request) bool {
		page := slices.Clone(r.page)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(page), func(i, j int) { page[i], page[j] = page[j], page[i] })
		return r.events(page) && r.eose()
	}},
	"rising": {answer: func(r *request) bool {
		page := slices.Clone(r.page)
		slices.Reverse(page)
		return r.events(page) && r.eose()
	}},

	// Refusals.
	"closed": {answer: func(r *request) bool { return r.say("CLOSED", r.sub, "error: cannot\x07 do that") }},
	// In one write, so that no pong comes between.
	"eose-closed": {answer: func(r *request) bool {
		return r.events(r.page) && r.peer.write(slices.Concat(message("EOSE", r.sub), message("CLOSED", r.sub, "all is sent"))) == nil
	}},
	"closed-odd": {answer: func(r *request) bool { return r.say("CLOSED", r.sub) }},
	"closed-mid": {answer: func(r *request) bool { return r.half() && r.say("CLOSED", r.sub, "error: shutting down") }},
	"auth": {answer: func(r *request) bool {
		return r.say("AUTH", "challenge") && r.say("CLOSED", r.sub, "auth-required: who are you?")
	}},
	"too-many": {answer: func(r *request) bool { return r.say("NOTICE", "ERROR: too many concurrent REQs") }},
	"max-subs-N": {maxSubs: true, answer: func(r *request) bool {
		if r.excess {
			return r.say("CLOSED", r.sub, "rate-limited: too many subscriptions")
		}
		return r.honest()
	}},
	"unsolicited": {answer: func(r *request) bool {
		return r.say("CLOSED", "1", "x") && r.say("EOSE", "1") && r.say("EOSE", "sub1") && r.honest()
	}},

	// Cuts.
	"drop-first": {answer: func(r *request) bool { return r.number > 1 && r.honest() }},
	"drop-mid":   {answer: func(r *request) bool { r.half(); return false }},
	"goodbye": {answer: func(r *request) bool {
		_ = r.peer.write(frame(opClose|finBit, 2+7), []byte{1000 >> 8, 1000 & 0xff}, []byte("restart"))
		return true
	}},

	// Against the WebSocket protocol.
	"binary":      {answer: sends(frame(opBinary|finBit, 4), []byte("true"))},
	"bad-frame":   {answer: sends(frame(0x70|opText|finBit, 4), []byte("true"))},
	"bad-deflate": {answer: sends(frame(0x40|opText|finBit, 4), []byte("true"))},
	"huge-length": {answer: sends(frame(opText|finBit, 1<<62), []byte(`["NOTICE","`))},
	"huge-frame":  {answer: sends(frame(opText|finBit, 2<<20), bytes.Repeat([]byte(" "), 2<<20))},
	"half-frame":  {answer: sends(frame(opText|finBit, 1000), []byte(`["NOTICE","`))},
	"fragments": {answer: func(r *request) bool {
		for err := r.peer.write(frame(opText, 1), []byte("[")); err == nil; {
			err = r.peer.write(frame(opContinue, 1<<10), bytes.Repeat([]byte(" "), 1<<10))
		}
		return false
	}},
	"empty-fragments": {answer: func(r *request) bool {
		for err := r.peer.write(frame(opText, 1), []byte("[")); err == nil; {
			err = r.peer.write(frame(opContinue, 0))
		}
		return false
	}},
	"bad-accept": {accept: "bm90IHRoaXMgb25lIGhlcmU="}, // and then hangs up
	"no-read":    {deaf: true},                         // takes the handshake and nothing more

	// Against HTTP.
	"http-N": {http: func(w http.ResponseWriter, _ *http.Request, n int) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(n)
	}},
	"redirect": {http: func(w http.ResponseWriter, r *http.Request, _ int) {
		http.Redirect(w, r, "/honest", http.StatusFound)
	}},
	"header-flood": {http: func(w http.ResponseWriter, _ *http.Request, _ int) {
		for i := range 2000 {
			w.Header().Set("X-"+strconv.Itoa(i), string(bytes.Repeat([]byte("x"), 100)))
		}
		w.WriteHeader(http.StatusSwitchingProtocols)
	}},

	// NIP-11.
	"info-good":  document(`{"name":"a\u202eb","software":"s","version":"1","supported_nips":[1,"11",42.0],"limitation":{"max_limit":500,"max_subscriptions":"20","max_message_length":65536,"auth_required":true}}`),
	"info-odd":   document(`{"name":7,"supported_nips":"all","limitation":{"max_limit":-5,"max_subscriptions":1e300,"max_message_length":[1],"auth_required":"yes"}}`),
	"info-array": document(`[]`),
	"info-endless": {http: func(w http.ResponseWriter, _ *http.Request, _ int) {
		for _, err := w.Write([]byte(`{"name":"`)); err == nil; {
			_, err = w.Write(bytes.Repeat([]byte("x"), 4096))
		}
	}},
}

// each answers with every event of the page in a way of its own.
func each(send func(r *request, e *nostr.Event) bool) func(*request) bool {
	return func(r *request) bool {
		for _, e := range r.page {
			if !send(r, e) {
				return false
			}
		}
		return r.eose()
	}
}

// lie answers with changed copies of the page's events.
func lie(change func(e *nostr.Event, all []*nostr.Event, i int)) func(*request) bool {
	return func(r *request) bool {
		for i, e := range r.page {
			e := *e
			change(&e, r.page, i)
			if !r.event(&e) {
				return false
			}
		}
		return r.eose()
	}
}

// sends answers with raw bytes.
func sends(parts ...[]byte) func(*request) bool {
	return func(r *request) bool { return r.peer.write(slices.Clone(parts)...) == nil }
}

func document(body string) way {
	return way{http: func(w http.ResponseWriter, _ *http.Request, _ int) {
		_, _ = w.Write([]byte(body))
	}}
}

// patched sends an event after a change to its JSON.
func (r *request) patched(e *nostr.Event, from, to string) bool {
	data := bytes.Replace(raw(e), []byte(from), []byte(to), 1)
	return r.peer.send(fmt.Appendf(nil, `["EVENT",%q,%s]`, r.sub, data)) == nil
}

// message makes a whole text frame of the parts.
func message(parts ...any) []byte {
	data, err := json.Marshal(parts)
	if err != nil {
		panic("testkit: " + err.Error()) // strings and events have a JSON form
	}
	return append(frame(opText|finBit, uint64(len(data))), data...)
}

// half sends the first half of the page.
func (r *request) half() bool { return r.events(r.page[:len(r.page)/2]) }

// flip changes the last hex digit.
func flip(hex string) string {
	last := "0"
	if hex[len(hex)-1] == '0' {
		last = "1"
	}
	return hex[:len(hex)-1] + last
}

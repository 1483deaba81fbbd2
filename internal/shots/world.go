package main

import (
	"net/http"
	"os"
	"slices"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/sample"
	"bowerbird/ndb/nostr"
)

// Hosts of relays.
const (
	bower = "bower.example" // where most write, and all lists are
	nos   = "nos.example"
	notes = "notes.example"
	paid  = "paid.example" // for those who log in
	slow  = "slow.example" // does not answer
	gone  = "gone.example" // has no address any more
)

// world is the sample's people, as somebody finds them who fetches their notes: on
// relays.
type world struct {
	npub   string            // of the reader
	relays map[string]*relay // by their hosts
	// rest, closed, lets the last notes of the relay bower through.
	rest chan struct{}
}

// writesTo says where the sample's people write, one after the other.
func writesTo() func(handle string) []string {
	n := -1
	return func(string) []string {
		n++
		switch n % 30 {
		case 7, 22:
			return []string{"wss://" + paid}
		case 11:
			return []string{"wss://" + gone}
		case 16, 27:
			return []string{"wss://" + slow}
		}
		switch n % 8 {
		case 1, 3:
			return []string{"wss://" + nos, "wss://" + notes}
		case 5, 7:
			return []string{"wss://" + bower, "wss://" + nos}
		case 6:
			return []string{"wss://" + notes}
		}
		return []string{"wss://" + bower}
	}
}

func newWorld() (*world, error) {
	made, err := sample.Make(sample.Options{Now: clock, Seed: 1, Relays: writesTo()})
	if err != nil {
		return nil, err
	}
	w := &world{npub: made.Me.Npub(), relays: map[string]*relay{}, rest: make(chan struct{})}
	writes := map[nostr.PubKey][]string{}
	for _, e := range made.Events {
		for _, t := range e.Tags {
			if e.Kind == 10002 && t[0] == "r" {
				writes[e.PubKey] = append(writes[e.PubKey], t[1])
			}
		}
	}
	for host, takes := range map[string]time.Duration{bower: 86, nos: 116, notes: 236, paid: 96, slow: 0} {
		w.relays[host] = newRelay(made.Events, func(e *nostr.Event) bool {
			return host == bower && isList(e.Kind) || slices.Contains(writes[e.PubKey], "wss://"+host)
		})
		w.relays[host].takes = takes * time.Millisecond
	}
	w.relays[slow].away, w.relays[paid].members = true, true
	w.relays[bower].waits = func(filters []nostr.Filter) <-chan struct{} {
		if isLast(filters) {
			return w.rest
		}
		return nil
	}
	return w, nil
}

// isList reports whether events of a kind say who somebody is, and where.
func isList(kind uint16) bool { return kind == 0 || kind == 3 || kind >= 10000 && kind < 20000 }

// forNotes reports whether filters ask for what people wrote in a stretch of time.
func forNotes(filters []nostr.Filter) bool {
	f := filters[0]
	return len(f.Authors) > 0 && f.Since != nil && f.Until != nil && slices.Contains(f.Kinds, 1)
}

// isLast reports whether they ask for the last of what a first sync asks for.
func isLast(filters []nostr.Filter) bool {
	return forNotes(filters) && *filters[0].Since <= clock.Add(-3*24*time.Hour).Unix()
}

// never is a wait for what does not come.
func never() <-chan struct{} { return make(chan struct{}) }

// internet returns the network that all worlds stand in, one after the other: that of
// the first of them, since a process reads only once whose certificates it believes.
var internet = func() func(*world) (*network, error) {
	var n *network
	return func(w *world) (*network, error) {
		if n != nil {
			return n, nil
		}
		var names []string
		for name := range w.relays {
			names = append(names, name)
		}
		var err error
		n, err = startNetwork(os.Getenv("HOME"), names)
		return n, err
	}
}()

// hosts are those of the world for a network.
func (w *world) hosts() map[string]http.Handler {
	all := map[string]http.Handler{}
	for name, r := range w.relays {
		all[name] = r
	}
	return all
}

// settings are those of somebody who reads as the sample's person.
func (w *world) settings() config.Settings {
	return config.Settings{
		Person: config.Person{Key: w.npub},
		Sync:   config.Sync{Indexers: []string{"wss://" + bower}},
	}
}

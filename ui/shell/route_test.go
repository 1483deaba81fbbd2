package shell

import (
	"testing"

	"bowerbird/ndb/nostr"
)

func TestWhatStandsWhere(t *testing.T) {
	thread := entry{kind: threadEntry, note: nostr.ID{1}}
	for _, tc := range []struct {
		name         string
		go_          func(*route)
		wide         bool
		column, main string
	}{
		{"the assistant stands beside home", func(*route) {}, true, "home", "assistant"},
		{"narrow, the assistant stands alone", func(*route) {}, false, "", "assistant"},
		{"home invites to choose a note", func(r *route) { r.enter(home) }, true, "home", "nothing"},
		{"narrow, home stands alone", func(r *route) { r.enter(home) }, false, "", "home"},
		{"a thread opens beside home", func(r *route) { r.enter(home); r.open(thread) }, true, "home", "thread"},
		{"narrow, a thread covers home", func(r *route) { r.enter(home); r.open(thread) }, false, "", "thread"},
		{"a source covers the chat", func(r *route) { r.open(thread) }, true, "home", "thread"},
		{"back from the source is the chat", func(r *route) { r.open(thread); r.back() }, true, "home", "assistant"},
		{"search stands in the column", func(r *route) { r.enter(search) }, true, "search", "nothing"},
		{"relays take the whole width", func(r *route) { r.enter(relays) }, true, "", "relays"},
		{"settings take the whole width", func(r *route) { r.enter(settings) }, false, "", "settings"},
		{"each place keeps what was opened", func(r *route) {
			r.enter(home)
			r.open(thread)
			r.enter(search)
			r.enter(home)
		}, true, "home", "thread"},
		{"entering again leads to the beginning", func(r *route) {
			r.enter(home)
			r.open(thread)
			r.enter(home)
		}, true, "home", "nothing"},
		{"the assistant is where one asks", func(r *route) {
			r.open(thread)
			r.enter(home)
			r.enter(assistant)
		}, true, "home", "assistant"},
		{"the same thread is not opened twice", func(r *route) { r.open(thread); r.open(thread); r.back() }, true, "home", "assistant"},
	} {
		r := newRoute(assistant)
		tc.go_(r)
		column, has, main := r.visible(tc.wide)
		if got := name(column, has); got != tc.column {
			t.Errorf("%s: column %q, want %q", tc.name, got, tc.column)
		}
		if got := name(main, true); got != tc.main {
			t.Errorf("%s: main %q, want %q", tc.name, got, tc.main)
		}
	}
}

func name(p pane, has bool) string {
	switch {
	case !has:
		return ""
	case p.entry != nil:
		return string(p.entry.kind)
	case p.nothing():
		return "nothing"
	}
	return string(p.place)
}

func TestTheWayBackIsBounded(t *testing.T) {
	r := newRoute(home)
	for i := range 3 * mostEntries {
		r.open(entry{kind: threadEntry, note: nostr.ID{byte(i), 1}})
	}
	n := 0
	for r.back() {
		n++
	}
	if n != mostEntries {
		t.Errorf("%d steps back, want %d", n, mostEntries)
	}
	if r.back() {
		t.Error("went back from the beginning")
	}
}

func TestAnEntryIsAliveWhileItIsOnSomeWayBack(t *testing.T) {
	r := newRoute(home)
	e := entry{kind: profileEntry, who: nostr.PubKey{7}}
	r.open(e)
	r.enter(search)
	if !r.alive(e) {
		t.Error("not alive while another place is shown")
	}
	r.enter(home)
	r.back()
	if r.alive(e) {
		t.Error("alive after going back")
	}
}

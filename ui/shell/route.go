package shell

import (
	"bowerbird/ndb/nostr"
)

// place is what the rail leads to.
type place string

const (
	assistant place = "assistant"
	home      place = "home"
	search    place = "search"
	relays    place = "relays"
	settings  place = "settings"
)

// entryKind is what was opened on top of a place.
type entryKind string

const (
	threadEntry  entryKind = "thread"
	profileEntry entryKind = "profile"
	articleEntry entryKind = "article"
)

// entry is a thread, a profile or an article that was opened.
type entry struct {
	kind entryKind
	note nostr.ID     // thread, article
	who  nostr.PubKey // profile
}

// pane is what the column or the main part of the window shows.
type pane struct {
	place place // the screen of a place; "" for an entry or nothing
	entry *entry
}

// nothing reports whether the pane only invites the user to choose a note.
func (p pane) nothing() bool { return p.place == "" && p.entry == nil }

// mostEntries limits the way back of one place.
const mostEntries = 30

// route is where the user is: a place, and what was opened from each place. It is plain
// data; the shell draws what visible returns.
type route struct {
	at     place
	opened map[place][]entry
}

func newRoute(at place) *route {
	return &route{at: at, opened: map[place][]entry{}}
}

// enter goes to a place, and to what was open there. Entering the place that is shown
// returns to its beginning, and so does entering the assistant: the user wants to ask.
func (r *route) enter(p place) {
	if r.at == p || p == assistant {
		delete(r.opened, p)
	}
	r.at = p
}

// open opens an entry, unless it is open already.
func (r *route) open(e entry) {
	stack := r.opened[r.at]
	if len(stack) > 0 && stack[len(stack)-1] == e {
		return
	}
	stack = append(stack, e)
	if len(stack) > mostEntries {
		stack = stack[len(stack)-mostEntries:]
	}
	r.opened[r.at] = stack
}

// back closes the last entry, and reports whether there was one.
func (r *route) back() bool {
	stack := r.opened[r.at]
	if len(stack) == 0 {
		return false
	}
	r.opened[r.at] = stack[:len(stack)-1]
	return true
}

// closeAll closes what was opened from the place that is shown.
func (r *route) closeAll() { delete(r.opened, r.at) }

// top returns what was opened last from the place that is shown; nil for nothing.
func (r *route) top() *entry {
	stack := r.opened[r.at]
	if len(stack) == 0 {
		return nil
	}
	e := stack[len(stack)-1]
	return &e
}

// alive reports whether an entry is on the way back of any place.
func (r *route) alive(e entry) bool {
	for _, stack := range r.opened {
		for _, other := range stack {
			if other == e {
				return true
			}
		}
	}
	return false
}

// visible returns what to draw. A wide window has a column beside the main part; a narrow
// one shows only the last entry or the place.
func (r *route) visible(wide bool) (column pane, hasColumn bool, main pane) {
	main = pane{entry: r.top()}
	switch r.at {
	case relays, settings:
		if main.entry == nil {
			main.place = r.at
		}
		return pane{}, false, main
	case search:
		column = pane{place: search}
	default:
		column = pane{place: home}
		if r.at == assistant && main.entry == nil {
			main.place = assistant
		}
	}
	if wide {
		return column, true, main
	}
	if main.nothing() {
		main = column
	}
	return pane{}, false, main
}

package llm

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"bowerbird/llm/internal/jsonfix"
)

// assembler assembles tool calls from their pieces. Servers disagree on how to identify the
// call that a piece belongs to; [assembler.slot] has the rules.
type assembler struct {
	slots   []*slot
	touched map[*slot]bool // by the current delta
}

// maxCalls limits the calls of one answer.
const maxCalls = 256

// slot is a call of which pieces arrive.
type slot struct {
	label    int
	labelled bool
	id, name string
	pieces   []string
	size     int     // bytes in pieces
	balance  balance // of pieces
	whole    bool    // the last piece was JSON, and is complete
	extra    json.RawMessage
	reported bool // by EventToolBegun
}

func (a *assembler) add(deltas []callDelta) {
	a.touched = nil
	for _, d := range deltas {
		s := a.slot(d)
		if s == nil {
			if d.empty() || len(a.slots) >= maxCalls {
				continue
			}
			s = &slot{label: d.index, labelled: d.hasIndex}
			a.slots = append(a.slots, s)
		}
		if a.touched == nil {
			a.touched = map[*slot]bool{}
		}
		a.touched[s] = true
		s.add(d)
	}
}

// empty reports whether a piece contains nothing. Some servers send an empty one with every
// chunk or after the last call.
func (d callDelta) empty() bool {
	return d.id == "" && d.name == "" && (d.args == "" || d.args == "{}")
}

// addWhole adds complete calls, of which some pieces may have been received already: a call
// must not run without arguments that are only there.
func (a *assembler) addWhole(all []callDelta) {
	a.touched = nil
	for i, d := range all {
		s := a.byID(d)
		if s == nil && i < len(a.slots) && (a.slots[i].name == d.name || a.slots[i].name == "") {
			s = a.slots[i]
		}
		switch {
		case s == nil && (d.empty() || len(a.slots) >= maxCalls):
		case s == nil:
			s = &slot{label: d.index, labelled: d.hasIndex}
			s.add(d)
			a.slots = append(a.slots, s)
		case !s.complete() || s.joined() == "{}":
			d.argsJSON = true
			s.add(d)
		}
	}
}

// slot returns the call that a piece belongs to: by id, else by index, else the last one. It
// returns nil if a new call begins.
func (a *assembler) slot(d callDelta) *slot {
	s, known := a.byID(d), true
	if s == nil {
		s, known = a.byLabel(d), false
	}
	switch {
	case s == nil:
		return nil
	case d.name != "" && a.touched[s]:
		return nil // two named entries of one delta are two calls
	case known:
		if d.name != "" && (s.otherCall(d) || s.startsAnew(d)) {
			return nil // one id for several calls
		}
	case d.id != "" && s.id != "":
		if s.endedBy(d) {
			return nil
		}
	case d.name != "" && s.startsAnew(d):
		return nil
	}
	return s
}

func (a *assembler) byID(d callDelta) *slot {
	if d.id == "" {
		return nil
	}
	var found *slot
	for _, s := range a.slots {
		if s.id != d.id {
			continue
		}
		if d.hasIndex && s.labelled && s.label == d.index {
			return s
		}
		found = s
	}
	return found
}

func (a *assembler) byLabel(d callDelta) *slot {
	if len(a.slots) == 0 {
		return nil
	}
	last := a.slots[len(a.slots)-1]
	if !d.hasIndex {
		return last
	}
	for i := len(a.slots) - 1; i >= 0; i-- {
		if s := a.slots[i]; s.labelled && s.label == d.index {
			return s
		}
	}
	switch {
	case !last.labelled && (d.name == "" || last.name == ""):
		return last // whose index was still missing
	case d.id == "" && d.name == "" && last.name != "" && !last.complete():
		return last // only the index differs, so it is wrong
	}
	return nil
}

func (s *slot) otherCall(d callDelta) bool {
	return d.hasIndex && s.labelled && d.index != s.label &&
		(d.name != s.name || !s.begun() || s.complete())
}

// endedBy reports whether another id with the same index begins a new call: some servers
// invent a new id for every piece.
func (s *slot) endedBy(d callDelta) bool {
	switch {
	case d.name == "":
		return s.complete()
	case s.name == "":
		return s.begun()
	}
	return d.name != s.name || !s.begun() || s.complete()
}

// startsAnew reports whether a piece with a name, but without a usable id, begins a new call:
// the previous one has its arguments, and this does not repeat it.
func (s *slot) startsAnew(d callDelta) bool {
	if s.name == "" || !s.begun() {
		return false
	}
	if d.name != s.name {
		return true
	}
	if !s.complete() || !strings.HasPrefix(strings.TrimSpace(d.args), "{") {
		return false
	}
	if last := s.pieces[len(s.pieces)-1]; d.args == last || last == "{}" {
		return false
	}
	return len(d.args) != s.size || d.args != s.joined()
}

func (s *slot) begun() bool { return len(s.pieces) > 0 }

func (s *slot) complete() bool { return s.balance.done() }

func (s *slot) add(d callDelta) {
	if s.id == "" {
		s.id = d.id
	}
	if !s.labelled && d.hasIndex {
		s.label, s.labelled = d.index, true
	}
	if present(d.extra) {
		s.extra = d.extra
	}
	s.addName(d.name)
	if d.args == "" || d.args == "{}" && s.begun() && (d.argsJSON || s.whole) {
		return // an empty object does not replace arguments
	}
	if d.argsJSON || s.whole {
		s.pieces, s.size, s.balance = nil, 0, balance{}
	}
	s.whole = d.argsJSON
	s.pieces = append(s.pieces, d.args)
	s.size += len(d.args)
	s.balance.feed([]byte(d.args))
}

// addName adds a piece of the name: some servers split it, some repeat it with every piece,
// and some extend it each time.
func (s *slot) addName(piece string) {
	switch {
	case piece == "" || piece == s.name:
	case s.name == "" || strings.HasPrefix(piece, s.name):
		if s.name == "" || !s.begun() {
			s.name = piece
		}
	case !s.begun():
		s.name += piece
	}
}

func (s *slot) joined() string { return strings.Join(s.pieces, "") }

// text returns the arguments: all pieces joined if that is valid JSON; else the last one, if
// each extends the one before or the last one all others; else all without an empty object
// that some servers send first or last.
func (s *slot) text() string {
	joined := s.joined()
	if len(s.pieces) < 2 || json.Valid([]byte(joined)) {
		return joined
	}
	first, last := s.pieces[0], s.pieces[len(s.pieces)-1]
	before, behind := joined[:len(joined)-len(last)], joined[len(first):]
	switch {
	case json.Valid([]byte(last)) && (strings.HasPrefix(last, before) || s.extending()):
		return last
	case first == "{}" && json.Valid([]byte(behind)):
		return behind
	case last == "{}" && json.Valid([]byte(before)):
		return before
	}
	return joined
}

func (s *slot) extending() bool {
	for i := 1; i < len(s.pieces); i++ {
		if !strings.HasPrefix(s.pieces[i], s.pieces[i-1]) {
			return false
		}
	}
	return true
}

// begun returns the calls whose names have become certain since the last time: because
// their arguments, or another call, have begun.
func (a *assembler) begun() []Call {
	if len(a.touched) == 0 {
		return nil
	}
	var out []Call
	for i, s := range a.slots {
		name := strings.TrimSpace(s.name)
		if s.reported || name == "" || !s.begun() && i == len(a.slots)-1 {
			continue
		}
		s.reported = true
		out = append(out, Call{ID: s.id, Name: name})
	}
	return out
}

// calls returns the calls in the order in which they began. ended means that the model
// finished its answer; reason is why no call may be run ("" if they may). newID makes ids
// for calls whose own is missing or not unique.
func (a *assembler) calls(ended bool, reason string, newID func() string) []Call {
	taken := map[string]bool{"": true}
	var calls []Call
	for i, s := range a.slots {
		c := Call{ID: s.id, Name: strings.TrimSpace(s.name), Extra: s.extra}
		if taken[c.ID] {
			c.ID = a.freeID(taken, newID())
		}
		taken[c.ID] = true
		args := jsonfix.Read(s.text(), ended)
		c.Arguments, c.Repaired, c.Invalid = args.Object, args.Repaired, args.Invalid
		if !ended && !s.begun() && i == len(a.slots)-1 {
			c.Invalid = "the answer was cut off before the arguments"
		}
		if reason != "" {
			c.Repaired, c.Invalid = false, reason
		}
		if c.Invalid != "" {
			c.Arguments = quoted(s.text())
		}
		calls = append(calls, c)
	}
	return calls
}

// freeID returns want, with a number if necessary to make it unique in this answer.
func (a *assembler) freeID(taken map[string]bool, want string) string {
	id := want
	same := func(s *slot) bool { return s.id == id }
	for n := 2; taken[id] || slices.ContainsFunc(a.slots, same); n++ {
		id = want + strconv.Itoa(n)
	}
	return id
}

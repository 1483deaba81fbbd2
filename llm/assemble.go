package llm

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"bowerbird/llm/internal/jsonfix"
)

// assembler puts tool calls together from their pieces. Servers disagree on what
// marks a piece as part of a call; the rules are in slot.
type assembler struct {
	slots   []*slot
	touched map[*slot]bool // in the present delta
}

const maxCalls = 256

type slot struct {
	label    int
	labelled bool
	id, name string
	pieces   []string
	size     int     // bytes in pieces
	balance  balance // of pieces
	whole    bool    // the last piece came as JSON, and stands for all
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

// empty reports whether a piece says nothing. Some servers send such a one with every
// chunk, or behind the last call.
func (d callDelta) empty() bool {
	return d.id == "" && d.name == "" && (d.args == "" || d.args == "{}")
}

// addWhole takes calls as they stand in whole when some of them was told already: one
// may not run without arguments that stand there alone.
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

// slot finds the call that a piece belongs to: by id, else by index, else the
// last one. It returns nil where a new call begins.
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
		return last // its index comes late
	case d.id == "" && d.name == "" && last.name != "" && !last.complete():
		return last // nothing but a wrong index says that this is another call
	}
	return nil
}

func (s *slot) otherCall(d callDelta) bool {
	return d.hasIndex && s.labelled && d.index != s.label &&
		(d.name != s.name || !s.begun() || s.complete())
}

// endedBy decides whether another id at the place of s begins a new call. Some
// servers make up a new id for every piece.
func (s *slot) endedBy(d callDelta) bool {
	switch {
	case d.name == "":
		return s.complete()
	case s.name == "":
		return s.begun()
	}
	return d.name != s.name || !s.begun() || s.complete()
}

// startsAnew decides, without an id to go by, whether a piece with a name begins
// a new call: the one before has its arguments, and this is no repetition of it.
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
		return // an empty object takes nothing back
	}
	if d.argsJSON || s.whole {
		s.pieces, s.size, s.balance = nil, 0, balance{}
	}
	s.whole = d.argsJSON
	s.pieces = append(s.pieces, d.args)
	s.size += len(d.args)
	s.balance.feed([]byte(d.args))
}

// addName takes a piece of the name: some servers cut it, some repeat it with
// every piece, some send it longer each time.
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

// text returns the arguments as the pieces mean them: joined if that is JSON; else
// the last one, where each extends the one before or the last all of them;
// else without an empty object that some servers send first or last.
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

// begun returns the calls whose names have become sure since it was asked last: those
// whose arguments have begun, or behind which another call has.
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

// calls returns the calls in the order in which they began. ended says that the
// model came to its own end, reason why none of them may be run ("" when they
// may). Ids that are missing or taken are made by newID.
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

// freeID makes an id out of want that no call of this answer has.
func (a *assembler) freeID(taken map[string]bool, want string) string {
	id := want
	same := func(s *slot) bool { return s.id == id }
	for n := 2; taken[id] || slices.ContainsFunc(a.slots, same); n++ {
		id = want + strconv.Itoa(n)
	}
	return id
}

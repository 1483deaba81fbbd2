package tools

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// The bounds of a thread.
const (
	maxThread      = 500   // rows shown
	maxThreadRead  = 5_000 // notes read to choose them from
	maxThreadPath  = 250   // of the rows, those that lead to the note asked for
	maxThreadDepth = 500   // steps up to a root, and rounds down from it
	maxThreadIDs   = 100   // ids in one query of the store
)

// threadKinds are the kinds that reply: notes and comments, also spoken ones.
func threadKinds() []uint16 { return []uint16{1, 1111, 1244} }

// commentKinds are those that name a thread's root in upper-case tags (NIP-22).
func commentKinds() []uint16 { return []uint16{1111, 1244} }

// thread collects a thread. What may not be shown counts as missing.
type thread struct {
	env       *Env
	view      *viewer
	root      nostr.ID
	asked     nostr.ID
	notes     map[nostr.ID]*nostr.Event
	parents   map[nostr.ID]nostr.ID // of notes
	truncated bool
}

// read collects the thread of e: up to its root, then down, each round querying the
// replies to the notes of the round before.
func (t *thread) read(ctx context.Context, e *nostr.Event) error {
	if err := t.climb(ctx, e); err != nil {
		return err
	}
	asked := map[nostr.ID]bool{}
	for range maxThreadDepth {
		var ask []nostr.ID
		for _, id := range append([]nostr.ID{t.root}, t.ids()...) {
			if !asked[id] && len(ask) < maxThreadIDs {
				asked[id] = true
				ask = append(ask, id)
			}
		}
		if len(ask) == 0 || t.truncated {
			return nil
		}
		if err := t.answers(ctx, ask); err != nil {
			return err
		}
	}
	t.truncated = true
	return nil
}

// cut keeps the rows that are shown of a long thread: the first ones, and those that lead
// to the requested note.
func (t *thread) cut(rows []threadRow) []threadRow {
	if len(rows) <= maxThread {
		return rows
	}
	t.truncated = true
	path := map[nostr.ID]bool{}
	for id, ok := t.asked, true; ok && !path[id] && len(path) < maxThreadPath; id, ok = t.parents[id] {
		if path[id] = true; id == t.root {
			break
		}
	}
	kept := rows[:0]
	others := maxThread - len(path)
	for _, r := range rows {
		if path[r.id] {
			kept = append(kept, r)
		} else if others > 0 {
			others--
			kept = append(kept, r)
		}
	}
	return kept
}

// climb finds the root: the one that a reply names; if that is a reply itself, the one
// that it names, and so on. Circles end.
func (t *thread) climb(ctx context.Context, e *nostr.Event) error {
	t.asked, t.root = e.ID, e.ID
	for range maxThreadDepth {
		t.add(e)
		r, reply := nostr.ReplyTo(e)
		up := r.Root
		if up == (nostr.ID{}) {
			up = r.Parent
		}
		if !reply || up == (nostr.ID{}) || t.notes[up] != nil {
			break
		}
		t.root = up
		if err := t.addStored(ctx, up); err != nil {
			return err
		}
		if e = t.notes[up]; e == nil {
			break
		}
	}
	return nil
}

// addStored adds a note by its id if it is there and may be shown.
func (t *thread) addStored(ctx context.Context, id nostr.ID) error {
	if _, have := t.notes[id]; have {
		return nil
	}
	e, err := t.env.Store.Event(ctx, id)
	switch {
	case errors.Is(err, ndb.ErrNotFound):
		return nil
	case err != nil:
		return fmt.Errorf("read note %s: %w", id, err)
	case t.view.shows(e):
		t.add(e)
	}
	return nil
}

// answers adds what replies to any of ids.
func (t *thread) answers(ctx context.Context, ids []nostr.ID) error {
	hex := make([]string, len(ids))
	for i, id := range ids {
		hex[i] = id.String()
	}
	filters := []nostr.Filter{{Kinds: threadKinds(), Tags: map[byte][]string{'e': hex}}, {Kinds: commentKinds(), Tags: map[byte][]string{'E': hex}}}
	for _, id := range ids {
		// Replies to an article may name only its address.
		if e := t.notes[id]; e != nil && e.Kind >= 30000 && e.Kind < 40000 {
			d, _ := e.Tags.Value("d")
			address := []string{fmt.Sprintf("%d:%s:%s", e.Kind, e.PubKey, d)} // NIP-01
			filters = append(filters,
				nostr.Filter{Kinds: threadKinds(), Tags: map[byte][]string{'a': address}},
				nostr.Filter{Kinds: commentKinds(), Tags: map[byte][]string{'A': address}})
		}
	}
	for e, err := range t.env.Store.Query(ctx, ndb.QueryOptions{Match: t.belongs}, filters...) {
		if err != nil {
			return fmt.Errorf("read replies: %w", err)
		}
		if _, have := t.notes[e.ID]; !have && len(t.notes) >= maxThreadRead {
			t.truncated = true
			return nil
		}
		t.add(e)
	}
	return nil
}

// belongs is the test for replies: a note that only quotes or mentions is not one.
func (t *thread) belongs(e *nostr.Event) bool {
	_, reply := nostr.ReplyTo(e)
	return reply && t.view.shows(e)
}

func (t *thread) add(e *nostr.Event) {
	t.notes[e.ID] = e
	if r, reply := nostr.ReplyTo(e); reply && r.Parent != (nostr.ID{}) && r.Parent != e.ID {
		t.parents[e.ID] = r.Parent
	}
}

func (t *thread) ids() []nostr.ID {
	return slices.SortedFunc(maps.Keys(t.notes), func(a, b nostr.ID) int { return bytes.Compare(a[:], b[:]) })
}

// threadRow is one line of the tree; event is nil for a missing note.
type threadRow struct {
	id    nostr.ID
	event *nostr.Event
	depth int
}

// rows orders the tree for reading. A note whose parent is missing goes below that
// parent's row, which goes below the root; one that names no parent, like replies to an
// article's address, goes below the root itself.
func (t *thread) rows() []threadRow {
	children := map[nostr.ID][]nostr.ID{}
	missing := map[nostr.ID]bool{}
	for _, id := range t.ids() {
		if id == t.root {
			continue
		}
		parent, ok := t.parents[id]
		if !ok {
			parent = t.root
		}
		if _, here := t.notes[parent]; !here && parent != t.root && !missing[parent] {
			missing[parent] = true
			children[t.root] = append(children[t.root], parent)
		}
		children[parent] = append(children[parent], id)
	}
	var rows []threadRow
	seen := map[nostr.ID]bool{}
	stack := []threadRow{{id: t.root}}
	for len(stack) > 0 {
		row := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if seen[row.id] {
			continue
		}
		seen[row.id] = true
		row.event = t.notes[row.id]
		rows = append(rows, row)
		next := children[row.id]
		slices.SortFunc(next, func(a, b nostr.ID) int { return t.older(b, a, children) })
		for _, id := range next { // last in, first out: the oldest comes last
			stack = append(stack, threadRow{id: id, depth: row.depth + 1})
		}
	}
	return rows
}

// older orders siblings by time, then id; a missing one by its oldest answer.
func (t *thread) older(a, b nostr.ID, children map[nostr.ID][]nostr.ID) int {
	return cmp.Or(cmp.Compare(t.timeOf(a, children), t.timeOf(b, children)), bytes.Compare(a[:], b[:]))
}

func (t *thread) timeOf(id nostr.ID, children map[nostr.ID][]nostr.ID) int64 {
	if e := t.notes[id]; e != nil {
		return e.CreatedAt
	}
	oldest := int64(latestTime)
	for _, c := range children[id] {
		if e := t.notes[c]; e != nil {
			oldest = min(oldest, e.CreatedAt)
		}
	}
	return oldest
}

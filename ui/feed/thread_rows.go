package feed

import (
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
)

// rowKind is how a row of a thread is drawn.
type rowKind string

const (
	rowAncestor rowKind = "ancestor"
	rowFocus    rowKind = "focus"
	rowReply    rowKind = "reply"
	rowMissing  rowKind = "missing" // a note that is not stored
	rowMore     rowKind = "more"    // the way to what is too deep
	rowFolded   rowKind = "folded"  // replies that the user hid
	rowCut      rowKind = "cut"     // the thread is longer than what is shown
)

// threadRow is one row.
type threadRow struct {
	kind  rowKind
	place rowKind // of a missing note: which row it would be
	note  present.Note
	depth int
	more  int  // how many replies a rowMore leads to, or a rowFolded hides
	below int  // how many replies are below a reply
	fold  bool // they are hidden
	branch
}

// threadRows lists the rows of a thread: what is answered, the note itself, and the
// replies in reading order, without those below a folded one. The id of a row contains its
// kind: a missing note becomes another row when it arrives.
func threadRows(t present.Thread, folded map[nostr.ID]bool) (ids []string, byID map[string]threadRow) {
	byID = map[string]threadRow{}
	add := func(r threadRow) {
		if r.note.Missing {
			r.kind, r.place = rowMissing, r.kind
		}
		id := rowID(r.kind, r.note.ID)
		if _, double := byID[id]; double {
			return
		}
		ids = append(ids, id)
		byID[id] = r
	}
	for _, n := range t.Ancestors {
		add(threadRow{kind: rowAncestor, note: n})
	}
	add(threadRow{kind: rowFocus, note: t.Focus})
	shown := t.Visible(folded)
	for _, b := range shown {
		fold := folded[b.Note.ID] && b.Below > 0
		add(threadRow{kind: rowReply, note: b.Note, depth: b.Depth, below: b.Below, fold: fold})
		// A row of its own, about a note that is already shown above.
		n := present.Note{ID: b.Note.ID, Row: b.Note.Row}
		switch {
		case fold:
			add(threadRow{kind: rowFolded, note: n, depth: b.Depth + 1, more: b.Below})
		case b.Continue > 0:
			add(threadRow{kind: rowMore, note: n, depth: b.Depth + 1, more: b.Continue})
		}
	}
	if t.More {
		add(threadRow{kind: rowCut})
	}
	branches(ids, byID)
	return ids, byID
}

func rowID(kind rowKind, id nostr.ID) string { return string(kind) + ":" + string(id[:]) }

// focusRowID names the row of the note that a thread is about.
func focusRowID(t present.Thread) string {
	if t.Focus.Missing {
		return rowID(rowMissing, t.Focus.ID)
	}
	return rowID(rowFocus, t.Focus.ID)
}

// parties are the notes and people of a thread, by which new events of it are recognised.
type parties struct {
	notes  map[nostr.ID]bool
	people map[nostr.PubKey]bool
}

func partiesOf(t present.Thread) *parties {
	p := &parties{notes: map[nostr.ID]bool{}, people: map[nostr.PubKey]bool{}}
	add := func(n present.Note) {
		p.notes[n.ID] = true
		p.people[n.PubKey] = true
	}
	add(t.Focus)
	for _, n := range t.Ancestors {
		add(n)
	}
	for _, b := range t.Replies {
		add(b.Note)
	}
	return p
}

// touches reports whether an event changes the thread.
func (p *parties) touches(e *nostr.Event) bool {
	switch e.Kind {
	case 0:
		return p.people[e.PubKey]
	case kindDeletion:
		for _, id := range deleted(e) {
			if p.notes[id] {
				return true
			}
		}
		return false
	}
	if p.notes[e.ID] {
		return true
	}
	r, ok := nostr.ReplyTo(e)
	return ok && (p.notes[r.Parent] || p.notes[r.Root])
}

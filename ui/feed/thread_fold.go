package feed

import (
	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
)

// foldFor returns what hides and shows the replies below a card: only replies have
// that, for below the note itself stands all that one came for.
func (t *Thread) foldFor(kind rowKind) func(id nostr.ID) {
	if kind != rowReply {
		return nil
	}
	return func(id nostr.ID) { t.fold(id, !t.folded[id]) }
}

// fold hides the replies below one, or shows them again.
func (t *Thread) fold(id nostr.ID, hide bool) {
	if t.folded[id] == hide {
		return
	}
	if hide {
		t.folded[id] = true
	} else {
		delete(t.folded, id)
	}
	t.show(t.thread)
}

// key walks from card to card; the arrows to the sides hide and show the replies
// below one, as in a list of files: left leads out to what is answered where nothing
// is left to hide.
func (t *Thread) key(kind rowKind, id nostr.ID, key string) bool {
	row := rowID(kind, id)
	r := t.byID[row]
	switch {
	case kind == rowReply && key == string(fyne.KeyLeft) && r.below > 0 && !r.fold:
		t.fold(id, true)
	case kind == rowReply && key == string(fyne.KeyRight) && r.fold:
		t.fold(id, false)
	case kind == rowReply && key == string(fyne.KeyLeft):
		t.focusParent(row, r.depth)
	default:
		return walk(t.rows, row, key)
	}
	return true
}

// focusParent gives the keyboard to what a reply answers.
func (t *Thread) focusParent(row string, depth int) {
	at, _ := t.rows.Index(row)
	ids := t.rows.IDs()
	for at--; at >= 0; at-- {
		if r := t.byID[ids[at]]; r.kind == rowFocus || r.kind == rowReply && r.depth < depth {
			focusNext(t.rows, at, -1)
			return
		}
	}
}

package feed

import (
	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
)

// rowOf names the row of an event; 33 bytes, since there may be many.
func rowOf(id nostr.ID) string { return "n" + string(id[:]) }

// idOf returns the event of a row; ok is false for a head.
func idOf(row string) (id nostr.ID, ok bool) {
	if len(row) != 1+len(id) || row[0] != 'n' {
		return id, false
	}
	copy(id[:], row[1:])
	return id, true
}

func rowsOf(items []item) []string {
	rows := make([]string, len(items))
	for i, it := range items {
		rows[i] = rowOf(it.id)
	}
	return rows
}

// markOpened marks the note whose thread is to be seen beside the list; the zero ID
// marks none.
func (l *list) markOpened(id nostr.ID) {
	if l.opened == id {
		return
	}
	l.opened = id
	for row, n := range l.notes {
		if card, ok := l.rows.Row(row).(*note.Card); ok {
			card.SetOpened(n.ID == id)
		}
	}
}

package feed

import "bowerbird/ndb"

// rowOf names the row of an event; 33 bytes, since there may be many.
func rowOf(id ndb.ID) string { return "n" + string(id[:]) }

// idOf returns the event of a row; ok is false for a head.
func idOf(row string) (id ndb.ID, ok bool) {
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

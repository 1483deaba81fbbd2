package notesync

import (
	"slices"

	"bowerbird/ndb"
)

// namedMost is how many people of one note are looked up: who names hundreds wants
// to be noticed, and says nothing of them.
const namedMost = 20

// wishes are what notes refer to: other notes, and people whose names are shown.
// Each comes once, in the order in which it was referred to.
type wishes struct {
	next   []ndb.ID     // not looked at yet
	there  []*ndb.Event // of the notes, those that are stored
	people []ndb.PubKey

	notes map[ndb.ID]bool
	named map[ndb.PubKey]bool
}

func newWishes() *wishes {
	return &wishes{notes: map[ndb.ID]bool{}, named: map[ndb.PubKey]bool{}}
}

// of adds a note's author, and what it refers to if it is shown with that: what a
// stranger's event of another kind refers to would be pruned again.
func (w *wishes) of(e *ndb.Event) {
	w.name(e.PubKey)
	if !slices.Contains(referringKinds(), e.Kind) {
		return
	}
	for _, id := range references(e) {
		if !w.notes[id] {
			w.notes[id] = true
			w.next = append(w.next, id)
		}
	}
	left := namedMost
	for link := range ndb.Links(e.Content) {
		if left == 0 {
			break
		}
		if link.PubKey != (ndb.PubKey{}) {
			w.name(link.PubKey)
			left--
		}
	}
}

func (w *wishes) name(pk ndb.PubKey) {
	if !w.named[pk] {
		w.named[pk] = true
		w.people = append(w.people, pk)
	}
}

// referringKinds are those of notes that are shown with what they refer to.
func referringKinds() []uint16 { return []uint16{1, 6, 11, 16, 20, 1068, 1111, 30023} }

// references returns the notes that an event speaks of: what it quotes, answers or
// passes on.
func references(e *ndb.Event) []ndb.ID {
	ids := ndb.Quotes(e)
	if reply, ok := ndb.ReplyTo(e); ok {
		ids = append(ids, reply.Root, reply.Parent)
	}
	if e.Kind == 6 || e.Kind == 16 {
		if hex, ok := e.Tags.Value("e"); ok {
			if id, err := ndb.ParseID(hex); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return slices.DeleteFunc(ids, func(id ndb.ID) bool { return id == ndb.ID{} })
}

package notesync

import (
	"slices"

	"bowerbird/ndb/nostr"
)

// namedMost is how many people of one note are looked up: who names hundreds wants
// to be noticed, and says nothing of them.
const namedMost = 20

// wishes are what notes refer to: other notes, and people whose names are shown.
// Each comes once, in the order in which it was referred to.
type wishes struct {
	next   []nostr.ID     // not looked at yet
	there  []*nostr.Event // of the notes, those that are stored
	people []nostr.PubKey

	notes map[nostr.ID]bool
	named map[nostr.PubKey]bool
}

func newWishes() *wishes {
	return &wishes{notes: map[nostr.ID]bool{}, named: map[nostr.PubKey]bool{}}
}

// of adds a note's author, and what it refers to if it is shown with that: what a
// stranger's event of another kind refers to would be pruned again.
func (w *wishes) of(e *nostr.Event) {
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
	for link := range nostr.Links(e.Content) {
		if left == 0 {
			break
		}
		if link.PubKey != (nostr.PubKey{}) {
			w.name(link.PubKey)
			left--
		}
	}
}

func (w *wishes) name(pk nostr.PubKey) {
	if !w.named[pk] {
		w.named[pk] = true
		w.people = append(w.people, pk)
	}
}

// referringKinds are those of notes that are shown with what they refer to.
func referringKinds() []uint16 { return []uint16{1, 6, 11, 16, 20, 1068, 1111, 30023} }

// references returns the notes that an event speaks of: what it quotes, answers or
// passes on.
func references(e *nostr.Event) []nostr.ID {
	ids := nostr.Quotes(e)
	if reply, ok := nostr.ReplyTo(e); ok {
		ids = append(ids, reply.Root, reply.Parent)
	}
	if e.Kind == 6 || e.Kind == 16 {
		if hex, ok := e.Tags.Value("e"); ok {
			if id, err := nostr.ParseID(hex); err == nil {
				ids = append(ids, id)
			}
		}
	}
	return slices.DeleteFunc(ids, func(id nostr.ID) bool { return id == nostr.ID{} })
}

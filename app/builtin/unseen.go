package builtin

import (
	"slices"

	"bowerbird/tools"
)

// unseenNotes are the notes of people followed that the reader was not shown, and by whom
// they are.
type unseenNotes struct {
	notes int
	by    map[*person]bool
}

// leaveOut keeps from being quoted what the reader was shown before, and counts it.
func (p *plan) leaveOut(r *reading) {
	if !p.q.Unseen || p.opt.Seen == nil {
		return
	}
	seen := p.opt.Seen
	r.unseen = &unseenNotes{by: map[*person]bool{}}
	for _, n := range r.corpus.notes {
		fresh := n.fresh && n.author.followed
		switch {
		case seen(n.id):
			if n.repeated = true; fresh {
				r.seen++
			}
		case fresh:
			r.unseen.notes++
			r.unseen.by[n.author] = true
		}
	}
	r.toMe.notes = slices.DeleteFunc(r.toMe.notes, func(n tools.Note) bool {
		if !seen(n.NoteID) {
			return false
		}
		if r.corpus.notes[n.NoteID] == nil {
			r.seen++
		}
		return true
	})
}

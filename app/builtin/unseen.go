package builtin

import (
	"slices"

	"bowerbird/tools"
)

// news are the notes of people followed that were read and that the reader was not shown
// before, and by whom they are.
type news struct {
	notes int
	by    map[*person]bool
}

// leaveOut counts them. Where only they are asked for, it keeps the others from being
// quoted, and counts those.
func (p *plan) leaveOut(r *reading) {
	r.unseen = p.q.Unseen && p.opt.Seen != nil
	seen := func(id string) bool { return r.unseen && p.opt.Seen(id) }
	r.news = news{by: map[*person]bool{}}
	for _, n := range r.corpus.notes {
		fresh := n.fresh && n.author.followed
		switch {
		case seen(n.id):
			if n.repeated = true; fresh {
				r.seen++
			}
		case fresh:
			r.news.notes++
			r.news.by[n.author] = true
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

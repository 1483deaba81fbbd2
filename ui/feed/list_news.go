package feed

import (
	"errors"
	"reflect"
	"slices"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
)

// placeNews sorts new notes into the list. What is newer than the first row waits behind
// the pill; what is older than the last is left to paging. A note in between is inserted,
// but not between two rows in sight, where it would push away what the user reads: it is
// held until those are out of sight. All are held while a page is being read, since they
// may be on that page; read are the items of the page that was read last.
func (l *list) placeNews(read []item) {
	l.held = without(l.held, read)
	if !l.begun || l.reading || len(l.held) == 0 {
		return
	}
	from, to := l.rows.InSight()
	var between, held []item
	behind := false
	for _, it := range l.held {
		if _, there := l.rows.Index(rowOf(it.id)); there {
			continue
		}
		at, _ := slices.BinarySearchFunc(l.items, it, newestFirst)
		switch row := l.heads + at; {
		case at == 0:
			l.waiting[it.id] = true
		case newestFirst(it, *l.last) > 0:
			behind = true
		case row > from && row < to:
			held = append(held, it)
		default:
			between = append(between, it)
		}
	}
	l.held = held
	l.insert(between)
	if behind {
		l.setWhole(false)
	}
}

// insert puts items into the list, except those that show the same note as a row within a
// screen of them.
func (l *list) insert(items []item) {
	if len(items) == 0 {
		return
	}
	slices.SortFunc(items, newestFirst)
	all, below := make([]item, 0, len(l.items)+len(items)), l.items
	for _, it := range items {
		at, double := slices.BinarySearchFunc(below, it, newestFirst)
		all, below = append(all, below[:at]...), below[at:]
		same := func(other item) bool { return other.of == it.of }
		if !double && !slices.ContainsFunc(all[max(0, len(all)-foldWithin):], same) &&
			!slices.ContainsFunc(below[:min(len(below), foldWithin)], same) {
			all = append(all, it)
		}
	}
	l.items = append(all, below...)
	l.drawItems()
}

// without returns the items that are not among others.
func without(items, others []item) []item {
	if len(items) == 0 || len(others) == 0 {
		return items
	}
	away := make(map[item]bool, len(others))
	for _, it := range others {
		away[it] = true
	}
	return slices.DeleteFunc(items, func(it item) bool { return away[it] })
}

// fewRows is how short a list is that shows new notes at once: nothing on the screen could
// jump yet.
const fewRows = 6

// take handles what arrived in the store.
func (l *list) take() {
	if l.ctx.Err() != nil {
		return
	}
	n := l.watch.look()
	if n.contacts {
		l.reader.Forget()
		if l.rows.AtTop() { // elsewhere it would move what the user reads; the next beginning has it
			l.begin()
			return
		}
	}
	if len(n.profiles) > 0 {
		l.reader.Forget()
		l.forgetPeople(n.profiles)
	}
	if len(n.gone) > 0 {
		l.check(n.gone)
	}
	l.fillIn(n.came)
	if n.of != l.heldOf {
		l.held, l.heldOf = nil, n.of
	}
	l.held = append(l.held, n.items...)
	l.placeNews(nil)
	l.showNews()
}

// showNews shows how many notes wait. A list that is almost empty shows them at once.
func (l *list) showNews() {
	if len(l.waiting)+len(l.held) > 0 && l.begun && l.count() < fewRows {
		if !l.reading {
			l.begin()
		}
		return
	}
	if l.opt.News != nil {
		l.opt.News(len(l.waiting))
	}
}

// forgetPeople reads the notes again that name people whose profiles have changed, as far
// as their cards show that.
func (l *list) forgetPeople(people map[nostr.PubKey]bool) {
	for row, n := range l.notes {
		if l.rows.Row(row) == nil && (people[n.PubKey] || people[n.RepostedByKey] || people[n.ReplyToKey]) {
			delete(l.notes, row)
		}
	}
	l.renew()
}

// fillIn reads the notes again whose reposted or quoted note was missing and has arrived.
func (l *list) fillIn(came map[nostr.ID]bool) {
	lacked := false
	for row, n := range l.notes {
		switch {
		case !(n.Missing && came[n.ID]) && !(n.Quote != nil && n.Quote.Missing && came[n.Quote.ID]):
		case l.rows.Row(row) == nil:
			delete(l.notes, row)
		default:
			lacked = true
		}
	}
	if lacked {
		l.renew()
	}
}

// renew reads the notes in sight again: their ages, figures and names.
func (l *list) renew() {
	var items []item
	for row := range l.notes {
		if id, ok := idOf(row); ok && l.rows.Row(row) != nil {
			items = append(items, item{id: id})
		}
	}
	turn, tl := l.turn, l.tl
	l.env.Do.Go(func() func() {
		notes := map[string]present.Note{}
		var gone []nostr.ID
		for _, it := range items {
			switch n, err := l.one(tl, it.id); {
			case errors.Is(err, ndb.ErrNotFound):
				gone = append(gone, it.id)
			case err == nil:
				notes[rowOf(it.id)] = n
			}
		}
		return func() {
			if turn != l.turn || l.ctx.Err() != nil {
				return
			}
			for row, n := range notes {
				l.replace(row, n)
			}
			l.drop(gone)
		}
	})
}

// replace shows a note that was read again, redrawing its card only if more than its age
// changed.
func (l *list) replace(row string, n present.Note) {
	old, there := l.notes[row]
	l.notes[row] = n
	card, drawn := l.rows.Row(row).(*note.Card)
	if !there || !drawn {
		return
	}
	old.When, old.RepostedWhen = n.When, n.RepostedWhen
	if reflect.DeepEqual(old, n) {
		card.SetAges(&n)
		return
	}
	l.rows.RefreshRow(row)
}

// check removes the rows of notes that are no longer stored.
func (l *list) check(ids []nostr.ID) {
	var there []nostr.ID
	for _, id := range ids {
		if _, ok := l.rows.Index(rowOf(id)); ok {
			there = append(there, id)
		}
		delete(l.waiting, id)
		l.held = slices.DeleteFunc(l.held, func(it item) bool { return it.id == id })
	}
	if len(there) == 0 {
		return
	}
	turn := l.turn
	l.env.Do.Go(func() func() {
		var gone []nostr.ID
		for _, id := range there {
			if _, err := l.env.App.Notes().Event(l.ctx, id); errors.Is(err, ndb.ErrNotFound) {
				gone = append(gone, id)
			}
		}
		return func() {
			if turn == l.turn {
				l.drop(gone)
			}
		}
	})
}

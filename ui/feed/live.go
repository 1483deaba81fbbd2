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

// fewRows is how short a list is that new notes go into at once: there is nothing
// on the screen yet that could jump.
const fewRows = 6

// take looks at what came into the store.
func (l *list) take() {
	if l.ctx.Err() != nil {
		return
	}
	n := l.watch.look()
	if n.contacts {
		l.reader.Forget()
		if l.rows.AtTop() { // else it would tear away what is read; the next beginning sees it
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
	l.tellNews()
}

// tellNews says how many wait. A list that is almost empty takes them in at once.
func (l *list) tellNews() {
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

// forgetPeople reads notes anew that people with other profiles are named in, as
// far as the cards tell.
func (l *list) forgetPeople(people map[nostr.PubKey]bool) {
	for row, n := range l.notes {
		if l.rows.Row(row) == nil && (people[n.PubKey] || people[n.RepostedByKey] || people[n.ReplyToKey]) {
			delete(l.notes, row)
		}
	}
	l.renew()
}

// fillIn reads those notes anew that lacked what they pass on or quote.
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

// renew reads what is in sight anew: ages, figures, names.
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

// replace shows a note that was read anew, drawing no more than what changed.
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

// check takes rows away whose notes are not stored any more.
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

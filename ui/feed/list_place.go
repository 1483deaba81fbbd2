package feed

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
)

// keepPause is how long a list rests before its place is written.
const keepPause = time.Second

// walk moves the keyboard from the card of a row to another one.
func (l *list) walk(row, key string) bool {
	took := walk(l.rows, row, key)
	if took {
		l.moved()
	}
	return took
}

// moved gives held notes their place, and has the place of the list written once it rests.
func (l *list) moved() {
	l.placeNews(nil)
	l.look()
	if l.opt.Keep == "" || l.ctx.Err() != nil {
		return
	}
	if l.placeTimer != nil {
		l.placeTimer.Stop()
	}
	l.placeTimer = time.AfterFunc(keepPause, func() { l.env.Do.Do(l.keepPlace) })
}

// place returns the place of the list, without the time of its first row in sight; ok is
// false while it shows no notes.
func (l *list) place() (p app.ReadPlace, ok bool) {
	row, above := l.rows.Place()
	id, isNote := idOf(row)
	if !isNote || len(l.items) == 0 {
		return p, false
	}
	return app.ReadPlace{
		First: app.ReadNote{ID: l.items[0].id, At: l.items[0].at}, Top: app.ReadNote{ID: id}, Above: above,
	}, true
}

// keepPlace writes the place of the list for the next start. An error costs no more than
// that place.
func (l *list) keepPlace() {
	p, ok := l.place()
	if !ok || l.opt.Keep == "" || p == l.savedPlace {
		return
	}
	l.savedPlace = p
	l.saving.Add(1)
	l.env.Do.Go(func() func() {
		defer l.saving.Done()
		ctx := context.Background() // also while the list is closed
		p.Top.At = p.First.At
		if e, err := l.env.App.Notes().Event(ctx, p.Top.ID); err == nil {
			p.Top.At = e.CreatedAt
		}
		_ = l.env.App.KeepReadPlace(ctx, l.opt.Keep, p)
		return nil
	})
}

// lookPause is how long notes are in sight before they count as seen: scrolling past is
// not reading.
const lookPause = 2 * time.Second

// look marks what is in sight as seen once the list has rested for a while.
func (l *list) look() {
	if l.opt.Shown == nil || l.ctx.Err() != nil {
		return
	}
	if l.looked == nil {
		l.looked = time.AfterFunc(lookPause, func() { l.env.Do.Do(l.markSeen) })
		return
	}
	l.looked.Reset(lookPause)
}

// markSeen stores which notes are on the screen, all new ones in one write. A note that
// cannot be stored as seen appears in the next digest again.
func (l *list) markSeen() {
	if l.ctx.Err() != nil || !l.opt.Shown() {
		return
	}
	var ids []nostr.ID
	from, to := l.rows.InSight()
	for _, row := range l.rows.IDs()[from:to] {
		if n, read := l.notes[row]; read && !l.marked[n.ID] && l.centred(row) {
			l.marked[n.ID] = true
			ids = append(ids, n.ID)
		}
	}
	if len(ids) == 0 {
		return
	}
	l.saving.Add(1)
	l.env.Do.Go(func() func() {
		defer l.saving.Done()
		_ = l.env.App.MarkSeen(context.Background(), ids...) // also while the list is closed
		return nil
	})
}

// centred reports whether the middle of a row is in sight: of a row at the edge perhaps
// only a line is.
func (l *list) centred(row string) bool {
	o := l.rows.Row(row)
	if o == nil {
		return false
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	middle := at(o).Y - at(l.rows).Y + o.Size().Height/2
	return middle >= 0 && middle <= l.rows.Size().Height
}

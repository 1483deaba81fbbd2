package feed

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
)

// keepPause is how long a list rests until its place is kept.
const keepPause = time.Second

// walk moves the keyboard from the card of a row to another one.
func (l *list) walk(row, key string) bool {
	took := walk(l.rows, row, key)
	if took {
		l.moved()
	}
	return took
}

// moved gives notes a place that were held for what was in sight, and has the place of
// the list kept when it rests.
func (l *list) moved() {
	l.placeNews(nil)
	l.look()
	if l.opt.Keep == "" || l.ctx.Err() != nil {
		return
	}
	if l.keeping != nil {
		l.keeping.Stop()
	}
	l.keeping = time.AfterFunc(keepPause, func() { l.env.Do.Do(l.keepPlace) })
}

// place returns where the list stands, but for the time of its first row in sight; ok
// is false while it shows no notes.
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

// keepPlace keeps where the list stands for the next start. That it cannot costs no
// more than the place.
func (l *list) keepPlace() {
	p, ok := l.place()
	if !ok || l.opt.Keep == "" || p == l.kept {
		return
	}
	l.kept = p
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

// lookPause is how long notes stay in sight until they count as seen: who scrolls past
// them has not read them.
const lookPause = 2 * time.Second

// look has what is in sight marked as seen when the list has rested for a while.
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

// markSeen remembers the notes that stand on the screen, those that are new to it in one
// write. What cannot be remembered is only told again.
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

// centred reports whether the middle of a row is in sight: of one at the edge only a
// line may be.
func (l *list) centred(row string) bool {
	o := l.rows.Row(row)
	if o == nil {
		return false
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject
	middle := at(o).Y - at(l.rows).Y + o.Size().Height/2
	return middle >= 0 && middle <= l.rows.Size().Height
}

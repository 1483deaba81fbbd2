package feed

import (
	"context"
	"time"

	"bowerbird/app"
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

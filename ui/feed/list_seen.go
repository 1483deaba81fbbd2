package feed

import (
	"context"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
)

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

package feed

import (
	"context"
	"slices"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
)

// beginning is the first part of a list, as it is read off the window's thread.
type beginning struct {
	tl      timeline
	items   []item // before folding
	kept    []item
	whole   bool
	notes   map[string]present.Note
	place   int     // which of kept is at the upper edge,
	above   float32 // with so much of it above the edge
	waiting []nostr.ID
	err     error // beside items: some notes could not be read
}

// begin reads the timeline from its newest note. The old rows stay until the first page is
// there. The first time, the list is scrolled to where the user left it, and newer notes
// wait behind the pill.
func (l *list) begin() {
	l.turn++
	turn := l.turn
	l.reading = true
	l.stop()
	ctx, stop := context.WithCancel(l.ctx)
	l.stop = stop
	source, resume := l.opt.Source, l.opt.Keep != "" && !l.begun
	l.env.Do.Go(func() func() {
		tl, err := source(ctx)
		if err != nil {
			return func() { l.failed(turn, err) }
		}
		if l.watch != nil {
			l.watch.follow(tl, turn)
		}
		b, ok := beginning{}, false
		if resume {
			b, ok = l.resume(ctx, tl)
		}
		if !ok {
			b = beginning{tl: tl}
			b.items, b.whole, b.err = tl.page(ctx, nil, firstPage)
			b.kept = (&folder{}).fold(b.items)
			b.notes = l.read(tl, b.kept)
		}
		return func() {
			if turn == l.turn && l.ctx.Err() == nil {
				l.show(b)
			}
		}
	})
}

func (l *list) failed(turn int, err error) {
	if turn == l.turn && l.ctx.Err() == nil {
		l.reading = false
		l.opt.Changed(err)
	}
}

// show draws a beginning.
func (l *list) show(b beginning) {
	l.tl, l.items, l.reading, l.size = b.tl, b.kept, false, 2*firstPage
	l.last, l.begun = nil, true
	clear(l.notes)
	clear(l.waiting)
	for _, id := range b.waiting {
		l.waiting[id] = true
	}
	l.wanted = nil
	if len(b.items) > 0 {
		l.last = new(b.items[len(b.items)-1])
	}
	if l.heldOf != l.turn { // they were stored before this beginning was read
		l.held = nil
	}
	l.remember(b.notes)
	var heads []string
	if l.opt.Heads != nil {
		heads = l.opt.Heads()
	}
	l.heads = len(heads)
	l.rows.SetIDs(append(heads, rowsOf(b.kept)...))
	l.setWhole(b.whole)
	l.rows.RefreshAll()
	if b.place > 0 || b.above != 0 {
		l.rows.SetPlace(rowOf(b.kept[b.place].id), b.above)
	} else {
		l.rows.ScrollToTop()
	}
	l.placeNews(b.items)
	l.showNews()
	l.moved()
	l.opt.Changed(b.err)
}

// mostResumed bounds how many rows are read down to where the list was left.
const mostResumed = 20_000

// resume reads a list from the newest note that it had down to where the user left it. ok
// is false if no place was kept, or nothing of that time is stored.
func (l *list) resume(ctx context.Context, tl timeline) (b beginning, ok bool) {
	place, err := l.env.App.ReadPlace(ctx, l.opt.Keep)
	if err != nil || place.First.At == 0 {
		return b, false // without a place the list begins at the newest note
	}
	b.tl = tl
	after := behind(place.First.At + 1)
	for size := firstPage; ; size = largestPage {
		var page []item
		page, b.whole, b.err = tl.page(ctx, after, size)
		b.items = append(b.items, page...)
		if b.whole || b.err != nil || len(b.items) >= mostResumed {
			break
		}
		last := page[len(page)-1]
		if last.at < place.Top.At {
			break
		}
		after = &last
	}
	if len(b.items) == 0 || ctx.Err() != nil {
		return b, false
	}
	b.kept = (&folder{}).fold(b.items)
	b.place = nearest(b.kept, place.Top)
	if b.kept[b.place].id == place.Top.ID {
		b.above = place.Above
	}
	b.notes = l.read(tl, b.kept[max(0, b.place-loadAround):min(len(b.kept), b.place+firstPage)])
	b.waiting = newerThan(ctx, tl, b.items[0])
	return b, true
}

// behind returns a position just before the newest note of a time.
func behind(at int64) *item {
	it := &item{at: at}
	for i := range it.id {
		it.id[i] = 0xff
	}
	return it
}

// nearest returns the index of a note, or of the one closest in time if it is gone.
func nearest(items []item, n app.ReadNote) int {
	if i := slices.IndexFunc(items, func(it item) bool { return it.id == n.ID }); i >= 0 {
		return i
	}
	i := slices.IndexFunc(items, func(it item) bool { return it.at <= n.At })
	switch {
	case i < 0:
		return len(items) - 1
	case i > 0 && items[i-1].at-n.At < n.At-items[i].at:
		return i - 1
	}
	return i
}

// newerThan returns the notes of a timeline that are newer than an item.
func newerThan(ctx context.Context, tl timeline, first item) []nostr.ID {
	var newer []nostr.ID
	var after *item
	for len(newer) < mostResumed {
		page, whole, err := tl.page(ctx, after, largestPage)
		for _, it := range page {
			if it.id == first.id || it.at < first.at {
				return newer
			}
			newer = append(newer, it.id)
		}
		if whole || err != nil {
			break
		}
		after = &page[len(page)-1]
	}
	return newer
}

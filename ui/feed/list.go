package feed

import (
	"context"
	"errors"

	"fyne.io/fyne/v2"

	"bowerbird/ndb"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/widgets"
)

// pageSize is how many notes are read at a time.
const pageSize = 40

// list is a scrolled list of note cards, read page by page.
type list struct {
	env    screen.Env
	ctx    context.Context
	end    context.CancelFunc
	reader *present.Reader
	rows   *widgets.VirtualList

	source  timeline
	notes   map[string]present.Note
	ids     []string
	last    *ndb.Cursor // of the last row
	whole   bool        // there is nothing behind the last row
	reading bool
	turn    int // of the source; an answer for an earlier one is dropped

	// filled is told when a page has come, or an error.
	filled func(err error)
	// decorate changes a note before it is shown: marks of a search.
	decorate func(present.Note) present.Note
}

func newList(env screen.Env, id string, filled func(error)) *list {
	ctx, end := context.WithCancel(context.Background())
	l := &list{
		env: env, ctx: ctx, end: end, reader: newReader(env),
		notes: map[string]present.Note{}, filled: filled,
	}
	memory := note.NewMemory()
	l.rows = widgets.NewVirtualList(widgets.VirtualOptions{
		Make: func(string) fyne.CanvasObject {
			return note.NewCard(note.Options{
				Go: env.Go, Words: env.Words, Do: env.Do, Loader: loader(env), Auto: auto(env),
				Compact: env.Look.Compact, Line: true, Memory: memory,
				Changed: func(row ndb.ID) { l.rows.RefreshRow(row.String()) },
			})
		},
		Bind: func(id string, o fyne.CanvasObject) {
			if card, ok := o.(*note.Card); ok {
				card.SetNote(l.notes[id])
			}
		},
		NearEnd: l.more,
	})
	l.rows.ID = id
	return l
}

// loader is how cards get pictures; nil offers none.
func loader(env screen.Env) note.Loader {
	if env.Pictures == nil {
		return nil
	}
	return env.Pictures
}

// auto is whose pictures come without a click.
func auto(env screen.Env) func(*present.Note) bool {
	if env.Look.ShowFollowed {
		return note.Followed
	}
	return nil
}

func newReader(env screen.Env) *present.Reader {
	return &present.Reader{Store: env.App.Notes(), Me: env.App.Me(), Now: env.App.Now, Words: env.Words}
}

// show begins a timeline anew.
func (l *list) show(source timeline) {
	l.turn++
	l.source, l.ids, l.last, l.whole, l.reading = source, nil, nil, false, false
	clear(l.notes)
	l.rows.SetIDs(nil)
	l.more()
}

// more reads the next page, off the window's thread.
func (l *list) more() {
	if l.whole || l.reading || l.source.store == nil {
		return
	}
	l.reading = true
	turn, source, after := l.turn, l.source, l.last
	l.env.Do.Go(func() func() {
		events, err := source.page(l.ctx, after, pageSize)
		notes := l.read(events)
		return func() {
			if turn != l.turn || l.ctx.Err() != nil {
				return
			}
			l.reading = false
			l.whole = len(events) < pageSize
			if len(events) > 0 {
				l.last = cursorOf(events[len(events)-1])
			}
			l.add(notes, false)
			l.filled(err)
		}
	})
}

// read makes view models of events. It reads the store.
func (l *list) read(events []*ndb.Event) []present.Note {
	notes := make([]present.Note, 0, len(events))
	for _, e := range events {
		n, err := l.reader.FromEvent(l.ctx, e)
		if errors.Is(err, context.Canceled) {
			return notes
		}
		if err == nil {
			notes = append(notes, n)
		}
	}
	return notes
}

// add puts notes behind the others, or before them.
func (l *list) add(notes []present.Note, before bool) {
	var ids []string
	for _, n := range notes {
		id := n.Row.String()
		if _, there := l.notes[id]; there {
			continue
		}
		if l.decorate != nil {
			n = l.decorate(n)
		}
		l.notes[id] = n
		ids = append(ids, id)
	}
	if before {
		l.ids = append(ids, l.ids...)
	} else {
		l.ids = append(l.ids, ids...)
	}
	l.rows.SetIDs(l.ids)
}

func (l *list) close() { l.end() }

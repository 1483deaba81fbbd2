package feed

import (
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Spaces of a thread, in points. A reply is indented from what it answers by indent, in a
// narrow window by less.
const (
	threadSide   float32 = 22
	threadNarrow float32 = 14
	indent       float32 = 44
	threadWidth  float32 = 720 // the most that lines are wide
	narrowWidth  float32 = 640
)

// gatherPause is how long new events of a thread are gathered before it is read again.
const gatherPause = 300 * time.Millisecond

// Thread shows a note with what it answers and the replies to it.
type Thread struct {
	base
	id        nostr.ID
	reader    *present.Reader // of load
	count     *widgets.Label
	sum       *widgets.Button
	rows      *widgets.VirtualList
	memory    *note.Memory
	stopClock func() // ends the clock

	thread  present.Thread
	known   atomic.Pointer[parties]
	loaded  bool
	loading bool // it is being read,
	again   bool // and shall be once more
	byID    map[string]threadRow
	folded  map[nostr.ID]bool // replies whose answers the user hid
	looking map[nostr.ID]bool // missing notes that relays are asked for
	checked time.Time         // when the relays asked last had no more; zero if they were not asked
	shown   bool
}

// NewThread makes the screen.
func NewThread(env screen.Env, id nostr.ID) *Thread {
	t := &Thread{
		base: newBase(env), id: id, reader: newReader(env),
		byID: map[string]threadRow{}, folded: map[nostr.ID]bool{}, memory: note.NewMemory(), looking: map[nostr.ID]bool{},
	}
	t.count = widgets.NewLabel("", theme.Small, theme.Muted)
	t.count.ID = "thread.count"
	sum := widgets.Named("thread.summarise", widgets.NewButton(lang.L("Summarise"), widgets.Outline, func() { env.Go.Summarise(id) }))
	sum.Tip = lang.L("Ask the assistant what is said here")
	t.rows = widgets.NewVirtualList(widgets.VirtualOptions{
		Kind: func(id string) string { return string(t.byID[id].kind) },
		Make: func(kind string) fyne.CanvasObject { return t.make(rowKind(kind)) },
		Bind: t.bind,
		Open: func(row string) { tap(t.rows.Row(row)) },
	})
	t.rows.ID = "thread.list"
	t.put(t.rows)
	sum.Hide() // until there is something to summarise
	t.sum = sum
	t.content = widgets.NewPage(newHeadBack(env, "thread", newTitle(lang.L("Thread")), t.count, sum), t.body)
	t.load()
	t.follow()
	t.ask()
	t.stopClock = every(renewPause, env.Do, func() {
		if t.shown {
			t.load()
		}
	})
	return t
}

// load reads the thread off the window's thread. Only one load runs at a time, so that an
// older state never replaces a newer one; if another is wanted meanwhile, it follows.
func (t *Thread) load() {
	if t.loading {
		t.again = true
		return
	}
	t.loading, t.again = true, false
	t.env.Do.Go(func() func() {
		everybody, err := newTimeline(t.ctx, t.env.App, true)
		var thread present.Thread
		if err == nil {
			t.reader.Shown = everybody.shown // without what the user muted; nothing else reads with it
			thread, err = t.reader.Thread(t.ctx, t.id)
		}
		return func() {
			t.loading = false
			if t.again && t.ctx.Err() == nil {
				defer t.load()
			}
			switch {
			case t.ctx.Err() != nil:
			case err != nil && !t.loaded:
				t.put(unreadable(err, t.load))
			case err == nil:
				t.show(thread)
			}
		}
	})
}

// show draws the thread. Rows that did not change are left alone, and the list keeps its
// place; the first time it is scrolled to the note that was opened.
func (t *Thread) show(thread present.Thread) {
	before := t.byID
	var ids []string
	ids, t.byID = threadRows(thread, t.folded)
	t.thread = thread
	t.known.Store(partiesOf(thread))
	t.rows.SetIDs(ids)
	for id, r := range t.byID {
		if old, there := before[id]; there && t.rows.Row(id) != nil {
			t.replace(id, old, r)
		}
	}
	if !t.loaded && len(thread.Ancestors) > 0 {
		t.rows.ScrollTo(focusRowID(thread))
	}
	t.put(t.rows) // it may have been unreadable before
	t.loaded = true
	if long := isLong(thread); long != t.sum.Visible() {
		t.sum.Hidden = !long
		t.content.Refresh() // the head makes space
	}
	t.say()
}

// isLong reports whether there is more to summarise than a short note.
func isLong(t present.Thread) bool {
	return t.Total > 0 || len(t.Ancestors) > 0 || t.Focus.Whole != nil || t.Focus.Article()
}

// replace redraws a row if more than its age changed.
func (t *Thread) replace(id string, old, now threadRow) {
	old.note.When = now.note.When
	if !reflect.DeepEqual(old, now) {
		t.rows.RefreshRow(id)
		return
	}
	if card := cardOf(t.rows.Row(id)); card != nil {
		card.SetAges(&now.note)
	}
}

// say writes the head's line: how many replies there are, and when relays were asked.
func (t *Thread) say() {
	number := map[string]any{"Number": t.env.Words.Number(t.thread.Total)}
	parts := []string{lang.N("{{.Number}} replies", t.thread.Total, number)}
	switch {
	case t.thread.Total == 0:
		parts[0] = lang.L("No replies")
	case int64(t.thread.Total) != t.thread.Focus.Replies.N: // the card counts the direct ones
		parts[0] = lang.N("{{.Number}} replies in all", t.thread.Total, number)
	}
	if n := t.beside(); n > 1 {
		parts = append(parts, lang.N("{{.Number}} replies to the note above", n, map[string]any{"Number": t.env.Words.Number(n)}))
	}
	if !t.checked.IsZero() {
		parts = append(parts, lang.L("checked {{.Since}}", map[string]any{"Since": t.env.Words.Since(t.checked, t.env.App.Now())}))
	}
	t.count.SetText(strings.Join(parts, " · "))
}

// beside returns how many replies the note above has, including this one.
func (t *Thread) beside() int {
	if n := len(t.thread.Ancestors); n > 0 {
		return int(t.thread.Ancestors[n-1].Replies.N)
	}
	return 0
}

// Shown implements screen.Screen.
func (t *Thread) Shown() {
	t.shown = true
	if t.loaded {
		t.load()
	}
}

// Hidden implements screen.Screen.
func (t *Thread) Hidden() { t.shown = false }

// Focus implements screen.Screen.
func (t *Thread) Focus(fyne.Canvas) {
	if at, ok := t.rows.Index(focusRowID(t.thread)); ok && t.loaded {
		focusNext(t.rows, at, +1)
		return
	}
	focusTop(t.rows)
}

// TypedKey walks through the thread with the keys that no widget handled.
func (t *Thread) TypedKey(e *fyne.KeyEvent) { _ = walkInto(t.rows, e) }

// Close implements screen.Screen.
func (t *Thread) Close() {
	t.stopClock()
	t.end()
}

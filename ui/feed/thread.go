package feed

import (
	"context"
	"reflect"
	"strings"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/note"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Spaces of a thread, in points. A reply stands by indent to the right of what it
// answers; in a narrow window by less.
const (
	threadSide   float32 = 22
	threadNarrow float32 = 14
	indent       float32 = 40
	narrowWidth  float32 = 640
)

// gatherPause is how long news of a thread are gathered before it is read anew.
const gatherPause = 300 * time.Millisecond

// Thread is the conversation around a note.
type Thread struct {
	env     screen.Env
	id      nostr.ID
	ctx     context.Context
	end     context.CancelFunc
	reader  *present.Reader // of load
	content *fyne.Container
	body    *fyne.Container
	count   *widgets.Label
	sum     *widgets.Button
	rows    *widgets.VirtualList
	memory  *note.Memory
	rest    func() // ends the clock

	thread  present.Thread
	known   atomic.Pointer[parties]
	loaded  bool
	loading bool // it is being read,
	again   bool // and shall be once more
	byID    map[string]threadRow
	folded  map[nostr.ID]bool // replies whose answers the user hid
	looking map[nostr.ID]bool // missing notes that relays are asked for
	checked time.Time         // when relays were last known to have no more; zero: not known
	shown   bool
}

// NewThread makes the screen.
func NewThread(env screen.Env, id nostr.ID) *Thread {
	ctx, end := context.WithCancel(context.Background())
	t := &Thread{
		env: env, id: id, ctx: ctx, end: end, reader: newReader(env),
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
	t.body = widgets.NewFill(t.rows)
	sum.Hide() // until there is something to summarise
	t.sum = sum
	t.content = widgets.NewPage(newHeadBack(env, "thread", lang.L("Thread"), t.count, sum), t.body)
	t.load()
	t.follow()
	t.ask()
	t.rest = every(renewPause, env.Do, func() {
		if t.shown {
			t.load()
		}
	})
	return t
}

// load reads the thread, off the window's thread: once at a time, so that what was
// read later is not overwritten by what was read before, and anew when it was wanted
// meanwhile.
func (t *Thread) load() {
	if t.loading {
		t.again = true
		return
	}
	t.loading, t.again = true, false
	t.env.Do.Go(func() func() {
		shown, err := shownBy(t.ctx, t.env.App)
		var thread present.Thread
		if err == nil {
			t.reader.Shown = shown // nothing else reads with it
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
				t.body.Objects = []fyne.CanvasObject{unreadable(err, t.load)}
				t.body.Refresh()
			case err == nil:
				t.show(thread)
			}
		}
	})
}

// shownBy returns the test for what the reader has muted.
func shownBy(ctx context.Context, a *app.App) (func(*nostr.Event) bool, error) {
	tl, err := newTimeline(ctx, a, true)
	return tl.shown, err
}

// show lays the thread out. What did not change is left as it is, and what is read
// stays where it is; the first time, the list begins at the note it is about.
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
	if !t.loaded { // it may have been unreadable before
		t.body.Objects = []fyne.CanvasObject{t.rows}
		t.body.Refresh()
	}
	t.loaded = true
	if long := isLong(thread); long != t.sum.Visible() {
		t.sum.Hidden = !long
		t.content.Refresh() // the head makes room
	}
	t.say()
}

// isLong reports whether there is anything to summarise: more than a short note.
func isLong(t present.Thread) bool {
	return t.Total > 0 || len(t.Ancestors) > 0 || t.Focus.Whole != nil || t.Focus.Article()
}

// replace draws a row anew where more than its age changed.
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

// say writes the head's line.
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

// beside is how many replies the note that is answered has, this one among them.
func (t *Thread) beside() int {
	if n := len(t.thread.Ancestors); n > 0 {
		return int(t.thread.Ancestors[n-1].Replies.N)
	}
	return 0
}

// Content implements screen.Screen.
func (t *Thread) Content() fyne.CanvasObject { return t.content }

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

// TypedKey walks the thread with keys that nothing else took.
func (t *Thread) TypedKey(e *fyne.KeyEvent) { _ = walkInto(t.rows, e) }

// Close implements screen.Screen.
func (t *Thread) Close() {
	t.rest()
	t.end()
}

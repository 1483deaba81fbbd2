package feed

import (
	"context"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/screen"
	"bowerbird/ui/widgets"
)

// renewPause is how often the notes in sight are read again: their ages ("12 min") and
// figures grow.
const renewPause = 30 * time.Second

// Home is the timeline of the people whom the user follows, newest first. It has two
// lists, without and with replies, which keep their places.
type Home struct {
	env       screen.Env
	lists     [2]*list // the second one is made when it is chosen first
	chosen    int
	content   *fyne.Container
	body      *fyne.Container
	pill      *pill
	which     *widgets.Segmented
	listed    atomic.Bool // a list of people followed is stored
	shown     bool
	opened    nostr.ID
	empty     emptiness // what is shown in place of the list; "" for nothing
	takeFocus bool      // the next list that is drawn gets the keyboard
	unwatch   func()    // ends the notifications of the sync
	stopClock func()    // ends the clock
}

// NewHome makes the screen.
func NewHome(env screen.Env) *Home {
	h := &Home{env: env}
	h.pill = newPill("home.new", func() { h.list().begin() })
	h.which = widgets.Named("home.which", widgets.NewSegmented([]string{lang.L("Notes"), lang.L("With replies")}, 0, h.choose))
	h.which.OnKey = func(e *fyne.KeyEvent) bool { return e.Name != fyne.KeyUp && walkInto(h.list().rows, e) }
	head := widgets.NewHead(layout.Parted(8, newTitle(lang.L("Home")), h.which))
	h.body = widgets.NewFill()
	h.content = widgets.NewPage(layout.Column(0, head, h.pill), h.body)
	h.choose(0)
	h.takeFocus = false
	h.unwatch = env.App.Live().OnChange(func() { env.Do.Post("home.status", h.draw) })
	h.stopClock = every(renewPause, env.Do, h.tick)
	return h
}

func (h *Home) list() *list { return h.lists[h.chosen] }

// choose shows one of the two lists. The other one stays visible until the chosen one has
// something to show.
func (h *Home) choose(i int) {
	h.chosen = i
	h.takeFocus = !h.which.HasKeyboard()
	if h.lists[i] == nil {
		replies, id := i == 1, []string{"home.list", "home.replies"}[i]
		var l *list
		l = newList(h.env, listOptions{
			ID: id, Keep: id, Foot: newFoot,
			Source: func(ctx context.Context) (timeline, error) {
				tl, listed, err := homeTimeline(ctx, h.env.App, replies)
				h.listed.Store(listed)
				return tl, err
			},
			Changed: func(err error) { h.changed(l, err) },
			News:    func(n int) { h.news(l, n) },
			Shown:   func() bool { return h.shown && h.list() == l },
		})
		h.lists[i] = l
		l.opened = h.opened
		l.begin()
	}
	h.news(h.list(), len(h.list().waiting))
	h.list().look()
	h.draw()
}

// changed shows the list, or an error.
func (h *Home) changed(l *list, err error) {
	if l != h.list() {
		return
	}
	if err != nil && !isDamaged(err) && l.count() == 0 {
		h.empty = "error"
		h.show(unreadable(err, l.begin))
		return
	}
	h.draw()
}

// draw shows the list, or why it is empty.
func (h *Home) draw() {
	l := h.list()
	if !l.begun || l.ctx.Err() != nil {
		return
	}
	var why emptiness
	if l.count() == 0 {
		why = whyEmpty(h.env.App.Live().Status(), h.listed.Load())
	}
	switch {
	case why == "":
		h.show(l.rows)
	case why != h.empty:
		h.show(newEmptyHome(l.ctx, h.env, why))
	}
	h.empty = why
}

// show replaces what is drawn below the head, and moves the keyboard along: also to a list
// that the user chose with a click.
func (h *Home) show(o fyne.CanvasObject) {
	if len(h.body.Objects) == 1 && h.body.Objects[0] == o {
		return
	}
	h.body.Objects = []fyne.CanvasObject{o}
	h.body.Refresh()
	c := fyne.CurrentApp().Driver().CanvasForObject(h.content)
	if c == nil || !h.shown {
		return
	}
	if widgets.KeyboardLost(c) && (h.takeFocus || c.Focused() != nil) {
		c.Unfocus()
		h.Focus(c)
	}
	h.takeFocus = false
}

// news shows how many new notes wait.
func (h *Home) news(l *list, n int) {
	if l == h.list() && h.pill.set(n, h.env.Words.Number(n)) {
		h.content.Refresh()
	}
}

func (h *Home) tick() {
	if h.shown {
		h.list().renew()
	}
}

// MarkOpened marks the note that is open beside Home; the zero ID marks none.
func (h *Home) MarkOpened(id nostr.ID) {
	h.opened = id
	for _, l := range h.lists {
		if l != nil {
			l.markOpened(id)
		}
	}
}

// Content implements screen.Screen.
func (h *Home) Content() fyne.CanvasObject { return h.content }

// Shown implements [screen.Screen].
func (h *Home) Shown() {
	if !h.shown {
		h.shown = true
		h.list().look()
		h.tick()
	}
}

// Hidden implements screen.Screen.
func (h *Home) Hidden() {
	h.shown = false
	h.list().keepPlace()
}

// Focus implements screen.Screen.
func (h *Home) Focus(fyne.Canvas) {
	h.takeFocus = !h.list().begun // then once there is something
	focusTop(h.list().rows)
}

// TypedKey walks through the notes with the keys that no widget handled.
func (h *Home) TypedKey(e *fyne.KeyEvent) { _ = walkInto(h.list().rows, e) }

// Close implements screen.Screen.
func (h *Home) Close() {
	h.unwatch()
	h.stopClock()
	for _, l := range h.lists {
		if l != nil {
			l.close()
		}
	}
}

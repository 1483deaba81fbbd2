package feed

import (
	"context"
	"sync/atomic"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ui/layout"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// renewPause is how often what is in sight is read anew: "12 min" grows, and so do
// the figures.
const renewPause = 30 * time.Second

// Home is what the people whom the reader follows wrote, newest first. Its two
// lists, without and with replies, each keep their place.
type Home struct {
	env     screen.Env
	lists   [2]*list // the second one is made when it is chosen first
	chosen  int
	content *fyne.Container
	body    *fyne.Container
	pill    *pill
	which   *widgets.Segmented
	listed  atomic.Bool // a list of people followed is stored
	shown   bool
	empty   emptiness // what is shown in place of the list; "" for nothing
	stop    func()
	clock   *clock
}

// NewHome makes the screen.
func NewHome(env screen.Env) *Home {
	h := &Home{env: env}
	h.pill = newPill("home.new", func() { h.list().begin() })
	title := widgets.NewLabel(lang.L("Home"), theme.Heading, theme.Text)
	title.Bold = true
	h.which = widgets.NewSegmented([]string{lang.L("Notes"), lang.L("With replies")}, 0, h.choose)
	h.which.ID = "home.which"
	head := widgets.NewHead(layout.Row(8, 0, title, h.which))
	h.body = widgets.NewFill()
	h.content = widgets.NewPage(layout.Column(0, head, h.pill), h.body)
	h.choose(0)
	h.stop = env.App.Live().OnChange(func() { env.Do.Post("home.status", h.draw) })
	h.clock = newClock(env.Do, renewPause, h.tick)
	return h
}

func (h *Home) list() *list { return h.lists[h.chosen] }

// choose shows one of the two lists.
func (h *Home) choose(i int) {
	h.chosen = i
	if h.lists[i] == nil {
		replies, id := i == 1, []string{"home.list", "home.replies"}[i]
		var l *list
		l = newList(h.env, listOptions{
			ID: id,
			Source: func(ctx context.Context) (timeline, error) {
				tl, listed, err := homeTimeline(ctx, h.env.App, replies)
				h.listed.Store(listed)
				return tl, err
			},
			Changed: func(err error) { h.changed(l, err) },
			News:    func(n int) { h.news(l, n) },
		})
		h.lists[i] = l
		l.begin()
	}
	h.empty = ""
	h.body.Objects = []fyne.CanvasObject{h.list().rows}
	h.body.Refresh()
	h.news(h.list(), len(h.list().waiting))
	h.draw()
}

// changed shows the list, or what is wrong with it.
func (h *Home) changed(l *list, err error) {
	if l != h.list() {
		return
	}
	if err != nil && !isDamaged(err) && l.count() == 0 {
		h.empty = "error"
		h.show(unreadable(err))
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
	if why == h.empty {
		return
	}
	h.empty = why
	if why == "" {
		h.show(l.rows)
		return
	}
	h.show(newEmptyHome(h.env, why))
}

func (h *Home) show(o fyne.CanvasObject) {
	h.body.Objects = []fyne.CanvasObject{o}
	h.body.Refresh()
}

// news shows how many new notes wait.
func (h *Home) news(l *list, n int) {
	if l == h.list() && h.pill.set(n, h.env.Words.Number(n)) {
		h.content.Refresh()
	}
}

// tick keeps what is in sight true.
func (h *Home) tick() {
	if h.shown {
		h.list().renew()
	}
}

// Content implements screen.Screen.
func (h *Home) Content() fyne.CanvasObject { return h.content }

// Shown implements screen.Screen. Home stands beside the assistant too, where it is
// seen for long.
func (h *Home) Shown() {
	if !h.shown {
		h.shown = true
		h.tick()
	}
}

// Hidden implements screen.Screen.
func (h *Home) Hidden() { h.shown = false }

// Focus implements screen.Screen.
func (h *Home) Focus(fyne.Canvas) { focusTop(h.list().rows) }

// TypedKey walks the notes with keys that nothing else took.
func (h *Home) TypedKey(e *fyne.KeyEvent) { walkInto(h.list().rows, e) }

// Close implements screen.Screen.
func (h *Home) Close() {
	h.stop()
	h.clock.end()
	for _, l := range h.lists {
		if l != nil {
			l.close()
		}
	}
}

package feed

import (
	"errors"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// Home is what the people whom the reader follows wrote, newest first.
type Home struct {
	env     screen.Env
	list    *list
	content *fyne.Container
	pill    *widgets.Tappable
	pillIn  *fyne.Container
	count   *widgets.Label
	body    *fyne.Container

	replies bool
	authors []ndb.PubKey
	waiting []*ndb.Event // new notes behind the pill, newest last
}

// NewHome makes the screen.
func NewHome(env screen.Env) *Home {
	h := &Home{env: env}
	h.list = newList(env, "home.list", h.filled)
	h.count = widgets.NewLabel("", theme.Small, theme.Primary)
	h.count.Align = fyne.TextAlignCenter
	h.pill = widgets.NewTappable(layout.Pad(layout.Sides(9, 16), h.count), h.showNew)
	h.pill.ID = "home.new"
	h.pillIn = layout.Column(0, layout.Stack(widgets.NewGround(theme.PrimarySoft), h.pill), widgets.NewRule())
	h.pillIn.Hide()
	title := widgets.NewLabel(lang.L("Home"), theme.Heading, theme.Text)
	title.Bold = true
	which := widgets.NewSegmented([]string{lang.L("Notes"), lang.L("With replies")}, 0, func(i int) {
		h.replies = i == 1
		h.begin()
	})
	head := widgets.NewHead(layout.Row(8, 0, title, which))
	h.body = widgets.NewFill(h.list.rows)
	h.content = widgets.NewPage(layout.Column(0, head, h.pillIn), h.body)
	h.begin()
	h.follow()
	return h
}

// begin reads whom the reader follows, and the first page.
func (h *Home) begin() {
	h.waiting = nil
	h.sayNew()
	h.env.Do.Go(func() func() {
		authors, err := homeAuthors(h.list.ctx, h.env.App.Notes(), h.env.App.Me())
		return func() {
			h.authors = authors
			if errors.Is(err, ndb.ErrNotFound) {
				err = nil // said as an empty list
			}
			if err != nil {
				h.filled(err)
				return
			}
			h.list.show(timeline{store: h.env.App.Notes(), authors: authors, kinds: timelineKinds, replies: h.replies})
		}
	})
}

// filled shows the list, or why it is empty.
func (h *Home) filled(err error) {
	switch {
	case err != nil && !errors.Is(err, ndb.ErrDamaged):
		h.body.Objects = []fyne.CanvasObject{widgets.NewEmpty("warning", lang.L("The notes cannot be read"), err.Error())}
	case len(h.list.ids) > 0:
		h.body.Objects = []fyne.CanvasObject{h.list.rows}
	case len(h.authors) <= 1:
		h.body.Objects = []fyne.CanvasObject{widgets.NewEmpty("users", lang.L("Nobody to read yet"),
			lang.L("Here stand the notes of the people followed by whom you read as. Their list has not arrived, or is empty."))}
	default:
		h.body.Objects = []fyne.CanvasObject{widgets.NewEmpty("download", lang.L("Getting your notes"),
			lang.L("They appear here as they arrive."))}
	}
	h.body.Refresh()
}

// follow holds new notes back behind the pill; into an empty list they go at once.
func (h *Home) follow() {
	all := timeline{kinds: timelineKinds}
	sub := h.env.App.Notes().Subscribe(h.list.ctx, 256, all.filter())
	go func() {
		for e := range sub.C {
			h.env.Do.Do(func() { h.arrived(e) })
		}
	}()
}

func (h *Home) arrived(e *ndb.Event) {
	if !h.list.source.shows(e) || !contains(h.authors, e.PubKey) {
		return
	}
	if len(h.list.ids) > 0 {
		first := h.list.notes[h.list.ids[0]]
		if e.CreatedAt < first.At.Unix() {
			return // an old note, which stands further below
		}
	}
	h.waiting = append(h.waiting, e)
	h.env.Do.Post("home.new", h.sayNew)
}

func contains(list []ndb.PubKey, one ndb.PubKey) bool {
	for _, pk := range list {
		if pk == one {
			return true
		}
	}
	return false
}

// sayNew counts what waits.
func (h *Home) sayNew() {
	if len(h.list.ids) == 0 && len(h.waiting) > 0 {
		h.begin()
		return
	}
	h.count.SetText(lang.N("{{.Count}} new notes", len(h.waiting), map[string]any{"Count": len(h.waiting)}))
	if h.pillIn.Visible() != (len(h.waiting) > 0) {
		h.pillIn.Hidden = len(h.waiting) == 0
		h.content.Refresh()
	}
}

// showNew puts what waits on top and goes there.
func (h *Home) showNew() {
	h.begin()
	h.list.rows.ScrollToTop()
}

// Content implements screen.Screen.
func (h *Home) Content() fyne.CanvasObject { return h.content }

// Shown implements screen.Screen.
func (h *Home) Shown() {}

// Hidden implements screen.Screen.
func (h *Home) Hidden() {}

// Focus implements screen.Screen.
func (h *Home) Focus(fyne.Canvas) {}

// Close implements screen.Screen.
func (h *Home) Close() { h.list.close() }

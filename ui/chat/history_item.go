package chat

import (
	"cmp"
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/chats"
	"bowerbird/ndb/clean"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// historyItem draws one chat of the list.
type historyItem struct {
	history *history
	id      string
	text    *prose.Text
	when    *widgets.Label
	more    *widgets.IconButton
	tap     *widgets.Tappable
	box     *fyne.Container
}

func newHistoryItem(h *history) drawer {
	i := &historyItem{history: h, text: prose.New(), when: widgets.NewLabel("", theme.Tiny, theme.Muted)}
	i.text.MaxLines = 2
	i.more = widgets.NewIconButton("more", lang.L("More"), func() { i.menu() })
	i.tap = widgets.NewTappable(layout.Pad(layout.Sides(9, 12), layout.Row(8, 0, i.text, i.when)), func() { h.screen.OpenChat(i.id) })
	back := newPanel(theme.Surface, theme.Line, theme.RadiusCard, allCorners)
	i.box = layout.Stack(back, layout.Row(0, 0, i.tap, layout.Pad(layout.Sides(0, 6), i.more)))
	return drawer{i.box, i.draw}
}

func (i *historyItem) draw(r row) {
	i.id = r.id
	hit := i.history.items[r.id]
	now := i.history.screen.now()
	spans := []prose.Span{{Text: present.Isolate(hit.Title), Bold: true}}
	below := lang.N("{{.Count}} questions", hit.Turns, in("Count", hit.Turns))
	if first := cmp.Or(hit.Snippet, hit.Answer); first != "" {
		below = present.Isolate(first)
	}
	if hit.account != "" {
		below = lang.L("As {{.Name}}", in("Name", present.Isolate(hit.account))) + " · " + below
	}
	switch {
	case i.history.screen.answering(hit.members):
		below = lang.L("Is being answered") + " · " + below
	case hit.State == chats.Waiting:
		below = lang.L("Waits for your answer") + " · " + below
	case hit.cut():
		below = lang.L("Was interrupted") + " · " + below
	}
	spans = append(spans, prose.Span{Text: "\n" + below, Size: theme.Small, Color: theme.Muted})
	i.text.SetSpans(spans...)
	i.when.SetText(inWords().Ago(hit.Updated, now))
	i.tap.ID, i.more.ID = "history:"+r.id, "history.more:"+r.id
	i.box.Refresh()
}

func (i *historyItem) menu() {
	h, id := i.history, i.id
	items := []widgets.MenuItem{
		{Text: lang.L("Open"), Do: func() { h.screen.OpenChat(id) }},
		{Text: lang.L("Rename"), Do: func() { h.rename(id) }},
		{Text: lang.L("Save as Markdown"), Do: func() { h.screen.exportChat(id) }},
		{Text: lang.L("Delete"), Do: func() { h.remove(id) }},
	}
	if cost := inWords().Usage(h.items[id].Usage); cost != "" {
		items = append(items, widgets.MenuItem{Rule: true}, widgets.MenuItem{Text: cost, Off: true})
	}
	widgets.ShowMenu(i.more, items...)
}

// rename asks for another title.
func (h *history) rename(id string) {
	s, members := h.screen, h.items[id].members
	entry := widgets.Named("chat.rename", widgets.NewEntry(""))
	entry.SetText(h.items[id].Title)
	var done func()
	save := func() {
		title := clean.Line(entry.Text, 0)
		if title == "" {
			return
		}
		done()
		s.changeChats(members, func(store *chats.Store, id string) error { return store.Rename(s.ctx, id, title) }, func() {
			if slices.Contains(members, s.open.id) {
				s.open.title = title
			}
		})
	}
	entry.OnSubmitted = func(string) { save() }
	yes := widgets.Named("chat.rename.save", widgets.NewButton(lang.L("Rename"), widgets.Primary, save))
	no := widgets.Named("chat.rename.cancel", widgets.NewButton(lang.L("Cancel"), widgets.Outline, func() { done() }))
	done = widgets.ShowDialog(s.env.Go.Window(), layout.Column(12,
		prose.New(prose.Span{Text: lang.L("Rename the chat"), Size: theme.Title, Bold: true}),
		entry, layout.WrapEnd(8, no, yes)))
	entry.TypedShortcut(&fyne.ShortcutSelectAll{}) // typing begins a new name
}

// remove deletes a chat with all its versions; a toast offers to undo that.
func (h *history) remove(id string) {
	s, members := h.screen, h.items[id].members
	for c := range s.background {
		if slices.Contains(members, c.id) {
			c.stop()
		}
	}
	s.changeChats(members, func(store *chats.Store, id string) error { return store.Delete(s.ctx, id) }, func() {
		if slices.Contains(members, s.open.id) {
			s.open.stop()
			s.show(s.newConversation())
		}
		s.env.Go.Toast(lang.L("Chat deleted"), lang.L("Undo"), func() {
			s.changeChats(members, func(store *chats.Store, id string) error { return store.Undelete(s.ctx, id) }, nil)
		})
	})
}

// changeChats changes saved chats off the window's thread, then reloads the list.
func (s *Screen) changeChats(ids []string, change func(*chats.Store, string) error, then func()) {
	s.away(func() func() {
		store, err := s.env.App.Chats()
		for _, id := range ids {
			if err == nil {
				err = change(store, id)
			}
		}
		return func() {
			if err != nil {
				s.sayFailed(lang.L("That could not be done."), err)
				return
			}
			if then != nil {
				then()
			}
			s.head.draw()
			s.history.load()
		}
	})
}

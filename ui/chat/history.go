package chat

import (
	"context"
	"errors"
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/chats"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// history is the list of saved chats, with a search.
type history struct {
	screen  *Screen
	shown   bool
	search  *widgets.Entry
	list    *widgets.VirtualList
	empty   *prose.Text
	items   map[string]saved
	asked   int                // numbers the look-ups: only the newest is shown
	query   string             // of the chats in the list
	enter   bool               // Enter was pressed before the look-up had finished
	letters int                // counts keystrokes: only the pause after the last one begins a look-up
	forget  context.CancelFunc // ends the look-up that runs
	box     *layout.Arranged
}

// saved is a chat in the list: one entry for all its versions.
type saved struct {
	chats.Hit
	members []string // the ids of all versions
	account string   // the account that asked, if it is not the current one
}

// cut reports whether the last answer was interrupted. It is also true for an answer that
// is running, or that waits for an approval.
func (c saved) cut() bool { return c.CutOff() }

// answering reports whether one of some chats is being answered, on this screen or
// elsewhere, such as for the daily digest.
func (s *Screen) answering(ids []string) bool {
	if s.open.running != nil && slices.Contains(ids, s.open.id) {
		return true
	}
	for c := range s.background {
		if slices.Contains(ids, c.id) {
			return true
		}
	}
	return slices.ContainsFunc(ids, s.env.App.Answering)
}

// openCut opens the chat that was changed last if the program ended while it was being
// answered and the user has not left it since.
func (s *Screen) openCut() {
	opened := s.opened
	s.away(func() func() {
		list, err := s.findChats(s.ctx, "")
		return func() {
			switch {
			case err != nil:
				s.sayFailed(lang.L("The chats could not be read."), err)
			case opened == s.opened && len(list) > 0 && list[0].cut() && !s.answering([]string{list[0].ID}) && !list[0].Left && list[0].account == "":
				s.OpenChat(list[0].ID)
			}
		}
	})
}

// leave remembers that the user has seen an interrupted chat, so that the window does not
// open on it again.
func (s *Screen) leave(c *conversation) {
	n := len(c.turns)
	if c.running != nil || c.id == "" || n == 0 || (c.turns[n-1].State != chats.Interrupted && c.turns[n-1].State != chats.Waiting) {
		return
	}
	s.away(func() func() {
		store, err := s.env.App.Chats()
		if err == nil {
			err = store.Leave(s.ctx, c.id)
		}
		return func() {
			if err != nil && !errors.Is(err, chats.ErrNotFound) {
				s.sayFailed(lang.L("This could not be saved."), err)
			}
		}
	})
}

func newHistory(s *Screen) *history {
	h := &history{screen: s, items: map[string]saved{}}
	h.search = widgets.Named("chat.history.search", widgets.NewEntry(lang.L("Search your chats")))
	h.search.OnChanged = func(string) { h.typed() }
	h.search.OnSubmitted = func(string) { h.openFirst() }
	h.search.OnKey = h.key
	h.search.OnEscape = func() {
		if h.search.Text == "" {
			s.showHistory(false)
		}
		h.search.SetText("")
	}
	h.list = widgets.NewVirtualList(widgets.VirtualOptions{
		Kind:     func(string) string { return "chat" },
		Make:     func(string) fyne.CanvasObject { return newSlot(newHistoryItem(h)) },
		Bind:     h.bind,
		Open:     s.OpenChat,
		Estimate: 64,
	})
	h.empty = prose.Plain("", theme.Small, theme.Muted)
	back := newPanel(theme.Surface, "", 0, 0)
	h.box = layout.NewArranged(240, nil, back, h.search, h.empty, h.list)
	h.box.Arrange = func(width float32, put layout.Put) float32 {
		if put == nil {
			return 200
		}
		left, wide := inner(width)
		high := h.search.MinSize().Height
		top := gapBlock + theme.Unit
		put(back, 0, 0, width, h.box.Size().Height)
		put(h.search, left, top, wide, high)
		put(h.empty, left, top+high+gapTurn, wide, h.empty.HeightFor(wide))
		put(h.list, 0, top+high+gapBlock, width, max(0, h.box.Size().Height-top-high-gapBlock))
		return h.box.Size().Height
	}
	return h
}

// showHistory opens or closes the list of chats.
func (s *Screen) showHistory(show bool) {
	h := s.history
	if h.shown == show {
		return
	}
	if show {
		s.hideSent()
	}
	h.shown = show
	s.over()
	w := s.env.Go.Window()
	if show {
		h.load()
	}
	if w != nil {
		s.Focus(w.Canvas())
	}
}

func (h *history) focus(c fyne.Canvas) { c.Focus(h.search) }

// key moves the keyboard from the search to the list with Down.
func (h *history) key(name fyne.KeyName) bool {
	w := h.screen.env.Go.Window()
	if name != fyne.KeyDown || w == nil || len(h.list.IDs()) == 0 {
		return false
	}
	w.Canvas().Focus(h.list)
	return true
}

// openFirst opens the first chat that the search finds, once it has found it.
func (h *history) openFirst() {
	if h.search.Text == "" {
		return
	}
	if h.query != h.search.Text {
		h.load()
		h.enter = true
		return
	}
	if ids := h.list.IDs(); len(ids) > 0 {
		h.screen.OpenChat(ids[0])
	}
}

// typingPause is how long the search waits after the last letter.
const typingPause = 150 * time.Millisecond

// typed searches once the user stops typing.
func (h *history) typed() {
	h.enter = false
	h.letters++
	letters := h.letters
	h.screen.later(typingPause, func() {
		if letters == h.letters && h.screen.ctx.Err() == nil && h.query != h.search.Text {
			h.load()
		}
	})
}

// load reads the chats that match the search. It cancels a look-up that is still running.
func (h *history) load() {
	if h.forget != nil {
		h.forget()
	}
	s := h.screen
	h.enter = false
	h.asked++
	asked, query := h.asked, h.search.Text
	ctx, forget := context.WithCancel(s.ctx)
	h.forget = forget
	s.away(func() func() {
		hits, err := s.findChats(ctx, query)
		return func() {
			if asked != h.asked {
				return
			}
			if err != nil {
				s.sayFailed(lang.L("The chats could not be read."), err)
				return
			}
			h.show(hits, query)
			if h.enter {
				h.openFirst()
			}
		}
	})
}

// findChats returns the chats of which any version matches a query; all of them for "".
func (s *Screen) findChats(ctx context.Context, query string) ([]saved, error) {
	store, err := s.env.App.Chats()
	if err != nil {
		return nil, err
	}
	families, _, err := store.Families(ctx)
	if err != nil {
		return nil, err
	}
	list := make([]saved, 0, len(families))
	of := map[string]int{} // by version
	for i, f := range families {
		list = append(list, saved{chats.Hit{Info: f.Info}, f.Members, s.formerAccount(ctx, f.Reader)})
		for _, id := range f.Members {
			of[id] = i
		}
	}
	if query == "" {
		return list, nil
	}
	hits, err := store.Search(ctx, query)
	var found []saved
	taken := map[int]bool{}
	for _, hit := range hits {
		i, known := of[hit.ID]
		if known && !taken[i] {
			taken[i] = true
			found = append(found, saved{hit, list[i].members, list[i].account})
		}
	}
	return found, err
}

// formerAccount returns the name of the account that a chat was asked as; "" for the
// current one. It reads the disk.
func (s *Screen) formerAccount(ctx context.Context, key string) string {
	pk, err := nostr.ParsePubKey(key)
	if err != nil || pk == s.env.App.Me() {
		return ""
	}
	return present.NameIn(ctx, s.env.App.Notes(), pk)
}

func (h *history) show(hits []saved, query string) {
	h.query = query
	ids := make([]string, 0, len(hits))
	h.items = make(map[string]saved, len(hits))
	for _, hit := range hits {
		ids = append(ids, hit.ID)
		h.items[hit.ID] = hit
	}
	text := ""
	switch {
	case len(hits) > 0:
	case query != "":
		text = lang.L("No chat contains “{{.Text}}”.", in("Text", present.Isolate(query)))
	default:
		text = lang.L("Your chats will be kept here.")
	}
	h.empty.SetSpans(prose.Span{Text: text, Size: theme.Small, Color: theme.Muted})
	h.list.SetIDs(ids)
	for _, id := range ids {
		h.list.RefreshRow(id)
	}
	h.box.Refresh()
}

func (h *history) bind(id string, o fyne.CanvasObject) {
	o.(*slot).bind(row{id: id, gap: gapClose})
}

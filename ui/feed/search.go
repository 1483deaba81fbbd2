package feed

import (
	"context"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/ndb/nostr"
	"bowerbird/ui/layout"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// typingPause is how long the search waits for the next letter. A search that is
// overtaken ends, so that the pause need not be long.
const typingPause = 30 * time.Millisecond

// Search searches the stored notes and people while the user types.
type Search struct {
	base
	list    *list
	entry   *widgets.Entry
	chips   *fyne.Container // filters, or suggestions while there are some
	more    *widgets.Picker // the filters without a chip
	tabs    *widgets.Segmented
	order   *widgets.Picker
	which   *fyne.Container // holds tabs and order
	summary *prose.Text
	line    *fyne.Container // holds the summary
	foot    *fyne.Container // below the results: what else can be asked
	ask     *prose.Text

	filters []string  // of the query, in the search language; shown by chips, not in the field
	text    string    // that is shown, or being looked for
	partial bool      // it was looked for as it was typed
	tab     tab       // the user's
	best    bool      // those that fit best come first, not the newest
	tallied *searched // whose longer count was begun
	edited  bool      // the text was typed since a result was opened
	typing  *time.Timer
	stop    context.CancelFunc // ends the count of the search before
}

// NewSearch makes the screen.
func NewSearch(env screen.Env) *Search {
	s := &Search{base: newBase(env), stop: func() {}}
	env.Go = searchNavigator{env.Go, s}
	s.list = newList(env, listOptions{
		ID: "search.list", Still: true,
		Changed: s.changed,
		Heads:   s.heads, BindHead: s.bindPerson,
		Head: func(string) fyne.CanvasObject { return newPersonRow(env) },
	})
	s.entry = widgets.Named("search.entry", widgets.NewEntry(lang.L("Search notes and people")))
	s.entry.OnChanged = s.typed
	s.entry.OnSubmitted = func(string) { s.take(s.entry.Text, 0) }
	s.entry.OnKey = s.key
	field := widgets.NewEntryCard(s.entry, func(bare fyne.CanvasObject) fyne.CanvasObject {
		return layout.Pad(layout.Sides(4, 12), layout.Row(8, 1, widgets.NewIcon("search", 18, theme.Muted), bare, widgets.NewKeyCap(lang.L("Esc"))))
	})
	field.Ring = true
	s.chips = layout.Wrap(6)
	s.more = widgets.Named("search.more", widgets.NewPicker(lang.L("More"), s.openMore))
	s.summary = prose.New()
	s.summary.ID = "search.summary"
	s.tabs = widgets.Named("search.tabs", widgets.NewSegmented(tabWords(env.Words, &searched{}), 0, s.choose))
	s.tabs.OnKey = s.tabKey
	s.order = widgets.Named("search.order", widgets.NewPicker(orderWords(false), s.openOrder))
	s.which = layout.Parted(8, s.tabs, s.order)
	s.line = layout.Pad(layout.Insets{Top: 9, Left: theme.ColumnPadding, Right: theme.ColumnPadding, Bottom: 3}, s.summary)
	head := layout.Column(0,
		layout.Pad(layout.Insets{Top: 12, Right: theme.ColumnPadding, Bottom: 10, Left: theme.ColumnPadding},
			layout.Column(10, field, s.chips, s.which)),
		widgets.NewRule(), s.line)
	s.ask = prose.New(prose.Span{Text: lang.L("Ask the assistant"), Size: theme.Small, Bold: true, ID: "search.ask", Tap: s.askAssistant})
	s.foot = layout.Column(0, widgets.NewRule(), layout.Pad(layout.Sides(10, theme.ColumnPadding),
		layout.Row(6, -1, widgets.NewLabel(lang.L("Not here?"), theme.Small, theme.Muted), s.ask)))
	s.content = widgets.NewPage(widgets.NewRoomy(head), widgets.NewFooted(s.body, s.foot))
	s.offer(nil)
	s.draw()
	return s
}

// askAssistant asks about the words in the field.
func (s *Search) askAssistant() {
	s.env.Go.Ask(lang.L("What do people say about {{.Text}}?", map[string]any{"Text": strings.TrimSpace(s.entry.Text)}))
}

// SetQuery searches for a text.
func (s *Search) SetQuery(text string) {
	s.filters = nil
	s.setText(text, 0)
	s.edited = false
	s.look(false)
}

// SelectQuery selects the query, so that typing replaces it.
func (s *Search) SelectQuery() {
	if s.entry.Text != "" {
		s.entry.TypedShortcut(&fyne.ShortcutSelectAll{})
	}
}

// Query returns what is looked for: the filters, and the text in the field.
func (s *Search) Query() string {
	filters := strings.Join(s.filters, " ")
	if filters == "" || s.entry.Text == "" {
		return filters + s.entry.Text
	}
	return filters + " " + s.entry.Text
}

// typed searches once the user stops typing.
func (s *Search) typed(string) {
	s.edited = true
	if s.typing != nil {
		s.typing.Stop()
	}
	s.typing = time.AfterFunc(typingPause, func() { s.env.Do.Do(func() { s.look(true) }) })
}

// look searches for the query. While the user types, its last word matches as a prefix.
func (s *Search) look(typed bool) {
	text := s.Query()
	if s.ctx.Err() != nil || text == s.text && s.list.begun && (typed || !s.partial) {
		return
	}
	s.text, s.partial = text, typed
	s.begin()
	s.suggest()
}

// begin searches in the chosen order.
func (s *Search) begin() {
	s.stop()
	text, typed, best, wanted := s.text, s.partial, s.best, s.tab
	s.list.opt.Source = func(ctx context.Context) (timeline, error) {
		tl, err := s.source(ctx, text, typed, wanted)
		tl.best = best && tl.search != nil && tl.search.query.HasWords()
		return tl, err
	}
	s.list.begin()
}

// choose shows another tab.
func (s *Search) choose(i int) {
	s.tab = tab(i)
	s.begin()
}

// openOrder lets the user choose the order of the results.
func (s *Search) openOrder() {
	var items []widgets.MenuItem
	for _, best := range []bool{false, true} {
		items = append(items, widgets.MenuItem{Text: orderWords(best), Checked: s.best == best, Do: func() { s.sort(best) }})
	}
	widgets.ShowMenu(s.order, items...)
}

// orderWords names an order.
func orderWords(best bool) string {
	if best {
		return lang.L("Best match first")
	}
	return lang.L("Newest first")
}

// sort shows the results in another order: newest first, or best match first.
func (s *Search) sort(best bool) {
	s.best = best
	s.order.SetText(orderWords(best))
	s.which.Refresh()
	s.begin()
}

// tabKey moves the keyboard from the tabs to what is above and below them.
func (s *Search) tabKey(e *fyne.KeyEvent) bool {
	if e.Name == fyne.KeyUp {
		s.Focus(fyne.CurrentApp().Driver().CanvasForObject(s.entry))
		return true
	}
	return walkInto(s.list.rows, e)
}

// source reads a query. It is called off the window's thread.
func (s *Search) source(ctx context.Context, text string, typed bool, wanted tab) (timeline, error) {
	read, err := readSearch(ctx, s.env.App, text, typed)
	if err != nil {
		return timeline{}, err
	}
	if err := read.findPeople(ctx, s.env.App); err != nil {
		return timeline{}, err
	}
	if read.found, err = read.count(ctx, quickTally); err != nil {
		return timeline{}, err
	}
	if read.choose(wanted); read.tab == peopleTab {
		if err := read.showPeople(ctx, s.list.reader); err != nil {
			return timeline{}, err
		}
	}
	tl := read.tab.of(read.tl)
	tl.search = &read
	return tl, nil
}

// read returns the query that is shown.
func (s *Search) read() *searched {
	if s.list.tl.search == nil {
		return &searched{}
	}
	return s.list.tl.search
}

// personKind is the kind of the rows of people.
const personKind = "person"

// heads names the rows above the notes: the people.
func (s *Search) heads() []string {
	var names []string
	for _, p := range s.read().people {
		names = append(names, personKind+":"+p.PubKey.String())
	}
	return names
}

// bindPerson shows the person of a row.
func (s *Search) bindPerson(name string, o fyne.CanvasObject) {
	for _, p := range s.read().people {
		if personKind+":"+p.PubKey.String() == name {
			o.(*personRow).set(p)
		}
	}
}

// changed shows a page of results.
func (s *Search) changed(err error) {
	switch {
	case s.ctx.Err() != nil:
	case err != nil && s.list.count() == 0 && !isDamaged(err):
		s.put(unreadable(err, s.list.begin))
		s.say(prose.Span{})
	default:
		s.draw()
		if read := s.read(); read.found.atLeast && read != s.tallied {
			s.tallied = read
			s.tally(read)
		}
	}
}

// tally counts all results, which may take longer than finding the first.
func (s *Search) tally(read *searched) {
	s.stop()
	ctx, stop := context.WithCancel(s.ctx)
	s.stop = stop
	s.env.Do.Go(func() func() {
		n, err := read.count(ctx, longTally)
		return func() {
			if ctx.Err() == nil && err == nil {
				read.found = n
				s.draw()
			}
		}
	})
}

// draw shows the list or what replaces it, and the lines above.
func (s *Search) draw() {
	read := s.read()
	s.tabs.SetLabels(tabWords(s.env.Words, read))
	s.tabs.SetSelected(int(read.tab))
	s.which.Hidden = read.query.IsEmpty()
	s.order.Hidden = read.tab == peopleTab || !read.query.HasWords()
	s.which.Refresh()
	s.foot.Hidden = strings.TrimSpace(s.entry.Text) == "" || !read.query.HasWords()
	switch {
	case read.text == "":
		s.say()
		s.put(widgets.NewEmpty("search", lang.L("Find notes and people"),
			lang.L("Everything stored on this computer is searched while you type. Nothing is sent anywhere. A - before a word leaves out notes that contain it.")))
	case read.trouble.kind != noTrouble:
		s.say(troubleLine(read.text, read.trouble)...)
		s.put(s.list.rows)
	case len(s.list.rows.IDs()) == 0:
		s.say()
		s.put(widgets.NewEmpty("search", lang.L("Nothing found"),
			lang.L("No note or person stored here matches. Try fewer or other words; a note must contain all of them.")))
	default:
		s.say(prose.Span{Text: tallyWords(s.env.Words, read), Size: theme.Small, Color: theme.Muted})
		s.put(s.list.rows)
	}
}

// say writes the line above the results, which is hidden while empty.
func (s *Search) say(words ...prose.Span) {
	s.summary.SetSpans(words...)
	s.line.Hidden = len(words) == 0
	s.content.Refresh()
}

// key moves the keyboard from the field into the results with Down. Escape empties the
// field while the user types; later it goes back, since the keyboard stays in the field
// while a result is read.
func (s *Search) key(key fyne.KeyName) bool {
	switch {
	case key == fyne.KeyDown && len(s.list.rows.IDs()) > 0:
		if c := fyne.CurrentApp().Driver().CanvasForObject(s.list.rows); c != nil && widgets.Seen(s.list.rows) {
			c.Focus(s.list.rows) // not a card: people are among the rows, who have none
		}
	case key == fyne.KeyBackspace && s.entry.Text == "" && len(s.filters) > 0:
		s.unfilter(s.filters[len(s.filters)-1])
	case key == fyne.KeyEscape && s.entry.Text != "" && s.edited:
		s.SetQuery("")
	case key == fyne.KeyEscape:
		s.env.Go.Back()
	default:
		return false
	}
	return true
}

// MarkOpened marks the note that is open beside the search; the zero ID marks none.
func (s *Search) MarkOpened(id nostr.ID) { s.list.markOpened(id) }

// Focus implements screen.Screen.
func (s *Search) Focus(c fyne.Canvas) { c.Focus(s.entry) }

// TypedKey walks through the results with the keys that no widget handled.
func (s *Search) TypedKey(e *fyne.KeyEvent) { _ = walkInto(s.list.rows, e) }

// Close implements screen.Screen.
func (s *Search) Close() {
	if s.typing != nil {
		s.typing.Stop()
	}
	s.list.close()
	s.end()
}

// personRow is a person among the results. One object shows many, one after another.
type personRow struct {
	layout.Arranged
	person                   present.Profile
	face                     *personFace
	name, about, mark, notes *widgets.Label
	press                    *widgets.Tappable
}

func newPersonRow(env screen.Env) *personRow {
	r := &personRow{
		face:  newPersonFace(env, theme.Avatar),
		name:  widgets.NewLabel("", theme.Body, theme.Text),
		about: widgets.NewLabel("", theme.Small, theme.Muted),
		mark:  widgets.NewLabel("", theme.Small, theme.Warn),
		notes: widgets.NewLabel("", theme.Small, theme.Muted),
	}
	r.name.Bold, r.name.Most = true, 240
	words := layout.Column(2, layout.Row(8, 1, r.name, r.about, r.mark), r.notes)
	r.press = widgets.NewTappable(
		layout.Pad(layout.Sides(10, theme.ColumnPadding), layout.Row(12, 1, r.face.avatar, words)),
		func() { env.Go.OpenProfile(r.person.PubKey) })
	r.Objects = []fyne.CanvasObject{layout.Column(0, r.press, widgets.NewRule())}
	r.ExtendBaseWidget(r)
	return r
}

// set shows a person.
func (r *personRow) set(p present.Profile) {
	r.person = p
	r.press.ID = "person:" + p.PubKey.String()[:8]
	r.face.set(p)
	r.name.SetText(p.Name)
	about := p.Handle
	if p.Followed {
		about = joined(about, lang.L("you follow"))
	}
	r.about.SetText(about)
	r.mark.SetText(p.Mark)
	r.notes.SetText(joined(lang.N("{{.Number}} notes", int(p.Notes.N), map[string]any{"Number": p.Notes.Text}),
		present.Text(p.About[:min(len(p.About), 1)])))
	r.Refresh() // the other labels move with the name
}

// Tapped implements fyne.Tappable: Enter on the row opens the person.
func (r *personRow) Tapped(e *fyne.PointEvent) { r.press.Tapped(e) }

// searchNavigator opens results, and remembers for the search that one was opened.
type searchNavigator struct {
	screen.Navigator
	search *Search
}

func (n searchNavigator) OpenThread(id nostr.ID) {
	n.search.edited = false
	n.Navigator.OpenThread(id)
}

func (n searchNavigator) OpenProfile(pk nostr.PubKey) {
	n.search.edited = false
	n.Navigator.OpenProfile(pk)
}

func (n searchNavigator) OpenArticle(id nostr.ID) {
	n.search.edited = false
	n.Navigator.OpenArticle(id)
}

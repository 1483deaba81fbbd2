package shell

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/lang"

	"bowerbird/app/chats"
	"bowerbird/ui/feed"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// find returns the actions that match a text: each of its words must begin a word of the
// name or of the synonyms. Those whose name begins with the text come first.
func find(list []action, text string) []action {
	words := strings.Fields(strings.ToLower(text))
	var found []action
	for _, a := range list {
		if !a.quiet && hasAll(strings.Fields(strings.ToLower(a.name+" "+a.also)), words) {
			found = append(found, a)
		}
	}
	text = strings.ToLower(strings.TrimSpace(text))
	slices.SortStableFunc(found, func(a, b action) int {
		return starts(b, text) - starts(a, text)
	})
	return found
}

func starts(a action, text string) int {
	if text != "" && strings.HasPrefix(strings.ToLower(a.name), text) {
		return 1
	}
	return 0
}

func hasAll(have, want []string) bool {
	for _, w := range want {
		if !slices.ContainsFunc(have, func(h string) bool { return strings.HasPrefix(h, w) }) {
			return false
		}
	}
	return true
}

// mostFound is how many people, notes and chats of a text the palette shows of each.
const mostFound = 3

// linesFrom returns the first of n lines to show, so that the selected one is visible
// where only most are.
func linesFrom(selected, n, most int) int {
	return max(0, min(selected-most/2, n-most))
}

// palette is the field that finds people, notes, chats and actions by a few words. It
// stays where it is while they are typed.
type palette struct {
	*Shell
	all      []action // that can be done now
	shown    []action
	selected int
	entry    *widgets.Entry
	list     *fyne.Container
	count    *widgets.Label
	hints    *fyne.Container    // beside the count
	rest     fyne.CanvasObject  // below the list
	stop     context.CancelFunc // ends the search for the text before
	done     func()
}

func (s *Shell) openPalette() {
	p := &palette{Shell: s, all: s.paletteActions(), stop: func() {}}
	if len(p.all) == 0 {
		return
	}
	p.entry = widgets.Named("palette.entry", widgets.NewEntry(lang.L("What do you want to do?")))
	p.entry.OnChanged = p.find
	p.entry.OnSubmitted = func(string) {
		if p.selected < len(p.shown) {
			p.run(p.shown[p.selected])
		}
	}
	p.entry.OnKey = p.key
	head := widgets.NewEntryCard(p.entry, func(bare fyne.CanvasObject) fyne.CanvasObject {
		return layout.Pad(layout.Sides(10, 20), layout.Row(10, 1, widgets.NewIcon("search", 18, theme.Muted), bare, widgets.NewKeyCap(lang.L("Esc"))))
	})
	head.Flat = true
	p.list = layout.Column(0)
	p.count = widgets.NewLabel("", theme.Small, theme.Muted)
	p.hints = layout.Row(6, -1, widgets.NewKeyCap("↑"), widgets.NewKeyCap("↓"), widgets.NewLabel(lang.L("choose"), theme.Small, theme.Muted),
		layout.Pad(layout.Insets{Left: 10}, widgets.NewKeyCap(keyName(fyne.KeyReturn))), widgets.NewLabel(lang.L("open"), theme.Small, theme.Muted))
	p.rest = layout.Column(0, widgets.NewRule(), layout.Pad(layout.Sides(9, 20), layout.Row(8, 1, p.hints, layout.Column(0), p.count)))
	p.find("")
	p.done = widgets.ShowPalette(s.window, layout.Column(0, head, widgets.NewRule(), layout.Pad(layout.Sides(8, 8), p.list), p.rest))
	p.fill() // now that its height is known
	s.window.Canvas().Focus(p.entry)
}

func (p *palette) run(a action) {
	p.stop()
	p.done()
	a.do()
}

// find shows what a text finds. The lines before stay until all of them are known, but
// Enter already means this text.
func (p *palette) find(text string) {
	p.stop()
	actions := group(slices.Concat(find(p.all, text), p.otherwise(text)))
	p.shown, p.selected = actions, 0
	if strings.TrimSpace(text) == "" || !p.ready() {
		p.fill()
		return
	}
	ctx, stop := context.WithCancel(p.session.ctx)
	p.stop = stop
	env := p.env()
	p.do.Go(func() func() {
		people, notes, query, err := feed.Lookup(ctx, env, text, mostFound)
		hits := p.chats(ctx, env, text)
		return func() {
			switch {
			case ctx.Err() != nil:
				return
			case err != nil:
				p.opt.Logger.Error("the palette looks up", "err", err)
			}
			found := slices.Concat(p.people(env, people, query.Highlights), p.notes(env, notes, query.Highlights), p.conversations(hits, query.Highlights))
			if len(actions) > 0 && starts(actions[0], strings.ToLower(strings.TrimSpace(text))) > 0 {
				p.shown = slices.Concat(actions, found)
			} else {
				p.shown = slices.Concat(found, actions)
			}
			p.fill()
		}
	})
}

// group puts actions under two headings: first that of the best match, each once.
func group(list []action) []action {
	to := lang.L("Go to")
	for i := range list {
		if list[i].group != to {
			list[i].group = lang.L("Do")
		}
	}
	var first, rest []action
	for _, a := range list {
		if a.group == list[0].group {
			first = append(first, a)
		} else {
			rest = append(rest, a)
		}
	}
	return append(first, rest...)
}

func (p *palette) people(env screen.Env, found []feed.Found, marks func(string) [][2]int) (list []action) {
	for _, f := range found {
		who := f.Person
		list = append(list, action{
			name: who.Name, more: f.Text, detail: lang.L("Profile"), marks: marks, group: lang.L("People"),
			face: func() fyne.CanvasObject { return feed.NewFace(env, who, lineFace) },
			do:   func() { p.OpenProfile(who.PubKey) },
		})
	}
	return list
}

func (p *palette) notes(env screen.Env, found []feed.Found, marks func(string) [][2]int) (list []action) {
	for _, f := range found {
		list = append(list, action{
			more: f.Text, detail: f.Person.Name + " · " + p.words.Ago(time.Unix(f.At, 0), p.opt.Now()), marks: marks, group: lang.L("Notes"),
			face: func() fyne.CanvasObject { return feed.NewFace(env, f.Person, lineFace) },
			do:   func() { p.OpenThread(f.Note) },
		})
	}
	return list
}

// chats finds chats, newest first.
func (p *palette) chats(ctx context.Context, env screen.Env, text string) []chats.Hit {
	store, err := env.App.Chats()
	if err != nil {
		return nil // the history says why
	}
	hits, err := store.Search(ctx, text)
	if err != nil {
		return nil
	}
	return hits[:min(mostFound, len(hits))]
}

func (p *palette) conversations(hits []chats.Hit, marks func(string) [][2]int) (list []action) {
	for _, h := range hits {
		list = append(list, action{
			name: h.Info.Title, detail: p.words.Moment(h.Info.Updated, p.opt.Now()), icon: "history", marks: marks, group: lang.L("Chats"),
			do: func() {
				if sc := p.chatScreen(); sc != nil {
					sc.OpenChat(h.Info.ID)
				}
			},
		})
	}
	return list
}

// otherwise returns what can be done with any text.
func (p *palette) otherwise(text string) []action {
	text = strings.TrimSpace(text)
	if text == "" || !p.ready() {
		return nil
	}
	data, do := map[string]any{"Text": text}, lang.L("Do")
	return []action{
		{name: lang.L("Search notes and people for “{{.Text}}”", data), icon: "search", group: do, do: func() { p.Search(text) }},
		{name: lang.L("Ask the assistant: “{{.Text}}”", data), icon: "assistant", group: do, do: func() { p.Ask(text) }},
	}
}

// fill draws as many lines as fit, around the selected one.
func (p *palette) fill() {
	p.list.Objects = nil
	width := widgets.PaletteWidth(p.window.Canvas().Size())
	narrow := width < theme.Scaled(280)
	line := newPaletteLine(action{}, false, 0, narrow, nil).MinSize().Height
	if narrow {
		line = max(line, 2*prose.Plain("x", theme.Body, theme.Text).MinSize().Height+12)
	}
	heading := newPaletteHeading("x").MinSize().Height
	free := widgets.PaletteHeight(p.window.Canvas().Size()) - p.rest.MinSize().Height - theme.Eased(64) - 16
	groups := 1
	for i := 1; i < len(p.shown); i++ {
		if p.shown[i].group != p.shown[i-1].group {
			groups++
		}
	}
	most := max(1, int((free-heading*float32(groups))/line))
	from := linesFrom(p.selected, len(p.shown), most)
	detail := min(180, width/3/theme.Scaled(1)) // a third of a narrow one, whatever the size of text
	p.count.SetText(lang.N("{{.N}} results", len(p.shown), map[string]any{"N": len(p.shown)}))
	p.hints.Hidden = p.hints.MinSize().Width+p.count.MinSize().Width+48 > width
	group := ""
	for i, a := range p.shown[from:min(from+most, len(p.shown))] {
		if a.group != group {
			group = a.group
			p.list.Add(newPaletteHeading(group))
		}
		p.list.Add(newPaletteLine(a, from+i == p.selected, detail, narrow, func() { p.run(a) }))
	}
	p.list.Refresh()
}

// key moves the selection.
func (p *palette) key(key fyne.KeyName) bool {
	step := map[fyne.KeyName]int{fyne.KeyDown: 1, fyne.KeyUp: -1}[key]
	if step == 0 || len(p.shown) == 0 {
		return false
	}
	p.selected = (p.selected + step + len(p.shown)) % len(p.shown)
	p.fill()
	return true
}

// lineFace is the side of a face or an icon in the palette, in points.
const lineFace float32 = 26

func newPaletteHeading(text string) fyne.CanvasObject {
	l := widgets.NewLabel(text, theme.Small, theme.Muted)
	l.Bold = true
	return layout.Pad(layout.Insets{Top: 8, Bottom: 4, Left: 12}, l)
}

// newPaletteLine is a line with a detail of a width at most. A narrow one has two lines of text,
// and no keys.
func newPaletteLine(a action, selected bool, most float32, narrow bool, do func()) fyne.CanvasObject {
	var sign fyne.CanvasObject
	if a.face != nil {
		sign = a.face()
	} else {
		sign = layout.Pad(layout.All(theme.Eased((lineFace-18)/2)), widgets.NewIcon(cmp.Or(a.icon, "chevron-right"), 18, theme.Muted))
	}
	text := prose.New(append(marked(a.name, theme.Text, a.marks), marked(spaced(a.name, a.more), theme.Muted, a.marks)...)...)
	if text.MaxLines = 1; narrow {
		text.MaxLines = 2
	}
	detail := widgets.NewLabel(a.detail, theme.Small, theme.Muted)
	detail.Most = most
	row := []fyne.CanvasObject{sign, text, detail}
	switch {
	case narrow:
	case a.key != "":
		for _, key := range keysOf(a.key, a.mods) {
			row = append(row, widgets.NewKeyCap(key))
		}
	case selected:
		row = append(row, widgets.NewKeyCap(keyName(fyne.KeyReturn)))
	}
	line := widgets.Named("palette:"+a.name, widgets.NewTappable(layout.Pad(layout.Sides(6, 12), layout.Row(10, 1, row...)), do))
	line.SetSelected(selected)
	return line
}

// spaced puts a space before a text that follows another.
func spaced(before, text string) string {
	if before == "" || text == "" {
		return text
	}
	return "  " + text
}

// marked writes a text with what a query looks for marked.
func marked(text string, color fyne.ThemeColorName, marks func(string) [][2]int) (spans []prose.Span) {
	at := 0
	add := func(to int, mark bool) {
		if to > at {
			spans = append(spans, prose.Span{Text: text[at:to], Size: theme.Body, Color: color, Mark: mark})
			at = to
		}
	}
	if marks != nil {
		for _, r := range marks(text) {
			add(r[0], false)
			add(r[1], true)
		}
	}
	add(len(text), false)
	return spans
}

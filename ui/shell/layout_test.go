package shell

import (
	"encoding/json"
	"errors"
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/lang"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/config"
	"bowerbird/assets"
	"bowerbird/ndb"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
	"bowerbird/ui/wordstest"
)

// layoutSizes are the windows in which every screen is laid out. In those of 3,000 points also
// what has to be scrolled to otherwise is seen.
var layoutSizes = []fyne.Size{
	{Width: 480, Height: 600},
	{Width: 480, Height: 3000},
	{Width: 900, Height: 700},
	{Width: 1280, Height: 832},
	{Width: 1280, Height: 3000},
	{Width: 1600, Height: 1200},
}

// layoutLooks are the looks in which they are, by language: longer words with the extremes of
// the text. Colours place nothing, so each theme has some.
var layoutLooks = map[string][]config.Appearance{
	"en": {
		{Mode: config.ModeLight, Text: 100, Density: config.Comfortable},
		{Mode: config.ModeDark, Text: 200, Density: config.Comfortable},
	},
	"de": {
		{Mode: config.ModeDark, Text: 80, Density: config.Comfortable},
		{Mode: config.ModeLight, Text: 200, Density: config.Comfortable},
	},
}

func TestNothingOverlapsOrIsCutOnAnyScreen(t *testing.T) {
	if testing.Short() {
		t.Skip("lays all screens out in all sizes")
	}
	for _, language := range []string{"en", "de"} {
		t.Run(language, func(t *testing.T) {
			if language == "de" {
				wordstest.German(t)
			}
			own := ownWords(t, language)
			looks := layoutLooks[language]
			startSampleAs(t, config.Locate(t.TempDir(), ""), looks[0], func(st *stage) {
				st.survey(own, looks, st.everything)
			})
			welcome := newStage(t, config.Locate(t.TempDir(), ""), config.Settings{})
			welcome.Start(t.Context())
			defer welcome.end()
			welcome.wait("welcome.sample")
			welcome.survey(own, looks, welcome.beginnings)
		})
	}
}

// survey visits things in all looks and sizes.
func (st *stage) survey(own map[string]bool, looks []config.Appearance, all func() []visit) {
	for _, look := range looks {
		st.Change(func(set *config.Settings) { set.Appearance = look })
		for _, v := range all() {
			for i, size := range layoutSizes {
				st.window.Resize(size)
				if i == 0 || v.floats {
					closeAll(st.window.Canvas())
					v.way()
					st.pump(quietly)
				}
				st.drain()
				for _, fault := range faultsOf(st.window.Canvas(), own) {
					st.t.Errorf("%s, %g x %g, text %d %%: %s", v.name, size.Width, size.Height, look.Text, fault)
				}
			}
			closeAll(st.window.Canvas())
		}
	}
}

// visit is a way to something that the window shows.
type visit struct {
	name   string
	way    func()
	floats bool // above the screen: it is opened anew in each size
}

// everything is all screens, and what floats above them.
func (st *stage) everything() (all []visit) {
	names, ways := st.visits()
	for i := range names {
		all = append(all, visit{names[i], ways[i], false})
	}
	// tall does something in a window in which all that is needed for it is seen.
	tall := func(way func()) func() {
		return func() {
			size := st.window.Canvas().Size()
			st.window.Resize(fyne.NewSize(size.Width, 5000))
			way()
			st.window.Resize(size)
		}
	}
	ask := func(question, until string) func() {
		return tall(func() {
			st.newChat()
			st.Ask(question)
			st.wait(until)
		})
	}
	tap := func(way func(), names ...string) func() {
		return func() {
			way()
			st.pump(quietly)
			for _, name := range names {
				st.tap(name)
				st.pump(quietly)
			}
		}
	}
	toChat := func() { st.enter(assistant) }
	toStorage := func() { st.OpenSettings("storage") }
	return append(all,
		visit{"new chat", st.newChat, false},
		visit{"scope menu", tap(toChat, "chat.scope"), true},
		visit{"model menu", tap(toChat, "chat.model"), true},
		visit{"digest", ask("What did I miss since yesterday?", "chat.headline"), false},
		visit{"chart", ask("Top hashtags this week, as a chart", "chat.chart.plot"), false},
		visit{"save", tall(tap(toChat, "chat.chart.save", "menu:*")), true},
		visit{"table", ask("Who posted most last week?", "chat.table"), false},
		visit{"history", tap(toChat, "chat.history"), false},
		visit{"chat menu", tap(func() {}, "history.more:*"), true},
		visit{"rename", tap(func() {}, "history.more:*", "menu:"+lang.L("Rename")), true},
		visit{"assistant", tap(st.newChat), false}, // which closes the history
		visit{"note menu", tap(ways[slices.Index(names, "thread")], "more:*"), true},
		visit{"search with results", func() { st.Search("relay since:30d") }, false},
		visit{"search with nothing typed", func() { st.Search("") }, false},
		visit{"search without results", func() { st.Search("penguins") }, false},
		visit{"settings storage", toStorage, false},
		visit{"remove", tall(tap(toStorage, "settings.remove-all")), true},
		visit{"palette", st.openPalette, true},
		visit{"keys", st.showKeys, true},
		visit{"link", func() { st.OpenURL("https://marrow.example/releases") }, true},
	)
}

// beginnings are what is seen before there are notes.
func (st *stage) beginnings() []visit {
	failing := func(err error) func() {
		return func() { st.rootShows(st.cannotOpen(err, false)) }
	}
	return []visit{
		{"welcome", func() { st.session.welcome.Close(); st.welcome(nil) }, false},
		{"welcome with nobody", func() {
			st.window.Canvas().FocusNext()
			st.typeText("nobody")
			st.tap("welcome.continue")
		}, false},
		{"already open", failing(&ndb.InUseError{PID: 4000}), false},
		{"too old", failing(&ndb.NewerError{}), false},
		{"disk full", failing(ndb.ErrNoSpace), false},
		{"cannot open", failing(errors.New("open the notes: permission denied")), false},
		{"cannot read", func() { st.rootShows(st.cannotRead(errors.New("settings.toml: line 3: no such key"))) }, false},
	}
}

// closeAll closes what floats above the screen.
func closeAll(c fyne.Canvas) {
	for _, o := range c.Overlays().List() {
		c.Overlays().Remove(o)
	}
}

// ownWords are the window's own words in a language, without those that somebody's are put
// into.
func ownWords(t *testing.T, language string) map[string]bool {
	t.Helper()
	words := map[string]bool{}
	files, err := assets.Translations.ReadDir("translations")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), "."+language+".json") {
			continue
		}
		raw, err := assets.Translations.ReadFile("translations/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		var texts map[string]any // of which those with a plural have numbers in them
		if err := json.Unmarshal(raw, &texts); err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if text, ok := text.(string); ok && !strings.Contains(text, "{{") {
				words[text] = true
			}
		}
	}
	return words
}

// drain runs what is posted already.
func (st *stage) drain() {
	for {
		select {
		case f := <-st.posts:
			f()
		default:
			return
		}
	}
}

// faultsOf are the faults in how a canvas is laid out.
func faultsOf(c fyne.Canvas, own map[string]bool) []string {
	s := surveyor{own: own}
	whole := rectangle{max: fyne.NewPos(c.Size().Width, c.Size().Height)}
	top := c.Overlays().Top() // which covers the rest
	if top == nil {
		top = c.Content()
	}
	s.walk(top, nil, fyne.Position{}, whole)
	s.compare()
	return s.faults
}

// surveyor collects what is drawn, and what is wrong with it.
type surveyor struct {
	own    map[string]bool // the window's own words
	faults []string
	drawn  []mark
}

// mark is a text or a control, where it is to be seen.
type mark struct {
	what     string
	in       []fyne.CanvasObject // what it is part of, outermost first
	seen     rectangle
	baseline float32 // of a text
	size     float32 // of a text; 0 for a control
	control  fyne.CanvasObject
}

// near is how far two things may reach into each other, in points.
const near float32 = 2.5

func (s *surveyor) walk(o fyne.CanvasObject, in []fyne.CanvasObject, at fyne.Position, seen rectangle) {
	if o == nil || !o.Visible() {
		return
	}
	at = at.Add(o.Position())
	box := rectangle{at, at.AddXY(o.Size().Width, o.Size().Height)}
	if text, ok := o.(*canvas.Text); ok {
		s.text(text, in, box, seen)
		return
	}
	inner := append(in[:len(in):len(in)], o)
	if c, ok := o.(*fyne.Container); ok {
		for _, child := range c.Objects {
			s.walk(child, inner, at, seen)
		}
		return
	}
	w, ok := o.(fyne.Widget)
	if !ok {
		return
	}
	s.words(o)
	if clips(o) {
		seen = seen.cut(box)
	}
	if _, ok := o.(fyne.Tappable); ok && !box.cut(seen).empty() {
		// What is below all others closes a menu; Fyne's own scroll bars are in its fields.
		if name := nameOf(o); len(in) > 0 && strings.HasPrefix(name, "*") && !strings.HasPrefix(name, "*widget.") {
			s.add("a control has no name: %T at %v", o, box)
		}
		s.drawn = append(s.drawn, mark{what: nameOf(o), in: in, seen: box.cut(seen), control: o})
	}
	for _, child := range test.WidgetRenderer(w).Objects() {
		s.walk(child, inner, at, seen)
	}
}

// text looks at one piece of text: it lies in the box of all that it is part of, and in the
// window.
func (s *surveyor) text(text *canvas.Text, in []fyne.CanvasObject, box, seen rectangle) {
	if _, _, _, a := text.Color.RGBA(); a == 0 || strings.TrimSpace(text.Text) == "" {
		return
	}
	size, base := fyne.CurrentApp().Driver().RenderedTextSize(text.Text, text.TextSize, text.TextStyle, text.FontSource)
	x := box.min.X
	switch spare := text.Size().Width - size.Width; text.Alignment {
	case fyne.TextAlignCenter:
		x += spare / 2
	case fyne.TextAlignTrailing:
		x += spare
	}
	line := box.min.Y + max(0, (text.Size().Height-size.Height)/2) + base
	// Letters reach from below the line to the height of a capital.
	ink := rectangle{fyne.NewPos(x, line-0.74*text.TextSize), fyne.NewPos(x+size.Width, line+0.22*text.TextSize)}
	whole := ink
	at := fyne.Position{}
	var boxes []rectangle
	for _, o := range in {
		at = at.Add(o.Position())
		boxes = append(boxes, rectangle{at, at.AddXY(o.Size().Width, o.Size().Height)})
	}
	for i := len(in) - 1; i >= 0; i-- {
		clips := clips(in[i])
		field, sideways := in[i].(*container.Scroll)
		sideways = sideways && field.Direction != container.ScrollVerticalOnly || isClip(in[i]) || i > 0 && isClip(in[i-1])
		out := ""
		switch b := boxes[i]; {
		case !clips && isBare(in[i]): // a layer without a size of its own
			continue
		case !sideways && (ink.min.X < b.min.X-near || ink.max.X > b.max.X+near):
			out = "to the side"
		case !clips && (ink.min.Y < b.min.Y-near || ink.max.Y > b.max.Y+near):
			out = "above or below"
		}
		if out != "" {
			s.add("%q is %s of %s: %v in %v", text.Text, out, nameOf(in[i]), ink, boxes[i])
			break
		}
		if clips {
			if ink = ink.cut(boxes[i]); ink.empty() {
				return
			}
		}
	}
	if ink = whole.cut(seen); !ink.empty() {
		s.drawn = append(s.drawn, mark{what: text.Text, in: in, seen: ink, baseline: line, size: text.TextSize})
	}
}

// clips reports whether an object shows no more of what is in it than its size.
func clips(o fyne.CanvasObject) bool {
	_, scrolls := o.(fyne.Scrollable)
	return scrolls || isClip(o)
}

// isClip reports whether an object is made to cut what is in it, such as a wide table.
func isClip(o fyne.CanvasObject) bool {
	w, ok := o.(fyne.Widget)
	if !ok {
		return false
	}
	_, ok = test.WidgetRenderer(w).(interface{ IsClip() })
	return ok
}

// isBare reports whether an object has no place of its own: its objects are placed freely.
func isBare(o fyne.CanvasObject) bool {
	c, ok := o.(*fyne.Container)
	return ok && c.Layout == nil
}

// words looks whether the window's own words are written in full.
func (s *surveyor) words(o fyne.CanvasObject) {
	switch o := o.(type) {
	case *widgets.Label:
		for _, child := range test.WidgetRenderer(o).Objects() {
			if t := child.(*canvas.Text); t.Visible() && t.Text != o.Text() && s.own[o.Text()] && o.ID != "chat.title" {
				s.add("%q is cut to %q", o.Text(), t.Text)
			}
		}
	case *prose.Text:
		if o.Cut(o.Size().Width) && s.own[o.String()] {
			s.add("%q is cut", o.String())
		}
	}
}

// compare looks at what is drawn in pairs.
func (s *surveyor) compare() {
	for i, a := range s.drawn {
		for _, b := range s.drawn[i+1:] {
			if a.partOf(b) || b.partOf(a) || a.emboldens(b) {
				continue
			}
			near, both := near, a.seen.cut(b.seen)
			if a.control != nil && b.control != nil {
				near *= 2 // both have space around what is drawn
			}
			if both.max.X-both.min.X > near && both.max.Y-both.min.Y > near {
				s.add("%q and %q overlap: %v and %v", a.what, b.what, a.seen, b.seen)
			}
			if a.size > 0 && a.size == b.size && a.inLineWith(b) {
				if d := a.baseline - b.baseline; d > 1 || d < -1 {
					s.add("%q and %q are in one line, %.1f points apart", a.what, b.what, d)
				}
			}
		}
	}
}

// emboldens reports whether a text is another one's, drawn a second time to look bold.
func (a mark) emboldens(b mark) bool {
	return a.size > 0 && a.what == b.what && a.baseline == b.baseline && b.seen.min.X-a.seen.min.X <= theme.Embolden(a.what, a.size, fyne.TextStyle{Bold: true})
}

// partOf reports whether a is drawn inside the control b, or b is the part of a wrapped text,
// such as a link, that takes the clicks on it. A scroll bar lies over its rows.
func (a mark) partOf(b mark) bool {
	if b.control == nil {
		return false
	}
	if _, drags := b.control.(fyne.Draggable); drags && a.control != nil {
		return true
	}
	if a.control == nil && len(b.in) > 0 && b.in[len(b.in)-1] == a.in[len(a.in)-1] {
		if _, ok := b.in[len(b.in)-1].(*prose.Text); ok {
			return true
		}
	}
	for _, o := range a.in {
		if o == b.control {
			return true
		}
	}
	return false
}

// inLineWith reports whether two texts are in the same row of the same object.
func (a mark) inLineWith(b mark) bool {
	if len(a.in) == 0 || len(b.in) == 0 {
		return false
	}
	same := a.in[len(a.in)-1] == b.in[len(b.in)-1] // one wrapped text
	if n := min(len(a.in), len(b.in)); n > 1 && len(a.in) == len(b.in) {
		same = same || a.in[n-2] == b.in[n-2] // labels side by side
	}
	half := (a.seen.max.Y - a.seen.min.Y) / 2
	return same && a.seen.min.Y < b.seen.max.Y-half && b.seen.min.Y < a.seen.max.Y-half
}

func (s *surveyor) add(format string, args ...any) {
	s.faults = append(s.faults, fmt.Sprintf(format, args...))
}

func nameOf(o fyne.CanvasObject) string {
	if n, ok := o.(interface{ DumpName() string }); ok && n.DumpName() != "" {
		return n.DumpName()
	}
	return fmt.Sprintf("%T", o)
}

func TestASurveySeesEachKindOfFault(t *testing.T) {
	look, err := theme.New(theme.Options{Mode: theme.Light})
	if err != nil {
		t.Fatal(err)
	}
	test.NewTempApp(t).Settings().SetTheme(look)
	at := func(o fyne.CanvasObject, x, y, width, height float32) fyne.CanvasObject {
		o.Move(fyne.NewPos(x, y))
		o.Resize(fyne.NewSize(width, height))
		return o
	}
	text := func(words string) fyne.CanvasObject { return canvas.NewText(words, color.Black) }
	button := func(words string) fyne.CanvasObject { return widgets.NewButton(words, widgets.Outline, func() {}) }
	for want, objects := range map[string][]fyne.CanvasObject{
		"":                {at(text("one"), 0, 0, 60, 20), at(button("two"), 100, 0, 80, 30), at(text("below"), 0, 40, 60, 20)},
		"to the side":     {at(layout.Column(0, text("a text that is much wider than its box")), 0, 0, 60, 20)},
		"above or below":  {at(layout.Pad(layout.Insets{Top: 30}, text("low")), 0, 0, 60, 20)},
		"overlap":         {at(button("one"), 0, 0, 80, 30), at(button("two"), 60, 0, 80, 30)},
		"points apart":    {at(text("high"), 0, 0, 40, 20), at(text("low"), 60, 4, 40, 20)},
		`is cut to "Sett`: {at(widgets.NewLabel("Settings", theme.Body, theme.Text), 0, 0, 45, 20)},
		`"New chat" is cut`: {at(func() fyne.CanvasObject {
			t := prose.Plain("New chat", theme.Body, theme.Text)
			t.MaxLines = 1
			return t
		}(), 0, 0, 40, 20)},
	} {
		window := test.NewTempWindow(t, container.NewWithoutLayout(objects...))
		window.Resize(fyne.NewSize(300, 200))
		got := strings.Join(faultsOf(window.Canvas(), map[string]bool{"Settings": true, "New chat": true}), "\n")
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

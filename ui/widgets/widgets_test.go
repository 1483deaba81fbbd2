package widgets_test

import (
	"encoding/json"
	"image/color"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

func TestEveryControlIsPressedByMouseAndKeyboardUnlessItIsOff(t *testing.T) {
	for name, make := range map[string]func(tap func()) fyne.CanvasObject{
		"button": func(tap func()) fyne.CanvasObject { return widgets.NewButton("x", widgets.Primary, tap) },
		"icon":   func(tap func()) fyne.CanvasObject { return widgets.NewIconButton("search", "Search", tap) },
		"link":   func(tap func()) fyne.CanvasObject { return widgets.NewLink("x", tap) },
		"chip":   func(tap func()) fyne.CanvasObject { return widgets.NewChip("x", tap) },
		"picker": func(tap func()) fyne.CanvasObject { return widgets.NewPicker("x", tap) },
		"tappable": func(tap func()) fyne.CanvasObject {
			return widgets.NewTappable(widgets.NewLabel("x", theme.Body, theme.Text), tap)
		},
	} {
		t.Run(name, func(t *testing.T) {
			useTheme(t, theme.Options{})
			n := 0
			o := make(func() { n++ })
			w := show(t, o, 100, 40)
			test.Tap(o.(fyne.Tappable))
			w.Canvas().FocusNext()
			if w.Canvas().Focused() != o.(fyne.Focusable) {
				t.Fatal("the Tab key does not lead to it")
			}
			press(w, fyne.KeyReturn, fyne.KeyEnter, fyne.KeySpace)
			test.Type(w.Canvas().Focused(), " ")
			if n != 4 {
				t.Errorf("pressed %d times, not 4", n)
			}
			o.(fyne.Disableable).Disable()
			test.Tap(o.(fyne.Tappable))
			press(w, fyne.KeyReturn)
			if n != 4 {
				t.Error("it was pressed while it is off")
			}
			still := make(nil)
			show(t, still, 100, 40).Canvas().FocusNext()
			if f, ok := still.(fyne.Disableable); !ok || !f.Disabled() {
				t.Error("the Tab key leads to what does nothing")
			}
		})
	}
}

func TestEveryControlHasAName(t *testing.T) {
	useTheme(t, theme.Options{})
	for want, o := range map[string]fyne.CanvasObject{
		"button:Send": widgets.NewButton("Send", widgets.Primary, nothing),
		"icon:Search": widgets.NewIconButton("search", "Search", nothing),
		"link:Who":    widgets.NewLink("Who", nothing),
		"chip:since:": widgets.NewChip("since:", nothing),
		"chat.entry":  func() fyne.CanvasObject { e := widgets.NewEntry(""); e.ID = "chat.entry"; return e }(),
		"home.list": func() fyne.CanvasObject {
			l := widgets.NewVirtualList(widgets.VirtualOptions{})
			l.ID = "home.list"
			return l
		}(),
		"chat.scope": func() fyne.CanvasObject { p := widgets.NewPicker("x", nothing); p.ID = "chat.scope"; return p }(),
		"home.segments": func() fyne.CanvasObject {
			s := widgets.NewSegmented([]string{"a"}, 0, nil)
			s.ID = "home.segments"
			return s
		}(),
	} {
		if got := o.(interface{ DumpName() string }).DumpName(); got != want {
			t.Errorf("%T is called %q, not %q", o, got, want)
		}
	}
}

func TestASegmentedControlIsWalkedByArrows(t *testing.T) {
	useTheme(t, theme.Options{})
	var chosen []int
	s := widgets.NewSegmented([]string{"Notes", "With replies"}, 0, func(i int) { chosen = append(chosen, i) })
	w := show(t, s, 300, 40)
	w.Canvas().FocusNext()
	press(w, fyne.KeyRight, fyne.KeyRight, fyne.KeyLeft)
	if len(chosen) != 2 || chosen[0] != 1 || chosen[1] != 0 {
		t.Errorf("chosen were %v", chosen)
	}
	s.SetSelected(1)
	if len(chosen) != 2 {
		t.Error("SetSelected told of itself")
	}
}

// clock is the time of tips, moved by hand.
type clock struct{ wait []func() }

func (c *clock) after(_ time.Duration, f func()) func() {
	i := len(c.wait)
	c.wait = append(c.wait, f)
	return func() { c.wait[i] = nil }
}

func (c *clock) pass() {
	for i, f := range c.wait {
		if c.wait[i] = nil; f != nil {
			f()
		}
	}
}

// texts are all that is to be read in a window.
func texts(w fyne.Window) string {
	return test.RenderToMarkup(w.Canvas())
}

func TestATipComesAfterAWhileOfMouseOrKeyboardAndGoes(t *testing.T) {
	useTheme(t, theme.Options{})
	b := widgets.NewIconButton("search", "Find notes and people", nothing)
	root := widgets.NewRoot(layout.Column(0, b))
	c := &clock{}
	root.After = c.after
	w := show(t, root, 400, 200)
	shown := func() bool { return strings.Contains(texts(w), "Find notes and people") }
	b.MouseIn(&desktop.MouseEvent{})
	if shown() {
		t.Error("it came at once")
	}
	c.pass()
	if !shown() {
		t.Error("it did not come with the mouse")
	}
	test.WidgetRenderer(root).Layout(root.Size()) // as Fyne does when something new is shown
	if !shown() {
		t.Error("it went by itself")
	}
	b.MouseOut()
	if shown() {
		t.Error("it stayed when the mouse went")
	}
	b.MouseIn(&desktop.MouseEvent{})
	b.MouseOut()
	c.pass()
	if shown() {
		t.Error("it came when the mouse was gone")
	}
	w.Canvas().Focus(b)
	c.pass()
	if !shown() {
		t.Error("it did not come with the keyboard")
	}
	press(w, fyne.KeyReturn)
	if shown() {
		t.Error("it stayed when the button was pressed")
	}
}

func TestAToastIsShownUntilItIsHiddenOrActedOn(t *testing.T) {
	useTheme(t, theme.Options{})
	root := widgets.NewRoot(layout.Column(0))
	w := show(t, root, 500, 300)
	first := root.ShowToast("Copied", "", nil)
	undone := 0
	second := root.ShowToast("Chat deleted", "Undo", func() { undone++ })
	first() // its time is up, but another is shown
	if got := texts(w); !strings.Contains(got, "Chat deleted") || strings.Contains(got, "Copied") {
		t.Errorf("shown is %s", got)
	}
	w.Canvas().FocusNext()
	press(w, fyne.KeyReturn)
	if undone != 1 || strings.Contains(texts(w), "Chat deleted") {
		t.Errorf("undone %d times", undone)
	}
	second() // twice does no harm
}

func TestADialogTakesTheKeyboardAndGivesItBack(t *testing.T) {
	useTheme(t, theme.Options{})
	behind := widgets.NewButton("behind", widgets.Outline, nothing)
	w := show(t, widgets.NewRoot(layout.Pad(layout.All(8), behind)), 600, 400)
	windowKeys := 0
	w.Canvas().SetOnTypedKey(func(*fyne.KeyEvent) { windowKeys++ })
	w.Canvas().Focus(behind)
	told := 0
	entry := widgets.NewEntry("name")
	ok := widgets.NewButton("OK", widgets.Primary, nothing)
	closeIt := widgets.ShowDialog(w, layout.Column(8, entry, ok), func() { told++ })
	if w.Canvas().Focused() != fyne.Focusable(entry) {
		t.Fatalf("the keyboard is on %T", w.Canvas().Focused())
	}
	for _, want := range []fyne.Focusable{ok, entry} {
		if w.Canvas().FocusNext(); w.Canvas().Focused() != want {
			t.Errorf("Tab led to %T", w.Canvas().Focused())
		}
	}
	press(w, fyne.KeyEscape)
	if w.Canvas().Overlays().Top() != nil || told != 1 || windowKeys != 0 {
		t.Errorf("Escape in a field: told %d times, the window %d times", told, windowKeys)
	}
	if w.Canvas().Focused() != fyne.Focusable(behind) {
		t.Errorf("the keyboard went to %T", w.Canvas().Focused())
	}
	closeIt()
	if told != 1 {
		t.Error("a closed dialog was closed again")
	}
	press(w, fyne.KeyEscape)
	if windowKeys != 1 {
		t.Error("without a dialog Escape does not reach the window")
	}
}

func TestADialogWithoutAnythingToPressIsClosedByEscape(t *testing.T) {
	useTheme(t, theme.Options{})
	w := show(t, widgets.NewRoot(layout.Column(0)), 600, 400)
	widgets.ShowDialog(w, widgets.NewLabel("only words", theme.Body, theme.Text))
	press(w, fyne.KeyEscape)
	if w.Canvas().Overlays().Top() != nil {
		t.Error("it is still there")
	}
}

func TestADialogFitsTheSmallestWindow(t *testing.T) {
	useTheme(t, theme.Options{Scale: 2})
	w := show(t, widgets.NewRoot(layout.Column(0)), 480, 600)
	column := layout.Column(10)
	for range 40 {
		column.Add(widgets.NewLabel(strings.Repeat("words ", 30), theme.Body, theme.Text))
	}
	widgets.ShowDialog(w, column)
	card := test.WidgetRenderer(w.Canvas().Overlays().Top().(fyne.Widget)).Objects()[1]
	if s, p := card.Size(), card.Position(); p.X < 8 || p.Y < 8 || p.X+s.Width > 472 || p.Y+s.Height > 592 {
		t.Errorf("its card is at %v, %v", p, s)
	}
	w.Resize(fyne.NewSize(900, 700))
	if s := card.Size(); s.Width < 500 {
		t.Errorf("in a larger window its card is %v", s)
	}
}

func TestADialogGrowsWithItsContent(t *testing.T) {
	useTheme(t, theme.Options{})
	w := show(t, widgets.NewRoot(layout.Column(0)), 600, 600)
	column := layout.Column(10, widgets.NewLabel("first", theme.Body, theme.Text))
	widgets.ShowDialog(w, column)
	d := w.Canvas().Overlays().Top()
	before := d.MinSize().Height
	column.Add(widgets.NewLabel("what went wrong", theme.Body, theme.Bad))
	if after := d.MinSize().Height; after <= before {
		t.Errorf("it asks for %v points, as before", after)
	}
	for range 90 {
		column.Add(widgets.NewLabel("more", theme.Body, theme.Text))
	}
	if most := d.MinSize().Height; most > 600 {
		t.Errorf("it asks for %v points of a window of 600", most)
	}
}

func TestAMenuIsUsedByTheKeyboard(t *testing.T) {
	useTheme(t, theme.Options{})
	at := widgets.NewPicker("Choose", nothing)
	w := show(t, widgets.NewRoot(layout.Column(0, layout.Row(0, -1, at))), 500, 400)
	w.Canvas().Focus(at)
	var chosen []string
	item := func(s string) widgets.MenuItem {
		return widgets.MenuItem{Text: s, Do: func() { chosen = append(chosen, s) }}
	}
	off := item("Off")
	off.Off = true
	open := func() {
		widgets.ShowMenu(at, item("Apple"), off, widgets.MenuItem{Rule: true}, item("Berry"), item("Cherry"))
	}
	for _, c := range []struct {
		keys []fyne.KeyName
		want string
	}{
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyReturn}, "Apple"},
		{[]fyne.KeyName{fyne.KeyDown, fyne.KeyDown, fyne.KeyReturn}, "Berry"}, // passes what is off
		{[]fyne.KeyName{fyne.KeyUp, fyne.KeyEnter}, "Cherry"},
		{[]fyne.KeyName{fyne.KeyEnd, fyne.KeyDown, fyne.KeyReturn}, "Apple"}, // around the end
		{[]fyne.KeyName{fyne.KeyEnd, fyne.KeyHome, fyne.KeyReturn}, "Apple"},
	} {
		open()
		press(w, c.keys...)
		if len(chosen) == 0 || chosen[len(chosen)-1] != c.want || w.Canvas().Overlays().Top() != nil {
			t.Errorf("%v chose %v, want %s", c.keys, chosen, c.want)
		}
	}
	open()
	test.Type(w.Canvas().Focused(), "c")
	press(w, fyne.KeyReturn)
	if chosen[len(chosen)-1] != "Cherry" {
		t.Errorf("c chose %v", chosen)
	}
	n := len(chosen)
	for _, key := range []fyne.KeyName{fyne.KeyEscape, fyne.KeyTab} {
		open()
		press(w, fyne.KeyDown, key)
		if len(chosen) != n || w.Canvas().Overlays().Top() != nil {
			t.Errorf("%s did not just close it", key)
		}
	}
	if w.Canvas().Focused() != fyne.Focusable(at) {
		t.Errorf("the keyboard went to %T", w.Canvas().Focused())
	}
	open()
	test.TapCanvas(w.Canvas(), fyne.NewPos(490, 390))
	if w.Canvas().Overlays().Top() != nil {
		t.Error("a click beside it did not close it")
	}
}

func TestAFieldSubmitsBreaksGrowsAndEscapes(t *testing.T) {
	useTheme(t, theme.Options{})
	e := widgets.NewTextEntry("Ask", 4)
	e.Resize(fyne.NewSize(200, 40))
	w := show(t, layout.Column(0, e), 200, 300)
	w.Canvas().Focus(e)
	var sent []string
	escapes := 0
	e.OnSubmitted = func(s string) { sent = append(sent, s) }
	e.OnEscape = func() { escapes++ }
	one := e.MinSize().Height
	test.Type(e, "first")
	shift := &fyne.KeyEvent{Name: desktop.KeyShiftLeft}
	e.KeyDown(shift)
	press(w, fyne.KeyReturn)
	e.KeyUp(shift)
	test.Type(e, "second")
	if fyne.Tabbable(e).AcceptsTab() {
		t.Error("the Tab key does not lead out of it")
	}
	if two := e.MinSize().Height; e.Text != "first\nsecond" || len(sent) != 0 || two <= one {
		t.Errorf("%q, sent %v, %v high, before %v", e.Text, sent, two, one)
	}
	press(w, fyne.KeyEscape, fyne.KeyReturn)
	if escapes != 1 || len(sent) != 1 || sent[0] != "first\nsecond" {
		t.Errorf("%d escapes, sent %v", escapes, sent)
	}
	e.SetText(strings.Repeat("many words ", 9))
	wrapped := e.MinSize().Height
	if wrapped <= one {
		t.Errorf("wrapped words: %v high, one line is %v", wrapped, one)
	}
	e.SetText(strings.Repeat("many words ", 90))
	if most := e.MinSize().Height; most > 5*one {
		t.Errorf("it grew to %v", most)
	}
	e.SetText("")
	if got := e.MinSize().Height; got != one {
		t.Errorf("empty it is %v high, not %v", got, one)
	}
}

func TestAFieldTakesNoMoreThanItCanShow(t *testing.T) {
	useTheme(t, theme.Options{})
	e := widgets.NewEntry("Ask")
	w := show(t, e, 200, 40)
	w.Canvas().Focus(e)
	full := 0
	e.OnFull = func() { full++ }
	e.SetText(strings.Repeat("é", 3_999))
	board := test.NewClipboard()
	board.SetContent(strings.Repeat("line\n", 100_000))
	e.TypedShortcut(&fyne.ShortcutPaste{Clipboard: board})
	if n := len([]rune(e.Text)); n != 4_000 || full != 1 {
		t.Errorf("it holds %d characters and told %d times", n, full)
	}
	test.Type(e, "x")
	if n := len([]rune(e.Text)); n != 4_000 || full != 2 {
		t.Errorf("it holds %d characters and told %d times", n, full)
	}
}

func TestAFieldGivesUpTheKeyboardAtEscapeAndPassesFunctionKeys(t *testing.T) {
	useTheme(t, theme.Options{})
	e := widgets.NewEntry("Search")
	w := show(t, e, 200, 40)
	var keys []fyne.KeyName
	w.Canvas().SetOnTypedKey(func(k *fyne.KeyEvent) { keys = append(keys, k.Name) })
	w.Canvas().Focus(e)
	press(w, fyne.KeyF5, fyne.KeyEscape)
	if w.Canvas().Focused() != nil || len(keys) != 1 || keys[0] != fyne.KeyF5 {
		t.Errorf("the keyboard is on %T, the window got %v", w.Canvas().Focused(), keys)
	}
}

func TestHostileTextsStayInTheirPlace(t *testing.T) {
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var hostile []string
	if err := json.Unmarshal(raw, &hostile); err != nil {
		t.Fatal(err)
	}
	hostile = append(hostile, strings.Repeat("W", 100_000), strings.Repeat("line\n", 10_000), strings.Repeat("\u202e\u200b", 5_000))
	useTheme(t, theme.Options{})
	label := widgets.NewLabel("", theme.Body, theme.Text)
	after := widgets.NewLabel("after", theme.Small, theme.Muted)
	row := layout.Row(8, 0, label, after)
	w := show(t, row, 400, 40)
	height, place := layout.HeightFor(row, 400), after.Position()
	for _, text := range hostile {
		label.SetText(text)
		row.Layout.Layout(row.Objects, row.Size())
		if got := layout.HeightFor(row, 400); got != height || after.Position() != place {
			t.Fatalf("%.40q: the row is %v high, its neighbour at %v", text, got, after.Position())
		}
	}
	w.Canvas().Capture()
}

func TestASwitchTurnsByTheMouseAndTheKeyboard(t *testing.T) {
	useTheme(t, theme.Options{Mode: theme.Light})
	var turned []bool
	s := widgets.NewSwitch(false, func(on bool) { turned = append(turned, on) })
	show(t, s, 100, 60)
	track := func() color.Color { return rectangles(s.Content)[0].FillColor }
	off := track()
	test.Tap(s)
	if !s.On() || track() == off {
		t.Error("a click does not turn it on, or nobody sees that")
	}
	s.TypedRune(' ')
	s.SetOn(true)
	if !s.On() || !slices.Equal(turned, []bool{true, false}) {
		t.Errorf("it told of %v", turned)
	}
}

func TestTheChosenSegmentIsSeen(t *testing.T) {
	useTheme(t, theme.Options{Mode: theme.Light})
	s := widgets.NewSegmented([]string{"One", "Two"}, 1, nil)
	show(t, s, 200, 60)
	texts := textsIn(s)
	if len(texts) != 2 || texts[0].TextStyle.Bold || !texts[1].TextStyle.Bold || texts[0].Color == texts[1].Color {
		t.Errorf("the words are drawn as %+v", texts)
	}
	s.SetSelected(0)
	if texts = textsIn(s); !texts[0].TextStyle.Bold || texts[1].TextStyle.Bold {
		t.Error("another choice is not seen")
	}
}

// textsIn returns all texts in an object.
func textsIn(o fyne.CanvasObject) (all []*canvas.Text) {
	var inside []fyne.CanvasObject
	switch o := o.(type) {
	case *canvas.Text:
		return []*canvas.Text{o}
	case *fyne.Container:
		inside = o.Objects
	case fyne.Widget:
		inside = test.WidgetRenderer(o).Objects()
	}
	for _, child := range inside {
		all = append(all, textsIn(child)...)
	}
	return all
}

package prose

import (
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// show puts a text into a window of a width, as high as it says it is.
func show(t testing.TB, text *Text, width float32) fyne.Window {
	t.Helper()
	w := test.NewTempWindow(t, text)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, max(20, text.HeightFor(width))))
	return w
}

// drawn returns what is painted of a text: its objects of one kind.
func drawn[T any](text *Text) []T {
	var out []T
	for _, o := range test.WidgetRenderer(text).Objects() {
		if x, ok := o.(T); ok {
			out = append(out, x)
		}
	}
	return out
}

func TestTheHeightToldIsTheHeightDrawn(t *testing.T) {
	open(t, theme.Light)
	for _, s := range samples {
		for _, width := range []float32{60, 140, 335} {
			text := Plain(s.text, theme.Reading, "")
			h := layout.HeightFor(text, width)
			show(t, text, width)
			for _, o := range drawn[*canvas.Text](text) {
				if bottom := o.Position().Y + o.MinSize().Height; bottom > h+4 || o.Position().Y < -4 {
					t.Errorf("%s at %v: %q from %v to %v, of %v", s.name, width, o.Text, o.Position().Y, bottom, h)
				}
			}
		}
	}
}

func TestAllLinesAreAsHighAsThePicturesShow(t *testing.T) {
	open(t, theme.Light)
	for size, want := range map[fyne.ThemeSizeName]float32{theme.Body: 21, theme.Small: 19, theme.Reading: 24} {
		if got := Plain("a\nb", size, "").HeightFor(200); got != 2*want {
			t.Errorf("two lines of %s are %v high, want %v", size, got, 2*want)
		}
	}
	with := New(Span{Text: "a "}, Span{Text: "1", Chip: true}, Span{Text: " b"})
	if got := with.HeightFor(200); got != 21 {
		t.Errorf("a line with a chip is %v high", got)
	}
}

func TestSizesOfOneLineStandOnOneBaseLine(t *testing.T) {
	open(t, theme.Light)
	text := New(Span{Text: "Big ", Size: theme.Title}, Span{Text: "small", Size: theme.Small})
	show(t, text, 300)
	ps := text.place(300)
	if len(ps) != 2 || ps[0].baseline != ps[1].baseline {
		t.Errorf("placed %+v", ps)
	}
}

func TestALinkIsOpenedByMouseAndKeyboard(t *testing.T) {
	open(t, theme.Light)
	var opened []string
	link := func(name string) Span {
		return Span{Text: name, ID: "link:" + name, Tap: func() { opened = append(opened, name) }}
	}
	text := New(Span{Text: "See "}, link("one"), Span{Text: " and "}, link("two"), Span{Text: "."})
	w := show(t, text, 300)
	heads := drawn[*head](text)
	if len(heads) != 2 || heads[0].DumpName() != "link:one" {
		t.Fatalf("%d links are on the canvas", len(heads))
	}
	test.TapCanvas(w.Canvas(), heads[1].Position().AddXY(4, 8))
	w.Canvas().FocusNext()
	if w.Canvas().Focused() != heads[0] {
		t.Fatalf("Tab leads to %v", w.Canvas().Focused())
	}
	heads[0].TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	w.Canvas().FocusNext()
	heads[1].TypedRune(' ')
	if got := strings.Join(opened, " "); got != "two one two" {
		t.Errorf("opened %s", got)
	}
}

func TestFocusAndHoverOfALinkAreSeen(t *testing.T) {
	open(t, theme.Light)
	text := New(Span{Text: "a link that is long enough for two lines", Tap: func() {}})
	w := show(t, text, 120)
	test.AssertRendersToMarkup(t, "link.xml", w.Canvas())
	w.Canvas().FocusNext()
	test.AssertRendersToMarkup(t, "link-focused.xml", w.Canvas())
	w.Canvas().Unfocus()
	test.MoveMouse(w.Canvas(), fyne.NewPos(20, 10))
	test.AssertRendersToMarkup(t, "link-hovered.xml", w.Canvas())
	if tails := drawn[*fragment](text); len(tails) == 0 || tails[0].Cursor() != desktop.PointerCursor {
		t.Error("the second line of the link is no link")
	}
}

func TestAClickBesideTheLinksIsLeftToWhatIsBehind(t *testing.T) {
	open(t, theme.Light)
	text := New(Span{Text: "words and "}, Span{Text: "a link", Tap: func() {}})
	show(t, text, 300)
	var o fyne.CanvasObject = text
	if _, ok := o.(fyne.Tappable); ok {
		t.Error("a text takes the clicks of the card that it is in")
	}
}

func TestTheFocusStaysWhenTheTextGrows(t *testing.T) {
	open(t, theme.Light)
	link := Span{Text: "link", Tap: func() {}}
	text := New(link)
	w := show(t, text, 200)
	w.Canvas().FocusNext()
	before := w.Canvas().Focused()
	text.SetSpans(link, Span{Text: " and more words that were streamed behind it"})
	if w.Canvas().Focused() != before || before == nil || !drawn[*head](text)[0].link.focus {
		t.Error("the link lost the focus")
	}
}

func TestObjectsAreUsedAgainForOtherSpans(t *testing.T) {
	open(t, theme.Light)
	text := Plain(aNote, "", "")
	show(t, text, 335)
	before := drawn[*canvas.Text](text)
	text.SetSpans(Span{Text: aNote + " More."})
	after := drawn[*canvas.Text](text)
	for i := range before {
		if before[i] != after[i] {
			t.Fatalf("text %d is another object", i)
		}
	}
}

// press clicks a selectable text n times at a place.
func press(s *selection, pos fyne.Position, n int) {
	for range n {
		s.MouseDown(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: pos}, Button: desktop.MouseButtonPrimary})
		s.MouseUp(&desktop.MouseEvent{})
	}
}

func TestTextIsMarkedAndCopied(t *testing.T) {
	open(t, theme.Light)
	text := New(Span{Text: "first "}, Span{Text: "second", Bold: true}, Span{Text: " third"})
	text.Selectable = true
	w := show(t, text, 300)
	s := drawn[*selection](text)[0]
	clock := time.Unix(1_000, 0)
	s.now = func() time.Time { return clock }
	second := text.place(300)[1]
	middle := fyne.NewPos(second.x+second.w/2, 8)
	for clicks, want := range map[int]string{1: "", 2: "second", 3: "first second third"} {
		clock = clock.Add(time.Minute)
		press(s, middle, clicks)
		if got := s.SelectedText(); got != want {
			t.Errorf("%d clicks mark %q", clicks, got)
		}
	}
	clock = clock.Add(time.Minute)
	press(s, fyne.NewPos(0, 8), 1)
	s.Dragged(&fyne.DragEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(second.x+second.w+1, 8)}})
	if got := s.SelectedText(); got != "first second" {
		t.Errorf("dragging marks %q", got)
	}
	if w.Canvas().Focused() != s {
		t.Fatal("what is marked has no focus")
	}
	s.TypedShortcut(&fyne.ShortcutCopy{})
	if got := fyne.CurrentApp().Clipboard().Content(); got != "first second" {
		t.Errorf("copied %q", got)
	}
	s.TypedShortcut(&fyne.ShortcutSelectAll{})
	test.AssertRendersToMarkup(t, "selected.xml", w.Canvas())
	w.Canvas().Unfocus()
	w.Canvas().FocusNext()
	if w.Canvas().Focused() == s {
		t.Error("Tab leads to a text that was not clicked")
	}
}

func TestALineOfBothDirectionsIsPutInOrder(t *testing.T) {
	open(t, theme.Light)
	for in, want := range map[string]string{
		"abc":                  "abc",
		"שלום!":                "!שלום",
		"(שלום) abc":           "abc (שלום)",
		"abc שלום עולם def":    "abc שלום עולם def",
		"שלום 12:30 עולם":      "עולם 12:30 שלום",
		"abc (שלום) 12, עולם.": "abc (שלום) עולם ,12.",
		"مرحبا، Nostr و 2026.": ".2026 و Nostr ،مرحبا",
		"שלום (abc) עולם":      "עולם (abc) שלום",
		"1,204 שלום":           "שלום 1,204",
	} {
		text := Plain(in, "", "")
		var got string
		for _, p := range text.place(1_000) {
			got += p.text
		}
		if got != want {
			t.Errorf("%q is drawn as %q, want %q", in, got, want)
		}
	}
}

func TestAParagraphWrittenToTheLeftStandsAtTheRight(t *testing.T) {
	open(t, theme.Light)
	ps := Plain("שלום\nabc", "", "").place(300)
	if first, last := ps[0], ps[len(ps)-1]; first.x+first.w < 298 || last.x != 0 {
		t.Errorf("placed at %v and %v", first.x, last.x)
	}
}

func TestOtherTextSizesOfTheThemeAreFollowed(t *testing.T) {
	a := test.NewTempApp(t)
	text := Plain(aNote, "", "")
	var last float32
	for _, scale := range []float32{0.8, 1, 2} {
		th, err := theme.New(theme.Options{Scale: scale})
		if err != nil {
			t.Fatal(err)
		}
		a.Settings().SetTheme(th)
		h := text.HeightFor(335)
		if h <= last {
			t.Errorf("%v high at %v times the size, %v at less", h, scale, last)
		}
		last = h
	}
}

func TestTheSmallestSizeIsSmall(t *testing.T) {
	open(t, theme.Light)
	short, long := Plain("12 min", "", ""), Plain(aNote, "", "")
	if w := short.MinSize().Width; w < 30 || w > 60 {
		t.Errorf("a short text asks for %v", w)
	}
	if got := long.MinSize(); got.Width > minWidth || got.Height != long.HeightFor(minWidth) {
		t.Errorf("a long text asks for %v", got)
	}
	long.Resize(fyne.NewSize(335, 100))
	if got := long.MinSize().Height; got != long.HeightFor(335) {
		t.Errorf("after it was laid out, it asks for a height of %v", got)
	}
}

// tips is window content that shows tips, as widgets.Root is.
type tips struct {
	*fyne.Container
	shown chan string
}

func (t tips) ShowTip(text string, _ fyne.CanvasObject) { t.shown <- text }
func (t tips) HideTip()                                 { t.shown <- "" }

func TestALinkTellsWhereItLeads(t *testing.T) {
	open(t, theme.Light)
	text := New(Span{Text: "a link", Tip: "https://a.example", Tap: func() {}})
	root := tips{layout.Stack(text), make(chan string, 4)}
	w := test.NewTempWindow(t, root)
	w.Resize(fyne.NewSize(200, 40))
	link := drawn[*head](text)[0]
	link.MouseIn(&desktop.MouseEvent{})
	if link.link.timer == nil || len(root.shown) > 0 {
		t.Error("the tip does not wait")
	}
	link.link.timer.Stop() // its thread is not the test's
	link.showTip()
	link.MouseOut()
	if got := [2]string{<-root.shown, <-root.shown}; got != [2]string{"https://a.example", ""} {
		t.Errorf("the tips were %q", got)
	}
}

// A full stop stands close behind the citation that it ends; two citations stand apart.
func TestNoGapStandsBetweenACitationAndTheMarkBehindIt(t *testing.T) {
	open(t, theme.Light)
	chip := Span{Text: "1", Chip: true}
	for behind, want := range map[string]float32{".": 0, ", and": 0, ")": 0, "。": 0, "次": chipAfter, " and": chipAfter} {
		text := New(Span{Text: "57.3 percent "}, chip, Span{Text: behind})
		show(t, text, 400)
		box := drawn[*canvas.Rectangle](text)[0]
		texts := drawn[*canvas.Text](text)
		if gap := texts[len(texts)-1].Position().X - box.Position().X - box.Size().Width; gap < want-0.01 || gap > want+0.01 {
			t.Errorf("%q stands %v behind the box, want %v", behind, gap, want)
		}
	}
}

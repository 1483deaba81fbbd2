package markdown

import (
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

func TestAStreamedViewIsDrawnAsTheWholeOne(t *testing.T) {
	open(t, theme.Light)
	for _, text := range append(slices.Clone(nasty), answer(3_000)) {
		streamed, whole := New(options()), New(options())
		w := show(t, streamed, 400)
		for at := 1; at < len(text); at += 7 {
			streamed.SetText(text[:at], false)
			w.Resize(fyne.NewSize(400, streamed.HeightFor(400)))
		}
		streamed.SetText(text, true)
		whole.SetText(text, true)
		if a, b := streamed.HeightFor(400), whole.HeightFor(400); a != b {
			t.Fatalf("%v high when streamed, %v at once: %q", a, b, text)
		}
		size := fyne.NewSize(400, max(20, whole.HeightFor(400)))
		w.Resize(size)
		v := show(t, whole, 400)
		v.Resize(size)
		if a, b := markup(streamed), markup(whole); a != b {
			t.Fatalf("streamed\n%s\nat once\n%s\nof %q", a, b, text)
		}
	}
}

func TestBlocksThatAreDoneKeepTheirWidgets(t *testing.T) {
	open(t, theme.Light)
	text := answer(6_000)
	v := New(options())
	show(t, v, 500)
	var before []*BlockView
	for at := 50; at < len(text); at += 61 {
		v.SetText(text[:at], false)
		for i := range min(frozen(&v.stream), len(before)) {
			if v.views[i] != before[i] {
				t.Fatalf("block %d has another widget at %d", i, at)
			}
		}
		before = slices.Clone(v.views)
	}
	v.SetText(text, true)
	if !slices.Equal(before[:len(before)-2], v.views[:len(before)-2]) {
		t.Error("the end made the widgets anew")
	}
}

func TestAnotherTextTakesThePlaceOfAStreamedOne(t *testing.T) {
	open(t, theme.Light)
	v := New(options())
	show(t, v, 400)
	v.SetText("# One\n\nfirst\n\nsecond\n\nthird\n\nfourth", false)
	v.SetText("# Two\n\nanother\n\nand more\n\nto the\n\nend", false)
	for i, want := range []string{"Two", "another", "and more", "to the", "end"} {
		if got := v.views[i].body.object().(*prose.Text).String(); got != want {
			t.Errorf("block %d is %q, want %q", i, got, want)
		}
	}
}

func TestTheWheelOverWideCodeMovesTheListAround(t *testing.T) {
	open(t, theme.Light)
	var turned float32
	opt := options()
	opt.Scrolled = func(e *fyne.ScrollEvent) { turned += e.Scrolled.DY }
	v := New(opt)
	v.SetText("```\n"+strings.Repeat("wide ", 60)+"\n```", true)
	w := show(t, v, 300)
	test.Scroll(w.Canvas(), fyne.NewPos(100, 40), 0, -30)
	side := v.views[0].body.(*code).side
	if turned != -30 || side.offset != 0 {
		t.Errorf("the list got %v, the code is moved by %v", turned, side.offset)
	}
	test.Scroll(w.Canvas(), fyne.NewPos(100, 40), -50, 0)
	if side.offset != 50 {
		t.Errorf("the code is moved by %v", side.offset)
	}
	over := side.Objects[1].(fyne.Focusable)
	w.Canvas().Focus(over)
	over.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
	if side.offset != side.excess() || side.offset == 0 {
		t.Errorf("End moves to %v of %v", side.offset, side.excess())
	}
}

func TestABlockWidgetShowsAnyOtherBlock(t *testing.T) {
	open(t, theme.Light)
	bs := Parse(everything+"\n\n"+digest, 6)
	b := NewBlock(bs[0], options())
	show(t, b, 400)
	for range 2 {
		for _, x := range bs {
			b.set(x)
			fresh := NewBlock(x, options())
			h := fresh.HeightFor(400)
			if got := b.HeightFor(400); got != h {
				t.Errorf("%s: %v high, %v when made anew", x.ID, got, h)
			}
			b.Resize(fyne.NewSize(400, h))
			show(t, fresh, 400)
			fresh.Resize(fyne.NewSize(400, h))
			if got, want := markup(b), markup(fresh); got != want {
				t.Errorf("%s: drawn\n%s\nwant\n%s", x.ID, got, want)
			}
			if b.look.top() != x.Source {
				t.Errorf("%s: would copy %q", x.ID, b.look.top())
			}
		}
	}
}

func TestWhatIsClickedIsTold(t *testing.T) {
	open(t, theme.Light)
	var did []string
	opt := Options{
		Cites:     2,
		OnCite:    func(n int) { did = append(did, "cite "+string(rune('0'+n))) },
		OpenURL:   func(u string) { did = append(did, u) },
		OpenNostr: func(code string) { did = append(did, code) },
		Copy:      func(s string) { did = append(did, "copied "+s) },
	}
	v := New(opt)
	v.SetText("^2 [x](https://a.example/) "+aNote+" ^9\n\n```\ncode\n```\n", true)
	w := show(t, v, 600)
	for range 4 {
		w.Canvas().FocusNext()
		w.Canvas().Focused().TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	}
	want := []string{"cite 2", "https://a.example/", aNote, "copied code\n"}
	if !slices.Equal(did, want) {
		t.Errorf("did %q, want %q", did, want)
	}
}

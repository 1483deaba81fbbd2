package markdown

import (
	"image/png"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/theme"
)

func open(t testing.TB, mode theme.Mode) {
	t.Helper()
	a := test.NewTempApp(t)
	th, err := theme.New(theme.Options{Mode: mode})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(th)
}

const digest = `- **A long read on community.** Ben wrote up two years of a 4,000-person group ^1. 31 replies by 22 people, mostly on moderation by invitation ^2.
- **Relay maintenance.** Ada moved her relay to LMDB; start-up fell from 40 s to under one ^3. Two others ask for the steps ^4.
- **Saturday.** The winter market opens at nine ^5.
- **A new client.** Yuki is trying one and likes it ^6.
`

const everything = `# A heading

A paragraph with **bold**, *italic*, ~~struck~~, ` + "`code`" + ` and [a link](https://example.com/x) to read.

## Second

1. one
2. two
   - nested, with enough words in it that the line is wrapped at this width of the text
   - more
     - deepest
10. ten

- [x] done
- [ ] to do

> A quote of *two* lines,
> and a citation ^1.
>
> - with a list

` + "```go\nfunc main() {\n\tfmt.Println(\"hello\") // a long line that does not fit into the width of the text here, so that it scrolls to the side\n}\n```" + `

| Who | Notes | Said |
|-----|------:|------|
| Ada | 12 | Moved the relay to LMDB ^3, and wrote up the steps for who wants to do the same |
| Ben | 1,207 | ` + "`short`" + ` |

---

![a cat](https://cats.example/cat.png) and <b>HTML</b> and note1fntxtkcy9pjwucqwa9mddn7v03wwwsu9j330jj350nvhpky2tuaspk6nqc.
`

func options() Options {
	return Options{
		Cites: 6, OnCite: func(int) {}, OpenURL: func(string) {}, OpenNostr: func(string) {}, Copy: func(string) {},
	}
}

func TestLook(t *testing.T) {
	dir := os.Getenv("PROSE_LOOK")
	if dir == "" {
		t.Skip("PROSE_LOOK names no folder to draw into")
	}
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		open(t, mode)
		for name, text := range map[string]string{"digest": digest, "everything": everything} {
			v := New(options())
			v.SetText(text, true)
			bg := canvas.NewRectangle(theme.Color(theme.Background))
			w := test.NewTempWindow(t, container.NewStack(bg, layout.Pad(layout.Sides(20, 36), v)))
			width := float32(796)
			if name == "everything" {
				width = 560
			}
			w.Resize(fyne.NewSize(width, v.HeightFor(width-72)+40))
			f, err := os.Create(dir + "/md-" + name + "-" + string(mode) + ".png")
			if err != nil {
				t.Fatal(err)
			}
			_ = png.Encode(f, w.Canvas().Capture())
			_ = f.Close()
		}
	}
}

func BenchmarkViewUpdateAt10000(b *testing.B) {
	open(b, theme.Light)
	text := answer(10_400)
	v := New(options())
	v.SetText(text[:10_000], false)
	w := test.NewTempWindow(b, v)
	w.Resize(fyne.NewSize(720, 900))
	n := 10_000
	for b.Loop() {
		if n += 4; n > 10_400 {
			n = 10_000
			v.SetText(text[:n], false)
		}
		v.SetText(text[:n], false)
		v.Resize(fyne.NewSize(720, v.HeightFor(720)))
	}
}

// show puts a view into a window of a width, as high as it says it is.
func show(t testing.TB, o fyne.CanvasObject, width float32) fyne.Window {
	t.Helper()
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, max(20, layout.HeightFor(o, width))))
	return w
}

func TestEachKindOfBlockIsDrawn(t *testing.T) {
	for name, text := range map[string]string{
		"paragraph": "Some **bold**, *italic*, ~~gone~~ and `code`, cited ^1 and [linked](https://example.com).",
		"heading":   "# One\n\n## Two\n\n### Three",
		"list":      "- one\n- two\n  - nested\n\n1. first\n2. second\n\n- [x] done\n- [ ] to do",
		"quote":     "> quoted *words*\n>\n> > twice",
		"code":      "```go\nx := 1\n```",
		"code-wide": "```\n" + strings.Repeat("wide ", 30) + "\n```",
		"table":     "| a | b |\n|---|--:|\n| one | 2 |",
		"rule":      "above\n\n---\n\nbelow",
		"image":     "![a cat](https://cats.example/1.png)",
	} {
		t.Run(name, func(t *testing.T) {
			open(t, theme.Light)
			v := New(options())
			v.SetText(text, true)
			test.AssertRendersToMarkup(t, name+".xml", show(t, v, 320).Canvas())
		})
	}
}

func TestAnAnswerLooksAsInThePicture(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		open(t, mode)
		v := New(options())
		v.SetText(digest, true)
		bg := canvas.NewRectangle(theme.Color(theme.Background))
		w := show(t, container.NewStack(bg, v), 724)
		w.Resize(fyne.NewSize(724, v.HeightFor(724)))
		test.AssertRendersToImage(t, "digest-"+string(mode)+".png", w.Canvas())
	}
}

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
	w.Canvas().Focus(side.over.(fyne.Focusable))
	side.over.(fyne.Focusable).TypedKey(&fyne.KeyEvent{Name: fyne.KeyEnd})
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
			if b.Markdown() != x.Source {
				t.Errorf("%s: would copy %q", x.ID, b.Markdown())
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

// carriers try to make a renderer fetch or open ADDRESS.
var carriers = []string{
	"![x](ADDRESS)", "![x](<ADDRESS>)", "![](ADDRESS 'title')", "[![x](ADDRESS)](ADDRESS)", "![x][r]\n\n[r]: ADDRESS",
	"![r]\n\n[r]: ADDRESS", "<img src=\"ADDRESS\">", "<img src=ADDRESS onerror=alert(1)>", "<iframe src=\"ADDRESS\"></iframe>",
	"<script src=\"ADDRESS\"></script>", "<link rel=stylesheet href=\"ADDRESS\">", "<video src=\"ADDRESS\" autoplay></video>",
	"<audio src=\"ADDRESS\"></audio>", "<object data=\"ADDRESS\"></object>", "<embed src=\"ADDRESS\">", "<svg><image href=\"ADDRESS\"/></svg>",
	"<style>@import url(ADDRESS);</style>", "<p style=\"background:url(ADDRESS)\">x</p>", "<meta http-equiv=refresh content=\"0;url=ADDRESS\">",
	"<base href=\"ADDRESS\">", "<a href=\"ADDRESS\" ping=\"ADDRESS\">x</a>", "<picture><source srcset=\"ADDRESS\"></picture>",
	"[x](ADDRESS)", "<ADDRESS>", "ADDRESS", "[x]: ADDRESS\n\n[x]", "| ![x](ADDRESS) |\n|---|\n| <img src=ADDRESS> |",
	"- ![x](ADDRESS)\n  > ![x](ADDRESS)", "# ![x](ADDRESS)", "```ADDRESS\n![x](ADDRESS)\n```", "![x](data:text/html,<img src=ADDRESS>)",
	"<input type=image src=\"ADDRESS\">", "<body background=\"ADDRESS\">", "\\![x](ADDRESS)", "![x\n](ADDRESS)",
}

var picture = regexp.MustCompile(`(?m)^\s*<image `)

func TestNothingIsFetchedOrOpened(t *testing.T) {
	open(t, theme.Light)
	var requests atomic.Int32
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	server.Config.ConnState = func(net.Conn, http.ConnState) { requests.Add(1) }
	server.Start()
	defer server.Close()
	file := filepath.Join(t.TempDir(), "secret.png")
	pipe := filepath.Join(t.TempDir(), "pipe.txt")
	for _, f := range []string{file, pipe} {
		if err := os.WriteFile(f, []byte("secret words"), 0o000); err != nil {
			t.Fatal(err)
		}
	}
	opened := false
	opt := Options{Cites: 3, OpenURL: func(string) { opened = true }, OpenNostr: func(string) { opened = true }}
	for _, c := range carriers {
		for _, address := range []string{server.URL + "/x.png", "file://" + file, file, "file://" + pipe} {
			text := strings.ReplaceAll(c, "ADDRESS", address)
			v := New(opt)
			w := show(t, v, 400)
			for at := range text {
				v.SetText(text[:at], false)
			}
			v.SetText(text, true)
			w.Resize(fyne.NewSize(400, max(20, v.HeightFor(400))))
			w.Canvas().Capture()
			if got := markup(v); strings.Contains(got, "secret words") || picture.MatchString(got) && !strings.Contains(got, "IconButton") {
				t.Errorf("%q is drawn with a picture or a file's text", text)
			}
		}
	}
	time.Sleep(50 * time.Millisecond)
	if n := requests.Load(); n != 0 || opened {
		t.Errorf("%d requests were made, something was opened: %v", n, opened)
	}
}

func TestHostileTextIsLaidOutAndDrawn(t *testing.T) {
	open(t, theme.Light)
	for name, text := range map[string]string{
		"one word":  strings.Repeat("x", 100_000),
		"lines":     strings.Repeat("a line\n", 10_000),
		"code":      "```\n" + strings.Repeat(strings.Repeat("x", 500)+"\n", 300),
		"bidi":      strings.Repeat("\u202e\u2066abc ", 5_000),
		"table":     "|" + strings.Repeat("a|", 60) + "\n|" + strings.Repeat("-|", 60) + "\n" + strings.Repeat("|"+strings.Repeat("x|", 60)+"\n", 30),
		"deep list": deeper(200),
		"citations": strings.Repeat("^1 ", 30_000),
		"links":     strings.Repeat("https://a.b/c ", 10_000),
	} {
		v := New(options())
		began := time.Now()
		v.SetText(text, true)
		h := v.HeightFor(400)
		w := show(t, v, 400)
		t.Logf("%s: %v, %v high", name, time.Since(began).Round(time.Millisecond), h)
		w.Resize(fyne.NewSize(400, 600))
		if h <= 0 {
			t.Errorf("%s: %v high", name, h)
		}
	}
}

func TestAnotherThemeIsFollowed(t *testing.T) {
	open(t, theme.Light)
	v := New(options())
	v.SetText(everything, true)
	show(t, v, 500)
	dark, err := theme.New(theme.Options{Mode: theme.Dark, Scale: 1.5})
	if err != nil {
		t.Fatal(err)
	}
	fyne.CurrentApp().Settings().SetTheme(dark)
	fresh := New(options())
	fresh.SetText(everything, true)
	show(t, fresh, 500)
	size := fyne.NewSize(500, fresh.HeightFor(500))
	fresh.Resize(size)
	v.Resize(size)
	if got, want := markup(v), markup(fresh); got != want {
		t.Errorf("drawn\n%s\nwant\n%s", got, want)
	}
}

func TestTheFigureOfAnUpdate(t *testing.T) {
	if os.Getenv("PROSE_LOOK") == "" {
		t.Skip("a figure, not a test")
	}
	open(t, theme.Light)
	text := answer(10_400)
	v := New(options())
	w := show(t, v, 720)
	var took []time.Duration
	for at := 9_600; at < 10_400; at++ {
		began := time.Now()
		v.SetText(text[:at], false)
		v.Resize(fyne.NewSize(720, v.HeightFor(720)))
		took = append(took, time.Since(began))
	}
	w.Canvas().Capture()
	slices.Sort(took)
	t.Logf("p50 %v, p99 %v, most %v", took[len(took)/2], took[len(took)*99/100], took[len(took)-1])
}

// markup is what is drawn of an object.
func markup(o fyne.CanvasObject) string { return test.RenderObjectToMarkup(o) }

package markdown

import (
	"image/png"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/ui/layout"
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

var _ = strings.Repeat

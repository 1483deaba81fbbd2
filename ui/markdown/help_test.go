package markdown

import (
	"testing"

	"fyne.io/fyne/v2"
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

// show puts a view into a window of a width, as high as it says it is.
func show(t testing.TB, o fyne.CanvasObject, width float32) fyne.Window {
	t.Helper()
	w := test.NewTempWindow(t, o)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(width, max(20, layout.HeightFor(o, width))))
	return w
}

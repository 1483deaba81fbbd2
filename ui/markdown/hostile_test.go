package markdown

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ui/theme"
)

var picture = regexp.MustCompile(`(?m)^\s*<image `)

func TestNothingIsFetchedOrOpened(t *testing.T) {
	if testing.Short() {
		t.Skip("draws hundreds of texts: not beside the race detector")
	}
	open(t, theme.Light)
	server := testkit.StartListener(t)
	file := filepath.Join(t.TempDir(), "secret.png")
	pipe := filepath.Join(t.TempDir(), "pipe.txt")
	for _, f := range []string{file, pipe} {
		if err := os.WriteFile(f, []byte("secret words"), 0o000); err != nil {
			t.Fatal(err)
		}
	}
	opened := false
	opt := Options{Cites: 3, OpenURL: func(string) { opened = true }, OpenNostr: func(string) { opened = true }}
	for _, address := range []string{server.URL + "/x.png", "file://" + file, file, "file://" + pipe} {
		for _, text := range testkit.Carriers(address) {
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
	if n := server.Came(); n != 0 || opened {
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

// markup is what is drawn of an object.
func markup(o fyne.CanvasObject) string { return test.RenderObjectToMarkup(o) }

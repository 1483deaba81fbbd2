package note

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/draw"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
	"bowerbird/ui/theme"
)

// hostileTexts are those of the shared collection, and those that it lacks.
func hostileTexts(t testing.TB) []string {
	t.Helper()
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	return append(texts,
		strings.Repeat("W", 100_000),
		strings.Repeat("line\n", 10_000),
		strings.Repeat("\n", 10_000),
		strings.Repeat("😀", 30_000),
		strings.Repeat("م", 50_000),
		strings.Repeat("漢", 30_000),
		strings.Repeat("Z\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u0309", 5_000),
		strings.Repeat("\u202e\u2066\u2067\u2068", 5_000)+"reversed",
		"a\u200bb\u200cc\u200dd\ufeffe\u2060f\u180eg",
		"\u202eevil\u202c \u2066isolated",
		strings.Repeat("\U000e0041", 5_000)+"tags",
		strings.Repeat("x\ufe0f\U000e0101", 5_000),
		strings.Repeat("👨‍👩‍👧‍👦", 5_000),
		"𒐫﷽꧅⸻"+strings.Repeat("𒈙", 1_000),
		strings.Repeat("https://a.example/"+strings.Repeat("x", 300)+" ", 300),
		strings.Repeat("https://", 12_000),
		strings.Repeat("#tag ", 20_000),
		"\x00\x01\x02\x1b[31mred\x7f",
		"{{.Name}} {{template \"x\"}} %s%d%!",
	)
}

// everywhere returns events that have a text in every field that a card shows.
func everywhere(text string) (profile, note, article *nostr.Event) {
	pk := nostr.PubKey{3}
	name, _ := json.Marshal(text[:min(len(text), 60_000)])
	profile = &nostr.Event{PubKey: pk, Kind: 0, CreatedAt: clock.Unix(), Content: fmt.Sprintf(`{"name":%s,"display_name":%s,"nip05":%s,"about":%s}`, name, name, name, name)}
	tags := nostr.Tags{
		{"subject", text},
		{"title", text},
		{"summary", text},
		{"image", text},
		{"imeta", "url https://pics.example/1.png", "alt " + text, "size 5", "dim 1x1"},
		{"imeta", "url " + text},
	}
	note = &nostr.Event{ID: nostr.ID{1}, PubKey: pk, Kind: 1, CreatedAt: clock.Unix(), Content: text + "\nhttps://pics.example/1.png " + text, Tags: tags}
	article = &nostr.Event{ID: nostr.ID{2}, PubKey: pk, Kind: 30023, CreatedAt: clock.Unix(), Content: text, Tags: tags}
	return profile, note, article
}

// fields returns a present.Note with the text, as ui/present cleans it, in every
// field.
func fields(t testing.TB, r *present.Reader, text string) []present.Note {
	t.Helper()
	profile, note, article := everywhere(text)
	p, _ := nostr.ParseProfile(profile)
	var out []present.Note
	for _, e := range []*nostr.Event{note, article} {
		n, err := r.FromEvent(context.Background(), e)
		if err != nil {
			t.Fatal(err)
		}
		if name := present.Name(p); name != "" {
			n.Author, n.RepostedBy, n.ReplyTo = name, name, name
		}
		n.Handle, n.NIP05 = "@"+clean.Line(p.Name, 32), clean.Line(p.NIP05, 64)
		n.IsReply = true
		n.Mark = "…abcde"
		quote := n
		n.Quote = &quote
		out = append(out, n)
		warned := n
		warned.Warned, warned.Warning = true, clean.Line(text, 120)
		out = append(out, warned)
	}
	return out
}

func emptyReader(t testing.TB) *present.Reader {
	t.Helper()
	s, err := ndb.Open(t.TempDir(), ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return &present.Reader{Store: s, Now: clockNow}
}

// TestNoTextOfAStrangerChangesWhatStandsBesideIt draws a usual card above and below
// a hostile one: both must be drawn, to the pixel, as they are alone.
func TestNoTextOfAStrangerChangesWhatStandsBesideIt(t *testing.T) {
	if testing.Short() {
		t.Skip("draws hundreds of cards: not beside the race detector")
	}
	start(t, theme.Light)
	r := emptyReader(t)
	opt := options(&calls{})
	opt.Loader = noLoader{}
	texts := hostileTexts(t)
	if testing.Short() {
		texts = texts[len(texts)-40:]
	}
	above, below, middle := of(opt, adaNote()), of(opt, tomasNote()), NewCard(opt)
	want := [2]image.Image{drawn(420, above), drawn(420, below)}
	for i, text := range texts {
		for j, n := range fields(t, r, text) {
			middle.SetNote(n)
			if objects := work(middle); objects > maxWork {
				t.Errorf("text %d, form %d: %d objects are drawn", i, j, objects)
			}
			h := middle.HeightFor(420)
			if h > 1_400 {
				t.Errorf("text %d, form %d: %v high", i, j, h)
			}
			if i%60 != 0 && i < len(texts)-18 || j == 1 || j == 2 { // drawing is dear: some of them, and our own
				continue
			}
			img := drawn(420, above, middle, below)
			if !equal(crop(img, 0, want[0].Bounds().Dy()), want[0]) {
				t.Errorf("text %d, form %d: the card above is drawn otherwise", i, j)
			}
			if !equal(crop(img, img.Bounds().Dy()-want[1].Bounds().Dy(), img.Bounds().Dy()), want[1]) {
				t.Errorf("text %d, form %d: the card below is drawn otherwise", i, j)
			}
		}
	}
}

// maxWork bounds what is drawn for one card of a list, whatever it holds: the work
// of laying out and drawing grows with it.
const maxWork = 1_000

// work counts the objects that a card is drawn with.
func work(c *Card) int {
	c.Resize(fyne.NewSize(420, c.HeightFor(420)))
	n := 0
	var walk func(o fyne.CanvasObject)
	walk = func(o fyne.CanvasObject) {
		n++
		switch o := o.(type) {
		case fyne.Widget:
			for _, child := range test.WidgetRenderer(o).Objects() {
				walk(child)
			}
		case *fyne.Container:
			for _, child := range o.Objects {
				walk(child)
			}
		}
	}
	walk(c)
	return n
}

// crop copies the rows of a picture from one up to another.
func crop(img image.Image, from, to int) image.Image {
	out := image.NewNRGBA(image.Rect(0, 0, img.Bounds().Dx(), to-from))
	draw.Draw(out, out.Bounds(), img, image.Pt(0, from), draw.Src)
	return out
}

// TestACardAsksNobodyForAnything shows notes that hold addresses of a listening
// server wherever an address can stand.
func TestACardAsksNobodyForAnything(t *testing.T) {
	if testing.Short() {
		t.Skip("draws hundreds of cards: not beside the race detector")
	}
	start(t, theme.Light)
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer server.Close()
	server.Config.ConnState = func(net.Conn, http.ConnState) { asked.Add(1) }
	r := emptyReader(t)
	opt := options(&calls{})
	opt.Loader = noLoader{}
	for _, form := range []string{
		"%s", "%s/a.png", "![](%s/a.png)", "<img src=%s/a.png>", "[x](%s)", "%s/a.mp4", "file://%s", "//%s", "<%s/a.png>", "%s/a.svg",
	} {
		for _, n := range fields(t, r, fmt.Sprintf(form, server.URL)) {
			n.Pictures = append(n.Pictures, present.Picture{URL: server.URL + "/p.png", Host: "127.0.0.1"})
			for _, size := range []Size{Feed, Focus, Reply} {
				opt.Size = size
				c := of(opt, n)
				drawn(420, c)
				c.MouseIn(nil)
				c.FocusGained()
			}
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("%d requests", n)
	}
}

// BenchmarkHostileTexts tells what one card costs for the worst of strangers.
func BenchmarkHostileTexts(b *testing.B) {
	start(b, theme.Light)
	r := emptyReader(b)
	var notes []present.Note
	for _, text := range hostileTexts(b) {
		notes = append(notes, fields(b, r, text)...)
	}
	c := NewCard(options(&calls{}))
	for _, n := range notes { // the system's fonts are read at the first letter of each script
		c.SetNote(n)
		c.HeightFor(420)
	}
	var worst time.Duration
	for i := 0; b.Loop(); i++ {
		from := time.Now()
		c.SetNote(notes[i%len(notes)])
		c.Resize(fyne.NewSize(420, c.HeightFor(420)))
		worst = max(worst, time.Since(from))
	}
	b.ReportMetric(float64(worst.Microseconds())/1_000, "worst-ms")
}

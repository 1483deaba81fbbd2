package feed

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/tools/tooltest"
	"bowerbird/ui/layout"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// loads is a loader of pictures that counts what it is asked for.
type loads struct {
	mu   sync.Mutex
	urls []string
}

func (l *loads) Load(_ context.Context, url string) (image.Image, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.urls = append(l.urls, url)
	return image.NewRGBA(image.Rect(0, 0, 400, 300)), nil
}

// stranger is somebody who signs what a test makes up.
func stranger(t testing.TB) (*tooltest.World, *tooltest.Person) {
	t.Helper()
	w := tooltest.NewWorld(t)
	w.Now = noon
	return w, w.Person("stranger", "")
}

func TestNoPictureOfAnArticleIsFetchedBeforeAClick(t *testing.T) {
	a := openApp(t)
	_, who := stranger(t)
	e := who.Sign(tooltest.Post{Kind: kindArticle, Ago: time.Hour, Tags: nostr.Tags{
		{"d", "a"}, {"title", "With pictures"}, {"image", "https://pics.example/head.png"},
	}, Content: "# With pictures\n\nBefore ![a boat](https://pics.example/boat.png) behind.\n\n![](https://pics.example/2.png)\n\nThe end."})
	put(t, a, e)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	got := &loads{}
	st.env.Pictures = got
	sc := NewArticle(st.env, e.ID)
	st.show(sc)
	var kinds []string
	var boxes []*pictureBox
	for _, id := range sc.rows.IDs() {
		kind, _, _ := strings.Cut(id, ":")
		kinds = append(kinds, kind)
		if in, ok := sc.rows.Row(id).(*inset); ok {
			if box, ok := in.content.(*pictureBox); ok {
				boxes = append(boxes, box)
			}
		}
	}
	if want := "head picture block picture picture block end"; strings.Join(kinds, " ") != want {
		t.Fatalf("the rows are %v, want %s", kinds, want)
	}
	st.picture("article-pictures")
	if len(got.urls) > 0 {
		t.Fatalf("fetched without a click: %v", got.urls)
	}
	before := boxes[1].HeightFor(600)
	spans := boxes[1].words.Spans()
	spans[len(spans)-1].Tap()
	st.until("the picture is there", func() bool { return boxes[1].image.Image != nil })
	if len(got.urls) != 1 || got.urls[0] != "https://pics.example/boat.png" {
		t.Errorf("a click fetched %v", got.urls)
	}
	if boxes[1].HeightFor(600) <= before {
		t.Error("the picture takes no room")
	}
	st.settle()
	st.picture("article-picture-shown")
}

func TestAnArticleOfPicturesOnlyStaysSmall(t *testing.T) {
	a := openApp(t)
	_, who := stranger(t)
	var text strings.Builder
	for i := range 3_000 {
		fmt.Fprintf(&text, "![](https://p.example/%d.png)\n\n", i)
	}
	e := who.Sign(tooltest.Post{Kind: kindArticle, Ago: time.Hour, Content: text.String(), Tags: nostr.Tags{{"d", "a"}, {"title", "Pictures"}}})
	put(t, a, e)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	st.env.Pictures = &loads{}
	sc := NewArticle(st.env, e.ID)
	st.show(sc)
	boxes, pictures := map[*pictureBox]bool{}, 0
	for _, id := range sc.rows.IDs() {
		if sc.parts[id].kind != partPicture {
			continue
		}
		pictures++
		sc.rows.ScrollTo(id)
		box := sc.rows.Row(id).(*inset).content.(*pictureBox)
		spans := box.words.Spans()
		spans[len(spans)-1].Tap()
		st.until("the picture is there", func() bool { return box.image.Image != nil })
		boxes[box] = true
	}
	if pictures != mostPictures {
		t.Errorf("%d pictures have a box, want %d", pictures, mostPictures)
	}
	if len(boxes) > mostPictures/2 {
		t.Errorf("%d boxes hold pictures, far more than are in sight", len(boxes))
	}
	next := sc.parts[sc.rows.IDs()[pictures+1]]
	if len(next.block.Inline) == 0 || next.block.Inline[0].Link != "https://p.example/60.png" {
		t.Errorf("behind the last picture stands %+v, want a link to the next", next)
	}
}

// slow is a loader that only ends with its context.
type slow struct{ ended chan struct{} }

func (s slow) Load(ctx context.Context, _ string) (image.Image, error) {
	<-ctx.Done()
	close(s.ended)
	return nil, ctx.Err()
}

func TestAnArticlesPictureIsNotLoadedOnWhenItIsClosed(t *testing.T) {
	a := openApp(t)
	_, who := stranger(t)
	e := who.Sign(tooltest.Post{Kind: kindArticle, Ago: time.Hour, Content: "![](https://p.example/1.png)", Tags: nostr.Tags{{"d", "a"}, {"title", "A picture"}}})
	put(t, a, e)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	loader := slow{make(chan struct{})}
	st.env.Pictures = loader
	sc := NewArticle(st.env, e.ID)
	st.show(sc)
	spans := sc.rows.Row(sc.rows.IDs()[1]).(*inset).content.(*pictureBox).words.Spans()
	spans[len(spans)-1].Tap()
	sc.Close()
	select {
	case <-loader.ended:
	case <-time.After(testkit.Patience):
		t.Error("the loading goes on")
	}
}

func TestHostileTextsStayInTheirPlaces(t *testing.T) {
	if testing.Short() {
		t.Skip("lays out long texts: not beside the race detector")
	}
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var all, texts []string
	if err := json.Unmarshal(raw, &all); err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(all); i += 20 {
		texts = append(texts, all[i])
	}
	texts = append(texts,
		strings.Repeat("W", 60_000), strings.Repeat("line\n", 5_000), strings.Repeat("\n", 10_000),
		strings.Repeat("\u202e\u2066\u2067", 4_000)+"reversed", strings.Repeat("Z\u0300\u0301\u0302\u0303\u0304\u0305", 4_000),
		strings.Repeat("> ", 3_000)+"deep", strings.Repeat("- a\n  ", 2_000), strings.Repeat("![x](https://pics.example/a.png) ", 1_000))
	a := openApp(t)
	_, who := stranger(t)
	st := setStage(t, a, theme.Options{Mode: theme.Light}, mainPart)
	got := &loads{}
	st.env.Pictures = got
	for i, text := range texts {
		name, err := json.Marshal(text)
		if err != nil {
			t.Fatal(err)
		}
		ago := time.Duration(len(texts)-i) * time.Minute
		profile := who.Sign(tooltest.Post{Kind: 0, Ago: ago, Content: `{"name":` + string(name) + `,"display_name":` + string(name) + `,"about":` + string(name) + `,"website":` + string(name) + `}`})
		article := who.Sign(tooltest.Post{Kind: kindArticle, Ago: ago, Content: text, Tags: nostr.Tags{{"d", "x"}, {"title", text[:min(len(text), 1000)]}, {"summary", text[:min(len(text), 1000)]}}})
		put(t, a, profile, article)
		showHostile(t, st, who.Key, article.ID)
	}
	if len(got.urls) > 0 {
		t.Errorf("fetched without a click: %v", got.urls)
	}
}

// showHostile shows a person and an article, and looks whether their heads keep to
// their room.
func showHostile(t *testing.T, st *stage, pk nostr.PubKey, id nostr.ID) {
	t.Helper()
	const most = 1200 // points: a head never fills more than a screen and a half
	p := NewProfile(st.env, pk)
	defer p.Close()
	drawNow(st, p)
	st.until("the profile is there", func() bool { return p.loaded })
	if h := layout.HeightFor(p.cards[0], mainPart.Width); h > most {
		t.Errorf("the head of a profile is %v points high", h)
	}
	sc := NewArticle(st.env, id)
	defer sc.Close()
	drawNow(st, sc)
	st.until("the article is there", func() bool { return sc.body.Objects[0] != fyne.CanvasObject(sc.rows) || len(sc.rows.IDs()) > 0 })
	if ids := sc.rows.IDs(); len(ids) > 0 {
		if h := layout.HeightFor(sc.rows.Row(ids[0]), mainPart.Width); h > most {
			t.Errorf("the head of an article is %v points high", h)
		}
	}
	s := newPersonRow(st.env)
	s.set(p.person)
	if h := layout.HeightFor(s, column.Width); h > 80 {
		t.Errorf("a person among the results is %v points high", h)
	}
	for _, o := range []*prose.Text{p.cards[0].name, p.cards[0].facts} {
		if strings.ContainsAny(o.String(), "\u202e\u2066\u2067") {
			t.Errorf("%q turns what stands beside it", o.String())
		}
	}
}

// drawNow puts a screen into the window without waiting for what it reads.
func drawNow(st *stage, sc screen.Screen) {
	size := st.window.Canvas().Size()
	st.window.SetContent(sc.Content())
	st.window.Resize(size)
}

package note

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/draw"
	"math"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/pictures"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/present"
	"bowerbird/ui/prose"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
)

func TestTheHeightThatIsToldIsTheHeightThatIsDrawn(t *testing.T) {
	start(t, theme.Light)
	for _, s := range states() {
		for _, width := range []float32{280, 420, 421.5, 760} {
			c := s.card()
			told := c.HeightFor(width)
			c.Resize(fyne.NewSize(width, told))
			test.WidgetRenderer(c)
			c.Refresh()
			var bottom float32
			for _, b := range c.blocks {
				o := b.object
				bottom = max(bottom, o.Position().Y+o.Size().Height)
				if o.Position().X+o.Size().Width > width+0.5 {
					t.Errorf("%s at %v: %T ends at %v", s.name, width, o, o.Position().X+o.Size().Width)
				}
			}
			if c.look.avatar > 0 {
				bottom = max(bottom, c.parts.face.Position().Y+c.parts.face.Size().Height)
			}
			bottom += c.look.bottom
			if c.opt.Line {
				bottom++
			}
			if math.Abs(float64(bottom-told)) > 0.01 {
				t.Errorf("%s at %v: told %v, drawn to %v", s.name, width, told, bottom)
			}
		}
	}
}

func TestACardThatIsUsedAgainLooksLikeANewOne(t *testing.T) {
	start(t, theme.Light)
	used := NewCard(options(&calls{}))
	window(420, used)
	for _, s := range states() {
		if s.opt != nil || s.do != nil {
			continue
		}
		used.SetNote(s.note())
		used.Resize(fyne.NewSize(420, used.HeightFor(420)))
		fresh := of(options(&calls{}), s.note())
		if a, b := used.HeightFor(420), fresh.HeightFor(420); a != b {
			t.Errorf("%s: %v high when used again, %v when new", s.name, a, b)
		}
		if a, b := drawn(420, used), drawn(420, fresh); !equal(a, b) {
			t.Errorf("%s: drawn otherwise when used again", s.name)
		}
	}
}

func equal(a, b image.Image) bool {
	return a.Bounds() == b.Bounds() && bytes.Equal(pixels(a), pixels(b))
}

func pixels(img image.Image) []byte {
	out := image.NewNRGBA(img.Bounds())
	draw.Draw(out, out.Bounds(), img, img.Bounds().Min, draw.Src)
	return out.Pix
}

func TestAClickOpensWhatIsUnderIt(t *testing.T) {
	start(t, theme.Light)
	nav := &calls{}
	opt := options(nav)
	c := of(opt, tomasNote())
	cv := window(420, c)
	for _, tt := range []struct {
		name string
		pos  fyne.Position
		want string
	}{
		{"the text", fyne.NewPos(200, 45), "thread 02000000"},
		{"the avatar", fyne.NewPos(36, 34), "profile 02000000"},
		{"the name", fyne.NewPos(80, 22), "profile 02000000"},
		{"the hashtag", fyne.NewPos(310, 65), "search #localfood"},
		{"between the figures", fyne.NewPos(112, 92), "thread 02000000"},
		{"the replies", fyne.NewPos(72, 92), "thread 02000000"},
		{"the likes", fyne.NewPos(198, 92), "toast 17 people liked this. You can only read for now: liking and writing come in a later version."},
	} {
		nav.log = nil
		test.TapCanvas(cv, tt.pos)
		if nav.last() != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, nav.last(), tt.want)
		}
	}
	c.SetNote(benNote())
	nav.log = nil
	c.Resize(fyne.NewSize(420, c.HeightFor(420)))
	test.TapCanvas(cv, fyne.NewPos(200, 60))
	if nav.last() != "article 0a000000" {
		t.Errorf("an article opens %q", nav.last())
	}
	c.SetNote(quoting())
	c.Resize(fyne.NewSize(420, c.HeightFor(420)))
	test.TapCanvas(cv, fyne.NewPos(200, 90))
	if nav.last() != "thread 05000000" {
		t.Errorf("a quote opens %q", nav.last())
	}
	for name, n := range map[string]present.Note{"a quote": quotingMissing(), "a repost": missing()} {
		nav.log = nil
		c.SetNote(n)
		c.Resize(fyne.NewSize(420, c.HeightFor(420)))
		id := n.ID
		if n.Quote != nil {
			id = n.Quote.ID
		}
		test.TapCanvas(cv, fyne.NewPos(200, c.Size().Height-map[bool]float32{true: 60, false: 30}[n.Quote != nil]))
		if want := "thread " + id.String()[:8]; nav.last() != want {
			t.Errorf("%s that is not stored opens %q, want %q", name, nav.last(), want)
		}
	}
}

func TestTheKeyboardOpensACard(t *testing.T) {
	start(t, theme.Light)
	nav := &calls{}
	c := of(options(nav), adaNote())
	c.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	c.TypedRune(' ')
	if !slices.Equal(nav.log, []string{"thread 05000000", "thread 05000000"}) {
		t.Errorf("%q", nav.log)
	}
	if c.DumpName() != "note:05000000" {
		t.Errorf("%q", c.DumpName())
	}
	var _ fyne.Focusable = c
	var _ desktop.Hoverable = c
}

func TestWhatWasOpenedStaysOpen(t *testing.T) {
	start(t, theme.Light)
	var changed []nostr.ID
	opt := options(&calls{})
	opt.Memory = NewMemory()
	opt.Changed = func(row nostr.ID) { changed = append(changed, row) }
	c := of(opt, claraNote())
	closed := c.HeightFor(420)
	c.parts.warn.Tapped(nil)
	if got := shownText(c); got != "What the doctor said." || len(changed) != 1 {
		t.Errorf("after Show: %q, %v", got, changed)
	}
	c.SetNote(adaNote())
	c.SetNote(claraNote())
	if shownText(c) != "What the doctor said." || c.HeightFor(420) == closed {
		t.Error("closed again when the card came back")
	}
	// Another card of the same list knows of it too.
	if other := of(opt, claraNote()); shownText(other) != "What the doctor said." {
		t.Error("another card does not know")
	}
	c.SetNote(long())
	c.parts.more.Spans()[0].Tap()
	if got := shownText(c); got[len(got)-8:] != "The end." || len(changed) != 2 {
		t.Errorf("after Show more: %q", got)
	}
}

func shownText(c *Card) string {
	for _, b := range c.blocks {
		if b.object == c.parts.body {
			return c.parts.body.String()
		}
	}
	return ""
}

// recorder is a loader that notes what was asked for.
type recorder struct {
	painted
	urls []string
	err  error
}

func (r *recorder) Load(ctx context.Context, url string) (image.Image, error) {
	r.urls = append(r.urls, url)
	if r.err != nil {
		return nil, r.err
	}
	return r.painted.Load(ctx, url)
}

func TestAPictureIsLoadedAfterAClickAndKept(t *testing.T) {
	start(t, theme.Light)
	r := &recorder{err: &pictures.Error{Trouble: pictures.TooLarge, Err: errors.New("11 MB")}}
	opt := options(&calls{})
	opt.Loader, opt.Memory = r, NewMemory()
	c := of(opt, yukiNote())
	drawn(420, c)
	if len(r.urls) != 0 {
		t.Fatalf("loaded without a click: %q", r.urls)
	}
	box := c.parts.pics[0]
	box.Tapped(nil)
	if got := box.words.String(); got != "The picture is too large · Try again" || len(r.urls) != 1 {
		t.Errorf("after a failure: %q, %q", got, r.urls)
	}
	r.err = nil
	before := c.HeightFor(420)
	box.Tapped(nil)
	if box.shown.Image == nil || c.HeightFor(420) <= before {
		t.Error("no picture after Try again")
	}
	again := of(opt, yukiNote())
	if again.parts.pics[0].shown.Image == nil || len(r.urls) != 2 {
		t.Errorf("not kept: %q", r.urls)
	}
}

// A list gives a card that was first drawn with a picture to a note whose picture is not loaded.
func TestAPictureThatIsNotLoadedHasItsFrameInAnyCard(t *testing.T) {
	start(t, theme.Light)
	opt := options(&calls{})
	opt.Loader, opt.Memory = &recorder{}, NewMemory()
	opt.Memory.Ask(yukiNote().Pictures[0].URL)
	c := of(opt, yukiNote())
	drawn(420, c)
	box := c.parts.pics[0]
	if box.shown.Image == nil {
		t.Fatal("the picture is not there at the first drawing")
	}
	other := strangersPicture()
	other.Pictures[0].URL = "https://other.example/snow.jpg"
	c.SetNote(other)
	dashed := slices.ContainsFunc(test.WidgetRenderer(box).Objects(), func(o fyne.CanvasObject) bool {
		_, ok := o.(*canvas.Raster)
		return ok
	})
	if c.parts.pics[0] != box || box.shown.Image != nil || !dashed {
		t.Errorf("the same box: %v, a picture: %v, a frame: %v", c.parts.pics[0] == box, box.shown.Image != nil, dashed)
	}
}

func TestAPictureOfAnotherNoteIsNotShown(t *testing.T) {
	start(t, theme.Light)
	late := &later{Dispatcher: screentest.Synchronous()}
	opt := options(&calls{})
	opt.Loader, opt.Memory, opt.Do = &recorder{}, NewMemory(), late
	c := of(opt, yukiNote())
	c.parts.pics[0].Tapped(nil)
	c.SetNote(adaNote())
	late.run()
	if c.note.ID != adaNote().ID || len(c.parts.pics) > 0 && c.parts.pics[0].shown.Image != nil {
		t.Error("the picture came into another note")
	}
	c.SetNote(yukiNote())
	late.run()
	if c.parts.pics[0].shown.Image == nil {
		t.Error("the picture did not come when its note was back")
	}
}

// later keeps work until it is told to run it.
type later struct {
	dispatch.Dispatcher
	work []func() func()
}

func (l *later) Go(work func() func()) { l.work = append(l.work, work) }

func (l *later) run() {
	work := l.work
	l.work = nil
	for _, w := range work {
		if show := w(); show != nil {
			show()
		}
	}
}

func TestTheSettingsMayLoadPicturesOfPeopleWhoAreFollowed(t *testing.T) {
	start(t, theme.Light)
	r := &recorder{}
	opt := options(&calls{})
	opt.Loader, opt.Auto = r, Followed
	of(opt, strangersPicture())
	if len(r.urls) != 0 {
		t.Errorf("a stranger's: %q", r.urls)
	}
	if c := of(opt, yukiNote()); c.parts.pics[0].shown.Image == nil || len(r.urls) != 1 {
		t.Errorf("%q", r.urls)
	}
	warned := yukiNote()
	warned.ID, warned.Warned, warned.Pictures[0].URL = id(50), true, "https://pics.example/2.jpg"
	of(opt, warned)
	if len(r.urls) != 1 {
		t.Errorf("behind a warning: %q", r.urls)
	}
}

func TestTheMemoryOfPicturesIsBounded(t *testing.T) {
	m := NewMemory()
	for i := range 1_000 {
		url := string(rune('a'+i%26)) + string(rune(i))
		m.Ask(url)
		m.Keep(url, image.NewNRGBA(image.Rect(0, 0, 1_024, 1_024)))
		if m.bytes > maxPictureBytes || len(m.pictures) > maxPictures || len(m.order) != len(m.pictures) {
			t.Fatalf("after %d: %d bytes, %d pictures", i, m.bytes, len(m.pictures))
		}
	}
}

func TestTheMenuCopiesWhatIsShown(t *testing.T) {
	n := long()
	if got := plainText(&n); got[len(got)-8:] != "The end." {
		t.Errorf("%q", got)
	}
	a := benNote()
	if got := plainText(&a); got != "Two years, four thousand people" {
		t.Errorf("%q", got)
	}
}

func TestANameWithPlacesInItIsNotTakenForThem(t *testing.T) {
	spans := around("Von {{x}} "+placeholder+" geteilt", prose.Span{Text: "{{.Name}}", Tap: func() {}})
	if len(spans) != 3 || spans[1].Text != "{{.Name}}" || spans[0].Tap != nil || spans[2].Text != " geteilt" {
		t.Errorf("%+v", spans)
	}
}

func TestTheFacesOfPeopleComeSmallAndOnlyWhereTheSettingsSaySo(t *testing.T) {
	start(t, theme.Light)
	r := &recorder{}
	opt := options(&calls{})
	opt.Loader, opt.Auto, opt.Memory = r, Followed, NewMemory()
	n := adaNote()
	n.Face = "https://faces.example/ada.png"
	c := of(opt, n)
	if kept := opt.Memory.Asked(faceKey(n.Face)); kept == nil || kept.Image == nil || kept.Image.Bounds().Dx() != faceSide || c.parts.face.url != n.Face {
		t.Errorf("%+v, shown %q", kept, c.parts.face.url)
	}
	c.SetNote(tomasNote())
	if c.parts.face.url != "" {
		t.Error("one person has the face of another")
	}
	n.Followed, n.Face = false, "https://faces.example/stranger.png"
	of(opt, n)
	opt.Auto = nil
	n.Followed = true
	of(opt, n)
	if len(r.urls) != 1 {
		t.Errorf("loaded %q", r.urls)
	}
}

func TestABriefCardLoadsNoPictureButTheFace(t *testing.T) {
	start(t, theme.Light)
	r := &recorder{}
	opt := options(&calls{})
	opt.Loader, opt.Auto, opt.Memory, opt.Brief = r, Followed, NewMemory(), true
	n := adaNote()
	n.Face = "https://faces.example/ada.png"
	n.Pictures = []present.Picture{{URL: "https://pictures.example/yews.png", Host: "pictures.example"}}
	c := of(opt, n)
	if c.parts.face.url != n.Face || !slices.Equal(r.urls, []string{n.Face}) || len(c.parts.pics) > 0 {
		t.Errorf("face %q, loaded %q, %d pictures drawn", c.parts.face.url, r.urls, len(c.parts.pics))
	}
}

func TestACardFollowsTheThemeAndTheTextSize(t *testing.T) {
	start(t, theme.Light)
	c := of(options(&calls{}), adaNote())
	light, usual := drawn(420, c), c.HeightFor(420)
	th, err := theme.New(theme.Options{Mode: theme.Dark, Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	fyne.CurrentApp().Settings().SetTheme(th)
	if large := c.HeightFor(420); large < 1.5*usual {
		t.Errorf("%v high at 200 %%, %v at 100 %%", large, usual)
	}
	refreshAll(c)
	dark := drawn(420, c)
	fresh := drawn(420, of(options(&calls{}), adaNote()))
	if equal(light, dark) || !equal(dark, fresh) {
		t.Error("a card that was there before is drawn otherwise than a new one")
	}
}

// refreshAll does what Fyne does when the theme changes.
func refreshAll(o fyne.CanvasObject) {
	o.Refresh()
	switch o := o.(type) {
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			refreshAll(child)
		}
	case *fyne.Container:
		for _, child := range o.Objects {
			refreshAll(child)
		}
	}
}

func TestTheMenuOffersDetailsWhereThereAreSome(t *testing.T) {
	start(t, theme.Light)
	nav := &calls{}
	opt := options(nav)
	opt.Details = func(context.Context, nostr.ID) (string, error) { return `{"kind":1}`, nil }
	c := of(opt, adaNote())
	c.copyDetails(c.note.ID)
	if nav.last() != `copy {"kind":1}` {
		t.Errorf("%q", nav.last())
	}
	c.opt.Details = func(context.Context, nostr.ID) (string, error) { return "", errors.New("gone") }
	c.copyDetails(c.note.ID)
	if nav.last() != "toast The note's details could not be read." {
		t.Errorf("%q", nav.last())
	}
}

func TestTheAgesOfACardGrow(t *testing.T) {
	start(t, theme.Light)
	n := claraNote()
	c := of(options(&calls{}), n)
	window(420, c)
	n.When, n.RepostedWhen = "6 h", "2 h"
	c.SetAges(&n)
	if got := c.parts.repost.String(); got != "Tomás reposted · 2 h" {
		t.Errorf("the line of the repost is %q", got)
	}
	if got := c.parts.head.when.String(); got != "6 h" {
		t.Errorf("the note is of %q", got)
	}
}

func TestALineThatIsCutUsesTheRoomThereIs(t *testing.T) {
	th, err := theme.New(theme.Options{Mode: theme.Light, Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	test.NewTempApp(t).Settings().SetTheme(th)
	n := says(by("Ada", "@ada", "3 d", 1), plain("Yes."))
	n.IsReply, n.ReplyTo = true, "Bernd Tiefenbacher"
	c := of(options(&calls{}), n)
	window(420, c)
	line := c.parts.answer
	if !line.Cut(line.Size().Width) {
		t.Fatal("the line is not cut")
	}
	if room := 420 - line.Position().X - c.look.right; line.Size().Width != room {
		t.Errorf("a line that is cut takes %v points of %v", line.Size().Width, room)
	}
}

func TestAListOfOnePersonsNotesRepeatsNeitherNameNorFace(t *testing.T) {
	n := adaNote()
	opt := options(&calls{})
	opt.Of = n.PubKey
	c := of(opt, n)
	if c.parts.head.name.String() != n.When || c.look.avatar != 0 {
		t.Errorf("the card begins with %q", c.parts.head.name.String())
	}
	other := by("Ben", "@ben", "2 h", 9)
	other.Body = n.Body
	for _, next := range []present.Note{other, n, other} { // a repost, in the same card
		c.SetNote(next)
	}
	if c.parts.head.name.String() != "Ben" || c.look.avatar == 0 {
		t.Errorf("the card of somebody else begins with %q", c.parts.head.name.String())
	}
}

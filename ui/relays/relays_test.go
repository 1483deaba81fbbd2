package relays

import (
	"encoding/json"
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/clean"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/screen"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
)

var wide = fyne.NewSize(1216, 832)

// named finds the object that names itself so, wherever it is drawn.
func named(root fyne.CanvasObject, name string) fyne.CanvasObject {
	var found fyne.CanvasObject
	walk(root, func(o fyne.CanvasObject) {
		if d, ok := o.(interface{ DumpName() string }); ok && d.DumpName() == name && found == nil {
			found = o
		}
	})
	return found
}

// walk visits what is visible.
func walk(o fyne.CanvasObject, visit func(fyne.CanvasObject)) {
	if o == nil || !o.Visible() {
		return
	}
	visit(o)
	switch o := o.(type) {
	case fyne.Widget:
		for _, child := range test.WidgetRenderer(o).Objects() {
			walk(child, visit)
		}
	case *fyne.Container:
		for _, child := range o.Objects {
			walk(child, visit)
		}
	}
}

// press taps what names itself so, in the dialog that is open or in the window.
func (o *opened) press(t *testing.T, name string) {
	t.Helper()
	found := o.find(name)
	if found == nil {
		t.Fatalf("nothing is called %q", name)
	}
	tap, ok := found.(fyne.Tappable)
	if !ok {
		t.Fatalf("%q cannot be pressed: %T", name, found)
	}
	test.Tap(tap)
}

func (o *opened) find(name string) fyne.CanvasObject {
	if top := o.window.Canvas().Overlays().Top(); top != nil {
		return named(top, name)
	}
	return named(o.window.Canvas().Content(), name)
}

// typeInto types into the field of a name, as keys do.
func (o *opened) typeInto(t *testing.T, name, text string) {
	t.Helper()
	field, ok := o.find(name).(interface {
		fyne.Focusable
		SetText(string)
	})
	if !ok {
		t.Fatalf("%q is no field", name)
	}
	field.SetText(text)
}

func (o *opened) did(t *testing.T, want ...string) {
	t.Helper()
	got := append(append([]string{}, o.source.calls...), o.nav.went...)
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("%q, want %q", got, want)
	}
	o.source.calls, o.nav.went = nil, nil
}

func TestWhatIsPressedOnTheScreenIsDone(t *testing.T) {
	o := open(t, picture(), theme.Light, 1, wide)
	o.press(t, "relays.retry")
	o.did(t, "retry", "toast Asking again")
	o.press(t, "relays.action:wss://slow.example")
	o.did(t, "retry wss://slow.example", "toast Asking again")
	o.press(t, "relays.action:wss://gone.example")
	o.did(t, "remove wss://gone.example", "toast Relay is no longer asked. Its notes stay.")
	o.press(t, "relays.own")
	o.did(t, "only own")
	o.press(t, "relays.person:04000000")
	o.did(t, "profile 0400")
}

func TestARelayOpensItsDetails(t *testing.T) {
	o := open(t, picture(), theme.Light, 1, wide)
	o.press(t, "relay:wss://slow.example")
	o.did(t, "details wss://slow.example")
	if o.find("relays.note:01000000") == nil || o.find("relays.reach:05000000") == nil {
		t.Error("its notes or people are not shown")
	}
	o.press(t, "relays.note:01000000")
	o.did(t, "thread 0100")
	if o.window.Canvas().Overlays().Top() != nil {
		t.Error("the dialog is still open")
	}
}

func TestTheKeyboardDoesTheSame(t *testing.T) {
	o := open(t, picture(), theme.Light, 1, wide)
	o.Focus(o.window.Canvas())
	focused := o.window.Canvas().Focused()
	if focused == nil {
		t.Fatal("nothing has the keyboard")
	}
	focused.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	o.did(t, "retry", "toast Asking again")
	row, ok := o.find("relay:wss://relay.one").(fyne.Focusable)
	if !ok {
		t.Fatal("a row takes no keyboard")
	}
	o.window.Canvas().Focus(row)
	row.TypedKey(&fyne.KeyEvent{Name: fyne.KeyReturn})
	o.did(t, "details wss://relay.one")
	// The keyboard stays on the row when figures change.
	o.closeDialog()
	o.source.at.Relays[0].Today++
	o.load(t.Context())
	if o.window.Canvas().Focused() != row {
		t.Error("the keyboard went elsewhere")
	}
}

func TestARelayIsTriedBeforeItIsAdded(t *testing.T) {
	o := open(t, picture(), theme.Light, 1, wide)
	add := func(text string) {
		t.Helper()
		o.typeInto(t, "relays.address", text)
		o.press(t, "relays.address.add")
	}
	o.press(t, "relays.add")
	add("")
	o.did(t)
	add("?")
	o.did(t)
	add("relay.one")
	o.did(t)
	o.source.trouble = notesync.NobodyThere
	add("new.example")
	o.did(t)
	o.press(t, "relays.address.add") // all the same
	o.did(t, "add new.example")
	o.source.trouble = notesync.NoTrouble
	o.press(t, "relays.add")
	add("good.example")
	o.did(t, "add good.example")
	if o.window.Canvas().Overlays().Top() != nil {
		t.Error("the dialog is still open")
	}
}

func TestWhatGoesWrongIsSaid(t *testing.T) {
	s := picture()
	o := open(t, s, theme.Light, 1, wide)
	s.err = errors.New("the disk is on fire")
	o.press(t, "relays.own")
	o.did(t, "only own", "toast the disk is on fire")
	if !strings.Contains(o.page.notice.String(), "the disk is on fire") {
		t.Errorf("%q", o.page.notice.String())
	}
	s.err = nil
	o.load(t.Context())
	if o.page.noticeBox.Visible() {
		t.Errorf("it is still said: %q", o.page.notice.String())
	}
}

func TestEveryStateAndSizeIsDrawn(t *testing.T) {
	for name, s := range states() {
		for _, size := range []fyne.Size{wide, fyne.NewSize(480, 600), fyne.NewSize(700, 600)} {
			for _, scale := range []float32{0.8, 1, 2} {
				o := open(t, s, theme.Dark, scale, size)
				walk(o.window.Canvas().Content(), func(child fyne.CanvasObject) {
					if child.Size().Width > size.Width+1 {
						t.Errorf("%s at %v, scale %v: %T is %v wide", name, size, scale, child, child.Size().Width)
					}
				})
			}
		}
	}
}

// What changed on purpose is taken over by moving testdata/failed over testdata.
func TestTheScreenLooksAsItDid(t *testing.T) {
	test.AssertRendersToMarkup(t, "nobody.xml", open(t, states()["nobody"], theme.Light, 1, wide).window.Canvas())
	test.AssertRendersToMarkup(t, "picture.xml", open(t, picture(), theme.Light, 1, wide).window.Canvas())
	test.AssertRendersToMarkup(t, "narrow.xml", open(t, picture(), theme.Light, 1, fyne.NewSize(480, 600)).window.Canvas())
}

func TestTheRowsKeepToTheirColumns(t *testing.T) {
	s := picture()
	s.at.Relays[0].URL = "wss://" + strings.Repeat("long.", 60) + "example/with/a/path"
	for _, width := range []float32{480, 640, 900, 1216} {
		o := open(t, s, theme.Light, 1, fyne.NewSize(width, 832))
		p := o.page.table.planFor(o.page.table.content.Size().Width)
		end := float32(0)
		for i := range columns {
			if p.at[i] < 0 {
				continue
			}
			if p.at[i] < end-0.5 {
				t.Errorf("at %v column %d begins at %v, the one before ends at %v", width, i, p.at[i], end)
			}
			end = p.at[i] + p.wide[i]
		}
		if !p.stacked && end > p.width+0.5 {
			t.Errorf("at %v the columns end at %v of %v", width, end, p.width)
		}
	}
}

func TestAnotherTextSizeIsTakenUpAtOnce(t *testing.T) {
	o := open(t, picture(), theme.Light, 1, wide)
	before := o.page.table.planFor(o.page.table.content.Size().Width)
	th, err := theme.New(theme.Options{Scale: 2})
	if err != nil {
		t.Fatal(err)
	}
	fyne.CurrentApp().Settings().SetTheme(th)
	o.page.content.Refresh()
	after := o.page.table.planFor(o.page.table.content.Size().Width)
	if before.at[colAnswer] < 0 || after.at[colAnswer] >= 0 {
		t.Errorf("the answer time stands at %v, then at %v, where there is no room for it", before.at[colAnswer], after.at[colAnswer])
	}
	if h := o.page.table.rows["wss://relay.one"].content.Size().Height; h <= rowHeight {
		t.Errorf("rows of large text are %v high", h)
	}
}

func TestHostileNamesAndWordsMoveNothing(t *testing.T) {
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	texts = append(texts, strings.Repeat("W", 100_000), "a\u202ebc", strings.Repeat("\u0301", 500))
	plain := open(t, picture(), theme.Light, 1, wide)
	want := plain.page.table.content.Position()
	s := picture()
	o := open(t, s, theme.Light, 1, wide)
	for i, text := range texts {
		raw, err := json.Marshal(map[string]string{"name": text})
		if err != nil {
			t.Fatal(err)
		}
		profile, err := nostr.ParseProfile(&nostr.Event{Content: string(raw)})
		if err != nil {
			continue
		}
		s.at.Coverage.People[i%6].Name = profile.Best()
		s.at.Relays[i%6].Said = clean.Line(text, 300)
		if i%20 == 0 || i == len(texts)-1 {
			o.load(t.Context())
			if at := o.page.table.rows["wss://relay.one"].content.Size(); at.Height > rowHeight+1 {
				t.Errorf("%q makes a row %v high", text, at.Height)
			}
		}
	}
	// A name is at most 200 points wide, so that a chip has a line of its own at worst.
	if got := o.page.table.content.Position(); got.Y > want.Y+6*40 {
		t.Errorf("the table moved from %v to %v", want, got)
	}
}

func TestTheSampleIsShownAsIt(t *testing.T) {
	fyneApp := test.NewTempApp(t)
	th, err := theme.New(theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fyneApp.Settings().SetTheme(th)
	a, err := app.Open(t.Context(), app.Options{Places: config.Locate(t.TempDir(), ""), Sample: true})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	a.Live().Start()
	testkit.Eventually(t, "it is known that this is the sample", func() bool { return a.Live().Status().Stage == live.StageSample })
	s := New(screen.Env{App: a, Do: screentest.Synchronous(), Go: &navigator{}})
	at, err := s.source.At(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s.show(at)
	if s.board.Title != "This is the sample" || len(s.board.Rows) > 0 || len(s.board.People) > 0 || s.board.All == "" {
		t.Errorf("%+v", s.board)
	}
	s.Close()
}

func TestARealSyncIsShown(t *testing.T) {
	fyneApp := test.NewTempApp(t)
	th, err := theme.New(theme.Options{})
	if err != nil {
		t.Fatal(err)
	}
	fyneApp.Settings().SetTheme(th)
	me, ada := testkit.NewKey("reader"), testkit.NewKey("ada")
	at := time.Now().Unix()
	server := testkit.StartGoRelay(t, testkit.GoRelayOptions{},
		me.Event(t, 3, at-100, "", []string{"p", ada.PubKey}), ada.Event(t, 0, at-100, `{"name":"Ada"}`), ada.Event(t, 1, at-50, "hello"))
	a, err := app.Open(t.Context(), app.Options{
		Places: config.Locate(t.TempDir(), ""), As: me.PubKey, AllowPrivate: true,
		Settings: config.Settings{Sync: config.Sync{Relays: []string{server.URL}, Indexers: []string{server.URL}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	}()
	a.Live().Start()
	s := New(screen.Env{App: a, Do: screentest.Synchronous(), Go: &navigator{}})
	testkit.Eventually(t, "all is up to date", func() bool {
		s.load(t.Context())
		return len(s.board.Rows) == 1 && s.board.Rows[0].State == "Live" && s.board.Title == "Up to date for one person"
	})
	if len(s.board.Rows) != 1 || s.board.Rows[0].State != "Live" || s.board.Rows[0].People != "1" || s.board.Retry != "" {
		t.Errorf("%+v", s.board)
	}
	s.Close()
}

func BenchmarkTheScreenIsDrawnAnew(b *testing.B) {
	s := picture()
	o := open(b, s, theme.Light, 1, wide)
	for b.Loop() {
		s.at.Relays[0].Today++
		o.load(b.Context())
	}
}

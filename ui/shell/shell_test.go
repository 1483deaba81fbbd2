package shell

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/screen"
	"bowerbird/ui/widgets"
)

// quietly is how long nothing must come until what was begun counts as done.
const quietly = 200 * time.Millisecond

func shortcut(key fyne.KeyName, mods fyne.KeyModifier) fyne.Shortcut {
	return &desktop.CustomShortcut{KeyName: key, Modifier: mods}
}

func TestTheKeysLeadToThePlaces(t *testing.T) {
	st := startReader(t)
	for _, tc := range []struct {
		key  fyne.KeyName
		want place
		name string // a widget that stands there
	}{
		{fyne.Key2, home, "rail.home"},
		{fyne.Key3, search, "search.entry"},
		{fyne.Key4, relays, "rail.relays"},
		{fyne.KeyComma, settings, "settings.account"},
		{fyne.Key1, assistant, "chat.entry"},
	} {
		st.press(tc.key, ctrl())
		if st.route.at != tc.want {
			t.Errorf("%s leads to %s, want %s", tc.key, st.route.at, tc.want)
		}
		st.wait(tc.name)
	}
}

func TestNoKeyReachesWhatADialogCovers(t *testing.T) {
	st := startReader(t)
	st.press(fyne.KeyK, ctrl())
	st.wait("palette.entry")
	for _, key := range []fyne.KeyName{fyne.Key2, fyne.KeyK, fyne.KeyN, fyne.KeySlash} {
		st.press(key, ctrl())
	}
	if st.route.at != assistant || len(st.window.Canvas().Overlays().List()) != 1 {
		t.Errorf("at %s, with %d dialogs", st.route.at, len(st.window.Canvas().Overlays().List()))
	}
}

func TestTheSearchIsNotCoveredInANarrowWindow(t *testing.T) {
	st := startReader(t)
	st.Search("bread")
	st.OpenThread(nostr.ID{1})
	st.press(fyne.KeyF, ctrl())
	st.wait("thread.back") // beside the search there is room for it
	if got := st.window.Canvas().Focused().(*widgets.Entry).SelectedText(); got != "bread" {
		t.Errorf("to be replaced by typing is %q", got)
	}
	st.press(fyne.Key2, ctrl())
	st.window.Resize(fyne.NewSize(480, 700))
	st.pump(quietly)
	for _, key := range []fyne.KeyName{fyne.Key3, fyne.KeyF} {
		st.OpenThread(nostr.ID{1})
		st.press(key, ctrl())
		st.wait("search.entry")
		if st.has("thread.back") {
			t.Errorf("after Ctrl+%s a thread covers the search", key)
		}
	}
}

func TestThePaletteGoesWhereItSays(t *testing.T) {
	st := startReader(t)
	st.press(fyne.KeyK, ctrl())
	st.tap("palette:Relays")
	if st.route.at != relays || st.covered() {
		t.Errorf("at %s, a dialog is open: %v", st.route.at, st.covered())
	}
}

func TestThePaletteFindsAllThatThereIs(t *testing.T) {
	st := startReader(t)
	for text, want := range map[string]string{
		"sample": "Open the sample", "account": "Settings: account", "delete": "Settings: storage", "language": "Settings: appearance",
		"another account": "Use another account", "save": "Settings: storage", "dark": "Light or dark", "quit": "Quit", "digest": "What did I miss since I was last here?",
	} {
		if !slices.ContainsFunc(find(st.paletteActions(), text), func(a action) bool { return a.name == want }) {
			t.Errorf("%q does not find %q", text, want)
		}
	}
}

func TestOnTheWelcomeThePaletteOffersWhatWorksThere(t *testing.T) {
	st := startOwn(t)
	st.press(fyne.KeyK, ctrl())
	for _, name := range []string{"Open the sample", "Light or dark", "Larger text", "Quit"} {
		st.wait("palette:" + name)
	}
	if found := find(st.paletteActions(), "relays"); len(found) != 0 {
		t.Errorf("it offers %q", found[0].name)
	}
}

func TestOnTheWelcomeNothingBehindItCanBeReached(t *testing.T) {
	st := startOwn(t)
	for _, a := range st.actions() {
		if a.always {
			continue
		}
		a.do()
		for _, o := range st.window.Canvas().Overlays().List() { // the list of keys
			st.window.Canvas().Overlays().Remove(o)
		}
	}
	st.OpenThread(nostr.ID{1})
	st.Search("flowers")
	st.Ask("What is new?")
	st.OpenSettings("about")
	st.window.Resize(fyne.NewSize(600, 700))
	if !st.has("welcome.sample") || len(st.session.places)+len(st.session.entries) != 0 {
		t.Errorf("%d places and %d entries were made", len(st.session.places), len(st.session.entries))
	}
}

func TestQuittingWhileNotesOpenClosesThem(t *testing.T) {
	st := newStage(t, config.Locate(t.TempDir(), ""), config.Settings{Window: config.Window{Sample: true}})
	st.start()
	st.quit()
	if st.thread.stopped() {
		t.Fatal("ended while the sample was being opened")
	}
	st.end()
	if len(st.opened) != 1 {
		t.Fatalf("%d were opened", len(st.opened))
	}
	if _, err := st.opened[0].Notes().Stats(t.Context()); !errors.Is(err, ndb.ErrClosed) {
		t.Errorf("the notes are left open: %v", err)
	}
}

func TestQuittingBetweenTwoStoresWaitsForTheFirst(t *testing.T) {
	st := startSample(t)
	st.LeaveSample()
	st.quit()
	st.quit() // as with two clicks
	st.end()
	if _, err := st.opened[0].Notes().Stats(t.Context()); !errors.Is(err, ndb.ErrClosed) {
		t.Errorf("the sample is left open: %v", err)
	}
}

func TestChangesOfTheSettingsAreSavedInTheirOrderBeforeTheEnd(t *testing.T) {
	st := startReader(t)
	for range 5 {
		st.scaleText(+10)
	}
	st.scaleText(-10)
	st.rememberColumn(444)
	st.toggleMode()
	mode := st.settings.Appearance.Mode
	st.window.Resize(fyne.NewSize(1111, 777))
	st.end()
	set, err := config.Load(st.places.Settings)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(set.Appearance.Text, set.Appearance.Mode, set.Window.Column, set.Window.Width, set.Window.Height)
	if want := fmt.Sprint(140, mode, 444, 1111, 777); got != want {
		t.Errorf("saved %s, want %s", got, want)
	}
}

func TestWhatIsChangedWhileNothingIsOpenIsSavedWithTheNext(t *testing.T) {
	st := newStage(t, config.Locate(t.TempDir(), ""), config.Settings{})
	st.start()
	st.scaleText(+10)
	st.wait("welcome.sample")
	st.until("the text's size in the file", func() bool {
		set, err := config.Load(st.places.Settings)
		return err == nil && set.Appearance.Text == 110
	})
}

func TestWhatAScreenSavesIsInTheWindowsSettings(t *testing.T) {
	st := startReader(t)
	if err := st.session.app.SaveSettings(func(set *config.Settings) { set.Assistant.Model = "ollama:m" }); err != nil {
		t.Fatal(err)
	}
	if got := st.Settings().Assistant.Model; got != "ollama:m" {
		t.Errorf("the model is %q", got)
	}
	st.scaleText(+10)
	st.pump(quietly)
	if got := st.Settings().Assistant.Model; got != "ollama:m" {
		t.Errorf("after another change the model is %q", got)
	}
}

func TestBackFromTheWelcomeIsTheSample(t *testing.T) {
	st := startSample(t)
	st.ChoosePerson()
	st.tap("welcome.back")
	st.wait("chat.entry")
	if !st.session.sample || len(st.opened) != 3 {
		t.Errorf("the sample is open: %v; %d were opened", st.session.sample, len(st.opened))
	}
}

func TestWhoeverReadsAsSomebodyFromTheSampleHasLeftIt(t *testing.T) {
	st := startSample(t)
	st.ChoosePerson()
	st.wait("welcome.sample")
	st.readAs(app.Person{PubKey: nostr.PubKey{9}})
	st.wait("chat.entry")
	st.end()
	set, err := config.Load(st.places.Settings)
	if err != nil || set.Window.Sample {
		t.Errorf("the next start opens the sample: %v, %v", set.Window.Sample, err)
	}
}

func TestAnotherReaderHasOtherScreensAndBackKeepsThem(t *testing.T) {
	st := startReader(t)
	screens := func() [2]screen.Screen {
		return [2]screen.Screen{st.session.places[assistant], st.session.places[home]}
	}
	first := screens()
	st.OpenSettings("account")
	st.ChoosePerson()
	st.wait("welcome.back")
	st.tap("welcome.back")
	if screens() != first || st.route.at != settings || !st.has("settings.account") {
		t.Errorf("not back where it was, but at %s", st.route.at)
	}
	st.ChoosePerson()
	st.readAs(app.Person{PubKey: nostr.PubKey{8}})
	st.wait("chat.entry")
	second := screens()
	if second[0] == first[0] || second[1] == first[1] {
		t.Error("the screens are those of the reader before")
	}
	if n := strings.Count(running(), "followStatus.func"); n != 1 {
		t.Errorf("the status is followed %d times", n)
	}
}

func TestRemovingTheDataBeginsAnew(t *testing.T) {
	st := startReader(t)
	st.scaleText(+10)
	st.Remove(false)
	st.wait("welcome.sample")
	if _, err := os.Stat(st.places.Settings); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the settings are still there: %v", err)
	}
	if st.settings.Appearance.Text != 0 || st.session.app.Me() != (nostr.PubKey{}) {
		t.Errorf("%+v, read as %s", st.settings, st.session.app.Me())
	}
}

func TestRemovingTheSampleLeadsToTheOwnNotes(t *testing.T) {
	st := startSample(t)
	st.Remove(true)
	st.wait("welcome.sample")
	st.end()
	if _, err := os.Stat(st.places.Sample); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the sample is still there: %v", err)
	}
	if set, err := config.Load(st.places.Settings); err != nil || set.Window.Sample {
		t.Errorf("the next start opens the sample: %v, %v", set.Window.Sample, err)
	}
}

func TestTheDailyDigestIsMadeOnceAndLeadsToItsChat(t *testing.T) {
	st := newStage(t, samplePlaces(t), config.Settings{
		Window: config.Window{Sample: true}, Digest: config.Digest{Daily: true, At: "18:00"},
	})
	st.start()
	st.wait("toast.action")
	a := st.session.app
	if err := st.dailyDigest(st.session); err != nil {
		t.Fatal(err)
	}
	store, err := a.Chats()
	if err != nil {
		t.Fatal(err)
	}
	if list, _, err := store.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d digests, %v", len(list), err)
	}
	st.tap("toast.action")
	st.wait("cite:*")
}

// Issue 12, "the daily digest deletes the chat and asks hourly": a model that shows
// something with its last words, and then says nothing more, has made one.
func TestADailyDigestWhoseModelFallsSilentIsKept(t *testing.T) {
	model := testkit.NewModelServer(t,
		testkit.SSE(`{"choices":[{"delta":{"content":"A quiet day.","tool_calls":[{"index":0,"id":"c1","function":{"name":"render_table",`+
			`"arguments":"{\"columns\":[\"day\",\"notes\"],\"rows\":[{\"day\":\"today\",\"notes\":3}]}"}}]},"finish_reason":"tool_calls"}]}`),
		testkit.SSE(`{"choices":[{"delta":{"content":""},"finish_reason":"stop"}]}`))
	st := newStage(t, samplePlaces(t), config.Settings{
		Window: config.Window{Sample: true}, Digest: config.Digest{Daily: true, At: "18:00"},
		Assistant: config.Assistant{Model: "custom:owl"},
		Models:    map[string]config.ModelOptions{"custom": {BaseURL: model.URL + "/v1"}},
	})
	st.start()
	st.wait("toast.action")
	store, err := st.session.app.Chats()
	if err != nil {
		t.Fatal(err)
	}
	if list, _, err := store.List(t.Context()); err != nil || len(list) != 1 {
		t.Errorf("%d digests, %v", len(list), err)
	}
	if due, err := st.session.app.DigestDue(t.Context(), clock); err != nil || due {
		t.Errorf("it is due again: %v, %v", due, err)
	}
	if n := len(model.Received()); n != 2 {
		t.Errorf("the model was asked %d times, want 2", n)
	}
}

func TestLinksThatNoBrowserOpensAreRefused(t *testing.T) {
	st := startReader(t)
	for _, address := range []string{"file:///etc/passwd", "javascript:alert(1)", "https:///x", "mailto:a@b.example", "data:text/html,x", "ht tp://x"} {
		st.OpenURL(address)
		if st.covered() {
			t.Errorf("asks whether to open %s", address)
		}
	}
	st.OpenURL("https://bank.example@xn--pple-43d.example/a\u202eb")
	if !st.has("link.open") {
		t.Error("does not ask for an address of the web")
	}
}

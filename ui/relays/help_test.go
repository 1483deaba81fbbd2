package relays

import (
	"context"
	"errors"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/present"
	"bowerbird/ui/screen"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
)

// now is when the pictures were taken.
var now = time.Date(2026, 5, 4, 18, 2, 0, 0, time.UTC)

// source is a Source of a test's making.
type source struct {
	at      present.RelaysAt
	details live.RelayDetails
	trouble notesync.Trouble
	err     error
	calls   []string
	changed func()
	later   time.Duration // since at
}

func (s *source) Now() time.Time { return s.at.Now.Add(s.later) }

func (s *source) call(what string)                               { s.calls = append(s.calls, what) }
func (s *source) At(context.Context) (present.RelaysAt, error)   { return s.at, s.err }
func (s *source) Name(_ context.Context, pk nostr.PubKey) string { return "Ada Lindqvist" }
func (s *source) Retry()                                         { s.call("retry") }
func (s *source) RetryRelay(url string)                          { s.call("retry " + url) }
func (s *source) AddRelay(text string) (string, error)           { s.call("add " + text); return text, s.err }

func (s *source) RestoreRelay(url string) error { s.call("restore " + url); return s.err }

func (s *source) RemoveRelay(url string) error { s.call("remove " + url); return s.err }

func (s *source) OnChange(changed func()) func() {
	s.changed = changed
	return func() { s.changed = nil }
}

func (s *source) SetOnlyOwn(only bool) error {
	if only {
		s.call("only own")
	} else {
		s.call("all")
	}
	return s.err
}

func (s *source) Details(_ context.Context, url string) (live.RelayDetails, error) {
	s.call("details " + url)
	return s.details, s.err
}

func (s *source) CheckRelay(_ context.Context, text string) (string, notesync.Trouble, error) {
	if text == "" || text == "?" {
		return "", notesync.NoTrouble, &config.ArgumentError{What: "relay", Err: errors.New("no address")}
	}
	return "wss://" + text, s.trouble, nil
}

// picture is what the pictures of the design show.
func picture() *source {
	ago := func(d time.Duration) time.Time { return now.Add(-d) }
	const day = 24 * time.Hour
	at := present.RelaysAt{Now: now, Status: live.Status{Stage: live.StageLive, Connected: 4, Relays: 6}}
	at.Coverage = live.Coverage{Days: 7, Complete: 97, Asked: 4}
	for i, p := range []struct {
		name string
		last time.Time
	}{
		{"Ines Duarte", ago(day)},
		{"cryptomurmur", ago(2 * day)},
		{"Jonas B.", ago(2 * day)},
		{"Mei", ago(5 * day)},
		{"old friend", ago(9 * day)},
		{"Sam", time.Time{}},
	} {
		state, share := coverage.Partly, float64(6-i)/7
		if p.last.IsZero() {
			state = coverage.Nothing
		}
		at.Coverage.People = append(at.Coverage.People, live.PersonCoverage{PubKey: nostr.PubKey{byte(i)}, Name: p.name, Verdict: coverage.Verdict{State: state, Share: share}, Last: p.last})
	}
	for i := range 97 {
		at.Coverage.People = append(at.Coverage.People, live.PersonCoverage{PubKey: nostr.PubKey{1, byte(i)}, Name: "Somebody", Verdict: coverage.Verdict{State: coverage.Complete, Share: 1}, Last: now})
	}
	at.Relays = []live.RelayState{
		{URL: "wss://relay.one", Phase: notesync.Following, Notes: true, Write: true, People: 61, Today: 1204, Answer: 88 * time.Millisecond, LastSync: ago(10 * time.Second)},
		{URL: "wss://nos.example", Phase: notesync.Following, Notes: true, People: 38, Today: 744, Answer: 120 * time.Millisecond, LastSync: ago(10 * time.Second)},
		{URL: "wss://notes.example", Phase: notesync.CatchingUp, Share: 0.64, Notes: true, People: 22, Today: 301, Answer: 240 * time.Millisecond, LastSync: ago(2 * time.Minute)},
		{URL: "wss://slow.example", Phase: notesync.Waiting, Trouble: notesync.NoAnswer, Again: now.Add(2 * time.Minute), Notes: true, People: 6, LastSync: ago(day)},
		{URL: "wss://paid.example", Phase: notesync.Waiting, Trouble: notesync.WantsLogin, Notes: true, Write: true, People: 12, Today: 98, Answer: 95 * time.Millisecond, LastSync: ago(10 * time.Second)},
		{URL: "wss://gone.example", Phase: notesync.Waiting, Trouble: notesync.NameUnknown, Notes: true, People: 1, LastSync: ago(9 * day)},
	}
	s := &source{at: at}
	s.details = live.RelayDetails{
		RelayState: at.Relays[3], For: at.Coverage.People[:8], Events: 1520, Bytes: 2_300_000,
		Notices: []live.Notice{{At: ago(time.Hour), Text: "down for maintenance at 20:00"}},
	}
	s.details.Said = "error: too busy"
	for i, text := range []string{"Spent the morning moving our relay to LMDB. Startup went from 40 s to under one.", "The winter farmers market opens on Saturday at 9. Bring a bag, bring a neighbour.", "今日はいい天気。散歩しながら新しいクライアントを試しています。"} {
		s.details.Last = append(s.details.Last, &nostr.Event{ID: nostr.ID{byte(i + 1)}, Kind: 1, Content: text, CreatedAt: ago(time.Duration(i+1) * 40 * time.Minute).Unix()})
	}
	return s
}

// navigator remembers where the screen led.
type navigator struct {
	screen.Navigator
	window fyne.Window
	went   []string
	undo   func() // what the last toast offers
}

func (n *navigator) OpenProfile(pk nostr.PubKey) { n.went = append(n.went, "profile "+pk.String()[:4]) }

func (n *navigator) OpenThread(id nostr.ID) { n.went = append(n.went, "thread "+id.String()[:4]) }

func (n *navigator) Toast(text, action string, do func()) {
	n.went = append(n.went, "toast "+text)
	n.undo = do
}

func (n *navigator) Window() fyne.Window { return n.window }

// opened is a screen in a window.
type opened struct {
	*Screen
	window fyne.Window
	nav    *navigator
	source *source
}

func open(t testing.TB, s *source, mode theme.Mode, scale float32, size fyne.Size) *opened {
	t.Helper()
	a := test.NewTempApp(t)
	th, err := theme.New(theme.Options{Mode: mode, Scale: scale})
	if err != nil {
		t.Fatal(err)
	}
	a.Settings().SetTheme(th)
	nav := &navigator{}
	sc := newFor(screen.Env{Do: screentest.Synchronous(), Go: nav}, s)
	sc.every = time.Hour // the test's own goroutine is the window's thread
	w := test.NewTempWindow(t, container.NewStack(canvas.NewRectangle(theme.Color(theme.Background)), sc.Content()))
	w.SetPadded(false)
	w.Resize(size)
	nav.window = w
	sc.Shown()
	t.Cleanup(sc.Close)
	return &opened{Screen: sc, window: w, nav: nav, source: s}
}

func (o *opened) picture(t testing.TB, name string) {
	t.Helper()
	testkit.Picture(t, name, o.window.Canvas().Capture())
}

func TestLook(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the screen in each look: not beside the race detector")
	}
	wide := fyne.NewSize(1216, 832)
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		o := open(t, picture(), mode, 1, wide)
		o.picture(t, "relays-"+string(mode))
		o.showRelay("wss://slow.example")
		o.picture(t, "relay-"+string(mode))
		o.closeDialog()
		o.showEverybody()
		o.picture(t, "everybody-"+string(mode))
		o.closeDialog()
		o.askForRelay()
		o.picture(t, "add-"+string(mode))
	}
	open(t, picture(), theme.Light, 1, fyne.NewSize(480, 800)).picture(t, "relays-480")
	open(t, picture(), theme.Light, 1, fyne.NewSize(800, 800)).picture(t, "relays-800")
	open(t, picture(), theme.Light, 2, wide).picture(t, "relays-200")
	open(t, picture(), theme.Dark, 2, fyne.NewSize(480, 1500)).picture(t, "relays-480-200")
	small := open(t, picture(), theme.Light, 2, fyne.NewSize(480, 800))
	small.showRelay("wss://slow.example")
	small.picture(t, "relay-480-200")
	for name, s := range states() {
		open(t, s, theme.Light, 1, wide).picture(t, "state-"+name)
	}
}

// states are the screen's other faces.
func states() map[string]*source {
	list := map[string]*source{}
	change := func(name string, how func(at *present.RelaysAt)) {
		s := picture()
		how(&s.at)
		list[name] = s
	}
	change("sample", func(at *present.RelaysAt) { at.Status.Stage = live.StageSample })
	change("nobody", func(at *present.RelaysAt) {
		*at = present.RelaysAt{Now: now, Status: live.Status{Stage: live.StageNobody}}
	})
	change("offline", func(at *present.RelaysAt) { at.Status.Offline = true })
	change("first", func(at *present.RelaysAt) {
		at.Status = live.Status{Stage: live.StageNotes, First: true, People: 103, PeopleDone: 41, Left: 20 * time.Second}
	})
	change("whole", func(at *present.RelaysAt) {
		at.Coverage.People, at.Relays, at.OnlyOwn = at.Coverage.People[6:], at.Relays[:2], true
	})
	return list
}

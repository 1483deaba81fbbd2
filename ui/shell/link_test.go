package shell

import (
	"sync/atomic"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// firstOf returns the newest event of a kind in the sample.
func firstOf(t *testing.T, st *stage, kind uint16) *nostr.Event {
	t.Helper()
	for e, err := range st.session.app.Notes().Query(t.Context(), ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{kind}, Limit: new(1)}) {
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	t.Fatalf("the sample has no event of kind %d", kind)
	return nil
}

func TestALinkLeadsToWhatItNames(t *testing.T) {
	st := startSample(t)
	note, article := firstOf(t, st, 1), firstOf(t, st, nostr.KindArticle)
	d, _ := article.Tags.Value("d")
	for _, tc := range []struct {
		code nostr.Code
		want entry
	}{
		{nostr.Code{Prefix: nostr.CodeNote, Event: note.ID}, entry{kind: threadEntry, note: note.ID}},
		{nostr.Code{Prefix: nostr.CodePubKey, PubKey: note.PubKey}, entry{kind: profileEntry, who: note.PubKey}},
		{nostr.Code{Prefix: nostr.CodeAddress, PubKey: article.PubKey, Kind: nostr.KindArticle, D: d}, entry{kind: articleEntry, note: article.ID}},
		{nostr.Code{Prefix: nostr.CodeEvent, Event: note.ID}, entry{kind: threadEntry, note: note.ID}},
		{nostr.Code{Prefix: nostr.CodeEvent, Event: article.ID}, entry{kind: articleEntry, note: article.ID}},
		{nostr.Code{Prefix: nostr.CodeProfile, PubKey: nostr.PubKey{9}}, entry{kind: profileEntry, who: nostr.PubKey{9}}},
	} {
		st.OpenLink(tc.code)
		st.until(tc.code.Prefix, func() bool { top := st.route.top(); return top != nil && *top == tc.want })
	}
	before := *st.route.top()
	st.OpenLink(nostr.Code{Prefix: nostr.CodeNote, Event: nostr.ID{9}})
	st.wait("toast")
	st.pump(quietly)
	if *st.route.top() != before {
		t.Errorf("a link to nothing leads to %+v", *st.route.top())
	}
}

// TestALinkWaitsForTheScreens hands one over while the store is being opened.
func TestALinkWaitsForTheScreens(t *testing.T) {
	st := newStage(t, config.Locate(t.TempDir(), ""), config.Settings{Window: config.Window{Sample: true}})
	var show func(*nostr.Code)
	var stopped atomic.Int32 // counted where the session ends, beside the window
	st.opt.Wait = func(_ *app.App, f func(*nostr.Code)) (func(), error) {
		show = f
		return func() { stopped.Add(1) }, nil
	}
	st.OpenLink(nostr.Code{Prefix: nostr.CodePubKey, PubKey: nostr.PubKey{5}})
	st.start()
	at := func(who byte) func() bool {
		return func() bool { top := st.route.top(); return top != nil && top.who == nostr.PubKey{who} }
	}
	st.until("the first link", at(5))
	go show(&nostr.Code{Prefix: nostr.CodePubKey, PubKey: nostr.PubKey{6}})
	st.until("that of a second start", at(6))
	st.LeaveSample()
	st.until("the end of the session", func() bool { return stopped.Load() == 1 })
	st.wait("welcome.sample")
}

// login stands for the system's list of what is started.
type login struct{ on bool }

func (l *login) On() bool          { return l.on }
func (l *login) Set(on bool) error { l.on = on; return nil }

// withTray is an app on a desktop that has one.
type withTray struct {
	fyne.App
	menu *fyne.Menu
}

func (a *withTray) SetSystemTrayMenu(m *fyne.Menu)  { a.menu = m }
func (a *withTray) SetSystemTrayIcon(fyne.Resource) {}
func (a *withTray) SetSystemTrayWindow(fyne.Window) {}

func TestClosingTheWindowEndsTheProgramUnlessItIsStartedAtLoginIntoATray(t *testing.T) {
	for _, tc := range []struct {
		name        string
		login, tray bool
		stays       bool
	}{
		{"without a tray", true, false, false},
		{"not at login", false, true, false},
		{"at login into a tray", true, true, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			st := newStage(t, config.Locate(t.TempDir(), ""), config.Settings{})
			st.opt.Login, st.opt.Tray = &login{}, func() bool { return tc.tray }
			tray := &withTray{App: st.fyne}
			st.fyne = tray
			st.start()
			st.wait("welcome.sample")
			if tc.login {
				st.StartAtLogin(true)
			}
			st.closeWindow()
			if st.closing == tc.stays {
				t.Errorf("the program ends: %v", st.closing)
			}
			if st.Settings().Window.Stays != tc.stays {
				t.Error("it does not remember that it said so")
			}
			if (tray.menu != nil) != tc.stays {
				t.Errorf("the tray's menu: %v", tray.menu)
			}
			if tc.stays {
				st.StartAtLogin(false)
				if st.closeWindow(); !st.closing {
					t.Error("switched off, it stays")
				}
			}
		})
	}
}

package shell

import (
	"context"
	"log/slog"
	"runtime"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"golang.org/x/text/language"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/dispatch"
	"bowerbird/ui/screen/screentest"
)

// patience bounds each wait for what comes.
const patience = testkit.Patience

// clock is when the tests take place.
var clock = time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC)

// stage is the window without a display. What is posted to the window's thread runs
// on the test's goroutine, while it waits.
type stage struct {
	*Shell
	t      *testing.T
	posts  chan func()
	places config.Places
	opened []*app.App // all that were opened, in their order
}

// newStage makes a window that is not started.
func newStage(t *testing.T, places config.Places, set config.Settings) *stage {
	t.Helper()
	st := &stage{t: t, posts: make(chan func(), 10_000), places: places}
	if set.Sync.Indexers == nil {
		set.Sync.Indexers = []string{"wss://127.0.0.1"} // which is not permitted: nobody is asked
	}
	post := func(f func()) { st.posts <- f }
	shell, err := New(test.NewTempApp(t), Options{
		Open: func(ctx context.Context, sample bool, set config.Settings, preparing func(app.Preparation, int, int)) (*app.App, error) {
			a, err := app.Open(ctx, app.Options{
				Places: places, Settings: set, Sample: sample, Zone: time.UTC,
				Now: func() time.Time { return clock }, Getenv: func(string) string { return "" },
				Preparing: preparing,
			})
			if err == nil {
				post(func() { st.opened = append(st.opened, a) })
			}
			return a, err
		},
		Remove: func(sampleOnly bool) error {
			if sampleOnly {
				return upkeep.RemoveSample(places)
			}
			return upkeep.RemoveData(places)
		},
		Repair: func(ctx context.Context) ([]upkeep.Repaired, error) {
			return upkeep.RepairStores(ctx, places, upkeep.CheckOptions{Now: func() time.Time { return clock }})
		},
		Restore: func(ctx context.Context) (time.Time, error) {
			b, err := upkeep.RestoreNewest(ctx, places, clock)
			return b.Day, err
		},
		Settings: set, Language: language.English, Version: "0.1.0", Logger: slog.New(slog.NewTextHandler(t.Output(), nil)),
		Now: func() time.Time { return clock }, Do: dispatch.Window(post),
	})
	if err != nil {
		t.Fatal(err)
	}
	shell.root.After = func(time.Duration, func()) func() { return func() {} } // no tips
	st.Shell = shell
	st.window.Resize(fyne.NewSize(1280, 832))
	return st
}

// startSample starts a window on the sample, startOwn one on the user's notes, which
// are empty. Both wait until it stands, and quit at the test's end.
func startSample(t *testing.T) *stage {
	t.Helper()
	st := newStage(t, samplePlaces(t), config.Settings{Window: config.Window{Sample: true}})
	st.start()
	st.wait("chat.entry")
	return st
}

// samplePlaces returns places where the sample is.
func samplePlaces(t *testing.T) config.Places {
	return config.Locate(screentest.SampleOf(t, clock), "")
}

func startOwn(t *testing.T) *stage {
	t.Helper()
	st := newStage(t, config.Locate(t.TempDir(), ""), config.Settings{})
	st.start()
	st.wait("welcome.sample")
	return st
}

// startReader starts a window on the notes of somebody of whom none are stored. It is
// quicker than the sample.
func startReader(t *testing.T) *stage {
	t.Helper()
	st := startOwn(t)
	st.readAs(app.Person{PubKey: nostr.PubKey{9}})
	st.wait("chat.entry")
	return st
}

func (st *stage) start() {
	st.t.Helper()
	st.Start(st.t.Context())
	st.t.Cleanup(st.end)
}

// end quits and fails the test if anything goes on running.
func (st *stage) end() {
	st.t.Helper()
	st.quit()
	st.until("the end", st.thread.stopped)
	deadline := time.Now().Add(patience)
	for {
		left := running()
		if left == "" {
			return
		}
		if time.Now().After(deadline) {
			st.t.Fatalf("this goes on after the end:\n%s", left)
		}
		st.pump(10 * time.Millisecond)
	}
}

// running returns the stacks of the goroutines that the window or the program behind
// it began; "" for none.
func running() string {
	buf := make([]byte, 1<<20)
	buf = buf[:runtime.Stack(buf, true)]
	var left []string
	for i, stack := range strings.Split(string(buf), "\n\n") {
		if i > 0 && strings.Contains(stack, "bowerbird/") && !strings.Contains(stack, "testing.tRunner") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}

// pump runs what is posted until nothing is for a while and nobody is about to.
func (st *stage) pump(quiet time.Duration) {
	st.t.Helper()
	late := time.After(patience)
	for {
		select {
		case f := <-st.posts:
			f()
		case <-late:
			st.t.Fatalf("waited too long for the window to come to rest; busy are:\n%s", testkit.Busy())
		case <-time.After(quiet):
			if testkit.Busy() == "" && len(st.posts) == 0 {
				return
			}
		}
	}
}

// until runs what is posted until something is true.
func (st *stage) until(what string, ok func() bool) {
	st.t.Helper()
	deadline := time.After(patience)
	for !ok() {
		select {
		case f := <-st.posts:
			f()
		case <-time.After(5 * time.Millisecond):
		case <-deadline:
			var names []string
			for _, r := range Dump(st.window.Canvas()) {
				names = append(names, r.Name)
			}
			st.t.Fatalf("waited too long for %s; there are: %s", what, strings.Join(names, ", "))
		}
	}
}

// has reports whether a widget is there, by its name or, with a * at the end, by the
// beginning of it.
func (st *stage) has(name string) bool {
	prefix, anyRest := strings.CutSuffix(name, "*")
	for _, r := range Dump(st.window.Canvas()) {
		if r.Name == name || anyRest && strings.HasPrefix(r.Name, prefix) {
			return true
		}
	}
	return false
}

func (st *stage) wait(name string) {
	st.t.Helper()
	st.until(name, func() bool { return st.has(name) })
}

// tap clicks into the middle of the first widget of a name (see has).
func (st *stage) tap(name string) {
	st.t.Helper()
	st.wait(name)
	for _, r := range Dump(st.window.Canvas()) {
		if prefix, anyRest := strings.CutSuffix(name, "*"); r.Name == name || anyRest && strings.HasPrefix(r.Name, prefix) {
			test.TapCanvas(st.window.Canvas(), fyne.NewPos(float32(r.X)+float32(r.Width)/2, float32(r.Y)+float32(r.Height)/2))
			return
		}
	}
}

// press types the shortcut of an action into the window.
func (st *stage) press(key fyne.KeyName, mods fyne.KeyModifier) {
	st.window.Canvas().(fyne.Shortcutable).TypedShortcut(shortcut(key, mods))
}

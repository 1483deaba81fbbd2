package feed

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/screen"
	"bowerbird/ui/screen/screentest"
	"bowerbird/ui/theme"
)

// noon is when the tests are.
var noon = screentest.Noon()

func openApp(t testing.TB) *app.App { return screentest.OpenApp(t) }

func TestMain(m *testing.M) { os.Exit(screentest.Main(m)) }

// stage is a screen in a window of a test.
type stage struct {
	*screentest.Stage
	t      testing.TB
	env    screen.Env
	window fyne.Window
}

func setStage(t testing.TB, a *app.App, opt theme.Options, size fyne.Size) *stage {
	t.Helper()
	st := screentest.New(t, a, opt, size)
	return &stage{st, t, st.Env, st.Window}
}

func (st *stage) show(sc screen.Screen)             { st.Show(sc) }
func (st *stage) until(what string, so func() bool) { st.Until(what, so) }
func (st *stage) settle()                           { st.Settle() }
func (st *stage) picture(name string)               { st.Picture(name) }

// column and mainPart are the places that screens stand in, at 1280 x 832.
var (
	column   = fyne.NewSize(420, 832)
	mainPart = fyne.NewSize(796, 804)
)

// find returns the events that match, newest first.
func find(t testing.TB, a *app.App, f nostr.Filter, match func(*nostr.Event) bool) []*nostr.Event {
	t.Helper()
	var events []*nostr.Event
	for e, err := range a.Notes().Query(t.Context(), ndb.QueryOptions{Match: match}, f) {
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	return events
}

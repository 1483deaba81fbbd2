package shell

import (
	"regexp"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"bowerbird/app/config"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// visits are the ways to all screens, in an order.
func (st *stage) visits() (names []string, ways []func()) {
	st.t.Helper()
	var note, article *nostr.Event
	for _, want := range []struct {
		kind uint16
		into **nostr.Event
	}{{1, &note}, {30023, &article}} {
		for e, err := range st.session.app.Notes().Query(st.t.Context(), ndb.QueryOptions{}, nostr.Filter{Kinds: []uint16{want.kind}, Limit: new(40)}) {
			if err != nil {
				st.t.Fatal(err)
			}
			*want.into = e
		}
		if *want.into == nil {
			st.t.Fatalf("the sample has nothing of kind %d", want.kind)
		}
	}
	add := func(name string, way func()) { names, ways = append(names, name), append(ways, way) }
	add("assistant", func() { st.enter(assistant) })
	add("home", func() { st.enter(home) })
	add("thread", func() { st.OpenThread(note.ID) })
	add("profile", func() { st.OpenProfile(note.PubKey) })
	add("article", func() { st.OpenArticle(article.ID) })
	add("search", func() { st.Search("garden") })
	add("relays", func() { st.enter(relays) })
	for _, page := range []string{"account", "assistant", "relays", "appearance", "about"} { // not storage: it grows by each visit
		add("settings "+page, func() { st.OpenSettings(page) })
	}
	return names, ways
}

// look visits all screens and returns what is drawn there.
func (st *stage) look() map[string]string {
	looks := map[string]string{}
	names, ways := st.visits()
	for i, way := range ways {
		way()
		st.pump(quietly)
		st.window.Canvas().Unfocus()
		looks[names[i]] = test.RenderToMarkup(st.window.Canvas())
	}
	return looks
}

// startSampleAs starts a window on a sample that is kept, in a look, and ends it when
// use returns.
func startSampleAs(t *testing.T, places config.Places, look config.Appearance, use func(*stage)) {
	t.Helper()
	st := newStage(t, places, config.Settings{Window: config.Window{Sample: true}, Appearance: look})
	st.window.Resize(fyne.NewSize(1280, 832))
	st.Start(t.Context())
	defer st.end()
	st.wait("chat.entry")
	st.pump(quietly)
	use(st)
}

func TestEachScreenFollowsAChangeOfTheLookAtOnce(t *testing.T) {
	if testing.Short() {
		t.Skip("visits all screens, ten times")
	}
	dark := config.Appearance{Mode: config.ModeDark, Text: 100, Density: config.Comfortable}
	light, small, compact := dark, dark, dark
	light.Mode, small.Mode, compact.Mode = config.ModeLight, config.ModeLight, config.ModeLight
	small.Text, compact.Text = 80, 80
	compact.Density = config.Compact

	places := samplePlaces(t)
	changes := []struct {
		name     string
		from, to config.Appearance
	}{{"dark to light", dark, light}, {"usual to small", light, small}, {"comfortable to compact", small, compact}}
	hidden, open := make([]map[string]string, len(changes)), make([]map[string]string, len(changes))
	startSampleAs(t, places, dark, func(st *stage) {
		st.look() // so that each screen is there already
		for i, c := range changes {
			st.Change(func(set *config.Settings) { set.Appearance = c.to })
			hidden[i] = st.look()
		}
		for i, c := range changes {
			open[i] = st.lookAtOnce(c.from, c.to)
		}
	})
	for i, c := range changes {
		var fresh map[string]string
		startSampleAs(t, places, c.to, func(st *stage) {
			st.look()
			fresh = st.look()
		})
		for name, want := range fresh {
			if d := different(hidden[i][name], want); d != "" {
				t.Errorf("%s, %s, which was out of sight then, keeps of the look before:\n%s", c.name, name, d)
			}
			if name == "settings appearance" {
				continue // it is told by the control that changed the look, of which there is none here
			}
			if d := different(open[i][name], want); d != "" {
				t.Errorf("%s, %s, which was in sight then, keeps of the look before:\n%s", c.name, name, d)
			}
		}
	}
}

// lookAtOnce changes the look while each of the screens is in sight.
func (st *stage) lookAtOnce(from, to config.Appearance) map[string]string {
	looks := map[string]string{}
	names, ways := st.visits()
	for i, way := range ways {
		st.Change(func(set *config.Settings) { set.Appearance = from })
		way()
		st.pump(quietly)
		st.Change(func(set *config.Settings) { set.Appearance = to })
		st.pump(quietly)
		st.window.Canvas().Unfocus()
		looks[names[i]] = test.RenderToMarkup(st.window.Canvas())
	}
	return looks
}

// passing is what is not the look's: how long the scroll bar is comes of the rows that
// were seen so far.
var passing = regexp.MustCompile(`radius="2" size="4x\d+"`)

// different returns the first lines in which a picture is not as it is wanted, ""
// for none.
func different(got, want string) string {
	got, want = passing.ReplaceAllString(got, ""), passing.ReplaceAllString(want, "")
	if got == want {
		return ""
	}
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	var out []string
	for i := 0; i < min(len(a), len(b)) && len(out) < 12; i++ {
		if a[i] != b[i] {
			out = append(out, "- "+strings.TrimSpace(a[i]), "+ "+strings.TrimSpace(b[i]))
		}
	}
	return strings.Join(out, "\n")
}

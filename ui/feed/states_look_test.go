package feed

import (
	"errors"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"bowerbird/ndb/nostr"
	"bowerbird/tools/tooltest"
	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// TestLookAtStates draws what the sample does not have.
func TestLookAtStates(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the screen in each look: not beside the race detector")
	}
	a := openApp(t)
	_, who := stranger(t)
	image := []string{"imeta", "url https://pics.example/lake.jpg", "m image/jpeg", "dim 1200x800", "alt A lake at dawn", "size 340000"}
	notes := []*nostr.Event{
		who.Sign(tooltest.Post{Kind: 0, Ago: 30 * time.Hour, Content: `{"name":"Mia"}`}),
		who.Sign(tooltest.Post{Kind: 1, Ago: 5 * time.Minute, Content: "Not for everybody.", Tags: nostr.Tags{{"content-warning", "needles"}}}),
		who.Sign(tooltest.Post{Kind: 1, Ago: 6 * time.Minute, Content: "Nor this.", Tags: nostr.Tags{{"content-warning"}}}),
		who.Sign(tooltest.Post{Kind: 1, Ago: 7 * time.Minute, Content: "This morning https://pics.example/lake.jpg", Tags: nostr.Tags{image}}),
		who.Sign(tooltest.Post{Kind: 1, Ago: 8 * time.Minute, Content: "Two https://pics.example/1.jpg https://pics.example/2.jpg"}),
	}
	put(t, a, notes...)
	for name, opt := range map[string]theme.Options{"light": {Mode: theme.Light}, "dark": {Mode: theme.Dark}} {
		st := setStage(t, a, opt, column)
		st.env.Pictures = &loads{}
		p := NewProfile(st.env, who.Key)
		st.show(p)
		st.picture("state-notes-" + name)
		for _, why := range []emptiness{emptyGetting, emptyOffline, emptyNobody, emptyStore, emptyQuiet} {
			st := setStage(t, a, opt, column)
			body := widgets.NewFill(newEmptyHome(t.Context(), st.env, why))
			st.window.SetContent(body)
			st.window.Resize(fyne.NewSize(420, 420))
			st.picture("state-" + string(why) + "-" + name)
		}
		st = setStage(t, a, opt, column)
		st.window.SetContent(widgets.NewFill(unreadable(errors.New("read the notes: input/output error"), func() {})))
		st.window.Resize(fyne.NewSize(420, 420))
		st.picture("state-error-" + name)
	}
}

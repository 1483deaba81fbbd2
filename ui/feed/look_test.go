package feed

import (
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/app"
	"bowerbird/ndb/nostr"
	"bowerbird/ui/screen"
	"bowerbird/ui/theme"
)

// longest returns the note of the sample with most replies.
func longest(t testing.TB, a *app.App) nostr.ID {
	t.Helper()
	var best nostr.ID
	most := -1
	for _, e := range find(t, a, nostr.Filter{Kinds: []uint16{kindNote}}, nil) {
		c, err := a.Notes().Counters(t.Context(), e.ID)
		if err != nil {
			t.Fatal(err)
		}
		if c.Replies > most {
			best, most = e.ID, c.Replies
		}
	}
	return best
}

func authorOf(t testing.TB, a *app.App, id nostr.ID) nostr.PubKey {
	t.Helper()
	e, err := a.Notes().Event(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return e.PubKey
}

func TestLook(t *testing.T) {
	if testing.Short() {
		t.Skip("draws the screen in each look: not beside the race detector")
	}
	a := openApp(t)
	looks := map[string]struct {
		opt    theme.Options
		narrow bool
	}{
		"light": {opt: theme.Options{Mode: theme.Light}},
		"dark":  {opt: theme.Options{Mode: theme.Dark}},
		"480":   {opt: theme.Options{Mode: theme.Light}, narrow: true},
		"large": {opt: theme.Options{Mode: theme.Light, Scale: 2}},
	}
	screens := []struct {
		name string
		wide bool
		make func(screen.Env) screen.Screen
	}{
		{"home", false, func(e screen.Env) screen.Screen { return NewHome(e) }},
		{"search", false, func(e screen.Env) screen.Screen { s := NewSearch(e); s.SetQuery("relay"); return s }},
		{"search-people", false, func(e screen.Env) screen.Screen { s := NewSearch(e); s.SetQuery("wren"); return s }},
		{"search-from", false, func(e screen.Env) screen.Screen { s := NewSearch(e); s.SetQuery("from:pri"); return s }},
		{"search-empty", false, func(e screen.Env) screen.Screen { return NewSearch(e) }},
		{"profile", true, func(e screen.Env) screen.Screen { return NewProfile(e, authorOf(t, a, longest(t, a))) }},
		{"article", true, func(e screen.Env) screen.Screen {
			return NewArticle(e, find(t, a, nostr.Filter{Kinds: []uint16{kindArticle}}, nil)[0].ID)
		}},
		{"thread", true, func(e screen.Env) screen.Screen { return NewThread(e, longest(t, a)) }},
	}
	for name, look := range looks {
		for _, sc := range screens {
			size := column
			switch {
			case look.narrow:
				size = fyne.NewSize(416, 600)
			case sc.wide:
				size = mainPart
			}
			st := setStage(t, a, look.opt, size)
			st.show(sc.make(st.env))
			st.picture(sc.name + "-" + name)
		}
	}
}

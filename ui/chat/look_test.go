package chat

import (
	"os"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ui/theme"
)

// TestLook draws the screen for people to look at, into the folder that LOOK names.
func TestLook(t *testing.T) {
	if os.Getenv("LOOK") == "" {
		t.Skip("LOOK names no folder")
	}
	a := openApp(t)
	for name, look := range map[string]struct {
		opt  theme.Options
		size fyne.Size
	}{
		"light":  {theme.Options{Mode: theme.Light}, fyne.NewSize(796, 804)},
		"dark":   {theme.Options{Mode: theme.Dark}, fyne.NewSize(796, 804)},
		"narrow": {theme.Options{Mode: theme.Light}, fyne.NewSize(480, 600)},
		"large":  {theme.Options{Mode: theme.Light, Scale: 2}, fyne.NewSize(796, 804)},
	} {
		t.Run(name, func(t *testing.T) {
			st := setStage(t, a, look.opt, look.size)
			st.picture("empty-" + name)
			st.askIt("What did I miss since yesterday evening?")
			st.picture("digest-end-" + name)
			st.stuck = false
			st.list.ScrollToTop()
			st.picture("digest-" + name)
			for _, r := range st.rows {
				if r.kind == rowWork {
					st.toggle(r.id)
				}
			}
			st.picture("digest-open-" + name)
		})
	}
}

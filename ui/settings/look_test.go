package settings

import (
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/ui/theme"
)

func TestEachPageIsDrawnInEachLook(t *testing.T) {
	if testing.Short() {
		t.Skip("draws all pages: not beside the race detector")
	}
	for _, look := range []struct {
		name string
		opt  theme.Options
		size fyne.Size
	}{
		{"light", theme.Options{Mode: theme.Light}, fyne.NewSize(1216, 804)},
		{"dark", theme.Options{Mode: theme.Dark}, fyne.NewSize(1216, 804)},
		{"narrow", theme.Options{Mode: theme.Light}, fyne.NewSize(416, 600)},
		{"large", theme.Options{Mode: theme.Light, Scale: 2}, fyne.NewSize(1216, 804)},
	} {
		f := open(t, look.opt, look.size)
		for _, e := range entries() {
			f.ShowPage(e.name)
			f.draw(t, e.name+"-"+look.name)
		}
	}
}

package chart

import (
	"bytes"
	"image"
	"testing"

	"fyne.io/fyne/v2"

	"bowerbird/internal/testkit"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// TestStatesSheet draws what a chart shows to a hand: values, focus, its table,
// and the files that it saves.
func TestStatesSheet(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a contact sheet: not beside the race detector")
	}
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		show(t, theme.Options{Mode: mode})
		var shots []image.Image
		for _, raw := range []string{digest(), sheetSpecs()["lines"], specs()["pie"], specs()["heat"], specs()["horizontal"], specs()["grouped"]} {
			w := NewWidget(parse(t, raw), Options{Save: saveNowhere})
			o := card(w)
			o.Resize(fyne.NewSize(724, layout.HeightFor(o, 724)))
			w.plot.FocusGained()
			w.plot.choose(w.plot.order[len(w.plot.order)*2/3])
			shots = append(shots, shot(o, 724))
		}
		w := NewWidget(parse(t, specs()["grouped"]), Options{Save: saveNowhere})
		w.toggleTable()
		shots = append(shots, shot(card(w), 724))
		testkit.Picture(t, "states-"+string(mode), sheet(shots, 724, theme.Color(theme.Background)))
		var file bytes.Buffer
		if err := writePNG(&file, parse(t, digest()), 700); err != nil {
			t.Fatal(err)
		}
		testkit.KeepFile(t, "saved-"+string(mode)+".png", file.Bytes())
		for name, raw := range sheetSpecs() {
			file.Reset()
			if err := SVG(&file, parse(t, raw)); err != nil {
				t.Fatal(err)
			}
			testkit.KeepFile(t, name+".svg", file.Bytes())
		}
	}
}

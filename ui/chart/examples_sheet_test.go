package chart

import (
	"fmt"
	"image"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/theme"
)

// TestContactSheetOfTheExamples draws our own specifications and the examples of
// Vega-Lite that are drawn for a person to look at, into the folder that
// BOWERBIRD_SHEET names.
func TestContactSheetOfTheExamples(t *testing.T) {
	dir := os.Getenv("BOWERBIRD_SHEET")
	if dir == "" {
		t.Skip("BOWERBIRD_SHEET names no folder")
	}
	show(t, theme.Options{Mode: theme.Light})
	own := map[string][]byte{}
	for _, s := range ownSpecs(t) {
		own[s.Name] = s.Spec
	}
	drawSheets(t, dir, "own", own)
	drawSheets(t, dir, "examples", testkit.VegaLiteExamples(t))
}

func drawSheets(t *testing.T, dir, of string, all map[string][]byte) {
	t.Helper()
	const width, each = 480, 36
	var shots []image.Image
	sheets := 0
	save := func() {
		savePNG(t, filepath.Join(dir, fmt.Sprintf("%s-%d.png", of, sheets)), sheet(shots, width, theme.Color(theme.Background)))
		shots, sheets = nil, sheets+1
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		s, err := chartspec.Parse(all[name])
		if err != nil {
			continue
		}
		s.Title = name
		if shots = append(shots, shot(card(NewWidget(s, Options{Save: saveNowhere})), width)); len(shots) == each {
			save()
		}
	}
	if len(shots) > 0 {
		save()
	}
}

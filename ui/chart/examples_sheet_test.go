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

// TestContactSheetOfTheExamples draws the examples of Vega-Lite that are drawn for a
// person to look at, into the folder that BOWERBIRD_SHEET names.
func TestContactSheetOfTheExamples(t *testing.T) {
	dir := os.Getenv("BOWERBIRD_SHEET")
	if dir == "" {
		t.Skip("BOWERBIRD_SHEET names no folder")
	}
	show(t, theme.Options{Mode: theme.Light})
	all := testkit.VegaLiteExamples(t)
	const width, each = 480, 36
	var shots []image.Image
	sheets := 0
	save := func() {
		savePNG(t, filepath.Join(dir, fmt.Sprintf("examples-%d.png", sheets)), sheet(shots, width, theme.Color(theme.Background)))
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

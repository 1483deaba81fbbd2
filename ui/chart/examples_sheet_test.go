package chart

import (
	"fmt"
	"image"
	"maps"
	"slices"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/theme"
)

func TestContactSheetOfTheExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a contact sheet: not beside the race detector")
	}
	show(t, theme.Options{Mode: theme.Light})
	own := map[string][]byte{}
	for _, s := range ownSpecs(t) {
		own[s.Name] = s.Spec
	}
	drawSheets(t, "own", own)
	drawSheets(t, "examples", testkit.VegaLiteExamples(t))
}

func drawSheets(t *testing.T, of string, all map[string][]byte) {
	t.Helper()
	const width, each = 480, 36
	var shots []image.Image
	sheets := 0
	save := func() {
		testkit.Picture(t, fmt.Sprintf("%s-%d", of, sheets), sheet(shots, width, theme.Color(theme.Background)))
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

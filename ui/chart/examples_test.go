package chart

import (
	"bytes"
	"errors"
	"maps"
	"slices"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/tools/chartspec"
)

// drawOrRefuse parses a spec, and draws it in every way if it is not refused.
func drawOrRefuse(t testing.TB, raw []byte) (refused *chartspec.Refused) {
	t.Helper()
	s, err := chartspec.Parse(raw)
	if err != nil {
		if !errors.As(err, &refused) || refused.Feature == "" || refused.Reason == "" {
			t.Fatalf("%v names no reason", err)
		}
		return refused
	}
	for _, width := range []float64{280, 640} {
		scene := sceneOf(s, width)
		checkScene(t, scene)
		checkMarks(t, s, scene)
	}
	var b bytes.Buffer
	if err := SVG(&b, s); err != nil {
		t.Fatal(err)
	}
	elements(t, b.Bytes())
	Text(s, 80, when)
	tableOf(s)
	return nil
}

func TestEveryExampleOfVegaLiteIsDrawnOrRefusedWithAReason(t *testing.T) {
	all := testkit.VegaLiteExamples(t)
	drawn := 0
	reasons := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			defer time.AfterFunc(testkit.Patience, func() { panic(name + " hangs") }).Stop()
			if refused := drawOrRefuse(t, all[name]); refused != nil {
				reasons[refused.Feature] = append(reasons[refused.Feature], name)
				t.Log(refused)
			} else {
				drawn++
			}
		})
	}
	t.Logf("%d examples: %d are drawn, %d refused", len(all), drawn, len(all)-drawn)
	for _, feature := range slices.Sorted(maps.Keys(reasons)) {
		t.Logf("  %3d for %s, as %s", len(reasons[feature]), feature, reasons[feature][0])
	}
	if drawn < 150 {
		t.Errorf("only %d of %d examples are drawn", drawn, len(all))
	}
}

package chart

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
)

func saveNowhere(string, func(io.Writer) error) {}

// digest is the chart of the design's picture: notes of an evening and a night.
func digest() string {
	var rows []string
	for i, n := range []int{14, 17, 21, 12, 6, 3, 1, 1, 0, 2, 5, 9, 12, 15, 13, 10, 12, 11, 9, 11} {
		h := 18 + i
		rows = append(rows, fmt.Sprintf(`{"hour":"2026-11-%02dT%02d:00:00+01:00","notes":%d}`, 19+h/24, h%24, n))
	}
	return `{"title":"184 notes by people you follow, per hour","mark":"bar","data":{"values":[` + strings.Join(rows, ",") +
		`]},"encoding":{"x":{"field":"hour","type":"temporal"},"y":{"field":"notes","type":"quantitative"}}}`
}

// sheetSpecs are the charts to look at.
func sheetSpecs() map[string]string {
	out := maps.Clone(specs())
	out["00 digest"] = digest()
	var days, many, series, names []string
	for i := range 60 {
		days = append(days, fmt.Sprintf(`{"t":"2026-%02d-%02d","n":%d}`, 9+i/30, 1+i%30, 5+(i*i*7)%40))
		many = append(many, fmt.Sprintf(`{"x":%d,"y":%g}`, i, float64((i*37)%50)*1e6))
		for k, who := range []string{"Ada Lindqvist", "Ben Okafor", "Yuki 雪", "Clara M."} {
			series = append(series, fmt.Sprintf(`{"t":"2026-%02d-%02d","who":%q,"n":%d}`, 9+i/30, 1+i%30, who, 10*k+(i*(k+3))%17))
		}
	}
	for i := range 50 {
		names = append(names, fmt.Sprintf(`{"k":"Category %d","n":%d}`, i+1, (i*13)%29))
	}
	out["days"] = `{"mark":"bar","data":{"values":[` + strings.Join(days, ",") + `]},"encoding":{"x":{"field":"t"},"y":{"field":"n"}}}`
	out["large numbers"] = `{"mark":"point","data":{"values":[` + strings.Join(many, ",") + `]},"encoding":{"x":{"field":"x"},"y":{"field":"y"}}}`
	out["lines"] = `{"mark":"line","data":{"values":[` + strings.Join(series, ",") + `]},"encoding":{"x":{"field":"t"},"y":{"field":"n"},"color":{"field":"who"}}}`
	out["stacked area"] = strings.Replace(out["lines"], `"mark":"line"`, `"mark":"area"`, 1)
	out["fifty"] = `{"mark":"bar","data":{"values":[` + strings.Join(names, ",") + `]},"encoding":{"x":{"field":"k","sort":null},"y":{"field":"n"}}}`
	out["scripts"] = `{"mark":"bar","data":{"values":[{"k":"محمد عبد الرحمن الطويل","n":12},{"k":"👩‍🚀 Astronaut","n":5},{"k":"山田花子","n":8},{"k":"a name that is much too long to stand below a bar","n":3},{"k":"Ελένη","n":7}]},"encoding":{"x":{"field":"k","sort":"-y"},"y":{"field":"n"}}}`
	out["tiny"] = `{"mark":"line","data":{"values":[{"x":0,"y":1e-9},{"x":1,"y":3e-9},{"x":2,"y":2e-9}]},"encoding":{"x":{"field":"x"},"y":{"field":"y","title":"metres"}}}`
	return out
}

// inWindow shows a chart in a window of a width.
func inWindow(t testing.TB, w *Widget, width float32) fyne.Window {
	t.Helper()
	win := test.NewTempWindow(t, w)
	win.SetPadded(false)
	win.Resize(fyne.NewSize(width, w.HeightFor(width)))
	return win
}

// tipTexts are the values that the tooltip shows.
func tipTexts(p *plot) string {
	var out []string
	if !p.tip.shown {
		return ""
	}
	for _, o := range p.tip.lines {
		out = append(out, o.(*canvas.Text).Text)
	}
	return strings.Join(out, " ")
}

func mustJSON(t *testing.T, v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// checkDrawn holds the drawn labels, measured with the window's fonts, to their
// promise: none on another, none outside.
func checkDrawn(t *testing.T, p *plot) {
	t.Helper()
	type label struct {
		x1, y1, x2, y2 float32
		text           string
	}
	var labels []label
	for _, sh := range p.scene.shapes {
		if sh.kind != caption {
			continue
		}
		w := float32(measureFyne(sh.text, sh.size, sh.bold))
		x, y := float32(sh.places[0].x), float32(sh.places[0].y)
		switch sh.anchor {
		case atMiddle:
			x -= w / 2
		case atEnd:
			x -= w
		}
		l := label{x, y - float32(sh.size)*0.75, x + w, y, sh.text}
		if l.x1 < -2 || l.x2 > p.Size().Width+2 || l.y1 < -2 || l.y2 > p.Size().Height+2 {
			t.Errorf("%q is drawn from %v to %v in %v", l.text, l.x1, l.x2, p.Size())
		}
		for _, o := range labels {
			if l.x1 < o.x2 && o.x1 < l.x2 && l.y1 < o.y2 && o.y1 < l.y2 {
				t.Errorf("%q lies on %q", l.text, o.text)
			}
		}
		labels = append(labels, l)
	}
}

// showsTable reports whether the data are shown in the place of the drawing.
func showsTable(w *Widget) bool { return w.table != nil && w.table.Visible() }

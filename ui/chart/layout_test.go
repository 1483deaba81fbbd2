package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"bowerbird/tools/chartspec"
)

// sceneOf lays a spec out as a window of a width would.
func sceneOf(s *chartspec.Spec, width float64) *scene {
	k := plainLook()
	k.titled, k.margin = false, 0
	return arrange(s, width, heightFor(s, width, k), k)
}

// captionArea is what a caption covers by the measure it was laid out with.
func captionArea(sh shape) area {
	w := textWidth(sh.text, sh.size)
	x := sh.places[0].x
	switch sh.anchor {
	case atMiddle:
		x -= w / 2
	case atEnd:
		x -= w
	}
	return area{x, sh.places[0].y - sh.size*0.75, x + w, sh.places[0].y}
}

// checkScene holds a scene to what the package promises of every chart.
func checkScene(t testing.TB, s *scene) {
	t.Helper()
	var labels []area
	var texts []string
	for _, sh := range s.shapes {
		for _, p := range sh.places {
			if math.IsNaN(p.x) || math.IsNaN(p.y) || p.x < -1.5 || p.x > s.width+1.5 || p.y < -1.5 || p.y > s.height+1.5 {
				t.Fatalf("%+v is drawn outside of %v x %v", sh, s.width, s.height)
			}
		}
		if sh.kind != caption {
			continue
		}
		a := captionArea(sh)
		if a.x1 < -1.5 || a.x2 > s.width+1.5 {
			t.Fatalf("%q reaches from %v to %v of %v", sh.text, a.x1, a.x2, s.width)
		}
		for i, other := range labels {
			if a.overlaps(other) {
				t.Fatalf("%q lies on %q", sh.text, texts[i])
			}
		}
		labels, texts = append(labels, a), append(texts, sh.text)
	}
}

// valueAt reads a place of the scene back as a number of an axis.
func valueAt(a chartspec.Axis, at, from, to float64) float64 {
	return a.Min + (at-from)/(to-from)*(a.Max-a.Min)
}

// checkMarks reads the drawn bars and points back and compares them with the spec.
func checkMarks(t testing.TB, s *chartspec.Spec, drawn *scene) int {
	t.Helper()
	f := drawn.frame
	near := func(what string, got, want float64, a chartspec.Axis) {
		t.Helper()
		if math.Abs(got-want) > (a.Max-a.Min)*1e-9 {
			t.Fatalf("%s is drawn at %v, the spec says %v", what, got, want)
		}
	}
	checked := 0
	for _, m := range drawn.marks {
		l := s.Layers[m.layer]
		p := l.Points[m.point]
		switch {
		case l.Mark == chartspec.Bar && !l.Horizontal && p.Y.Kind == chartspec.Number:
			low, high := valueAt(f.spec.Y, m.y2, f.bottom, f.top), valueAt(f.spec.Y, m.y1, f.bottom, f.top)
			near("a bar's end", high, math.Max(p.Y.Num, p.Y2.Num), f.spec.Y)
			near("a bar's start", low, math.Min(p.Y.Num, p.Y2.Num), f.spec.Y)
		case l.Mark == chartspec.Bar && p.X.Kind == chartspec.Number:
			low, high := valueAt(f.spec.X, m.x1, f.left, f.right), valueAt(f.spec.X, m.x2, f.left, f.right)
			near("a bar's end", high, math.Max(p.X.Num, p.X2.Num), f.spec.X)
			near("a bar's start", low, math.Min(p.X.Num, p.X2.Num), f.spec.X)
		case l.Mark == chartspec.Dot || l.Mark == chartspec.Line || l.Mark == chartspec.Area:
			if p.X.Kind == chartspec.Number || p.X.Kind == chartspec.Time {
				near("a point's x", valueAt(f.spec.X, (m.x1+m.x2)/2, f.left, f.right), p.X.Num, f.spec.X)
			}
			if p.Y.Kind == chartspec.Number {
				near("a point's y", valueAt(f.spec.Y, (m.y1+m.y2)/2, f.bottom, f.top), p.Y.Num, f.spec.Y)
			}
		default:
			continue
		}
		checked++
	}
	return checked
}

// randomSpec writes a spec of any shape over random rows.
func randomSpec(rng *rand.Rand) string {
	scale := math.Pow(10, float64(rng.IntN(24)-9))
	names := []string{"Ada", "Bo", "山田花子", "محمد الطويل جدا", "👩‍🚀 Astronaut", "a name that is much too long to stand below a bar", "x", "Ines Duarte", "18:00"}
	var rows []map[string]any
	for i := range 1 + rng.IntN(60) {
		n := (rng.Float64() - float64(rng.IntN(2))*0.5) * scale
		if rng.IntN(5) == 0 {
			n = math.Round(n)
		}
		rows = append(rows, map[string]any{
			"who": names[rng.IntN(len(names))], "kind": fmt.Sprint("k", rng.IntN(4)), "n": n, "m": rng.Float64() * 100,
			"day": fmt.Sprintf("2026-%02d-%02dT%02d:00:00+02:00", 1+rng.IntN(12), 1+rng.IntN(28), rng.IntN(24)), "i": i,
		})
	}
	mark := []string{"bar", "line", "area", "point", "tick", "rect", "text"}[rng.IntN(7)]
	place := []string{`{"field":"who"}`, `{"field":"day"}`, `{"field":"day","timeUnit":"yearmonthdate"}`, `{"field":"m"}`, `{"field":"m","bin":true}`, `{"field":"i","type":"ordinal"}`}[rng.IntN(6)]
	measure := []string{`{"field":"n","aggregate":"sum"}`, `{"aggregate":"count"}`, `{"field":"n","aggregate":"mean","title":"Mean"}`, `{"field":"n"}`}[rng.IntN(4)]
	x, y := "x", "y"
	if rng.IntN(3) == 0 {
		x, y = y, x
	}
	extra := []string{"", `,"color":{"field":"kind"}`, `,"xOffset":{"field":"kind"}`, `,"color":{"field":"m"}`, `,"size":{"field":"m"}`}[rng.IntN(5)]
	if mark == "text" {
		extra += `,"text":{"field":"who"}`
	}
	values, _ := json.Marshal(rows)
	title := []string{"", `"title":"Notes of the week",`}[rng.IntN(2)]
	return fmt.Sprintf(`{%s"mark":%q,"data":{"values":%s},"encoding":{%q:%s,%q:%s%s}}`, title, mark, values, x, place, y, measure, extra)
}

func TestWhatIsDrawnIsAsLongAsItsNumberInChartsOfEveryShape(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	drawn, checked := 0, 0
	for range 2000 {
		raw := randomSpec(rng)
		s, err := chartspec.Parse([]byte(raw))
		if err != nil {
			continue
		}
		drawn++
		for _, width := range []float64{280, 640, 1600} {
			scene := sceneOf(s, width)
			checkScene(t, scene)
			checked += checkMarks(t, s, scene)
		}
		if t.Failed() {
			t.Fatal(raw)
		}
	}
	if drawn < 1200 || checked < 10_000 {
		t.Errorf("only %d specs were drawn and %d marks read back", drawn, checked)
	}
}

func TestEveryMarkStaysInThePictureAtEveryWidth(t *testing.T) {
	for name, raw := range specs() {
		t.Run(name, func(t *testing.T) {
			s := parse(t, raw)
			for width := 200.0; width <= 1600; width += 40 {
				checkScene(t, sceneOf(s, width))
			}
		})
	}
}

func TestLabelsOfFiftyLongNamesNeverOverlap(t *testing.T) {
	var rows []string
	for i := range 50 {
		rows = append(rows, `{"k":"category number `+strings.Repeat("x", i%7)+string(rune('A'+i%26))+string(rune('a'+i/26))+`","n":`+string(rune('1'+i%9))+`}`)
	}
	for _, enc := range []string{`"x":{"field":"k"},"y":{"field":"n"}`, `"y":{"field":"k"},"x":{"field":"n"}`} {
		s := parse(t, `{"mark":"bar","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{`+enc+`}}`)
		for _, width := range []float64{280, 640, 1600} {
			scene := sceneOf(s, width)
			checkScene(t, scene)
			labels := 0
			for _, sh := range scene.shapes {
				if sh.kind == caption {
					labels++
				}
			}
			if labels < 6 {
				t.Errorf("only %d labels at %v", labels, width)
			}
		}
	}
}

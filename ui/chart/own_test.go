package chart

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/tools/chartspec"
)

// ownSpec is a specification of our own, in the manner of Vega-Lite 5, with what
// becomes of it: the part that is refused, or what can be read from the drawing.
type ownSpec struct {
	Name string
	Spec json.RawMessage
	Raw  string // in the place of Spec, for what is no JSON

	Refused string // the part of the specification that the refusal names
	Drawn   []string
	X, Y    []string // the categories in the order drawn, where that matters
	Ends    []float64
	Legend  []string
	Tip     string // of the first mark
	Title   string
}

func ownSpecs(t testing.TB) []ownSpec {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "specs", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no specifications of our own: %v", err)
	}
	var all []ownSpec
	seen := map[string]bool{}
	for _, path := range files {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var list []ownSpec
		if err := json.Unmarshal(raw, &list); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		for _, s := range list {
			if seen[s.Name] {
				t.Fatalf("%s: there are two of the name %q", path, s.Name)
			}
			seen[s.Name] = true
			if s.Raw != "" {
				s.Spec = json.RawMessage(s.Raw)
			}
			all = append(all, s)
		}
	}
	return all
}

func TestEverySpecOfOurOwnIsDrawnRightOrRefusedForTheRightReason(t *testing.T) {
	all := ownSpecs(t)
	drawn := 0
	for _, want := range all {
		t.Run(want.Name, func(t *testing.T) {
			defer time.AfterFunc(testkit.Patience, func() { panic(want.Name + " hangs") }).Stop()
			refused := drawOrRefuse(t, want.Spec)
			switch {
			case refused != nil && want.Refused == "":
				t.Fatalf("refused for %v", refused)
			case refused != nil:
				if refused.Feature != want.Refused {
					t.Errorf("refused for %q (%s), want %q", refused.Feature, refused.Reason, want.Refused)
				}
				return
			case want.Refused != "":
				t.Fatalf("is drawn, and not refused for %q", want.Refused)
			}
			drawn++
			s, err := chartspec.Parse(want.Spec)
			if err != nil {
				t.Fatal(err)
			}
			want.compare(t, s)
		})
	}
	t.Logf("%d specifications of our own: %d are drawn, %d refused", len(all), drawn, len(all)-drawn)
	if len(all) < 100 {
		t.Errorf("only %d specifications", len(all))
	}
}

// compare reads what is drawn at two widths and holds it to what is expected.
func (want *ownSpec) compare(t *testing.T, s *chartspec.Spec) {
	t.Helper()
	for _, width := range []float64{320, 720} {
		got := readBack(t, s, sceneOf(s, width))
		expected := slices.Sorted(slices.Values(want.Drawn))
		if slices.Sort(got); !slices.Equal(got, expected) {
			t.Errorf("at %v points wide are drawn\n\t%s\nwant\n\t%s", width, strings.Join(got, "\n\t"), strings.Join(expected, "\n\t"))
		}
	}
	if want.X != nil && !slices.Equal(s.X.Categories, want.X) {
		t.Errorf("from left to right stand %q, want %q", s.X.Categories, want.X)
	}
	if want.Y != nil && !slices.Equal(s.Y.Categories, want.Y) {
		t.Errorf("from top to bottom stand %q, want %q", s.Y.Categories, want.Y)
	}
	if want.Legend != nil && !slices.Equal(s.Series, want.Legend) {
		t.Errorf("the legend has %q, want %q", s.Series, want.Legend)
	}
	axis := s.Y
	if axis.Kind != chartspec.Numbers {
		axis = s.X
	}
	if want.Ends != nil && !slices.Equal([]float64{axis.Min, axis.Max}, want.Ends) {
		t.Errorf("the axis runs from %v to %v, want %v", axis.Min, axis.Max, want.Ends)
	}
	if want.Title != "" && s.Title != want.Title {
		t.Errorf("the title is %q, want %q", s.Title, want.Title)
	}
	var tip []string
	for _, p := range s.Layers[0].Points[0].Tooltip {
		tip = append(tip, p.Name+": "+p.Value)
	}
	if got := strings.Join(tip, ", "); want.Tip != "" && got != want.Tip {
		t.Errorf("the first mark's tooltip says %q, want %q", got, want.Tip)
	}
}

// readBack says what each drawn mark stands at and shows, by its place and its
// colour in the drawing.
func readBack(t *testing.T, s *chartspec.Spec, drawn *scene) []string {
	t.Helper()
	var out []string
	for _, m := range drawn.marks {
		l := s.Layers[m.layer]
		p := l.Points[m.point]
		text := readMark(drawn, l, p, m)
		if p.Series != "" && l.Mark != chartspec.Label {
			if want := drawn.frame.palette.seriesColour(slices.Index(s.Series, p.Series)); m.color.R != want.R || m.color.G != want.G || m.color.B != want.B {
				t.Errorf("%s is drawn in %v, its name in the legend in %v", text, m.color, want)
			}
			text += "/" + p.Series
		}
		if p.Offset != "" {
			text += "@" + p.Offset
		}
		if p.Shade != nil {
			text += " shade " + chartspec.FormatNumber(*p.Shade)
		}
		if p.Size != nil && !l.SizeFixed {
			text += " size " + chartspec.FormatNumber(*p.Size)
		}
		out = append(out, text)
	}
	return out
}

func readMark(drawn *scene, l chartspec.Layer, p chartspec.Point, m mark) string {
	f := drawn.frame
	x := func(at float64) string { return readPlace(f.spec.X, at, f.left, f.right, false) }
	y := func(at float64) string { return readPlace(f.spec.Y, at, f.top, f.bottom, true) }
	middle := x((m.x1+m.x2)/2) + "," + y((m.y1+m.y2)/2)
	switch l.Mark {
	case chartspec.Arc:
		return fmt.Sprintf("%.4g %%", (m.a2-m.a1)/(2*math.Pi)*100)
	case chartspec.Bar:
		if l.Horizontal {
			return span(x(m.x1), x(m.x2)) + "," + across(y, max(m.y1, m.y2), min(m.y1, m.y2), f.y(p.Y), p.Y2)
		}
		return across(x, m.x1, m.x2, f.x(p.X), p.X2) + "," + span(y(m.y2), y(m.y1))
	case chartspec.Rule:
		return strings.Join(slices.Compact([]string{x(m.x1), x(m.x2)}), "..") + "," + strings.Join(slices.Compact([]string{y(m.y1), y(m.y2)}), "..")
	case chartspec.Rect:
		return across(x, m.x1, m.x2, f.x(p.X), p.X2) + "," + across(y, max(m.y1, m.y2), min(m.y1, m.y2), f.y(p.Y), p.Y2)
	case chartspec.Label:
		for _, sh := range drawn.shapes {
			if sh.kind == caption && sh.text == p.Text {
				return middle + " says " + sh.text
			}
		}
		return middle + " says nothing"
	}
	return middle
}

// span writes what a bar reaches over; one that stands on zero its other end.
func span(from, to string) string {
	switch {
	case from == "0":
		return to
	case to == "0":
		return from
	}
	return from + ".." + to
}

// across writes where a bar stands, or the ends of what it covers. Bars are moved
// onto whole points, and those that have ends are half a point apart from the next.
func across(read func(float64) string, a, b, middle float64, end chartspec.Value) string {
	switch {
	case end.Kind == chartspec.Absent && math.Abs((a+b)/2-middle) <= 1:
		return read(middle)
	case end.Kind == chartspec.Absent:
		return read((a + b) / 2)
	case a > b:
		return read(a+0.5) + ".." + read(b-0.5)
	}
	return read(a-0.5) + ".." + read(b+0.5)
}

// readPlace reads a place as a category, a number or a time of an axis.
func readPlace(a chartspec.Axis, at, from, to float64, up bool) string {
	part := (at - from) / (to - from)
	switch a.Kind {
	case chartspec.NoAxis:
		return ""
	case chartspec.Categories:
		return a.Categories[min(int(part*float64(len(a.Categories))), len(a.Categories)-1)]
	}
	if up {
		part = 1 - part
	}
	v := a.Min + part*(a.Max-a.Min)
	if a.Kind == chartspec.Times {
		return time.UnixMilli(int64(math.Round(v))).UTC().Round(time.Second).Format("2006-01-02T15:04")
	}
	step := math.Pow(10, math.Floor(math.Log10(a.Max-a.Min))-8)
	if v = math.Round(v/step) * step; v == 0 {
		v = 0 // and not -0
	}
	return chartspec.FormatNumber(v)
}

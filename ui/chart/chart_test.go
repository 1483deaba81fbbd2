package chart

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/tools/chartspec"
	"bowerbird/ui/present"
)

var update = flag.Bool("update", false, "write the golden files anew")

const week = `{"values":[
 {"day":"Mon","who":"Ada","n":3},{"day":"Mon","who":"Bo","n":1},
 {"day":"Tue","who":"Ada","n":2},{"day":"Tue","who":"Bo","n":5},
 {"day":"Wed","who":"Ada","n":4}]}`

const hours = `{"values":[{"t":"2026-05-03T08:00:00+02:00","n":1},{"t":"2026-05-03T09:00:00+02:00","n":0},{"t":"2026-05-03T10:00:00+02:00","n":7},{"t":"2026-05-03T11:00:00+02:00","n":3}]}`

// specs are charts of every mark, and those that drawers trip over.
func specs() map[string]string {
	return map[string]string{
		"bars":            `{"title":"Notes a day","mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day","title":"Day"},"y":{"field":"n","aggregate":"sum","title":"Notes"}}}`,
		"stacked":         `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n"},"color":{"field":"who"}}}`,
		"grouped":         `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n"},"xOffset":{"field":"who"},"color":{"field":"who"}}}`,
		"horizontal":      `{"mark":"bar","data":{"values":[{"who":"山田花子","n":12},{"who":"Ada 👩‍🚀","n":30},{"who":"a name that is much too long to stand beside a bar","n":1}]},"encoding":{"y":{"field":"who","sort":"-x"},"x":{"field":"n"}}}`,
		"below-zero":      `{"mark":"bar","data":{"values":[{"k":"a","n":-5},{"k":"b","n":10},{"k":"c","n":0},{"k":"d","n":-0.25}]},"encoding":{"x":{"field":"k"},"y":{"field":"n"}}}`,
		"one-value":       `{"mark":"line","data":{"values":[{"k":"only","n":7}]},"encoding":{"x":{"field":"k"},"y":{"field":"n"}}}`,
		"equal-values":    `{"mark":"point","data":{"values":[{"x":1,"y":5},{"x":1,"y":5}]},"encoding":{"x":{"field":"x","scale":{"zero":false}},"y":{"field":"y","scale":{"zero":false}}}}`,
		"all-zero":        `{"mark":"bar","data":{"values":[{"k":"a","n":0},{"k":"b","n":0}]},"encoding":{"x":{"field":"k"},"y":{"field":"n"}}}`,
		"line-over-hours": `{"mark":"line","data":` + hours + `,"encoding":{"x":{"field":"t"},"y":{"field":"n"}}}`,
		"bars-over-hours": `{"mark":"bar","data":` + hours + `,"encoding":{"x":{"field":"t"},"y":{"field":"n"}}}`,
		"area":            `{"mark":"area","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n"},"color":{"field":"who"}}}`,
		"histogram":       `{"mark":"bar","data":` + week + `,"encoding":{"x":{"field":"n","bin":{"step":2}},"y":{"aggregate":"count"}}}`,
		"pie":             `{"mark":"arc","data":` + week + `,"encoding":{"theta":{"field":"n","aggregate":"sum"},"color":{"field":"who"}}}`,
		"heat":            `{"mark":"rect","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"who"},"color":{"field":"n","aggregate":"sum"}}}`,
		"ticks":           `{"mark":"tick","data":` + week + `,"encoding":{"x":{"field":"n"},"y":{"field":"who"}}}`,
		"labels":          `{"mark":"text","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"sum"},"text":{"field":"n","aggregate":"sum"}}}`,
		"bars-and-rule":   `{"data":` + week + `,"layer":[{"mark":"bar","encoding":{"x":{"field":"day"},"y":{"field":"n","aggregate":"sum"}}},{"mark":"rule","data":{"values":[{}]},"encoding":{"y":{"datum":5}}}]}`,
		"bubbles":         `{"mark":"circle","data":` + week + `,"encoding":{"x":{"field":"day"},"y":{"field":"n"},"size":{"field":"n"},"color":{"field":"who"}}}`,
		"hostile-texts":   `{"title":"</svg><script>alert(1)</script> \u001b[31mred\u202e","mark":"bar","data":{"values":[{"k":"<b onload=\"x\">&amp;\u0000","n":1},{"k":"\ufffe]]>","n":2}]},"encoding":{"x":{"field":"k"},"y":{"field":"n"}}}`,
	}
}

func parse(t testing.TB, raw string) *chartspec.Spec {
	t.Helper()
	s, err := chartspec.Parse([]byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from what is drawn now:\n%s", path, got)
	}
}

// when writes times in English.
func when(at time.Time, day bool) string {
	if day {
		return at.Format("Mon 2 Jan")
	}
	return at.Format("Mon 15:04")
}

func TestChartsAsBarsOfTextLookAsInTheGoldenFiles(t *testing.T) {
	for name, raw := range specs() {
		t.Run(name, func(t *testing.T) { golden(t, name+".txt", Text(parse(t, raw), 60, when)) })
	}
}

func TestNoLineOfTextIsWiderThanAsked(t *testing.T) {
	for name, raw := range specs() {
		for _, width := range []int{0, 24, 33, 60, 200} {
			for _, line := range strings.Split(Text(parse(t, raw), width, when), "\n") {
				if present.Width(line) > max(width, minColumns) {
					t.Errorf("%s at %d: %q is %d wide", name, width, line, present.Width(line))
				}
				if strings.ContainsAny(line, "\x1b\x00\u202e") {
					t.Errorf("%s: %q acts on the terminal", name, line)
				}
			}
		}
	}
}

// elements parses an SVG strictly, and refuses what could act.
func elements(t testing.TB, svg []byte) map[string]int {
	t.Helper()
	seen := map[string]int{}
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			return seen
		}
		if err != nil {
			t.Fatalf("no XML: %v\n%s", err, svg)
		}
		e, ok := tok.(xml.StartElement)
		if !ok {
			continue
		}
		seen[e.Name.Local]++
		switch e.Name.Local {
		case "svg", "path", "circle", "text":
		default:
			t.Fatalf("element %s in\n%s", e.Name.Local, svg)
		}
		for _, a := range e.Attr {
			if strings.HasPrefix(a.Name.Local, "on") || a.Name.Local == "href" || strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Fatalf("attribute %s=%q", a.Name.Local, a.Value)
			}
		}
	}
}

func TestEveryMarkIsDrawnAsPlainSVG(t *testing.T) {
	for name, raw := range specs() {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := SVG(&b, parse(t, raw)); err != nil {
				t.Fatal(err)
			}
			seen := elements(t, b.Bytes())
			if seen["path"]+seen["circle"] < 2 || seen["text"] == 0 {
				t.Errorf("drew %v", seen)
			}
		})
	}
}

func TestAnSVGHasItsOwnSizeAndFont(t *testing.T) {
	var b bytes.Buffer
	if err := SVG(&b, parse(t, digest())); err != nil {
		t.Fatal(err)
	}
	var root struct {
		Width  string `xml:"width,attr"`
		Height string `xml:"height,attr"`
		Box    string `xml:"viewBox,attr"`
		Font   string `xml:"font-family,attr"`
		Inner  struct {
			Box string `xml:"viewBox,attr"`
		} `xml:"svg"`
	}
	if err := xml.Unmarshal(b.Bytes(), &root); err != nil {
		t.Fatal(err)
	}
	if root.Width != "640" || root.Height != "360" || root.Box != "0 0 640 360" || root.Inner.Box != "0 0 6400 3600" || !strings.HasPrefix(root.Font, "Inter") {
		t.Errorf("%+v", root)
	}
}

func FuzzDraw(f *testing.F) {
	for _, raw := range specs() {
		f.Add([]byte(raw), 60)
	}
	f.Fuzz(func(t *testing.T, raw []byte, width int) {
		s, err := chartspec.Parse(raw)
		if err != nil {
			return
		}
		width = min(width, 300)
		for _, line := range strings.Split(Text(s, width, when), "\n") {
			if present.Width(line) > max(width, minColumns) {
				t.Fatalf("%q is wider than %d", line, width)
			}
		}
		var b bytes.Buffer
		if err := SVG(&b, s); err != nil {
			t.Fatal(err)
		}
		elements(t, b.Bytes())
		for _, side := range []float64{280, 640} {
			k := plainLook()
			checkScene(t, arrange(s, side, heightFor(s, side, k), k))
		}
	})
}

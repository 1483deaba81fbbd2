package chart

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// call runs a tool of the program as the agent does.
func call(t *testing.T, env *tools.Env, name, args string) tools.Result {
	t.Helper()
	tool, ok := tools.Builtin().Get(name)
	if !ok {
		t.Fatalf("there is no tool %s", name)
	}
	return tooltest.Call(t, tool, env, args)
}

// svgBars reads the boxes of a colour from an SVG: left edge and height of each, in
// the document's units, from left to right.
func svgBars(t *testing.T, svg []byte, color string) (bars [][2]float64) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			slices.SortFunc(bars, func(a, b [2]float64) int { return int(a[0] - b[0]) })
			return bars
		}
		if err != nil {
			t.Fatal(err)
		}
		e, ok := tok.(xml.StartElement)
		if !ok || e.Name.Local != "path" {
			continue
		}
		var path, style string
		for _, a := range e.Attr {
			switch a.Name.Local {
			case "d":
				path = a.Value
			case "style":
				style = a.Value
			}
		}
		if !strings.Contains(style, "fill:"+color) {
			continue
		}
		low, high, left := math.Inf(1), math.Inf(-1), math.Inf(1)
		numbers := strings.FieldsFunc(path, func(r rune) bool { return r != '-' && r != '.' && (r < '0' || r > '9') })
		for i := 0; i+1 < len(numbers); i += 2 {
			var x, y float64
			if _, err := fmt.Sscan(numbers[i], &x); err != nil {
				t.Fatal(err)
			}
			if _, err := fmt.Sscan(numbers[i+1], &y); err != nil {
				t.Fatal(err)
			}
			left, low, high = math.Min(left, x), math.Min(low, y), math.Max(high, y)
		}
		bars = append(bars, [2]float64{left, high - low})
	}
}

func TestTheBarsOfTheSavedSVGAreTheBucketsOfAggregate(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada := w.Person("ada", "Ada")
	w.Read(w.Person("me", "Me"), ada)
	var notes []*nostr.Event
	for h, n := range []int{3, 0, 7, 1, 0, 12, 5} {
		notes = append(notes, ada.Notes(n, func(i int) (string, time.Duration) {
			return fmt.Sprintf("note %d of hour %d", i, h), time.Duration(h)*time.Hour + time.Duration(i+1)*time.Minute
		})...)
	}
	w.Put(notes...)
	env := w.Env()
	res := call(t, env, "aggregate", `{"by":"hour","since":"12h"}`).(tools.AggregateResult)
	if res.Total != 28 {
		t.Fatalf("aggregate counts %d notes", res.Total)
	}
	rows, err := json.Marshal(res.Buckets)
	if err != nil {
		t.Fatal(err)
	}
	drawn := call(t, env, "render_chart", `{"spec":{"mark":"bar","data":{"values":`+string(rows)+`},"encoding":{"x":{"field":"key","type":"temporal"},"y":{"field":"count","type":"quantitative"}}}}`).(tools.ChartResult)
	if drawn.Chart == nil {
		t.Fatal(drawn.Refused)
	}
	var b bytes.Buffer
	if err := SVG(&b, drawn.Chart); err != nil {
		t.Fatal(err)
	}
	bars := svgBars(t, b.Bytes(), "rgba(35,71,201,1.0)")
	if len(bars) != len(res.Buckets) {
		t.Fatalf("%d bars for %d buckets", len(bars), len(res.Buckets))
	}
	most, tallest := 0, 0.0
	for i, bucket := range res.Buckets {
		most, tallest = max(most, bucket.Count), math.Max(tallest, bars[i][1])
	}
	for i, bucket := range res.Buckets {
		if got := bars[i][1] / tallest * float64(most); math.Abs(got-float64(bucket.Count)) > 0.01 {
			t.Errorf("the bar of %s is %.2f high, aggregate counts %d", bucket.Key, got, bucket.Count)
		}
	}
}

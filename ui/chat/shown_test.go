package chat

import (
	"encoding/xml"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
)

// places are the attributes of Fyne's markup that say where something is drawn, and how
// large: they follow from the glyphs of a font.
var places = regexp.MustCompile(` (?:pos|size)="[^"]*"`)

// assertShown holds what a canvas shows, in which order, in which look, against a file in
// testdata; where it stands is held only to be within the canvas.
func assertShown(t *testing.T, name string, c fyne.Canvas) {
	t.Helper()
	markup := test.RenderToMarkup(c)
	textsWithin(t, markup, c.Size().Width)
	got := places.ReplaceAllString(markup, "")
	want, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil && got == string(want) {
		return
	}
	failed := filepath.Join("testdata", "failed", name)
	if err := os.MkdirAll(filepath.Dir(failed), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(failed, []byte(got), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Errorf("%s shows something else (%v); what it shows is in %s", name, err, failed)
}

// textsWithin checks that no text begins or ends beside a canvas.
func textsWithin(t *testing.T, markup string, width float32) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(markup))
	d.Strict = false   // there are attributes without a value: <text bold>
	var left []float32 // of each element that is open
	for {
		token, err := d.Token()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			var x, w float32
			if n := len(left); n > 0 {
				x = left[n-1]
			}
			for _, a := range e.Attr {
				switch a.Name.Local {
				case "pos":
					x += number(t, a.Value, ",")
				case "size":
					if e.Name.Local == "text" { // that of an icon may be a name
						w = number(t, a.Value, "x")
					}
				}
			}
			left = append(left, x)
			if e.Name.Local == "text" && (x < -1 || x+w > width+1) {
				t.Errorf("a text is drawn from %v to %v in %v", x, x+w, width)
			}
		case xml.EndElement:
			left = left[:len(left)-1]
		}
	}
}

// number reads the first of two numbers.
func number(t *testing.T, pair, between string) float32 {
	t.Helper()
	first, _, _ := strings.Cut(pair, between)
	n, err := strconv.ParseFloat(first, 32)
	if err != nil {
		t.Fatal(err)
	}
	return float32(n)
}

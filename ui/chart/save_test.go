package chart

import (
	"bytes"
	"encoding/csv"
	"image/color"
	"image/png"
	"io"
	"testing"

	"bowerbird/ui/theme"
)

func TestSavingSuggestsANameAndWritesEachFormat(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	files := map[string]*bytes.Buffer{}
	w := NewWidget(parse(t, digest()), Options{Save: func(name string, write func(io.Writer) error) {
		files[name] = &bytes.Buffer{}
		if err := write(files[name]); err != nil {
			t.Error(err)
		}
	}})
	inWindow(t, w, 700)
	w.save("png", w.png)
	w.save("svg", SVG)
	w.save("csv", writeCSV)
	name := w.spec.Title
	img, err := png.Decode(files[name+".png"])
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds().Dx() != 1400 {
		t.Errorf("the picture is %v, want twice 700 wide", img.Bounds())
	}
	colours := map[color.Color]int{}
	for x := range img.Bounds().Dx() {
		for y := range img.Bounds().Dy() {
			colours[img.At(x, y)]++
		}
	}
	if len(colours) < 5 {
		t.Errorf("the picture has %d colours", len(colours))
	}
	elements(t, files[name+".svg"].Bytes())
	rows, err := csv.NewReader(files[name+".csv"]).ReadAll()
	if err != nil || len(rows) != 21 || rows[1][1] != "14" {
		t.Errorf("CSV: %v %q", err, rows)
	}
}

package chart

import (
	"bytes"
	"encoding/csv"
	"image/color"
	"image/png"
	"io"
	"strings"
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
	const name = "184 notes by people you follow per hour"
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

func TestTheNameOfAFileIsOneOnEverySystem(t *testing.T) {
	for title, want := range map[string]string{
		"": "chart", "../../etc/passwd": "etcpasswd", "a/b\\c:d*e?": "abcde", "  ": "chart", "Notes  per\nhour": "Notes per hour",
		"雪と山": "雪と山", strings.Repeat("x", 500): strings.Repeat("x", 60), "CON.": "CON", "Notes since 0:00": "Notes since 0.00",
	} {
		if got := fileName(title); got != want {
			t.Errorf("%q is saved as %q, want %q", title, got, want)
		}
	}
}

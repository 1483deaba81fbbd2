package chart

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"maps"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/theme"
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

func TestHoveringOverAColumnShowsItsValues(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	w := NewWidget(parse(t, digest()), Options{})
	inWindow(t, w, 700)
	p := w.plot
	for i, want := range map[int]string{0: "14", 2: "21", 8: "0", 19: "11"} {
		m := p.scene.marks[i]
		at := fyne.NewPos(float32((m.x1+m.x2)/2), 3)
		p.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
		if got := tipTexts(p); !strings.HasSuffix(got, "notes "+want) || !strings.Contains(got, "2026-11-") {
			t.Errorf("over bar %d: %q, want %s notes", i, got, want)
		}
	}
	p.MouseOut()
	if len(p.tip.objects()) != 0 {
		t.Error("the tooltip stays")
	}
}

func TestTheTooltipStaysWithinTheChartAtEveryMark(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light, Scale: 2})
	for name, raw := range sheetSpecs() {
		w := NewWidget(parse(t, raw), Options{})
		inWindow(t, w, 300)
		p := w.plot
		for i := range p.scene.marks {
			p.choose(i)
			pos, size := p.tip.back.Position(), p.tip.back.Size()
			if pos.X < 0 || pos.Y < 0 || pos.X+size.Width > p.Size().Width+1 || pos.Y+size.Height > p.Size().Height+1 {
				t.Errorf("%s: the tooltip of mark %d is at %v, %v in %v", name, i, pos, size, p.Size())
				break
			}
		}
	}
}

func TestTheArrowKeysWalkTheMarks(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	w := NewWidget(parse(t, specs()["grouped"]), Options{})
	win := inWindow(t, w, 500)
	win.Canvas().Focus(w.plot)
	var seen []string
	for range 7 {
		w.plot.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
		seen = append(seen, tipTexts(w.plot))
	}
	want := []string{"day Mon n 3 who Ada", "day Mon n 1 who Bo", "day Tue n 2 who Ada", "day Tue n 5 who Bo", "day Wed n 4 who Ada", "day Wed n 4 who Ada"}
	if strings.Join(seen[:6], "|") != strings.Join(want, "|") {
		t.Errorf("walked %q", seen)
	}
	w.plot.TypedKey(&fyne.KeyEvent{Name: fyne.KeyHome})
	if got := tipTexts(w.plot); got != want[0] {
		t.Errorf("Home leads to %q", got)
	}
	if !w.plot.ring.Visible() {
		t.Error("the focus is not shown")
	}
	w.plot.TypedKey(&fyne.KeyEvent{Name: fyne.KeyEscape})
	if tipTexts(w.plot) != "" {
		t.Error("Escape leaves the tooltip")
	}
}

func TestASliceOfAPieAnswersForItsAngleOnly(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	w := NewWidget(parse(t, specs()["pie"]), Options{})
	inWindow(t, w, 500)
	m := w.plot.scene.marks[0]
	x, y, r := (m.x1+m.x2)/2, (m.y1+m.y2)/2, (m.x2-m.x1)/2
	marks := w.plot.scene.marks
	for _, tt := range []struct {
		x, y float64
		want int
	}{{x + 0.8*r, y, 0}, {x - 0.8*r, y, 1}, {x + 0.1*r, y + 0.8*r, 0}, {x - 2*r, y, -1}} {
		if got := nearest(marks, tt.x, tt.y); got != tt.want {
			t.Errorf("at %v, %v is slice %d, want %d", tt.x-x, tt.y-y, got, tt.want)
		}
	}
}

func TestAnotherThemeDrawsTheChartAnew(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	w := NewWidget(parse(t, digest()), Options{})
	inWindow(t, w, 700)
	light, low := w.plot.scene.marks[0].color, w.HeightFor(700)
	restyle(t, theme.Options{Mode: theme.Dark, Scale: 2})
	w.plot.Refresh()
	if dark := w.plot.scene.marks[0].color; dark == light || dark != nrgba(theme.Series(0)) {
		t.Errorf("bars are %v in both themes", dark)
	}
	if w.HeightFor(700) <= low {
		t.Error("larger texts take no more room")
	}
}

func TestTableTakesThePlaceOfTheDrawingAndSumsToTheSame(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	spec := parse(t, digest())
	told := 0
	w := NewWidget(spec, Options{Grown: func() { told++ }})
	inWindow(t, w, 700)
	w.toggleTable()
	if !showsTable(w) || w.plot.Visible() || told != 1 {
		t.Error("the table is not shown")
	}
	sum := 0.0
	for _, row := range Data(spec).Rows {
		n, _ := chartspec.ParseNumber(row[1])
		sum += n
	}
	if sum != 184 {
		t.Errorf("the table sums to %v, the title says 184", sum)
	}
	w.toggleTable()
	if showsTable(w) || !w.plot.Visible() {
		t.Error("the drawing does not come back")
	}
}

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
	w.save("png", w.WritePNG)
	w.save("svg", w.WriteSVG)
	w.save("csv", w.WriteCSV)
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
		"雪と山": "雪と山", strings.Repeat("x", 500): strings.Repeat("x", 60), "CON.": "CON",
	} {
		if got := fileName(title); got != want {
			t.Errorf("%q is saved as %q, want %q", title, got, want)
		}
	}
}

func TestHostileNamesAreDrawnWithinTheirChart(t *testing.T) {
	raw, err := os.ReadFile(testkit.Shared(t, "data", "hostile", "text", "blns.json"))
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	texts = append(texts, strings.Repeat("x", 100_000), strings.Repeat("̶", 5000), strings.Repeat("👩‍🚀", 3000), "\u202e\u2066abc")
	show(t, theme.Options{Mode: theme.Light})
	for i := 0; i < len(texts); i += 12 {
		var rows []map[string]any
		for n, s := range texts[i:min(i+12, len(texts))] {
			rows = append(rows, map[string]any{"k": s, "n": n, "c": s})
		}
		values, err := json.Marshal(rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, enc := range []string{`"x":{"field":"k","type":"nominal"},"y":{"field":"n"}`, `"y":{"field":"k","type":"nominal"},"x":{"field":"n"},"color":{"field":"c","type":"nominal"}`} {
			s, err := chartspec.Parse([]byte(`{"title":` + string(mustJSON(t, texts[i])) + `,"mark":"bar","data":{"values":` + string(values) + `},"encoding":{` + enc + `}}`))
			if err != nil {
				t.Fatal(err)
			}
			w := NewWidget(s, Options{})
			win := inWindow(t, w, 400)
			checkDrawn(t, w.plot)
			win.Canvas().Capture()
		}
	}
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

func TestLabelsNeverOverlapInTheWindowsFontsAtAnyWidthAndTextSize(t *testing.T) {
	for _, scale := range []float32{0.8, 1, 2} {
		show(t, theme.Options{Mode: theme.Light, Scale: scale})
		for _, raw := range sheetSpecs() {
			w := NewWidget(parse(t, raw), Options{})
			win := inWindow(t, w, 280)
			for width := float32(280); width <= 1600; width += 220 {
				win.Resize(fyne.NewSize(width, w.HeightFor(width)))
				checkDrawn(t, w.plot)
			}
		}
	}
}

func TestEveryMarkLooksAsInTheGoldenFiles(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	all := specs()
	// Latin only: the fonts of other scripts are the machine's.
	all["horizontal"] = strings.NewReplacer("山田花子", "Yuki", " 👩‍🚀", "").Replace(all["horizontal"])
	for name, raw := range all {
		p := newPlot(parse(t, raw), "")
		win := test.NewTempWindow(t, p)
		win.SetPadded(false)
		win.Resize(fyne.NewSize(500, p.HeightFor(500)))
		test.AssertRendersToMarkup(t, name+".xml", win.Canvas())
	}
}

func TestTheDesignsChartLooksAsInTheGoldenPictures(t *testing.T) {
	for _, mode := range []theme.Mode{theme.Light, theme.Dark} {
		show(t, theme.Options{Mode: mode})
		test.AssertImageMatches(t, "digest-"+string(mode)+".png", shot(card(newPlot(parse(t, digest()), "")), 724))
	}
}

func BenchmarkLayingOutTheDesignsChart(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	s := parse(b, digest())
	for b.Loop() {
		p := newPlot(s, "")
		p.Resize(fyne.NewSize(700, p.HeightFor(700)))
	}
}

func BenchmarkLayingOutALineOfFiveThousandPoints(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf(`{"x":%d,"y":%d}`, i, (i*i)%977))
	}
	s := parse(b, `{"mark":"line","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{"x":{"field":"x"},"y":{"field":"y"}}}`)
	for b.Loop() {
		p := newPlot(s, "")
		p.Resize(fyne.NewSize(700, p.HeightFor(700)))
	}
}

func BenchmarkMovingTheMouseOverFiveThousandPoints(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	var rows []string
	for i := range 5000 {
		rows = append(rows, fmt.Sprintf(`{"x":%d,"y":%d}`, i, (i*i)%977))
	}
	w := NewWidget(parse(b, `{"mark":"point","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{"x":{"field":"x"},"y":{"field":"y"}}}`), Options{})
	inWindow(b, w, 700)
	x := float32(0)
	for b.Loop() {
		x = float32(int(x+7) % 700)
		w.plot.MouseMoved(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: fyne.NewPos(x, 50)}})
	}
}

func BenchmarkLayingOutFiftyLongNamesOfAllScripts(b *testing.B) {
	show(b, theme.Options{Mode: theme.Light})
	var rows []string
	for i := range 50 {
		name := strings.Repeat([]string{"محمد عبد الرحمن ", "山田花子", "👩‍🚀", "long name "}[i%4], 60)
		rows = append(rows, fmt.Sprintf(`{"k":"%d %s","n":%d}`, i, name, i))
	}
	s := parse(b, `{"mark":"bar","data":{"values":[`+strings.Join(rows, ",")+`]},"encoding":{"y":{"field":"k"},"x":{"field":"n"}}}`)
	for b.Loop() {
		p := newPlot(s, "")
		p.Resize(fyne.NewSize(700, p.HeightFor(700)))
	}
}

// showsTable reports whether the data are shown in the place of the drawing.
func showsTable(w *Widget) bool { return w.table != nil && w.table.Visible() }

package chart

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/tools/chartspec"
	"bowerbird/ui/table"
	"bowerbird/ui/theme"
)

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

func TestATooltipWritesTimesInWords(t *testing.T) {
	show(t, theme.Options{Mode: theme.Light})
	w := NewWidget(parse(t, specs()["bars-over-hours"]), Options{Table: table.Options{When: when}})
	inWindow(t, w, 500).Canvas().Focus(w.plot)
	w.plot.TypedKey(&fyne.KeyEvent{Name: fyne.KeyRight})
	if got := tipTexts(w.plot); !strings.Contains(got, "Sun 08:00") {
		t.Errorf("the tooltip is %q", got)
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
	for _, row := range tableOf(spec).Rows {
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

func TestHostileNamesAreDrawnWithinTheirChart(t *testing.T) {
	if testing.Short() {
		t.Skip("draws hundreds of charts: not beside the race detector")
	}
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

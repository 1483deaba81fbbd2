package table

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

func light(t testing.TB) {
	t.Helper()
	show(t, theme.Options{Mode: theme.Light})
}

// lay gives a table a width, as a column would.
func lay(tb *Table, width float32) *Table {
	tb.Resize(fyne.NewSize(width, tb.HeightFor(width)))
	return tb
}

func textsOf(tb *Table, c int) []string {
	var out []string
	for _, r := range tb.data.order {
		out = append(out, tb.data.rows[r][c].text)
	}
	return out
}

func TestNumbersAreSortedByValueAndTextsAsTheLanguageDoes(t *testing.T) {
	light(t)
	r := &tools.TableResult{
		Columns: []tools.Column{{Key: "name"}, {Key: "n"}, {Key: "time"}},
		Rows: [][]string{
			{"Zoë", "1,204", "120 ms"}, {"émile", "98", "2 s"}, {"Ärger", "-3", "88 ms"}, {"anna", "", "–"}, {"note 10", "2e3", "1 min"}, {"note 9", "0.5", "3 ms"},
		},
	}
	for _, tt := range []struct {
		column int
		twice  bool
		want   string
	}{
		{0, false, "anna Ärger émile note 9 note 10 Zoë"},
		{0, true, "Zoë note 10 note 9 émile Ärger anna"},
		{1, false, "-3 0.5 98 1,204 2e3 "},
		{1, true, "2e3 1,204 98 0.5 -3 "},
		{2, false, "3 ms 88 ms 120 ms 2 s 1 min –"},
	} {
		tb := lay(New(r, Options{}), 600)
		tb.Sort(tt.column)
		if tt.twice {
			tb.Sort(tt.column)
		}
		if got := strings.Join(textsOf(tb, tt.column), " "); got != tt.want {
			t.Errorf("column %d, twice %v: %q, want %q", tt.column, tt.twice, got, tt.want)
		}
	}
}

func TestAClickOnAColumnsNameSortsByIt(t *testing.T) {
	light(t)
	tb := New(relays(), Options{})
	w := test.NewTempWindow(t, tb)
	w.SetPadded(false)
	w.Resize(fyne.NewSize(900, 400))
	d := fyne.CurrentApp().Driver()
	at := d.AbsolutePositionForObject(tb.head).AddXY(tb.grid.ends[3]-20, 10)
	test.TapCanvas(w.Canvas(), at)
	if got := textsOf(tb, 3); !slices.Equal(got, []string{"98", "301", "744", "1,204", "–", "–"}) {
		t.Errorf("sorted to %q", got)
	}
}

func TestTheKeyboardReachesEveryCellAndSorts(t *testing.T) {
	light(t)
	opened := 0
	tb := New(people(), Options{OpenPerson: func(nostr.PubKey) { opened++ }})
	w := test.NewTempWindow(t, tb)
	w.Resize(fyne.NewSize(800, 500))
	w.Canvas().Focus(tb.grid)
	press := func(names ...fyne.KeyName) {
		for _, n := range names {
			tb.grid.TypedKey(&fyne.KeyEvent{Name: n})
		}
	}
	press(fyne.KeyReturn)
	if opened != 1 {
		t.Errorf("Enter on a person opened %d profiles", opened)
	}
	press(fyne.KeyDown, fyne.KeyEnd)
	if tb.grid.row != 1 || tb.grid.col != 4 || !strings.Contains(tb.tip.shown, "it is the third year") {
		t.Errorf("at row %d, column %d, the tip says %q", tb.grid.row, tb.grid.col, tb.tip.shown)
	}
	press(fyne.KeyUp, fyne.KeyUp, fyne.KeyHome, fyne.KeyRight, fyne.KeyReturn)
	if got := textsOf(tb, 1); !slices.Equal(got, []string{"3", "12", "44", "1204"}) {
		t.Errorf("sorted to %q", got)
	}
	press(fyne.KeyPageUp, fyne.KeyPageDown, fyne.KeyDown, fyne.KeyDown)
	if tb.grid.row != 3 {
		t.Errorf("the last row is 3, the keyboard is at %d", tb.grid.row)
	}
}

func TestCodesOfNotesAndPeopleBecomeLinksWithNames(t *testing.T) {
	light(t)
	note := nostr.ID{1, 2, 3}
	code, err := nostr.Code{Prefix: "note", Event: note}.Encode()
	if err != nil {
		t.Fatal(err)
	}
	var opened nostr.ID
	tb := lay(New(&tools.TableResult{Columns: []tools.Column{{Key: "note"}}, Rows: [][]string{{"nostr:" + code}, {"see " + code}, {"note1broken"}}}, Options{
		OpenNote: func(id nostr.ID) { opened = id },
		Name:     func(c nostr.Code) string { return "Ada: \u202ethe market" },
	}), 400)
	if got := textsOf(tb, 0)[0]; got != "Ada: the market" {
		t.Errorf("the code is shown as %q", got)
	}
	tb.grid.Tapped(&fyne.PointEvent{Position: fyne.NewPos(30, 10)})
	if opened != note {
		t.Errorf("opened %x", opened)
	}
	for _, r := range []int{1, 2} {
		if tb.data.rows[r][0].open != nil {
			t.Errorf("row %d is a link", r)
		}
	}
}

func TestALongTableIsShownInPartAndThenDrawnAsItScrolls(t *testing.T) {
	light(t)
	tb := New(long(700, 4), Options{})
	w := test.NewTempWindow(t, tb)
	w.Resize(fyne.NewSize(800, 700))
	if tb.shown() != brief || tb.data.cut != 200 {
		t.Fatalf("%d rows are shown, %d cut", tb.shown(), tb.data.cut)
	}
	tb.showAll()
	w.Resize(fyne.NewSize(800, 701))
	if n := len(tb.grid.made); n == 0 || n > 40 {
		t.Errorf("%d rows are drawn of %d", n, tb.shown())
	}
	if h := tb.HeightFor(800); h > 700 {
		t.Errorf("500 rows make the table %v high", h)
	}
	w.Canvas().Focus(tb.grid)
	tb.grid.row = 498
	tb.grid.TypedKey(&fyne.KeyEvent{Name: fyne.KeyDown})
	if tb.grid.made[499] == nil || tb.grid.made[0] != nil {
		t.Error("the last row is not drawn when the keyboard is there")
	}
}

func TestCopyingKeepsTheOrderAndRunsNothing(t *testing.T) {
	light(t)
	tb := lay(New(&tools.TableResult{
		Columns: []tools.Column{{Key: "what"}, {Key: "n"}},
		Rows:    [][]string{{"=HYPERLINK(\"http://evil.example\")", "-2"}, {"a | b\nc", "1"}, {"plain, \"quoted\"", "3"}},
	}, Options{}), 500)
	tb.Sort(1)
	rows, err := csv.NewReader(strings.NewReader(tb.CSV())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"what", "n"}, {"'=HYPERLINK(\"http://evil.example\")", "-2"}, {"a | b\nc", "1"}, {"plain, \"quoted\"", "3"}}
	if fmt.Sprint(rows) != fmt.Sprint(want) {
		t.Errorf("CSV %q", rows)
	}
	if got, want := tb.Markdown(), "| what | n |\n| --- | ---: |\n| =HYPERLINK(\"http://evil.example\") | -2 |\n| a \\| b c | 1 |\n| plain, \"quoted\" | 3 |\n"; got != want {
		t.Errorf("Markdown %q, want %q", got, want)
	}
}

func TestDecimalPointsStandBelowEachOther(t *testing.T) {
	light(t)
	tb := lay(New(people(), Options{}), 724)
	var points []float32
	for i := range tb.shown() {
		o := tb.grid.made[i].cells[2]
		text := tb.data.rows[tb.data.order[i]][2].text
		whole, _, _ := strings.Cut(text, ".")
		points = append(points, o.Position().X+textWidth(whole, textSize(), false))
	}
	for _, p := range points[1:] {
		if d := p - points[0]; d > 1 || d < -1 {
			t.Errorf("the points stand at %v", points)
		}
	}
}

// hostileTexts are strings that break programs.
func hostileTexts(t testing.TB) []string {
	t.Helper()
	path := testkit.Shared(t, "data", "hostile", "text", "blns.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	return append(texts, strings.Repeat("x", 100_000), strings.Repeat("a\n", 10_000), strings.Repeat("̶", 5000), "\u202e\u2066abc", strings.Repeat("👩‍🚀", 3000))
}

func TestHostileCellsStayWithinTheirCell(t *testing.T) {
	texts := hostileTexts(t)
	light(t)
	for i := 0; i < len(texts); i += 40 {
		r := &tools.TableResult{Title: texts[i], Columns: []tools.Column{{Key: texts[i]}, {Key: "n"}}}
		for _, s := range texts[i:min(i+40, len(texts))] {
			r.Rows = append(r.Rows, []string{s, "1"})
		}
		tb := New(r, Options{})
		tb.all = true
		tb.build()
		for _, width := range []float32{240, 700} {
			lay(tb, width)
			for row := range tb.shown() {
				if h := tb.grid.tops[row+1] - tb.grid.tops[row]; h > maxLines*textSize()*1.5+2*rowPad+1 {
					t.Errorf("a row is %v high for %.60q", h, tb.data.rows[row][0].text)
				}
				o := tb.grid.made[row].cells[0]
				if o != nil && o.Position().X+o.Size().Width > tb.grid.ends[0]-tb.grid.offset+1 {
					t.Errorf("%.60q reaches out of its column", tb.data.rows[row][0].text)
				}
			}
		}
		tb.Sort(0)
	}
}

func TestATableThatIsTooWideIsPushedAside(t *testing.T) {
	light(t)
	tb := lay(New(long(9, 14), Options{}), 400)
	if tb.bar.HeightFor(400) == 0 {
		t.Fatal("there is no bar")
	}
	tb.grid.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-5000, 0)})
	if got, want := tb.grid.offset, tb.grid.total()-400; got != want {
		t.Errorf("pushed to %v, want %v", got, want)
	}
	tb.bar.Tapped(&fyne.PointEvent{Position: fyne.NewPos(1, 1)})
	tb.bar.Dragged(&fyne.DragEvent{Dragged: fyne.NewDelta(-1000, 0)})
	if tb.grid.offset != 0 {
		t.Errorf("pushed back to %v", tb.grid.offset)
	}
	wide := lay(tb, 5000)
	if wide.bar.HeightFor(5000) != 0 {
		t.Error("a bar where all is seen")
	}
}

func TestRestingOnACutCellShowsAllOfIt(t *testing.T) {
	light(t)
	tb := New(people(), Options{})
	w := test.NewTempWindow(t, tb)
	w.Resize(fyne.NewSize(724, 400))
	at := fyne.NewPos(tb.grid.ends[4]-30, tb.grid.tops[1]+10)
	tb.grid.MouseIn(&desktop.MouseEvent{PointEvent: fyne.PointEvent{Position: at}})
	if !strings.HasSuffix(tb.tip.shown, "it grows.") {
		t.Errorf("the tip says %q", tb.tip.shown)
	}
	tb.grid.MouseOut()
	if tb.tip.back.Visible() || tb.tip.text.Visible() {
		t.Error("the tip stays")
	}
}

func TestEveryStateLooksAsInTheGoldenFiles(t *testing.T) {
	light(t)
	sorted := New(relays(), Options{})
	lay(sorted, 900).Sort(3)
	latin := people() // the fonts of other scripts are the machine's
	latin.Rows = latin.Rows[:2]
	for name, o := range map[string]*Table{"relays": New(relays(), Options{}), "sorted": sorted, "people": New(latin, Options{Copy: func(string) {}}), "long": New(long(40, 5), Options{}), "empty": New(&tools.TableResult{Columns: []tools.Column{{Key: "a"}}}, Options{}), "nothing": New(&tools.TableResult{}, Options{})} {
		w := test.NewTempWindow(t, o)
		w.SetPadded(false)
		w.Resize(fyne.NewSize(900, layout.HeightFor(o, 900)))
		test.AssertRendersToMarkup(t, name+".xml", w.Canvas())
	}
}

func BenchmarkLayingOutFiftyRowsOfTenColumns(b *testing.B) {
	light(b)
	r := long(50, 10)
	for b.Loop() {
		tb := New(r, Options{})
		tb.all = true
		tb.build()
		lay(tb, 700)
	}
}

func BenchmarkScrollingALongTable(b *testing.B) {
	light(b)
	tb := New(long(500, 6), Options{})
	w := test.NewTempWindow(b, tb)
	w.Resize(fyne.NewSize(800, 700))
	tb.showAll()
	w.Resize(fyne.NewSize(800, 701))
	by, steps := float32(-60), 0
	for b.Loop() {
		tb.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, by)})
		if steps++; steps%250 == 0 {
			by = -by
		}
	}
	if tb.grid.made[0] != nil && steps > 50 && steps < 250 {
		b.Fatal("it does not scroll")
	}
}

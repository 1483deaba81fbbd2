package table

import (
	"fmt"
	"image"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/driver/software"
	"fyne.io/fyne/v2/test"

	"bowerbird/internal/testkit"
	"bowerbird/tools"
	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

func show(t testing.TB, opt theme.Options) {
	t.Helper()
	test.NewTempApp(t)
	th, err := theme.New(opt)
	if err != nil {
		t.Fatal(err)
	}
	fyne.CurrentApp().Settings().SetTheme(th)
}

func shot(o fyne.CanvasObject, width float32) image.Image {
	c := software.NewCanvas()
	c.SetPadded(false)
	back := canvas.NewRectangle(theme.Color(theme.Surface))
	all := layout.Stack(back, layout.Pad(layout.All(14), o))
	c.SetContent(all)
	c.Resize(fyne.NewSize(width, layout.HeightFor(all, width)))
	return c.Capture()
}

// relays is the table of the design's picture.
func relays() *tools.TableResult {
	return &tools.TableResult{
		Columns: []tools.Column{{Key: "Relay"}, {Key: "Use"}, {Key: "People"}, {Key: "Notes today"}, {Key: "Answer time"}, {Key: "Last sync"}, {Key: "State"}},
		Rows: [][]string{
			{"relay.one", "read · write", "61", "1,204", "88 ms", "10 s ago", "Live"},
			{"nos.example", "read", "38", "744", "120 ms", "10 s ago", "Live"},
			{"notes.example", "read", "22", "301", "240 ms", "2 min ago", "Catching up, 64 %"},
			{"slow.example", "read", "6", "–", "–", "yesterday", "No answer, again in 2 min"},
			{"paid.example", "read · write", "12", "98", "95 ms", "10 s ago", "Requires you to sign in"},
			{"gone.example", "read", "1", "–", "–", "9 days ago", "Name not found"},
		},
	}
}

// people is a table as the assistant makes them.
func people() *tools.TableResult {
	return &tools.TableResult{
		Title:   "Who wrote about the market",
		Columns: []tools.Column{{Key: "Person"}, {Key: "Notes"}, {Key: "Share"}, {Key: "First note"}, {Key: "What it says"}},
		Numeric: []bool{false, true, true, false, false},
		Rows: [][]string{
			{"npub1sn0wdenkukak0d9dfczzeacvhkrgz92ak56egt7vdgzn8pv2wfqqhrjdv9", "12", "0.5", "", "Saturday at 9. Bring a bag, bring a neighbour."},
			{"Tomás", "1204", "12.25", "", "The winter farmers market opens on Saturday at nine, and there will be apples of the old kinds, bread from two bakeries, and soup for everyone who helps to put the tables up; it is the third year that we do this and it grows."},
			{"Yuki 雪", "3", "3", "", "今日はいい天気。散歩しながら新しいクライアントを試しています。"},
			{"محمد", "44", "0.125", "", "السلام عليكم ورحمة الله وبركاته"},
		},
	}
}

func long(rows, columns int) *tools.TableResult {
	r := &tools.TableResult{Title: "Many"}
	for c := range columns {
		r.Columns = append(r.Columns, tools.Column{Key: fmt.Sprintf("Column %d", c+1)})
	}
	for i := range rows {
		var row []string
		for c := range columns {
			if c%2 == 1 {
				row = append(row, fmt.Sprint((i*7919+c*31)%1000))
			} else {
				row = append(row, fmt.Sprintf("text %d of row %d", c, i))
			}
		}
		r.Rows = append(r.Rows, row)
	}
	return r
}

func TestContactSheet(t *testing.T) {
	if testing.Short() {
		t.Skip("draws a contact sheet: not beside the race detector")
	}
	for _, style := range []struct {
		name string
		opt  theme.Options
	}{{"light", theme.Options{Mode: theme.Light}}, {"dark", theme.Options{Mode: theme.Dark}}, {"large", theme.Options{Mode: theme.Light, Scale: 1.6}}} {
		show(t, style.opt)
		opt := Options{Copy: func(string) {}}
		sorted := New(relays(), Options{})
		sorted.Sort(3)
		sorted.Sort(3)
		scrolled := New(long(120, 4), opt)
		scrolled.showAll()
		for name, o := range map[string]struct {
			fyne.CanvasObject
			width float32
		}{"relays": {sorted, 1160}, "people": {New(people(), opt), 724}, "people-narrow": {New(people(), opt), 360}, "long": {New(long(40, 5), opt), 724}, "virtual": {scrolled, 724}, "wide": {New(long(9, 14), opt), 724}} {
			testkit.Picture(t, name+"-"+style.name, shot(o.CanvasObject, o.width))
		}
	}
}

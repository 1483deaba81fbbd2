package table

import (
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

func TestANameOpensThePersonInAColumnOfNames(t *testing.T) {
	light(t)
	people := map[string]nostr.PubKey{"Ada": {1}, "Ben": {2}, "tea": {3}}
	var opened []nostr.PubKey
	faces := 0
	opt := Options{
		Person:     func(name string) nostr.PubKey { return people[name] },
		OpenPerson: func(pk nostr.PubKey) { opened = append(opened, pk) },
		Face:       func(nostr.PubKey) fyne.CanvasObject { faces++; return canvas.NewRectangle(nil) },
	}
	tb := New(&tools.TableResult{Columns: []tools.Column{{Key: "who"}, {Key: "tag"}}, Rows: [][]string{
		{"Ada", "coffee"}, {"Ben", "tea"}, {"Somebody", "cake"},
	}}, opt)
	lay(tb, 500)
	if faces != 2 {
		t.Errorf("%d faces are shown", faces)
	}
	g := tb.grid
	for row := range 3 {
		for col := range 2 {
			g.Tapped(&fyne.PointEvent{Position: fyne.NewPos(g.ends[col]-g.cols[col].width+12, g.tops[row]+12)})
		}
	}
	if len(opened) != 2 || opened[0] != people["Ada"] || opened[1] != people["Ben"] {
		t.Errorf("opened are %v", opened)
	}
}

func TestTimesAreSaidAndStillSortedAsTimes(t *testing.T) {
	light(t)
	opt := Options{When: func(at time.Time, day bool) string {
		if day {
			return at.Format("2 Jan")
		}
		return at.UTC().Format("Mon 15:04")
	}}
	r := &tools.TableResult{Columns: []tools.Column{{Key: "at"}}, Rows: [][]string{
		{"2026-11-21"}, {"2026-11-21T20:00:00Z"}, {"2026-11-22T01:00:00+09:00"}, {"2026-11"}, {"1.2.3"},
	}}
	tb := New(r, opt)
	lay(tb, 500)
	for i, want := range []string{"21 Nov", "Sat 20:00", "Sat 16:00", "2026-11", "1.2.3"} {
		if got := tb.data.rows[i][0].text; got != want {
			t.Errorf("%s is shown as %q", r.Rows[i][0], got)
		}
	}
	tb = New(&tools.TableResult{Columns: r.Columns, Rows: r.Rows[1:3]}, opt)
	lay(tb, 500)
	if tb.Sort(0); tb.data.order[0] != 1 {
		t.Errorf("the order is %v", tb.data.order)
	}
}

func TestALongTableScrollsByTheStepOfTheWheel(t *testing.T) {
	light(t)
	tb := New(long(200, 2), Options{})
	w := test.NewTempWindow(t, tb)
	w.Resize(fyne.NewSize(800, 700))
	tb.showAll()
	w.Resize(fyne.NewSize(800, 701))
	tb.scroll.Scrolled(&fyne.ScrollEvent{Scrolled: fyne.NewDelta(0, -25)}) // what Fyne reports for a notch
	if got := tb.scroll.Offset(); got < 90 || got > 100 {
		t.Errorf("a notch scrolls by %v", got)
	}
	last := tb.grid.made[int(tb.scroll.Offset()/tb.grid.line())+windowRows]
	if last == nil {
		t.Error("the rows that came into sight are not drawn")
	}
}

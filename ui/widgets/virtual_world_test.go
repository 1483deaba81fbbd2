package widgets_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
	"bowerbird/ui/widgets"
)

// line is a row of a height that depends on what it shows and on its width.
type line struct {
	widget.BaseWidget
	world *world
	id    string
}

func (l *line) HeightFor(width float32) float32 { return l.world.height(l.id, width) }

func (l *line) Tapped(*fyne.PointEvent) { l.world.opened = l.id }

func (l *line) CreateRenderer() fyne.WidgetRenderer {
	return widget.NewSimpleRenderer(canvas.NewRectangle(nil))
}

// world is what a list shows: the true heights of its rows.
type world struct {
	t      testing.TB
	grown  map[string]float32
	list   *widgets.VirtualList
	window fyne.Window
	opened string
	made   int
	bound  int
}

func (w *world) height(id string, width float32) float32 {
	var n float32
	for _, r := range id {
		n = n*7 + float32(r%13)
		n = float32(math.Mod(float64(n), 97))
	}
	return 20 + n*300/width*3 + w.grown[id]
}

func newWorld(t testing.TB, opt widgets.VirtualOptions) *world {
	useTheme(t, theme.Options{})
	w := &world{t: t, grown: map[string]float32{}}
	opt.Make = func(string) fyne.CanvasObject {
		w.made++
		l := &line{world: w}
		l.ExtendBaseWidget(l)
		return l
	}
	opt.Bind = func(id string, o fyne.CanvasObject) { w.bound++; o.(*line).id = id }
	w.list = widgets.NewVirtualList(opt)
	w.window = show(t, w.list, 300, 400)
	return w
}

// shown is a row in sight.
type shown struct {
	id        string
	y, height float32
}

func (w *world) inSight() []shown {
	var rows []shown
	for _, o := range test.WidgetRenderer(w.list).Objects() {
		slot, ok := o.(*fyne.Container)
		if ok && slot.Visible() {
			l := slot.Objects[0].(*line)
			if l.Size() != slot.Size() {
				w.t.Fatalf("row %s is %v in a slot of %v", l.id, l.Size(), slot.Size())
			}
			rows = append(rows, shown{l.id, slot.Position().Y, slot.Size().Height})
		}
	}
	return rows
}

// check compares what is drawn with all rows laid out one below the other.
func (w *world) check(step string) {
	w.t.Helper()
	rows, ids := w.inSight(), w.list.IDs()
	size := w.list.Size()
	if len(ids) == 0 {
		if len(rows) != 0 {
			w.t.Fatalf("%s: an empty list shows %v", step, rows)
		}
		return
	}
	if len(rows) == 0 {
		w.t.Fatalf("%s: nothing is in sight of %d rows", step, len(ids))
	}
	first := slices.Index(ids, rows[0].id)
	y := rows[0].y
	for i, r := range rows {
		if first+i >= len(ids) || ids[first+i] != r.id {
			w.t.Fatalf("%s: row %d in sight is %s", step, i, r.id)
		}
		if h := w.height(r.id, size.Width); math.Abs(float64(r.height-h)) > 0.01 {
			w.t.Fatalf("%s: %s is %v high, not %v", step, r.id, r.height, h)
		}
		if math.Abs(float64(r.y-y)) > 0.05 {
			w.t.Fatalf("%s: %s stands at %v, not %v", step, r.id, r.y, y)
		}
		y += r.height
	}
	last := rows[len(rows)-1].id == ids[len(ids)-1]
	if rows[0].y > 0.01 || rows[0].y > 0.01 && first > 0 || rows[0].y+rows[0].height <= 0 && len(rows) > 1 {
		w.t.Fatalf("%s: the first row stands at %v", step, rows[0].y)
	}
	if y < size.Height-0.05 && (!last || first > 0 || rows[0].y < 0) {
		w.t.Fatalf("%s: the last row ends at %v of %v, and there is more", step, y, size.Height)
	}
	if rows[len(rows)-1].y >= size.Height {
		w.t.Fatalf("%s: a row below the edge is drawn", step)
	}
	if top := first == 0 && rows[0].y >= -1; w.list.AtTop() != top {
		w.t.Fatalf("%s: AtTop is %v", step, !top)
	}
	if end := last && y <= size.Height+2; w.list.AtEnd() != end {
		w.t.Fatalf("%s: AtEnd is %v", step, !end)
	}
}

func names(n int, prefix string) []string {
	ids := make([]string, n)
	for i := range ids {
		ids[i] = fmt.Sprintf("%s%d", prefix, i)
	}
	return ids
}

// unmoved reports whether the first row that was in sight and is still there stands
// where it stood. The edges of the list may have pushed it.
func (w *world) unmoved(step string, before []shown) {
	w.t.Helper()
	now := w.inSight()
	for _, b := range before {
		if !slices.Contains(w.list.IDs(), b.id) {
			continue
		}
		if w.list.AtEnd() || w.list.AtTop() {
			return
		}
		for _, n := range now {
			if n.id == b.id {
				if math.Abs(float64(n.y-b.y)) > 0.05 {
					w.t.Fatalf("%s: %s moved from %v to %v", step, b.id, b.y, n.y)
				}
				return
			}
		}
		w.t.Fatalf("%s: %s went out of sight", step, b.id)
	}
}

// revealed checks that a row is in sight: wholly, or its beginning.
func (w *world) revealed(step, id string) {
	w.t.Helper()
	height := w.list.Size().Height
	for _, r := range w.inSight() {
		if r.id == id && r.y >= -0.05 && (r.y+r.height <= height+0.05 || r.y < 0.05) {
			return
		}
	}
	w.t.Fatalf("%s: %s is not in sight of %v: %v", step, id, height, w.inSight())
}

package widgets

import (
	"image/color"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
)

// VirtualOptions say how the rows of a [VirtualList] are made. Make and Bind are required.
type VirtualOptions struct {
	// Kind returns the kind of a row; rows of one kind reuse each other's objects. Nil: all
	// are of one kind.
	Kind func(id string) string
	// Make returns an object for rows of a kind; the list asks it for its height with
	// layout.HeightFor.
	Make func(kind string) fyne.CanvasObject
	// Bind fills an object with a row.
	Bind func(id string, o fyne.CanvasObject)
	// NearEnd is called when less than a screen of rows is left below.
	NearEnd func()
	// Open is called for Enter on a row; nil taps the row's object.
	Open func(id string)
	// Escape is called for Escape; nil passes the key on.
	Escape func()
	// Estimate is the height of rows that have not been measured, in points; 0 is 120.
	Estimate float32
}

// VirtualList shows rows of different heights and makes only those in sight and a screen
// around them. What is being read does not move when rows come, go or change elsewhere,
// because the list keeps the row at its upper edge and how much of it is above, not a
// scroll offset. The offset is an estimate until all rows have been measured; only the
// scroll bar uses it.
//
// The list itself has the focus: arrow keys walk the rows, Enter opens one, Page Up, Page
// Down, Home, End and Space scroll.
type VirtualList struct {
	widget.BaseWidget
	ID string
	// OnMoved is called when the user has scrolled.
	OnMoved func()

	opt     VirtualOptions
	ids     []string
	index   map[string]int // the index of each id, less origin
	origin  int            // shifts all indexes at once when rows are put before the others
	heights *heights

	top   int     // the row at the upper edge
	into  float32 // how much of it is above the edge; if negative, how far below it is
	end   bool    // the next place scrolls to the end
	width float32
	look  theme.Look // that the rows were drawn in

	drawn   map[string]*virtualRow
	pool    map[string][]*virtualRow
	objects []fyne.CanvasObject
	bar     *scrollBar
	glide   glide
	ring    *canvas.Rectangle

	seen    int  // the index after the last row in sight
	endSeen bool // the end is in sight
	placing bool
	again   bool     // something changed while rows were placed: place once more
	next    []string // the rows given meanwhile
	current string   // the selected row
	focused bool
	calm    bool // focused without a ring: see HideRing
}

// virtualRow is a row that has been made. Its slot is hidden while it is out of sight, so
// that it costs nothing in a frame and the Tab key does not reach it.
type virtualRow struct {
	slot   *fyne.Container
	object fyne.CanvasObject
	kind   string
}

// poolMost is the number of objects of one kind that are kept for reuse.
const poolMost = 48

// NewVirtualList returns an empty list.
func NewVirtualList(opt VirtualOptions) *VirtualList {
	if opt.Estimate <= 0 {
		opt.Estimate = 120
	}
	l := &VirtualList{
		opt: opt, index: map[string]int{}, heights: newHeights(opt.Estimate),
		drawn: map[string]*virtualRow{}, pool: map[string][]*virtualRow{}, endSeen: true,
		ring: canvas.NewRectangle(color.Transparent),
	}
	l.ring.StrokeWidth, l.ring.CornerRadius = 2, 6
	l.ring.Hide()
	l.bar = newScrollBar(l)
	l.glide.by = l.scrollBy
	l.ExtendBaseWidget(l)
	return l
}

// DumpName returns the list's ID.
func (l *VirtualList) DumpName() string { return l.ID }

// IDs returns the rows. The caller must not change it.
func (l *VirtualList) IDs() []string { return l.ids }

// Row returns the object that a row is drawn with; nil where it has none, being out of
// sight.
func (l *VirtualList) Row(id string) fyne.CanvasObject {
	if r := l.drawn[id]; r != nil {
		return r.object
	}
	return nil
}

// RefreshRow binds and measures a row again.
func (l *VirtualList) RefreshRow(id string) {
	i, ok := l.Index(id)
	if !ok {
		return
	}
	l.heights.forget(i)
	if r := l.drawn[id]; r != nil {
		l.opt.Bind(id, r.object)
	}
	l.place()
}

// RefreshAll binds the rows in sight and measures all rows again.
func (l *VirtualList) RefreshAll() {
	l.heights.forgetAll()
	for id, r := range l.drawn {
		l.opt.Bind(id, r.object)
	}
	l.place()
}

// AtTop reports whether the beginning is in sight.
func (l *VirtualList) AtTop() bool { return l.top == 0 && l.into <= 1 }

// AtEnd reports whether the end is in sight.
func (l *VirtualList) AtEnd() bool { return l.endSeen }

// ScrollToTop shows the beginning.
func (l *VirtualList) ScrollToTop() { l.moveTo(0, 0) }

// ScrollToEnd shows the end.
func (l *VirtualList) ScrollToEnd() {
	l.glide.stop()
	l.end = true
	l.place()
}

// ScrollTo scrolls a row to a little below the upper edge.
func (l *VirtualList) ScrollTo(id string) {
	if i, ok := l.Index(id); ok {
		l.moveTo(i, -60)
	}
}

// Reveal scrolls as little as possible to show a row whole, or from its beginning if it is
// higher than the list.
func (l *VirtualList) Reveal(id string) {
	i, ok := l.Index(id)
	height := l.Size().Height
	if !ok || height <= 0 {
		return
	}
	if i < l.top || i == l.top && l.into > 0 {
		l.moveTo(i, 0)
		return
	}
	l.measured(i)
	if _, bottom := l.span(i); bottom > height {
		l.moveTo(i, -max(0, height-l.heights.each[i])) // its end at the lower edge
	}
}

// Top returns the first row in sight; "" in an empty list.
func (l *VirtualList) Top() string {
	if l.top >= len(l.ids) {
		return ""
	}
	return l.ids[l.top]
}

// InSight returns the half-open range of the rows that are at least partly in sight.
func (l *VirtualList) InSight() (from, to int) { return l.top, max(l.top, l.seen) }

// Place returns the first row in sight and how much of it is above the upper edge, in
// points; [VirtualList.SetPlace] restores it.
func (l *VirtualList) Place() (id string, into float32) { return l.Top(), l.into }

// SetPlace scrolls a row to the upper edge, with into points of it above.
func (l *VirtualList) SetPlace(id string, into float32) {
	if i, ok := l.Index(id); ok {
		l.moveTo(i, into)
	}
}

// Scrolled implements fyne.Scrollable. Rows that receive the turns of the wheel first pass
// them on to it.
func (l *VirtualList) Scrolled(e *fyne.ScrollEvent) {
	if e.Scrolled.DY != 0 {
		l.glide.turn(l, -wheelDistance(e.Scrolled.DY))
	}
}

// scrollBy scrolls down by dy points for the user.
func (l *VirtualList) scrollBy(dy float32) {
	top, into := l.top, l.into
	l.shift(l.top, l.into+dy)
	if top != l.top || into != l.into {
		l.moved()
	}
}

func (l *VirtualList) moved() {
	l.bar.stir()
	if l.OnMoved != nil {
		l.OnMoved()
	}
}

// moveTo scrolls a row to the upper edge, with into points of it above.
func (l *VirtualList) moveTo(row int, into float32) {
	l.glide.stop()
	l.shift(row, into)
}

func (l *VirtualList) shift(row int, into float32) {
	l.top, l.into, l.end, l.endSeen = row, into, false, false
	l.place()
}

// offset returns how far the list is scrolled, and the height of all rows; both are
// estimates.
func (l *VirtualList) offset() (y, total float64) {
	return l.heights.offset(min(l.top, l.heights.len())) + float64(l.into), l.heights.total()
}

// scrollToOffset scrolls to an estimated offset for the user, who drags the bar.
func (l *VirtualList) scrollToOffset(y float64) {
	if l.heights.len() == 0 {
		return
	}
	y = max(0, min(y, l.heights.total()-float64(l.Size().Height)))
	i := l.heights.at(y)
	l.moveTo(i, float32(y-l.heights.offset(i)))
	l.moved()
}

// CreateRenderer implements fyne.Widget.
func (l *VirtualList) CreateRenderer() fyne.WidgetRenderer { return &virtualRenderer{l} }

type virtualRenderer struct{ l *VirtualList }

func (r *virtualRenderer) Layout(fyne.Size)   { r.l.place() }
func (r *virtualRenderer) MinSize() fyne.Size { return fyne.NewSize(100, 60) }

// Refresh draws and measures the rows again, as after a change of the theme.
func (r *virtualRenderer) Refresh() {
	l := r.l
	for id, row := range l.drawn {
		row.object.Refresh()
		if i, ok := l.Index(id); ok {
			l.heights.forget(i)
		}
	}
	l.place()
	l.bar.Refresh()
	l.paintRing()
}
func (r *virtualRenderer) Objects() []fyne.CanvasObject { return r.l.objects }
func (r *virtualRenderer) Destroy()                     {}

package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/theme"
)

// VirtualOptions say how rows are made. Make and Bind are required.
type VirtualOptions struct {
	// Kind names rows that can be drawn with one another's objects; nil: all can.
	Kind func(id string) string
	// Make makes the object of a row of a kind. It answers layout.HeightFor.
	Make func(kind string) fyne.CanvasObject
	// Bind fills an object with a row.
	Bind func(id string, o fyne.CanvasObject)
	// NearEnd is told when less than a screen is left below.
	NearEnd func()
	// Open is told when Enter is pressed on a row; nil taps the row's object.
	Open func(id string)
	// Escape is told when Escape is pressed; nil leaves it to what the list is in.
	Escape func()
	// Estimate is the height of a row that was not measured yet; 0 is 120 points.
	Estimate float32
}

// VirtualList shows rows of unequal heights, of which it makes only those in sight
// and a screen around them. What is read does not move when rows come, go or change
// elsewhere: the list does not know how far it is scrolled, it knows which row
// stands at its upper edge and how much of it is above. Where that is in the whole
// is an estimate until all rows were seen, and only the scroll bar asks for it.
//
// The keyboard is on the list itself: arrows walk the rows, Enter opens one, Page
// Up, Page Down, Home, End and Space scroll.
type VirtualList struct {
	widget.BaseWidget
	ID string
	// OnMoved is told when the user scrolled.
	OnMoved func()

	opt     VirtualOptions
	ids     []string
	index   map[string]int // of each id, counted from origin
	origin  int
	heights *heights

	top   int     // the row at the upper edge
	into  float32 // how much of it is above the edge; negative: how far below it stands
	end   bool    // the end shall stand at the lower edge, at the next placing
	width float32
	look  theme.Look // that the rows are of

	drawn   map[string]*virtualRow
	pool    map[string][]*virtualRow
	objects []fyne.CanvasObject
	bar     *scrollBar
	ring    *canvas.Rectangle

	seen          int  // one behind the last row in sight
	endSeen       bool // the end is in sight
	placing, anew bool
	next          []string // given while rows were placed
	current       string   // the row that the keyboard is on
	focused       bool
}

// virtualRow is a row that is made. Its slot is hidden while it is out of sight, so
// that it costs nothing in a frame and the Tab key does not lead there.
type virtualRow struct {
	slot   *fyne.Container
	object fyne.CanvasObject
	kind   string
}

// poolMost is how many objects of one kind wait for another row at most.
const poolMost = 48

// NewVirtualList returns an empty list.
func NewVirtualList(opt VirtualOptions) *VirtualList {
	if opt.Estimate <= 0 {
		opt.Estimate = 120
	}
	l := &VirtualList{
		opt: opt, index: map[string]int{}, heights: newHeights(opt.Estimate),
		drawn: map[string]*virtualRow{}, pool: map[string][]*virtualRow{}, endSeen: true,
		ring: newRing(),
	}
	l.bar = newScrollBar(l)
	l.ExtendBaseWidget(l)
	return l
}

// DumpName names the list in the dump of rectangles.
func (l *VirtualList) DumpName() string { return l.ID }

// IDs returns the rows. It must not be changed.
func (l *VirtualList) IDs() []string { return l.ids }

// Row returns the object that a row is drawn with; nil while it is out of sight.
func (l *VirtualList) Row(id string) fyne.CanvasObject {
	if r := l.drawn[id]; r != nil {
		return r.object
	}
	return nil
}

// RefreshRow draws one row anew and measures it again.
func (l *VirtualList) RefreshRow(id string) {
	i, ok := l.find(id)
	if !ok {
		return
	}
	l.heights.forget(i)
	if r := l.drawn[id]; r != nil {
		l.opt.Bind(id, r.object)
	}
	l.place()
}

// RefreshAll draws all rows in sight anew, and measures all again.
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
	l.end = true
	l.place()
}

// scrollToAbove is how far below the upper edge a row stands that was scrolled to.
const scrollToAbove = 60

// ScrollTo brings a row into sight, a little below the upper edge.
func (l *VirtualList) ScrollTo(id string) {
	if i, ok := l.find(id); ok {
		l.moveTo(i, -scrollToAbove)
	}
}

// Reveal brings a row wholly into sight, with as little scrolling as that takes; of
// one that is higher than the list its beginning.
func (l *VirtualList) Reveal(id string) {
	i, ok := l.find(id)
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

// Top returns the first row in sight; "" when there is none.
func (l *VirtualList) Top() string {
	if l.top >= len(l.ids) {
		return ""
	}
	return l.ids[l.top]
}

// InSight returns which rows are in sight, at least in part: those from from to to,
// without to.
func (l *VirtualList) InSight() (from, to int) { return l.top, max(l.top, l.seen) }

// Place returns the first row in sight, and how much of it is above the upper edge;
// SetPlace brings that back.
func (l *VirtualList) Place() (id string, into float32) { return l.Top(), l.into }

// SetPlace puts a row at the upper edge, with so much of it above.
func (l *VirtualList) SetPlace(id string, into float32) {
	if i, ok := l.find(id); ok {
		l.moveTo(i, into)
	}
}

// Wheel scrolls as the wheel over the list does, for rows that get its turns first.
func (l *VirtualList) Wheel(e *fyne.ScrollEvent) { l.Scrolled(e) }

// Scrolled implements fyne.Scrollable.
func (l *VirtualList) Scrolled(e *fyne.ScrollEvent) {
	if e.Scrolled.DY != 0 {
		l.scrollBy(-e.Scrolled.DY)
	}
}

// scrollBy moves by so many points down, as the user does.
func (l *VirtualList) scrollBy(dy float32) {
	top, into := l.top, l.into
	l.moveTo(l.top, l.into+dy)
	if top != l.top || into != l.into {
		l.moved()
	}
}

// moved tells of what the user did.
func (l *VirtualList) moved() {
	if l.OnMoved != nil {
		l.OnMoved()
	}
}

// moveTo puts a row at the upper edge, with so much of it above.
func (l *VirtualList) moveTo(row int, into float32) {
	l.top, l.into, l.end, l.endSeen = row, into, false, false
	l.place()
}

// offset returns how far the list is scrolled, and how high all rows are: estimates.
func (l *VirtualList) offset() (y, total float64) {
	return l.heights.offset(min(l.top, l.heights.len())) + float64(l.into), l.heights.total()
}

// scrollToOffset goes to an estimated offset, as the user does with the bar.
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

// Refresh draws the rows anew, as after a change of the theme.
func (r *virtualRenderer) Refresh() {
	l := r.l
	for id, row := range l.drawn {
		row.object.Refresh()
		if i, ok := l.find(id); ok {
			l.heights.forget(i)
		}
	}
	l.place()
	l.bar.Refresh()
	l.paintRing()
}
func (r *virtualRenderer) Objects() []fyne.CanvasObject { return r.l.objects }
func (r *virtualRenderer) Destroy()                     {}

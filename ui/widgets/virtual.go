package widgets

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/widget"

	"bowerbird/ui/layout"
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
	// Estimate is the height of a row that was not measured yet; 0 is 120 points.
	Estimate float32
	// Foot follows the end instead of the beginning: a list that is at its end
	// stays there when rows come (a chat).
	Foot bool
}

// VirtualList shows rows of unequal heights, of which it draws only those in
// sight and a screen around them. What is read does not move when rows come, go or
// change above it.
type VirtualList struct {
	widget.BaseWidget
	ID string
	// OnMoved is told when it was scrolled.
	OnMoved func()

	opt    VirtualOptions
	scroll *container.Scroll
	inner  *virtualInner

	ids     []string
	owned   bool // ids is not the caller's slice
	index   map[string]int
	heights *heights
	known   map[string]float32 // measured heights at the width
	width   float32
	drawn   map[string]fyne.CanvasObject
	pool    map[string][]fyne.CanvasObject
	busy    bool // laying out; scrolling is ours
}

// NewVirtualList returns an empty list.
func NewVirtualList(opt VirtualOptions) *VirtualList {
	if opt.Estimate <= 0 {
		opt.Estimate = 120
	}
	l := &VirtualList{
		opt: opt, index: map[string]int{}, heights: newHeights(nil), known: map[string]float32{},
		drawn: map[string]fyne.CanvasObject{}, pool: map[string][]fyne.CanvasObject{},
	}
	l.inner = &virtualInner{list: l}
	l.inner.ExtendBaseWidget(l.inner)
	l.scroll = container.NewVScroll(l.inner)
	l.scroll.OnScrolled = func(fyne.Position) { l.scrolled() }
	l.ExtendBaseWidget(l)
	return l
}

// DumpName names the list in the dump of rectangles.
func (l *VirtualList) DumpName() string { return l.ID }

// IDs returns the rows. It must not be changed.
func (l *VirtualList) IDs() []string { return l.ids }

// SetIDs shows other rows. The first row in sight stays where it is, if it is
// still there; else the nearest one that is.
func (l *VirtualList) SetIDs(ids []string) {
	atEnd := l.opt.Foot && l.AtEnd()
	anchor, at := l.anchor(ids)
	l.ids, l.owned = ids, false
	l.index = make(map[string]int, len(ids))
	each := make([]float32, len(ids))
	for i, id := range ids {
		l.index[id] = i
		each[i] = l.opt.Estimate
		if h, ok := l.known[id]; ok {
			each[i] = h
		}
	}
	l.heights = newHeights(each)
	l.restore(anchor, at)
	if atEnd {
		l.ScrollToEnd()
	}
	l.place()
}

// Append shows more rows behind the others, at the cost of the new ones alone.
func (l *VirtualList) Append(ids ...string) {
	if !l.owned {
		l.ids, l.owned = slices.Clone(l.ids), true
	}
	for _, id := range ids {
		if _, there := l.index[id]; !there {
			l.index[id] = len(l.ids)
			l.ids = append(l.ids, id)
			l.heights.add(l.opt.Estimate)
		}
	}
	l.place()
}

// Index returns the place of a row, and whether it is there.
func (l *VirtualList) Index(id string) (int, bool) {
	i, ok := l.index[id]
	return i, ok
}

// Reveal brings a row wholly into sight, with as little scrolling as that takes.
func (l *VirtualList) Reveal(id string) {
	for range 3 { // rows that come into sight are measured then
		i, ok := l.index[id]
		if !ok {
			return
		}
		top, end := l.heights.offset(i), l.heights.offset(i+1)
		switch y, height := l.scroll.Offset.Y, l.Size().Height; {
		case top < y:
			l.scrollTo(top)
		case end > y+height:
			l.scrollTo(min(top, end-height))
		}
	}
}

// Top returns the first row in sight; "" when there is none.
func (l *VirtualList) Top() string {
	if len(l.ids) == 0 {
		return ""
	}
	return l.ids[l.heights.at(l.scroll.Offset.Y)]
}

// anchor returns the first row in sight that is also among the new rows, and how
// far below the upper edge it stands.
func (l *VirtualList) anchor(next []string) (string, float32) {
	if len(l.ids) == 0 || l.AtTop() {
		return "", 0
	}
	there := make(map[string]bool, len(next))
	for _, id := range next {
		there[id] = true
	}
	y := l.scroll.Offset.Y
	for i := l.heights.at(y); i < len(l.ids); i++ {
		if there[l.ids[i]] {
			return l.ids[i], l.heights.offset(i) - y
		}
	}
	return "", 0
}

func (l *VirtualList) restore(anchor string, at float32) {
	y := l.scroll.Offset.Y
	if i, ok := l.index[anchor]; ok && anchor != "" {
		y = l.heights.offset(i) - at
	}
	l.scroll.Offset.Y = l.bounded(y)
}

func (l *VirtualList) bounded(y float32) float32 {
	return max(0, min(y, l.heights.total()-l.Size().Height))
}

// RefreshRow draws one row anew and measures it again.
func (l *VirtualList) RefreshRow(id string) {
	atEnd := l.opt.Foot && l.AtEnd()
	delete(l.known, id)
	if o, ok := l.drawn[id]; ok {
		l.opt.Bind(id, o)
	}
	l.place()
	if atEnd {
		l.ScrollToEnd()
	}
}

// RefreshAll draws all rows in sight anew.
func (l *VirtualList) RefreshAll() {
	clear(l.known)
	for id, o := range l.drawn {
		l.opt.Bind(id, o)
	}
	l.place()
	l.inner.Refresh()
}

// AtTop reports whether the beginning is in sight.
func (l *VirtualList) AtTop() bool { return l.scroll.Offset.Y <= 1 }

// AtEnd reports whether the end is in sight.
func (l *VirtualList) AtEnd() bool {
	return l.scroll.Offset.Y+l.Size().Height >= l.heights.total()-2
}

// ScrollToTop shows the beginning.
func (l *VirtualList) ScrollToTop() { l.scrollTo(0) }

// ScrollToEnd shows the end. Rows that come into sight are measured then, so the
// end may be elsewhere than was thought.
func (l *VirtualList) ScrollToEnd() {
	for range 3 {
		l.scrollTo(l.heights.total() - l.Size().Height)
	}
}

// ScrollTo brings a row into sight, a little below the upper edge.
func (l *VirtualList) ScrollTo(id string) {
	const above = 60
	for range 3 {
		if i, ok := l.index[id]; ok {
			l.scrollTo(l.heights.offset(i) - above)
		}
	}
}

// Row returns the object that a row is drawn with; nil while it is out of sight.
func (l *VirtualList) Row(id string) fyne.CanvasObject { return l.drawn[id] }

// Wheel scrolls as the wheel over the list does, for rows that get its turns first.
func (l *VirtualList) Wheel(e *fyne.ScrollEvent) { l.scroll.Scrolled(e) }

func (l *VirtualList) scrollTo(y float32) {
	l.scroll.Offset.Y = l.bounded(y)
	l.place()
}

func (l *VirtualList) scrolled() {
	if l.busy {
		return
	}
	l.place()
	if l.OnMoved != nil {
		l.OnMoved()
	}
}

// place draws the rows in sight and a screen around them. A row is measured when
// it is drawn first; what changes above the first row in sight moves the offset,
// not the row.
func (l *VirtualList) place() {
	size := l.Size()
	if size.Width <= 0 || size.Height <= 0 || l.busy {
		return
	}
	l.busy = true
	defer func() { l.busy = false }()
	if size.Width != l.width {
		l.resetWidth(size.Width)
	}
	y := l.bounded(l.scroll.Offset.Y)
	first := l.heights.at(y)
	into := y - l.heights.offset(first)
	from, to := l.measure(first, into, size.Height)
	if len(l.ids) > 0 {
		y = l.bounded(l.heights.offset(first) + into)
	}
	l.recycle(from, to)
	l.inner.place(from, to)
	l.scroll.Offset.Y = y
	l.scroll.Refresh()
	if l.opt.NearEnd != nil && l.heights.total()-(y+size.Height) < size.Height {
		l.opt.NearEnd()
	}
}

// resetWidth forgets the heights at another width, and keeps what is read.
func (l *VirtualList) resetWidth(width float32) {
	l.width = width
	first := l.heights.at(l.scroll.Offset.Y)
	into := l.scroll.Offset.Y - l.heights.offset(first)
	clear(l.known)
	for _, o := range l.drawn {
		o.Hide()
	}
	for id, o := range l.drawn {
		l.free(id, o)
	}
	each := make([]float32, len(l.ids))
	for i := range each {
		each[i] = l.opt.Estimate
	}
	l.heights = newHeights(each)
	l.scroll.Offset.Y = l.heights.offset(first) + min(into, l.opt.Estimate)
}

// measure makes sure that the rows around the first one in sight are drawn with
// their true heights, and returns their range.
func (l *VirtualList) measure(first int, into, height float32) (from, to int) {
	from, to = first, first
	for below := -into; to < len(l.ids) && below < 2*height; to++ {
		below += l.measured(to)
	}
	for above := float32(0); from > 0 && above < height; {
		from--
		above += l.measured(from)
	}
	return from, to
}

func (l *VirtualList) measured(i int) float32 {
	id := l.ids[i]
	o, ok := l.drawn[id]
	if !ok {
		o = l.take(id)
		l.opt.Bind(id, o)
		l.drawn[id] = o
	}
	h, known := l.known[id]
	if !known {
		h = layout.HeightFor(o, l.width)
		l.known[id] = h
		l.heights.set(i, h)
	}
	return h
}

func (l *VirtualList) kind(id string) string {
	if l.opt.Kind == nil {
		return ""
	}
	return l.opt.Kind(id)
}

func (l *VirtualList) take(id string) fyne.CanvasObject {
	kind := l.kind(id)
	if free := l.pool[kind]; len(free) > 0 {
		o := free[len(free)-1]
		l.pool[kind] = free[:len(free)-1]
		o.Show()
		return o
	}
	return l.opt.Make(kind)
}

func (l *VirtualList) free(id string, o fyne.CanvasObject) {
	delete(l.drawn, id)
	kind := l.kind(id)
	l.pool[kind] = append(l.pool[kind], o)
}

// recycle gives back the rows that went out of sight.
func (l *VirtualList) recycle(from, to int) {
	for id, o := range l.drawn {
		if i, ok := l.index[id]; !ok || i < from || i >= to {
			l.free(id, o)
		}
	}
}

// CreateRenderer implements fyne.Widget.
func (l *VirtualList) CreateRenderer() fyne.WidgetRenderer { return &virtualRenderer{l} }

type virtualRenderer struct{ l *VirtualList }

func (r *virtualRenderer) Layout(size fyne.Size) {
	atEnd := r.l.opt.Foot && r.l.AtEnd()
	r.l.scroll.Resize(size)
	r.l.place()
	if atEnd {
		r.l.ScrollToEnd()
	}
}
func (r *virtualRenderer) MinSize() fyne.Size           { return fyne.NewSize(100, 60) }
func (r *virtualRenderer) Refresh()                     { r.l.place(); r.l.scroll.Refresh() }
func (r *virtualRenderer) Objects() []fyne.CanvasObject { return []fyne.CanvasObject{r.l.scroll} }
func (r *virtualRenderer) Destroy()                     {}

// virtualInner is what is scrolled: as high as all rows, holding those drawn.
type virtualInner struct {
	widget.BaseWidget
	list    *VirtualList
	objects []fyne.CanvasObject
}

func (v *virtualInner) MinSize() fyne.Size { return fyne.NewSize(1, v.list.heights.total()) }

// place puts the rows of a range where they belong.
func (v *virtualInner) place(from, to int) {
	l := v.list
	v.objects = v.objects[:0]
	y := l.heights.offset(from)
	for i := from; i < to; i++ {
		o := l.drawn[l.ids[i]]
		h := l.heights.each[i]
		o.Move(fyne.NewPos(0, y))
		o.Resize(fyne.NewSize(l.width, h))
		v.objects = append(v.objects, o)
		y += h
	}
	v.Resize(fyne.NewSize(l.width, l.heights.total()))
}

func (v *virtualInner) CreateRenderer() fyne.WidgetRenderer { return &innerRenderer{v} }

type innerRenderer struct{ v *virtualInner }

func (r *innerRenderer) Layout(fyne.Size)   {}
func (r *innerRenderer) MinSize() fyne.Size { return r.v.MinSize() }
func (r *innerRenderer) Refresh() {
	for _, o := range r.v.objects {
		o.Refresh()
	}
}
func (r *innerRenderer) Objects() []fyne.CanvasObject { return r.v.objects }
func (r *innerRenderer) Destroy()                     {}

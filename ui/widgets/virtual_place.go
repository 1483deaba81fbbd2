package widgets

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"bowerbird/ui/layout"
	"bowerbird/ui/theme"
)

// place makes, measures and places the rows in sight. Binding a row may change others: then
// it starts again.
func (l *VirtualList) place() {
	size := l.Size()
	if size.Width <= 0 || size.Height <= 0 {
		return
	}
	if l.placing {
		l.again = true
		return
	}
	const most = 4 // rows that change each time must not hang the window
	for range most {
		l.placing, l.again = true, false
		l.settle(size)
		l.placing = false
		if next := l.next; next != nil {
			l.next = nil
			l.SetIDs(next)
			return
		}
		if !l.again {
			break
		}
	}
	l.end = false
	l.bar.place(size)
	l.paintRing()
	if l.opt.NearEnd != nil && len(l.ids) > 0 && l.leftBelow(size.Height) < size.Height {
		l.opt.NearEnd()
	}
}

// leftBelow returns the height of the rows below the lower edge; it stops counting at most.
func (l *VirtualList) leftBelow(most float32) float32 {
	var sum float32
	y := -l.into
	for i := l.top; i < len(l.ids) && sum < most; i++ {
		y += l.heights.each[i]
		sum = max(0, y-l.Size().Height)
	}
	return sum
}

// settle finds the rows in sight and draws them.
func (l *VirtualList) settle(size fyne.Size) {
	if look := theme.Shown(); size.Width != l.width || l.look != look {
		if l.look != look {
			clear(l.pool) // its objects were not refreshed
			l.look = look
		}
		l.reflow(size.Width)
	}
	if len(l.ids) == 0 {
		l.top, l.into, l.seen, l.endSeen = 0, 0, 0, true
		l.draw(0, 0, 0, 0)
		return
	}
	l.top = max(0, min(l.top, len(l.ids)-1))
	if l.end {
		l.top = len(l.ids) - 1
		l.into = l.measured(l.top) - size.Height
	}
	l.climb()
	for l.top < len(l.ids)-1 && l.into >= l.measured(l.top) {
		l.into -= l.measured(l.top)
		l.top++
	}
	bottom := l.fill(size.Height)
	if bottom < size.Height { // too few rows below: the last one goes to the lower edge
		l.into -= size.Height - bottom
		l.climb()
		bottom = l.fill(size.Height)
	}
	l.endSeen = l.seen == len(l.ids) && bottom <= size.Height+2

	from, to := l.top, l.seen
	for above := -size.Height; from > 0 && above < 0; {
		from--
		above += l.measured(from)
	}
	for below := bottom - 2*size.Height; to < len(l.ids) && below < 0; to++ {
		below += l.measured(to)
	}
	l.draw(from, l.top, l.seen, to)
}

// climb moves l.top up to the row that covers the upper edge.
func (l *VirtualList) climb() {
	for l.into < 0 && l.top > 0 {
		l.top--
		l.into += l.measured(l.top)
	}
	l.into = max(0, l.into)
}

// fill measures the rows down to the lower edge and returns where the last one ends.
func (l *VirtualList) fill(height float32) float32 {
	y := -l.into
	for l.seen = l.top; l.seen < len(l.ids) && y < height; l.seen++ {
		y += l.measured(l.seen)
	}
	return y
}

// reflow forgets the heights at another width or theme. The same share of the row at the
// upper edge stays above it.
func (l *VirtualList) reflow(width float32) {
	was := float32(0)
	if l.top < len(l.ids) && l.heights.known[l.top] {
		was = l.heights.each[l.top]
	}
	l.width = width
	l.heights.forgetAll()
	if l.into > 0 && was > 0 {
		l.into *= l.measured(l.top) / was
	}
}

// measured returns the height of a row, which it makes if the height is not known.
func (l *VirtualList) measured(i int) float32 {
	if !l.heights.known[i] {
		l.heights.set(i, max(0, layout.HeightFor(l.row(i).object, l.width)))
	}
	return l.heights.each[i]
}

// row returns a row, made and bound.
func (l *VirtualList) row(i int) *virtualRow {
	id := l.ids[i]
	if r := l.drawn[id]; r != nil {
		return r
	}
	kind := ""
	if l.opt.Kind != nil {
		kind = l.opt.Kind(id)
	}
	var r *virtualRow
	if free := l.pool[kind]; len(free) > 0 {
		r, l.pool[kind] = free[len(free)-1], free[:len(free)-1]
	} else {
		r = &virtualRow{kind: kind, object: l.opt.Make(kind)}
		r.slot = container.New(loose{}, r.object)
	}
	l.drawn[id] = r
	l.opt.Bind(id, r.object)
	return r
}

// loose leaves its object as large as it is and asks for nothing.
type loose struct{}

func (loose) Layout([]fyne.CanvasObject, fyne.Size) {}
func (loose) MinSize([]fyne.CanvasObject) fyne.Size { return fyne.Size{} }

// draw puts the rows from from to to into the tree, of which those from top to seen are in
// sight, and returns the others to the pool.
func (l *VirtualList) draw(from, top, seen, to int) {
	y := -l.into
	for i := top; i > from; i-- {
		y -= l.heights.each[i-1]
	}
	l.hide(from, top, seen, to)
	clear(l.objects)
	l.objects = l.objects[:0]
	for i := from; i < to; i++ {
		r, h := l.row(i), l.heights.each[i]
		r.slot.Hidden = i < top || i >= seen
		r.slot.Move(fyne.NewPos(0, y))
		r.slot.Resize(fyne.NewSize(l.width, h))
		r.object.Resize(fyne.NewSize(l.width, h))
		l.objects = append(l.objects, r.slot)
		y += h
	}
	l.objects = append(l.objects, l.ring, l.bar)
}

// hide hides the rows that are out of sight, and returns those outside from and to to the
// pool. If one of them has the focus the list takes it: the user could not see where it is,
// and the object may become another row.
func (l *VirtualList) hide(from, top, seen, to int) {
	var gone, out []*virtualRow
	for id, r := range l.drawn {
		i, ok := l.Index(id)
		if ok = ok && i >= from && i < to; !ok {
			delete(l.drawn, id)
			gone = append(gone, r)
		}
		if !r.slot.Hidden && (!ok || i < top || i >= seen) {
			out = append(out, r)
		}
	}
	var focused fyne.CanvasObject
	c := fyne.CurrentApp().Driver().CanvasForObject(l)
	if c != nil && len(out) > 0 {
		focused, _ = c.Focused().(fyne.CanvasObject)
	}
	inRow := focused != nil && focused != fyne.CanvasObject(l) && Seen(focused)
	for _, r := range out {
		r.slot.Hidden = true
	}
	for _, r := range gone {
		if len(l.pool[r.kind]) < poolMost {
			l.pool[r.kind] = append(l.pool[r.kind], r)
		}
	}
	if inRow && !Seen(focused) {
		c.Focus(l)
	}
}

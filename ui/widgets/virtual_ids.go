package widgets

import "slices"

// SetIDs shows other rows. The first row in sight that is still among them stays
// where it is. An id that comes twice is shown once. What was the same before and
// behind a change costs a comparison each.
func (l *VirtualList) SetIDs(ids []string) {
	if l.placing {
		l.next, l.anew = slices.Clone(ids), true
		return
	}
	if slices.Equal(ids, l.ids) {
		return
	}
	anchors := l.inSight()
	l.splice(slices.Clone(ids))
	l.anchor(anchors)
	l.place()
}

// Append shows more rows behind the others, at the cost of the new ones alone. Those
// that are there already are left out.
func (l *VirtualList) Append(ids ...string) {
	if l.placing {
		l.next, l.anew = slices.Concat(l.ids, ids), true
		return
	}
	for _, id := range ids {
		if _, there := l.index[id]; !there {
			n := len(l.ids)
			l.index[id] = n - l.origin
			l.ids = append(l.ids, id)
			l.heights.replace(n, n, 1)
		}
	}
	l.place()
}

// Index returns the place of a row, and whether it is there.
func (l *VirtualList) Index(id string) (int, bool) { return l.find(id) }

// inSight is where rows stand, from the first one in sight; those above it come
// last, for a list that lost all it showed.
func (l *VirtualList) inSight() []standing {
	var list []standing
	y := -l.into
	for i := l.top; i < max(l.seen, l.top+1) && i < len(l.ids); i++ {
		list = append(list, standing{l.ids[i], y})
		y += l.heights.each[i]
	}
	y = -l.into
	for i := l.top - 1; i >= 0 && len(list) < 2*poolMost; i-- {
		y -= l.heights.each[i]
		list = append(list, standing{l.ids[i], y})
	}
	return list
}

// standing is a row and how far below the upper edge it stands.
type standing struct {
	id string
	y  float32
}

// anchor lets the first of the rows that is still there stand where it stood.
func (l *VirtualList) anchor(rows []standing) {
	for _, r := range rows {
		if i, ok := l.find(r.id); ok {
			l.top, l.into = i, -r.y
			return
		}
	}
	l.top = max(0, min(l.top, len(l.ids)-1))
	if len(rows) > 0 {
		l.into = 0
	}
}

// splice takes over other ids, and the heights of those that stay.
func (l *VirtualList) splice(ids []string) {
	old := l.ids
	same := min(len(old), len(ids))
	before := 0
	for before < same && old[before] == ids[before] {
		before++
	}
	behind := 0
	for behind < same-before && old[len(old)-1-behind] == ids[len(ids)-1-behind] {
		behind++
	}
	from, to := before, len(old)-behind
	if fresh := ids[before : len(ids)-behind]; l.allNew(fresh, old[from:to]) {
		l.heights.replace(from, to, len(fresh))
		l.reindex(old[from:to], ids, before, behind)
		l.ids = ids
		return
	}
	l.rebuild(ids)
}

// allNew reports whether none of the ids is shown but those that go, and none comes
// twice.
func (l *VirtualList) allNew(fresh, gone []string) bool {
	going := make(map[string]bool, len(gone))
	for _, id := range gone {
		going[id] = true
	}
	twice := make(map[string]bool, len(fresh))
	for _, id := range fresh {
		if _, shown := l.index[id]; shown && !going[id] || twice[id] || going[id] {
			return false
		}
		twice[id] = true
	}
	return true
}

// reindex counts the ids that changed between before and behind; of the others the
// fewer ones.
func (l *VirtualList) reindex(gone, ids []string, before, behind int) {
	for _, id := range gone {
		delete(l.index, id)
	}
	from, to := before, len(ids)
	if before <= behind {
		l.origin += len(ids) - len(l.ids)
		from, to = 0, len(ids)-behind
	}
	for i := from; i < to; i++ {
		l.index[ids[i]] = i - l.origin
	}
}

// rebuild takes over ids that have little in common with those before.
func (l *VirtualList) rebuild(ids []string) {
	index := make(map[string]int, len(ids))
	kept := ids[:0]
	for _, id := range ids {
		if _, twice := index[id]; !twice {
			index[id] = len(kept)
			kept = append(kept, id)
		}
	}
	h := newHeights(l.opt.Estimate)
	h.replace(0, 0, len(kept))
	for i, id := range kept {
		if old, ok := l.find(id); ok && l.heights.known[old] {
			h.each[i], h.known[i] = l.heights.each[old], true
		}
	}
	h.build()
	l.ids, l.index, l.origin, l.heights = kept, index, 0, h
}

// find returns the place of an id.
func (l *VirtualList) find(id string) (int, bool) {
	i, ok := l.index[id]
	return i + l.origin, ok
}

package widgets

import "slices"

// SetIDs replaces the rows. The first row in sight that remains keeps its place. A repeated
// id is shown once. Rows that are the same before and after the change cost one comparison
// each.
func (l *VirtualList) SetIDs(ids []string) {
	if l.placing {
		l.next, l.again = slices.Clone(ids), true
		return
	}
	if slices.Equal(ids, l.ids) {
		return
	}
	rows := l.anchors()
	l.splice(slices.Clone(ids))
	l.hold(rows)
	l.place()
}

// Append adds rows at the end, at a cost that does not depend on the others. Those that are
// there already are left out.
func (l *VirtualList) Append(ids ...string) {
	if l.placing {
		l.next, l.again = slices.Concat(l.ids, ids), true
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

// anchors returns the rows in sight with their places, then some of those above, for a list
// that loses all the rows it showed.
func (l *VirtualList) anchors() []anchor {
	var list []anchor
	y := -l.into
	for i := l.top; i < max(l.seen, l.top+1) && i < len(l.ids); i++ {
		list = append(list, anchor{l.ids[i], y})
		y += l.heights.each[i]
	}
	y = -l.into
	for i := l.top - 1; i >= 0 && len(list) < 2*poolMost; i-- {
		y -= l.heights.each[i]
		list = append(list, anchor{l.ids[i], y})
	}
	return list
}

// anchor is a row and its distance from the upper edge of the list.
type anchor struct {
	id string
	y  float32
}

// hold keeps the first of the rows that remains where it was.
func (l *VirtualList) hold(rows []anchor) {
	for _, r := range rows {
		if i, ok := l.Index(r.id); ok {
			l.top, l.into = i, -r.y
			return
		}
	}
	l.top = max(0, min(l.top, len(l.ids)-1))
	if len(rows) > 0 {
		l.into = 0
	}
}

// splice replaces the ids, and keeps the heights of the rows that remain.
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

// allNew reports whether no fresh id is repeated, or shown outside those that go.
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

// reindex indexes the ids between before and behind, and the smaller of the two groups
// around them.
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

// rebuild replaces ids that have little in common with those before.
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
		if old, ok := l.Index(id); ok && l.heights.known[old] {
			h.each[i], h.known[i] = l.heights.each[old], true
		}
	}
	h.build()
	l.ids, l.index, l.origin, l.heights = kept, index, 0, h
}

// Index returns the index of a row, and whether the list has it.
func (l *VirtualList) Index(id string) (int, bool) {
	i, ok := l.index[id]
	return i + l.origin, ok
}

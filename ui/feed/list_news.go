package feed

import "slices"

// placeNews gives what came into the store its place. What is newer than the first
// row waits behind the pill; what is older than the last one is left to the paging;
// what belongs between goes into the list, but not between two rows in sight, where
// it would push away what is read: it is held until that is out of sight. While a
// page is read all is held, for it may belong into that page or be in it: read is what
// the page that was read last brought.
func (l *list) placeNews(read []item) {
	l.held = without(l.held, read)
	if !l.begun || l.reading || len(l.held) == 0 {
		return
	}
	from, to := l.rows.InSight()
	var between, held []item
	behind := false
	for _, it := range l.held {
		if _, there := l.rows.Index(rowOf(it.id)); there {
			continue
		}
		at, _ := slices.BinarySearchFunc(l.items, it, newestFirst)
		switch row := l.heads + at; {
		case at == 0:
			l.waiting[it.id] = true
		case newestFirst(it, *l.last) > 0:
			behind = true
		case row > from && row < to:
			held = append(held, it)
		default:
			between = append(between, it)
		}
	}
	l.held = held
	l.insert(between)
	if behind {
		l.setWhole(false)
	}
}

// insert puts items between the others, but for those that show what stands within a
// screen of them.
func (l *list) insert(items []item) {
	if len(items) == 0 {
		return
	}
	slices.SortFunc(items, newestFirst)
	all, below := make([]item, 0, len(l.items)+len(items)), l.items
	for _, it := range items {
		at, double := slices.BinarySearchFunc(below, it, newestFirst)
		all, below = append(all, below[:at]...), below[at:]
		same := func(other item) bool { return other.of == it.of }
		if !double && !slices.ContainsFunc(all[max(0, len(all)-foldWithin):], same) &&
			!slices.ContainsFunc(below[:min(len(below), foldWithin)], same) {
			all = append(all, it)
		}
	}
	l.items = append(all, below...)
	l.drawItems()
}

// without returns the items that are not among others.
func without(items, others []item) []item {
	if len(items) == 0 || len(others) == 0 {
		return items
	}
	away := make(map[item]bool, len(others))
	for _, it := range others {
		away[it] = true
	}
	return slices.DeleteFunc(items, func(it item) bool { return away[it] })
}

package widgets

import "slices"

// heights holds the heights of rows as a Fenwick tree: the offset of a row, and
// the row at an offset, in logarithmic time. A height is an estimate until it is
// set; sums are kept in float64, for a float32 cannot tell points apart any more
// where a list is 100,000 rows long.
type heights struct {
	estimate float32
	each     []float32
	known    []bool
	tree     []float64 // 1-based sums
}

func newHeights(estimate float32) *heights {
	return &heights{estimate: estimate, tree: make([]float64, 1)}
}

func (h *heights) len() int { return len(h.each) }

// replace puts n rows of unknown height in the place of rows from to to. At the end
// that costs what changes; elsewhere all sums are made anew.
func (h *heights) replace(from, to, n int) {
	each, known := h.each[to:], h.known[to:]
	if from+n != to && len(each) > 0 {
		each, known = slices.Clone(each), slices.Clone(known)
	}
	h.each, h.known = h.each[:from], h.known[:from]
	for range n {
		h.each, h.known = append(h.each, h.estimate), append(h.known, false)
	}
	h.each, h.known = append(h.each, each...), append(h.known, known...)
	if len(each) > 0 {
		h.build()
		return
	}
	h.tree = h.tree[:from+1]
	for i := from; i < len(h.each); i++ {
		h.extend(i)
	}
}

// extend adds the sum that ends with row i, of rows that are summed already.
func (h *heights) extend(i int) {
	j := i + 1
	sum := float64(h.each[i])
	for child := 1; child < j&-j; child *= 2 {
		sum += h.tree[j-child]
	}
	h.tree = append(h.tree, sum)
}

// forgetAll makes estimates of all heights.
func (h *heights) forgetAll() {
	for i := range h.each {
		h.each[i], h.known[i] = h.estimate, false
	}
	h.build()
}

func (h *heights) build() {
	h.tree = append(h.tree[:0], 0)
	for i := range h.each {
		h.extend(i)
	}
}

// set says how high a row is.
func (h *heights) set(i int, v float32) {
	h.known[i] = true
	delta := float64(v) - float64(h.each[i])
	if delta == 0 {
		return
	}
	h.each[i] = v
	for j := i + 1; j < len(h.tree); j += j & -j {
		h.tree[j] += delta
	}
}

// forget keeps a row's height as an estimate.
func (h *heights) forget(i int) { h.known[i] = false }

// offset returns where row i begins; i may be len.
func (h *heights) offset(i int) float64 {
	var sum float64
	for j := i; j > 0; j -= j & -j {
		sum += h.tree[j]
	}
	return sum
}

func (h *heights) total() float64 { return h.offset(len(h.each)) }

// at returns the row that covers an offset: the last one that begins at or before
// it. It is 0 for an empty list.
func (h *heights) at(y float64) int {
	i, rest := 0, y
	step := 1
	for step*2 <= len(h.each) {
		step *= 2
	}
	for ; step > 0; step /= 2 {
		if next := i + step; next < len(h.tree) && h.tree[next] <= rest {
			i = next
			rest -= h.tree[next]
		}
	}
	return max(0, min(i, len(h.each)-1))
}

package widgets

import "slices"

// heights holds the heights of rows as a Fenwick tree: it finds the offset of a row, and
// the row at an offset, in logarithmic time. A height is an estimate until it is set. Sums
// are float64, since float32 cannot distinguish points any more in a list of 100,000 rows.
type heights struct {
	estimate float32
	each     []float32
	known    []bool
	tree     []float64 // partial sums, from index 1
}

func newHeights(estimate float32) *heights {
	return &heights{estimate: estimate, tree: make([]float64, 1)}
}

func (h *heights) len() int { return len(h.each) }

// replace replaces the rows from from to to with n rows of unknown height. At the end of
// the list that costs n steps; elsewhere all sums are computed again.
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

// extend adds the partial sum that ends with row i, once those before it are there.
func (h *heights) extend(i int) {
	j := i + 1
	sum := float64(h.each[i])
	for child := 1; child < j&-j; child *= 2 {
		sum += h.tree[j-child]
	}
	h.tree = append(h.tree, sum)
}

// forgetAll turns all heights into estimates.
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

// set sets the height of a row.
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

// forget turns the height of a row into an estimate.
func (h *heights) forget(i int) { h.known[i] = false }

// offset returns where row i begins; i may be the number of rows.
func (h *heights) offset(i int) float64 {
	var sum float64
	for j := i; j > 0; j -= j & -j {
		sum += h.tree[j]
	}
	return sum
}

func (h *heights) total() float64 { return h.offset(len(h.each)) }

// at returns the row that covers an offset: the last one that begins at or before it; 0 in
// an empty list.
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

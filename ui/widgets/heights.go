package widgets

// heights holds the heights of rows as a Fenwick tree: the offset of a row, and
// the row at an offset, in logarithmic time.
type heights struct {
	each []float32
	tree []float64 // 1-based sums
}

func newHeights(each []float32) *heights {
	h := &heights{each: each, tree: make([]float64, len(each)+1)}
	for i, v := range each {
		j := i + 1
		h.tree[j] += float64(v)
		if parent := j + j&-j; parent < len(h.tree) {
			h.tree[parent] += h.tree[j]
		}
	}
	return h
}

// add puts a row behind the others.
func (h *heights) add(v float32) {
	h.each = append(h.each, v)
	j := len(h.tree)
	sum := float64(v)
	for below := 1; below < j&-j; below *= 2 {
		sum += h.tree[j-below]
	}
	h.tree = append(h.tree, sum)
}

func (h *heights) len() int { return len(h.each) }

// set changes the height of a row.
func (h *heights) set(i int, v float32) {
	delta := float64(v) - float64(h.each[i])
	h.each[i] = v
	for j := i + 1; j < len(h.tree); j += j & -j {
		h.tree[j] += delta
	}
}

// offset returns where row i begins; i may be len.
func (h *heights) offset(i int) float32 {
	var sum float64
	for j := i; j > 0; j -= j & -j {
		sum += h.tree[j]
	}
	return float32(sum)
}

func (h *heights) total() float32 { return h.offset(len(h.each)) }

// at returns the row that covers an offset: the last one that begins at or before
// it. It is 0 for an empty list.
func (h *heights) at(y float32) int {
	i, rest := 0, float64(y)
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

package widgets

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHeightsAreThoseOfAListThatIsSummedUp(t *testing.T) {
	rnd := rand.New(rand.NewPCG(7, 7))
	h := newHeights(50)
	var model []float32
	for step := range 2_000 {
		switch rnd.IntN(3) {
		case 0:
			from := rnd.IntN(len(model) + 1)
			if rnd.IntN(2) == 0 {
				from = len(model)
			}
			to := from + rnd.IntN(min(5, len(model)-from)+1)
			n := rnd.IntN(6)
			h.replace(from, to, n)
			model = slices.Replace(model, from, to, slices.Repeat([]float32{50}, n)...)
		default:
			if len(model) > 0 {
				i, v := rnd.IntN(len(model)), float32(rnd.IntN(200)) // also rows of no height
				h.set(i, v)
				model[i] = v
			}
		}
		if !slices.Equal(h.each, model) || len(h.known) != len(model) {
			t.Fatalf("step %d: %v, want %v", step, h.each, model)
		}
		var sum float64
		for i, v := range model {
			if got := h.offset(i); got != sum {
				t.Fatalf("step %d: row %d begins at %v, want %v", step, i, got, sum)
			}
			if v > 0 {
				if got := h.at(sum + float64(v)/2); got != i {
					t.Fatalf("step %d: at %v is row %d, want %d", step, sum+float64(v)/2, got, i)
				}
			}
			sum += float64(v)
		}
		if h.total() != sum {
			t.Fatalf("step %d: all are %v, want %v", step, h.total(), sum)
		}
	}
}

func TestHeightsOfNothingAreNothing(t *testing.T) {
	h := newHeights(50)
	if h.at(10) != 0 || h.total() != 0 || h.offset(0) != 0 || h.len() != 0 {
		t.Error("an empty list has heights")
	}
}

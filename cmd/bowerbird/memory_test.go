package main

import "testing"

func TestARestBeginsOnceAfterEachUse(t *testing.T) {
	const much, little = restBytes + 1, restBytes / 2
	var r rest
	var total uint64
	for i, step := range []struct {
		allocates uint64
		begins    bool
	}{
		{little, false}, // nothing was used yet
		{much, false},
		{much, false},
		{little, true},
		{little, false}, // it goes on
		{0, false},
		{much, false},
		{0, true},
	} {
		total += step.allocates
		if got := r.begins(total); got != step.begins {
			t.Errorf("step %d: %v", i, got)
		}
	}
}

func TestWhatIsAllocatedIsCounted(t *testing.T) {
	before := allocated()
	keep := make([]byte, 1<<20)
	if got := allocated() - before; got < uint64(len(keep)) {
		t.Errorf("%d bytes", got)
	}
}

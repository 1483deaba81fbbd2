package agent

import "testing"

func TestThereIsABitForEachPattern(t *testing.T) {
	for _, p := range patterns() {
		if len(p.start) < 2 || foldASCII(p.start) != p.start {
			t.Errorf("%q cannot be looked for", p.start)
		}
	}
	if n := len(patterns()); n > 64 {
		t.Errorf("%d patterns, and 64 bits", n)
	}
}

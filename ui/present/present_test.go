package present

import (
	"strings"
	"testing"
)

func TestALongTextIsClampedOnRunes(t *testing.T) {
	if got, cut := Clamp("a\nb\nc", 2, 100); got != "a\nb" || !cut {
		t.Errorf("lines: %q %v", got, cut)
	}
	if got, cut := Clamp(strings.Repeat("ü", 10), 2, 4); got != "üüüü…" || !cut {
		t.Errorf("runes: %q %v", got, cut)
	}
	if got, cut := Clamp("short", 1, 5); got != "short" || cut {
		t.Errorf("short: %q %v", got, cut)
	}
}

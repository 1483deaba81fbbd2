package present

import (
	"strings"
	"testing"
	"time"
)

func TestATimeIsSaidInWords(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Skip("no zone data on this system")
	}
	now := time.Date(2026, 3, 30, 9, 0, 0, 0, berlin) // the day after the clocks went forward
	tests := []struct {
		at   time.Time
		want string
	}{
		{time.Date(2026, 3, 30, 0, 1, 0, 0, berlin), "00:01"},
		{time.Date(2026, 3, 29, 23, 59, 0, 0, berlin), "yesterday 23:59"},
		{time.Date(2026, 3, 28, 1, 30, 0, 0, berlin), "Saturday 01:30"},
		{time.Date(2026, 3, 23, 12, 0, 0, 0, berlin), "23 March 12:00"},
		{time.Date(2025, 12, 31, 12, 0, 0, 0, berlin), "31 December 2025 12:00"},
		{time.Date(2026, 3, 31, 12, 0, 0, 0, berlin), "31 March 12:00"},
	}
	for _, tt := range tests {
		if got := When(tt.at, now); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.at, got, tt.want)
		}
	}
}

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

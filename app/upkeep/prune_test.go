package upkeep

import (
	"testing"
	"time"

	"bowerbird/app/config"
)

func TestWhenAPruningIsDue(t *testing.T) {
	now := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	at := func(days int) int64 { return now.AddDate(0, 0, -days).Unix() }
	for _, tc := range []struct {
		name string
		last Pruning
		due  bool
	}{
		{"never before", Pruning{}, true},
		{"today", Pruning{At: now.Unix() - 60}, false},
		{"yesterday", Pruning{At: at(1)}, true},
		{"today, broken off", Pruning{At: now.Unix() - 60, Stopped: true}, true},
		{"by a clock that was ahead", Pruning{At: at(-10)}, true},
		{"in vain", Pruning{At: at(6), Over: 1, OverGB: 2}, false},
		{"in vain, a week ago", Pruning{At: at(7), Over: 1, OverGB: 2}, true},
		{"in vain under another limit", Pruning{At: at(1), Over: 1, OverGB: 1}, true},
		{"not enough, but not in vain", Pruning{At: at(1), Notes: 5, Over: 1, OverGB: 2}, true},
	} {
		if tc.last.isDue(config.Storage{MaxGB: 2}, now) != tc.due {
			t.Errorf("%s: want %v", tc.name, tc.due)
		}
	}
}

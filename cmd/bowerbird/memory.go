package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// windowGCPercent is how much the heap may grow, in percent, before it is collected. A
// quarter of Go's default saves some 80 MB for a window that stays open all day, for 2 % of
// the time during heavy use.
const windowGCPercent = 25

// restEvery is how often to check whether the window is idle.
const restEvery = time.Minute

// boundMemory keeps the window's memory small until ctx ends, unless the user has set GOGC.
func boundMemory(ctx context.Context, getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(windowGCPercent)
	go func() {
		ticks := time.NewTicker(restEvery)
		defer ticks.Stop()
		for r := (rest{}); ; {
			select {
			case <-ticks.C:
			case <-ctx.Done():
				return
			}
			if r.begins(allocated()) {
				debug.FreeOSMemory()
			}
		}
	}()
}

// rest detects when a window becomes idle after use. Then the memory that Go keeps for
// later is returned to the system.
type rest struct {
	last  uint64 // bytes allocated until the last check
	using bool
}

// restBytes is more than an idle window allocates within restEvery: up to 20 MB were
// measured, and twenty times as much during use.
const restBytes = 48 << 20

// begins takes the number of bytes allocated since the start, and reports whether the
// window has just become idle.
func (r *rest) begins(allocated uint64) bool {
	used := allocated-r.last > restBytes
	r.last = allocated
	begins := r.using && !used
	r.using = used
	return begins
}

// allocated returns the number of bytes allocated since the start.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

package main

import (
	"context"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// windowGCPercent is by how much the heap may grow over what is in use before it is
// collected. A quarter of what Go does keeps some 80 MB less for a window that stays
// open all day, for 2 % of the time while it is used hard and none while it rests.
const windowGCPercent = 25

// restEvery is how often it is looked whether the window rests.
const restEvery = time.Minute

// boundMemory keeps the window's memory small until ctx ends, unless the user has
// chosen by Go's own variable.
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

// rest finds out when a window that was used is left alone. Then what the use left
// behind goes back to the system, for Go keeps it for later.
type rest struct {
	last  uint64 // bytes allocated until the last look
	using bool
}

// restBytes is more than a window allocates in restEvery that nobody uses: up to
// 20 MB were measured, in use twenty times as much.
const restBytes = 48 << 20

// begins takes how many bytes were allocated since the start, and reports whether
// nothing much has happened since the last look, for the first time after use.
func (r *rest) begins(allocated uint64) bool {
	used := allocated-r.last > restBytes
	r.last = allocated
	begins := r.using && !used
	r.using = used
	return begins
}

// allocated returns how many bytes were allocated since the start.
func allocated() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

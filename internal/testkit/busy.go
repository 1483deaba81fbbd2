package testkit

import (
	"math"
	"runtime"
	"strings"
)

// Busy returns the stacks of the program's goroutines that run or are about to, without
// the one that asks; "" when each of them waits for something. That nothing has come for
// a while says little on a machine with much to do: whoever was to send it may not have
// had its turn.
func Busy() string {
	var busy []string
	for i, stack := range stacks() {
		head, rest, _ := strings.Cut(stack, "\n")
		_, state, _ := strings.Cut(head, "[")
		state, _, _ = strings.Cut(strings.TrimSuffix(state, "]:"), ",")
		if i > 0 && strings.Contains(rest, "bowerbird/") && (state == "running" || state == "runnable" || state == "syscall") {
			busy = append(busy, stack)
		}
	}
	return strings.Join(busy, "\n\n")
}

// stacks returns those of all goroutines, the caller's first.
func stacks() []string {
	buf := make([]byte, 1<<18)
	for {
		n := runtime.Stack(buf, true)
		if n < len(buf) {
			return strings.Split(string(buf[:n]), "\n\n")
		}
		buf = make([]byte, 2*len(buf))
	}
}

// Allocated returns how many bytes f allocates: the fewest of three times, since what
// other goroutines allocate meanwhile is counted with it.
func Allocated(f func()) uint64 {
	fewest := uint64(math.MaxUint64)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		fewest = min(fewest, after.TotalAlloc-before.TotalAlloc)
	}
	return fewest
}

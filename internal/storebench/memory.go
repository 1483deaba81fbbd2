package main

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

// watchMemory looks every few milliseconds how much of the process is in memory that
// no file is behind: the store's mapped files the system takes back when it
// needs memory. The call of the result ends it and returns the most, in bytes; 0 where
// it is not known.
func watchMemory() (most func() int64) {
	var peak int64
	stop := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		ticks := time.NewTicker(20 * time.Millisecond)
		defer ticks.Stop()
		for {
			peak = max(peak, anonymous())
			select {
			case <-ticks.C:
			case <-stop:
				return
			}
		}
	})
	return func() int64 {
		close(stop)
		watching.Wait()
		return peak
	}
}

func anonymous() int64 {
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(text)) {
		if value, ok := strings.CutPrefix(line, "RssAnon:"); ok {
			var kilobytes int64
			if _, err := fmt.Sscan(value, &kilobytes); err != nil {
				return 0
			}
			return kilobytes << 10
		}
	}
	return 0
}

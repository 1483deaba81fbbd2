//go:build !linux

package testkit

import "testing"

// MeasureThread runs what a window's thread does b.N times; only on Linux is the
// processor time of a thread known.
func MeasureThread(b *testing.B, prepare func(n int) func()) {
	b.Helper()
	n := 0
	for b.Loop() {
		b.StopTimer()
		run := prepare(n)
		b.StartTimer()
		run()
		n++
	}
}

package testkit

import (
	"runtime"
	"syscall"
	"testing"
	"time"
)

// MeasureThread runs what a window's thread does b.N times and reports the processor
// time that the thread took for one, which a busy machine does not lengthen, and the
// longest one. prepare, outside of the measure, returns what to run for the nth.
func MeasureThread(b *testing.B, prepare func(n int) func()) {
	b.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var total, most time.Duration
	n := 0
	for b.Loop() {
		b.StopTimer()
		run := prepare(n)
		runtime.GC()
		b.StartTimer()
		before := threadTime(b)
		run()
		took := threadTime(b) - before
		total, most = total+took, max(most, took)
		n++
	}
	b.ReportMetric(float64(total.Microseconds())/1000/float64(b.N), "cpu-ms/op")
	b.ReportMetric(float64(most.Microseconds())/1000, "most-cpu-ms")
}

func threadTime(b *testing.B) time.Duration {
	const thread = 1 // RUSAGE_THREAD
	var u syscall.Rusage
	if err := syscall.Getrusage(thread, &u); err != nil {
		b.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

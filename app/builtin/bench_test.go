//go:build unix

package builtin_test

import (
	"syscall"
	"testing"
	"time"

	"bowerbird/internal/testworld"
)

// BenchmarkDigestOfAWeek measures a whole turn over a week of thousands of notes,
// with the loop, the tools and the store, in processor time. The week has about
// 5,000 notes, 600 reposts and 3,000 reactions by 250 people followed, and three days
// before it tell what is usual.
func BenchmarkDigestOfAWeek(b *testing.B) {
	w, err := testworld.Make(testworld.Options{Seed: 3, Now: noon, Events: 37000, Days: 10, People: 500, Followed: 250, Planted: 10})
	if err != nil {
		b.Fatal(err)
	}
	r := newReader(b, w.Me, noon, w.Events)
	before := cpuTime(b)
	b.ReportAllocs()
	var a answer
	for b.Loop() {
		a = r.ask(b, "What did I miss in the last 7 days?")
	}
	b.ReportMetric(float64((cpuTime(b)-before).Milliseconds())/float64(b.N), "cpu-ms/op")
	b.Log(a.text[len(a.text)-300:])
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

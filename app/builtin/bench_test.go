//go:build unix

package builtin_test

import (
	"syscall"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/internal/testworld"
)

// BenchmarkDigestOfAWeek measures, in processor time of the process with its garbage
// collection, a digest of thousands of notes: the whole turn with the loop, the tools
// and the store, and what of it is the digest itself, from the tools' answers to the
// text. The week has about 5,000 notes, 600 reposts and 3,000 reactions by 250 people
// followed, and three days before it tell what is usual.
func BenchmarkDigestOfAWeek(b *testing.B) {
	w, err := testworld.Make(testworld.Options{Seed: 3, Now: noon, Events: 37000, Days: 10, People: 500, Followed: 250, Planted: 10})
	if err != nil {
		b.Fatal(err)
	}
	measureDigest(b, newReader(b, w.Me, noon, w.Events))
}

func measureDigest(b *testing.B, r *reader) {
	const question = "What did I miss in the last 7 days?"
	b.Run("turn", func(b *testing.B) {
		perCPU(b, func() { r.ask(b, question) })
	})
	b.Run("itself", func(b *testing.B) {
		asked := &recorder{Model: r.model()}
		r.askOf(b, asked, &agent.Conversation{}, question)
		perCPU(b, func() {
			model := r.model()
			for _, req := range asked.steps {
				for _, err := range model.Stream(b.Context(), req) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	})
}

// perCPU measures something in processor time.
func perCPU(b *testing.B, do func()) {
	b.ReportAllocs()
	before := cpuTime(b)
	for b.Loop() {
		do()
	}
	b.ReportMetric(float64((cpuTime(b)-before).Microseconds())/1000/float64(b.N), "cpu-ms/op")
}

func cpuTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Skip(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

package feed

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/app/sample"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools/tooltest"
	"bowerbird/ui/theme"
)

// threadTime is the CPU time that the calling thread has used.
func threadTime() time.Duration {
	const clockThreadCPU = 3
	var ts syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, clockThreadCPU, uintptr(unsafe.Pointer(&ts)), 0)
	return time.Duration(ts.Nano())
}

// bigHome opens an App whose home timeline has so many notes, with the texts of the
// sample.
func bigHome(b *testing.B, notes int) *app.App {
	b.Helper()
	w := tooltest.NewWorld(b)
	made, err := sample.Make(sample.Options{Now: w.Now})
	if err != nil {
		b.Fatal(err)
	}
	var texts []string
	for _, e := range made.Events {
		if e.Kind == kindNote {
			texts = append(texts, e.Content)
		}
	}
	var people []*tooltest.Person
	for _, name := range []string{"Ada", "Ben", "Clara", "Dora", "Emil", "Fenja", "Gus", "Hana"} {
		people = append(people, w.Person(name, name))
	}
	w.Read(people[0], people[1:]...)
	a, err := app.Open(b.Context(), app.Options{
		Places: config.Locate(b.TempDir(), ""), As: people[0].Key.Npub(), Zone: time.UTC,
		Now: func() time.Time { return w.Now }, Getenv: func(string) string { return "" },
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = a.Close() })
	var events []*nostr.Event
	for e, err := range w.Store.Query(b.Context(), ndb.QueryOptions{}, nostr.Filter{}) {
		if err != nil {
			b.Fatal(err)
		}
		events = append(events, e)
	}
	for i := range notes {
		events = append(events, people[i%len(people)].Note(texts[i%len(texts)], time.Duration(i+1)*time.Minute))
	}
	put(b, a, events...)
	return a
}

// BenchmarkScrollHundredThousand scrolls through a timeline of 100,000 notes as the
// wheel does, and says how much of its CPU time the window's thread spent a step:
// the step itself and what other goroutines had for it to do. It reads all of the
// timeline's ids on the way.
func BenchmarkScrollHundredThousand(b *testing.B) {
	const notes = 100_000
	a := bigHome(b, notes)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	st := setStage(b, a, theme.Options{Mode: theme.Light}, column)
	var before runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	h := NewHome(st.env)
	st.show(h)
	st.until("the first page is there", func() bool { return h.list().begun })
	b.ReportMetric(float64(time.Since(began).Milliseconds()), "first-ms")
	for h.list().count() < notes && !h.list().whole { // to its end, by leaps
		h.list().rows.ScrollToEnd()
		st.until("a page is read", func() bool { return !h.list().reading })
	}
	if n := h.list().count(); n != notes {
		b.Fatalf("%d rows", n)
	}
	var steps []time.Duration
	step := func(points float32) {
		from := threadTime()
		scroll(st, h.list(), points)
		for len(st.Posted) > 0 {
			(<-st.Posted)()
		}
		steps = append(steps, threadTime()-from)
		time.Sleep(4 * time.Millisecond) // the time until the next frame, shortened
	}
	for b.Loop() {
		for _, at := range []int{0, notes / 3, notes / 2, notes - 2000} {
			h.list().rows.ScrollTo(h.list().rows.IDs()[at])
			st.settle()
			for range 400 {
				step(90)
			}
			for range 200 {
				step(-90)
			}
		}
	}
	slices.Sort(steps)
	at := func(share float64) float64 {
		return float64(steps[int(share*float64(len(steps)-1))].Microseconds()) / 1000
	}
	b.ReportMetric(at(0.5), "p50-ms")
	b.ReportMetric(at(0.99), "p99-ms")
	b.ReportMetric(at(1), "max-ms")
	var after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "heap-MB")
	runtime.KeepAlive(h)
}

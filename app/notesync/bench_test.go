//go:build unix

package notesync_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/internal/testkit"
	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// cpu returns the processor time that this process has used.
func cpu(b *testing.B) time.Duration {
	b.Helper()
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		b.Fatal(err)
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

// BenchmarkSync fetches all events of a world and reports new notes by second of
// processor time of this process: parsing, ids, signatures and storing included.
// The relays are other processes, and questions are not spaced out.
func BenchmarkSync(b *testing.B) {
	b.Run("GoRelay", func(b *testing.B) {
		w := worldOf(b, 20_000)
		benchmarkSync(b, w, startOutside(b, w))
	})
	b.Run("NPMRelay", func(b *testing.B) {
		w := worldOf(b, 4_000) // it takes its time to learn them
		server := testkit.StartNPMRelay(b, 0)
		server.Publish(b, asJSON(w.Events)...)
		b.ResetTimer()
		benchmarkSync(b, w, server.URL)
	})
}

func benchmarkSync(b *testing.B, w *testworld.World, url string) {
	stored := 0
	var used time.Duration
	for b.Loop() {
		s, err := ndb.Open(b.TempDir(), ndb.Options{})
		if err != nil {
			b.Fatal(err)
		}
		opt := notesync.Options{Store: s, Client: private(), Authors: everybody(w), Only: []string{url}, Days: 10, Once: true, Sleep: never}
		before := cpu(b)
		sum, err := notesync.Run(b.Context(), opt)
		if err != nil {
			b.Fatal(err)
		}
		used += cpu(b) - before
		if sum.Complete != sum.People {
			b.Fatalf("%+v", sum)
		}
		stored += sum.Stored
		if err := s.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(stored)/float64(b.N), "notes/op")
	b.ReportMetric(float64(stored)/used.Seconds(), "notes/cpu-s")
	b.ReportMetric(used.Seconds()/float64(b.N), "cpu-s/op")
}

func never(ctx context.Context, _ time.Duration) error { return ctx.Err() }

func worldOf(tb testing.TB, events int) *testworld.World {
	tb.Helper()
	w, err := testworld.Make(testworld.Options{Seed: 1, Now: time.Now().Add(-time.Minute), Days: 7, People: 400, Followed: 200, Events: events})
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

func everybody(w *testworld.World) (people []nostr.PubKey) {
	for _, p := range w.People {
		people = append(people, p.PubKey)
	}
	return people
}

// relayProcess is set in the process that is only a relay.
const relayProcess = "BOWERBIRD_TEST_RELAY"

// startOutside starts a Go relay in a process of its own, so that its work does
// not count as ours.
func startOutside(b *testing.B, w *testworld.World) string {
	b.Helper()
	file := b.TempDir() + "/world.jsonl"
	if err := os.WriteFile(file, []byte(strings.Join(lines(w), "\n")), 0o600); err != nil {
		b.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestRelayProcess$")
	cmd.Env = append(os.Environ(), relayProcess+"="+file)
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe() // its end ends the process
	if err != nil {
		b.Fatal(err)
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		_ = stdin.Close()
		_ = cmd.Wait()
	})
	var url string
	if _, err := fmt.Fscan(stdout, &url); err != nil {
		b.Fatal(err)
	}
	return url
}

func lines(w *testworld.World) (all []string) {
	for _, e := range w.Events {
		all = append(all, string(e.AppendJSON(nil)))
	}
	return all
}

// TestRelayProcess is no test: it is the process that startOutside starts.
func TestRelayProcess(t *testing.T) {
	file := os.Getenv(relayProcess)
	if file == "" {
		t.Skip("only for benchmarks")
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var events [][]byte
	for line := range strings.SplitSeq(string(data), "\n") {
		events = append(events, []byte(line))
	}
	fmt.Println(testkit.StartGoRelay(t, testkit.GoRelayOptions{}, events...).URL)
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the benchmark ends
}

package e2e

import (
	"bufio"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"bowerbird/internal/testkit"
	"bowerbird/internal/testworld"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// kills is how often the program is killed: a few times in every run, 200 times as
// docs/faults.md says.
func kills(few int) int {
	if os.Getenv("BOWERBIRD_FAULTS") == "full" {
		return 200
	}
	return few
}

// killedRun is what is known of a run that was killed, or had come to its end.
type killedRun struct {
	ended bool
	said  string
}

// killAfter runs the program and kills it after a while.
func (p *program) killAfter(t *testing.T, after time.Duration, args ...string) killedRun {
	t.Helper()
	cmd, _, errOut := p.start(t.Context(), "", args...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
	err := cmd.Wait()
	if err != nil && cmd.ProcessState.Exited() {
		t.Fatalf("%v: %v\n%s", args, err, errOut)
	}
	return killedRun{err == nil, errOut.String()}
}

// openKilled opens a store as the next run would: the ledger is compared with what
// is there, and nothing of a half-written batch may be seen.
func (p *program) openKilled(t *testing.T, opens *[]time.Duration) *ndb.Store {
	t.Helper()
	began := time.Now()
	s, err := ndb.Open(filepath.Join(p.data, "notes"), ndb.Options{})
	if err != nil {
		t.Fatalf("opening after a kill: %v", err)
	}
	*opens = append(*opens, time.Since(began))
	return s
}

func mustBeSound(t *testing.T, s *ndb.Store) {
	t.Helper()
	if report, err := s.Check(t.Context(), nil); err != nil || report.BadCount > 0 {
		t.Fatalf("after a kill: %v, %v", report, err)
	}
}

// reportKills logs how long it took to open the store after a kill.
func reportKills(t *testing.T, opens []time.Duration) {
	t.Helper()
	slices.Sort(opens)
	median, slowest := opens[len(opens)/2], opens[len(opens)-1]
	t.Logf("%d kills; opening after one took %v, at most %v", len(opens), median.Round(time.Millisecond), slowest.Round(time.Millisecond))
}

var imported = regexp.MustCompile(`: (\d+) read, `)

func TestAnImportThatIsKilledLosesNothingAcknowledged(t *testing.T) {
	w, err := testworld.Make(testworld.Options{Now: time.Now(), Seed: 21, People: 300, Events: 20_000, Days: 30})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "events.jsonl")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	buffered := bufio.NewWriter(out)
	for _, line := range lines(w.Events, everything) {
		fmt.Fprintf(buffered, "%s\n", line)
	}
	if err := buffered.Flush(); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	whole := installed(t)
	whole.must(t, "import", file)
	kept := whole.events(t, "{}")

	rng, opens, done, most := rand.New(rand.NewPCG(21, 1)), []time.Duration(nil), 0, kills(3)
	p := installed(t)
	for done < most {
		run := p.killAfter(t, time.Duration(60+rng.IntN(2500))*time.Millisecond, "import", file)
		if run.ended {
			p.data = t.TempDir()
			continue
		}
		done++
		acknowledged := 0
		for _, match := range imported.FindAllStringSubmatch(run.said, -1) {
			acknowledged, _ = strconv.Atoi(match[1])
		}
		s := p.openKilled(t, &opens)
		for _, e := range w.Events[:acknowledged] {
			if _, err := s.Event(t.Context(), e.ID); err != nil && kept[e.ID] {
				t.Fatalf("kill %d: event %s of the %d acknowledged: %v", done, e.ID, acknowledged, err)
			}
		}
		if done%20 == 1 {
			mustBeSound(t, s)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	reportKills(t, opens)
}

func TestASyncThatIsKilledClaimsNothingThatIsNotThere(t *testing.T) {
	w := aWorld(t, 22, 4000)
	relay := testkit.StartGoRelay(t, testkit.GoRelayOptions{Page: 100}, lines(w.Events, everything)...)
	want := wanted(t, w)
	rng, opens, done, most := rand.New(rand.NewPCG(22, 1)), []time.Duration(nil), 0, kills(3)
	p, claims := installed(t), 0
	for done < most {
		run := p.killAfter(t, time.Duration(80+rng.IntN(3500))*time.Millisecond,
			"sync", "--as", w.Me.Npub(), "--relay", relay.URL, "--days", "10", "--once", "--allow-private")
		if run.ended {
			p.data = t.TempDir()
			continue
		}
		done++
		s := p.openKilled(t, &opens)
		for pk := range followed(w) {
			rows, err := s.Coverage(t.Context(), pk, coverage.Feed)
			if err != nil {
				t.Fatal(err)
			}
			claims += len(rows)
			mustHoldWhatIsClaimed(t, s, w, want, pk, rows)
		}
		if done%20 == 1 {
			mustBeSound(t, s)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	reportKills(t, opens)
	if t.Logf("the coverage made %d claims", claims); claims == 0 && done > 20 {
		t.Error("the coverage claimed nothing: nothing was tested")
	}
	if r := p.run(t, "", "sync", "--as", w.Me.Npub(), "--relay", relay.URL, "--days", "10", "--once", "--allow-private"); r.code != 0 {
		t.Fatalf("the run that was let be: %s", r.err)
	}
	if n := missing(want, p.events(t, authorsFilter(followed(w)))); n > 0 {
		t.Errorf("%d of %d notes are missing after the run that was let be", n, len(want))
	}
}

// mustHoldWhatIsClaimed fails when a note is missing of a time that the coverage says
// was fetched whole.
func mustHoldWhatIsClaimed(t *testing.T, s *ndb.Store, w *testworld.World, want map[nostr.ID]bool, pk nostr.PubKey, rows []coverage.Row) {
	t.Helper()
	for _, e := range w.Events {
		if e.PubKey != pk || !want[e.ID] {
			continue
		}
		for _, row := range rows {
			if e.CreatedAt < row.Interval.From || e.CreatedAt > row.Interval.To {
				continue
			}
			if _, err := s.Event(t.Context(), e.ID); err != nil {
				t.Fatalf("note %s of %d is missing, the coverage claims %d to %d: %v", e.ID, e.CreatedAt, row.Interval.From, row.Interval.To, err)
			}
		}
	}
}

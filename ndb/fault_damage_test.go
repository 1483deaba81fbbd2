package ndb

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// fullFaults, in the environment, has the fault tests do all that docs/faults.md
// says instead of the few cases of every run.
const fullFaults = "BOWERBIRD_FAULTS"

// faultCount is how often something is done in every run, and in full.
func faultCount(t *testing.T, few, full int) int {
	t.Helper()
	if os.Getenv(fullFaults) == "full" {
		return full
	}
	return few
}

// faultDir makes a folder for stores that are opened hundreds of times: in memory
// where the system has a place for that, since each opening syncs files.
func faultDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "ndb-fault-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// faultWorld is a store whose files are damaged, and all that was acknowledged of it.
type faultWorld struct {
	dir    string
	events map[nostr.ID]*nostr.Event
	values map[string][]byte
}

// makeFaultWorld writes a store in several sittings, so that it has several tables;
// open leaves it as a kill would.
func makeFaultWorld(t *testing.T, rng *rand.Rand, open bool) *faultWorld {
	t.Helper()
	w := &faultWorld{dir: filepath.Join(faultDir(t), "store"), events: make(map[nostr.ID]*nostr.Event), values: make(map[string][]byte)}
	live := filepath.Join(faultDir(t), "live")
	people := []person{newPerson(1), newPerson(2), newPerson(3)}
	const sittings = 4
	for sitting := range sittings {
		s, err := Open(live, Options{FreeSpace: plenty})
		if err != nil {
			t.Fatal(err)
		}
		w.write(t, rng, s, people, sitting)
		if open && sitting == sittings-1 {
			copyFolder(t, live, w.dir)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if !open {
		copyFolder(t, live, w.dir)
	}
	return w
}

func (w *faultWorld) write(t *testing.T, rng *rand.Rand, s *Store, people []person, sitting int) {
	t.Helper()
	ctx := context.Background()
	for batch := range 3 {
		var events []*nostr.Event
		for i := range 30 {
			at := testNow + int64(sitting*10_000+batch*1000+i)
			e := people[rng.IntN(len(people))].signs(t, 1, at, strings.Repeat(fmt.Sprintf("note %d of the sitting %d ", i, sitting), 1+rng.IntN(12)), nostr.Tag{"t", "fault"})
			w.events[e.ID] = e
			events = append(events, e)
		}
		last := events[len(events)-1].CreatedAt
		cover := coverage.Row{Author: people[0].key, Relay: "wss://relay.example", Purpose: coverage.Feed, Interval: coverage.Interval{From: testNow, To: last, VerifiedAt: last, Proof: coverage.ProofEmpty}}
		if _, err := s.Put(ctx, Batch{Events: events, Relay: "wss://relay.example", Coverage: []coverage.Row{cover}}); err != nil {
			t.Fatal(err)
		}
		values := make(map[string][]byte)
		for i := range 10 {
			value := make([]byte, rng.IntN(3000))
			for k := range value {
				value[k] = byte(rng.IntN(256))
			}
			values[fmt.Sprintf("chat/%d/%d/%d", sitting, batch, i)] = value
		}
		maps.Copy(w.values, values)
		if err := s.Bucket("chats").Put(ctx, values); err != nil {
			t.Fatal(err)
		}
	}
}

// copyFolder copies the files of a folder: of one that is open, what a kill of its
// process would leave.
func copyFolder(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o700); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if err := copySparse(filepath.Join(from, file.Name()), filepath.Join(to, file.Name())); err != nil {
			t.Fatal(err)
		}
	}
}

// fileKind is what a file of a store is named by in the reports of the tests.
func fileKind(name string) string {
	if ext := filepath.Ext(name); ext == ".sst" || ext == ".vlog" || ext == ".mem" {
		return ext[1:]
	}
	return name
}

// holdsData reports whether what is lost of a file of the kind may be lost for good.
func holdsData(kind string) bool { return kind == "sst" || kind == "mem" }

// damages are the ways in which a file is spoiled. A file is never left as it was.
var damages = map[string]func(rng *rand.Rand, path string, data []byte) error{
	"flipped": func(rng *rand.Rand, path string, data []byte) error {
		data[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		return os.WriteFile(path, data, 0o600)
	},
	"zeroed": func(rng *rand.Rand, path string, data []byte) error {
		from := rng.IntN(len(data))
		clear(data[from : from+1+rng.IntN(min(len(data)-from, 5000))])
		return os.WriteFile(path, data, 0o600)
	},
	"truncated": func(rng *rand.Rand, path string, data []byte) error {
		return os.WriteFile(path, data[:rng.IntN(len(data))], 0o600)
	},
	"deleted": func(_ *rand.Rand, path string, _ []byte) error { return os.Remove(path) },
}

// damageTally is what came of all cases.
type damageTally struct {
	cases, harmless, refused, wrong, unnoticed, lostEvents, lostValues int
}

func TestDamageOfAnyFileIsNoticedAndMended(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of signatures for each of a hundred cases: not beside the race detector")
	}
	rounds := faultCount(t, 1, 20)
	for _, open := range []bool{false, true} {
		name := "closed"
		if open {
			name = "killed"
		}
		t.Run(name, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(4, 1))
			w := makeFaultWorld(t, rng, open)
			tallies := make(map[string]*damageTally)
			for _, file := range w.oneOfEachKind(t) {
				for _, how := range slices.Sorted(maps.Keys(damages)) {
					tally := new(damageTally)
					tallies[fileKind(file)+" "+how] = tally
					for round := range rounds {
						w.damageOne(t, rand.New(rand.NewPCG(uint64(round), 5)), file, how, tally)
						if t.Failed() {
							t.Fatalf("%s %s, round %d", file, how, round)
						}
					}
				}
			}
			for _, what := range slices.Sorted(maps.Keys(tallies)) {
				c := tallies[what]
				t.Logf("%-22s %3d cases: %3d opened as if nothing were, %3d refused and repaired; wrong %d, unnoticed %d; lost beyond repair and told: %d events, %d values",
					what, c.cases, c.harmless, c.refused, c.wrong, c.unnoticed, c.lostEvents, c.lostValues)
			}
		})
	}
}

// oneOfEachKind names the files to spoil; of tables and logs the largest.
func (w *faultWorld) oneOfEachKind(t *testing.T) (files []string) {
	t.Helper()
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		t.Fatal(err)
	}
	largest, size := make(map[string]string), make(map[string]int64)
	for _, entry := range entries {
		info, err := entry.Info()
		if err != nil {
			t.Fatal(err)
		}
		if kind := fileKind(entry.Name()); info.Size() > size[kind] {
			largest[kind], size[kind] = entry.Name(), info.Size()
		}
	}
	return slices.Sorted(maps.Values(largest))
}

// damageOne spoils a file of a copy, opens it, and repairs it where that is refused.
func (w *faultWorld) damageOne(t *testing.T, rng *rand.Rand, file, how string, tally *damageTally) {
	t.Helper()
	ctx := context.Background()
	parent := faultDir(t)
	defer func() { _ = os.RemoveAll(parent) }()
	dir := filepath.Join(parent, "store")
	copyFolder(t, w.dir, dir)
	path := filepath.Join(dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if fileKind(file) == "mem" { // most of a log is still empty
		data = data[:len(bytes.TrimRight(data, "\x00"))+1000]
	}
	if err := damages[how](rng, path, data); err != nil {
		t.Fatal(err)
	}
	tally.cases++
	before := folder(t, dir)
	opt := Options{FreeSpace: plenty, Probe: probeInChild}
	s, err := Open(dir, opt)
	if err == nil {
		tally.harmless++
		w.mustHold(t, s, SalvageReport{}, tally)
		mustBeSound(t, s)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		return
	}
	tally.refused++
	if !errors.Is(err, ErrDamaged) {
		t.Errorf("the error is of another kind: %v", err)
	}
	for path, text := range before {
		if now, err := os.ReadFile(path); string(now) != text && filepath.Base(path) != lockName {
			t.Errorf("%s was changed by an Open that was refused (%v)", path, err)
		}
	}
	report, err := Salvage(ctx, dir, opt, nil)
	if err != nil {
		t.Fatalf("repair: %v", err)
	}
	if s, err = Open(dir, opt); err != nil {
		t.Fatalf("opening what was repaired: %v", err)
	}
	w.mustHold(t, s, report, tally)
	mustBeSound(t, s)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if !holdsData(fileKind(file)) && !report.Whole() {
		t.Errorf("%s holds nothing of the user's, yet: %v", file, report)
	}
	if _, err := os.Stat(filepath.Join(report.Aside, "MANIFEST")); file != "MANIFEST" && err != nil {
		t.Errorf("the damaged store was not kept: %v", err)
	}
}

// mustHold compares a store with what was acknowledged: nothing in it may be wrong,
// and what is missing must have been told.
func (w *faultWorld) mustHold(t *testing.T, s *Store, report SalvageReport, tally *damageTally) {
	t.Helper()
	ctx := context.Background()
	missing := maps.Clone(w.events)
	for e, err := range s.Query(ctx, QueryOptions{Hidden: true}, nostr.Filter{}) {
		if err != nil {
			t.Error(err)
			return
		}
		if want, ok := w.events[e.ID]; !ok || !sameEvent(e, want) {
			tally.wrong++
			t.Errorf("event %s is shown, and is not what was stored", e.ID)
		}
		delete(missing, e.ID)
	}
	lost := len(w.values)
	for row, err := range s.Bucket("chats").All(ctx, "") {
		if err != nil {
			break // what is not reached counts as lost
		}
		if want, ok := w.values[row.Key]; !ok || !bytes.Equal(row.Value, want) {
			tally.wrong++
			t.Errorf("value %q is not what was stored", row.Key)
		}
		lost--
	}
	tally.lostEvents += len(missing)
	tally.lostValues += lost
	if told := report.Lost; len(missing) > told && !report.Incomplete || lost > report.LostValues["chats"] && !report.Incomplete {
		tally.unnoticed++
		t.Errorf("%d events and %d values are missing, told is: %v", len(missing), lost, report)
	}
	rows, err := s.Coverage(ctx, newPerson(1).key, coverage.Feed)
	if err != nil {
		t.Error(err)
	}
	for _, row := range rows {
		for _, e := range missing {
			if row.Interval.From <= e.CreatedAt && e.CreatedAt <= row.Interval.To {
				t.Errorf("a note of %d is lost, the coverage claims %d to %d", e.CreatedAt, row.Interval.From, row.Interval.To)
				return
			}
		}
	}
}

func TestAStoreThatWasKilledIsReadWholeWithoutAByteOfItChanged(t *testing.T) {
	w := makeFaultWorld(t, rand.New(rand.NewPCG(4, 3)), true)
	before := sumsOf(t, w.dir)
	s := openDir(t, w.dir, Options{ReadOnly: true})
	w.mustHold(t, s, SalvageReport{}, new(damageTally))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if !maps.Equal(before, sumsOf(t, w.dir)) {
		t.Error("reading it has changed the store")
	}
	s = openDir(t, w.dir, Options{})
	w.mustHold(t, s, SalvageReport{}, new(damageTally))
}

func TestARepairThatIsKilledLeavesOneOfTheTwoStores(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 2))
	w := makeFaultWorld(t, rng, false)
	dir := filepath.Join(faultDir(t), "store")
	copyFolder(t, w.dir, dir)
	if _, err := Salvage(context.Background(), dir, Options{FreeSpace: plenty}, nil); err != nil {
		t.Fatal(err)
	}
	// Killed between the two renames: the new store is whole, and not in its place.
	if err := os.Rename(dir, dir+repairedSuffix); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir+repairedSuffix, repairedName), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	s := openDir(t, dir, Options{})
	w.mustHold(t, s, SalvageReport{}, new(damageTally))
	if _, err := os.Stat(dir + repairedSuffix); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the new store is still aside: %v", err)
	}
}

func TestARepairTellsOfLostDeletionsAndOlderVersions(t *testing.T) {
	first := func(t *testing.T, txn *badger.Txn, family byte) (found []byte) {
		t.Helper()
		err := eachRow(t.Context(), txn, []byte{family}, func(key, _ []byte) error {
			found = bytes.Clone(key)
			return nil
		})
		if err != nil || found == nil {
			t.Fatalf("there is no row of %c: %v", family, err)
		}
		return found
	}
	for name, tc := range map[string]struct {
		damage func(t *testing.T, txn *badger.Txn) error
		whole  bool
	}{
		"nothing":          {func(*testing.T, *badger.Txn) error { return nil }, true},
		"a deletion":       {func(t *testing.T, txn *badger.Txn) error { return txn.Delete(first(t, txn, famDeleted)) }, false},
		"an older version": {func(t *testing.T, txn *badger.Txn) error { return txn.Delete(first(t, txn, famVersion)) }, false},
		"what a version holds": {func(t *testing.T, txn *badger.Txn) error {
			return txn.Set(first(t, txn, famVersion), []byte("rubbish"))
		}, false},
		"whose deletions they are": {func(t *testing.T, txn *badger.Txn) error {
			var authors [][]byte
			err := eachRow(t.Context(), txn, []byte{famAuthor}, func(key, _ []byte) error {
				authors = append(authors, bytes.Clone(key))
				return nil
			})
			for _, key := range authors {
				err = errors.Join(err, txn.Delete(key))
			}
			return err
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := someStore(t, 150)
			if err := s.db.Update(func(txn *badger.Txn) error {
				first(t, txn, famDeleted)
				first(t, txn, famVersion)
				return tc.damage(t, txn)
			}); err != nil {
				t.Fatal(err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			report, err := Salvage(t.Context(), s.dir, Options{FreeSpace: plenty, Now: s.opt.Now}, nil)
			if err != nil || report.Whole() != tc.whole || report.Covered != tc.whole {
				t.Errorf("%+v, %v", report, err)
			}
		})
	}
}

package ndb

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/nostr"
)

func TestAStoreOfTheFirstSchemaOpensWithAllItsNotesAndANewTextIndex(t *testing.T) {
	dir := t.TempDir()
	unpackOld(t, dir)
	var told []int
	s := openDir(t, dir, Options{Now: (&clock{testNow}).now, Migrating: func(done, of int) error {
		if done > of {
			t.Errorf("%d of %d done", done, of)
		}
		told = append(told, done)
		return nil
	}})
	mustBeAsNew(t, s)
	if len(told) < 2 || !slices.IsSorted(told) {
		t.Errorf("progress told: %v", told)
	}
	if text, err := os.ReadFile(filepath.Join(dir, schemaName)); string(text) != "2\n" || err != nil {
		t.Errorf("the file of the schema says %q, %v", text, err)
	}
}

func TestAStoreOfTheFirstSchemaIsNotOpenedForReading(t *testing.T) {
	dir := t.TempDir()
	unpackOld(t, dir)
	s, err := Open(dir, Options{ReadOnly: true})
	if err == nil {
		s.Close()
	}
	if !errors.Is(err, ErrReadOnly) || !strings.Contains(err.Error(), "schema version 1") {
		t.Errorf("got %v", err)
	}
}

// mustBeAsNew fails the test when the store does not answer as one into which the
// events of oldWorld were just put.
func mustBeAsNew(t testing.TB, s *Store) {
	t.Helper()
	mustBeSound(t, s)
	fresh, _ := openTest(t)
	for _, e := range oldWorld(t) {
		put(t, fresh, e)
	}
	if have, want := len(query(t, s, nostr.Filter{})), len(query(t, fresh, nostr.Filter{})); have != want {
		t.Errorf("%d notes, want %d", have, want)
	}
	for _, search := range []string{"blue", "creme brulee", "round3", "天気", "елка", `"self custody"`, "library -version", "ada", "doomed", "bowerbirds round11"} {
		have, want := contents(query(t, s, nostr.Filter{Search: search})), contents(query(t, fresh, nostr.Filter{Search: search}))
		if !slices.Equal(have, want) {
			t.Errorf("%s: %q, want %q", search, have, want)
		}
	}
	texts := func(s *Store) marks {
		m, err := (&migration{store: s}).marks()
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	if have, want := texts(s), texts(fresh); have.texts != want.texts || have.words != want.words {
		t.Errorf("%d texts of %d words, want %d of %d", have.texts, have.words, want.texts, want.words)
	}
}

func TestAMigrationThatIsKilledAnywhereIsFinishedByTheNextOpen(t *testing.T) {
	points := 50
	if testing.Short() {
		points = 4
	}
	dir := t.TempDir()
	makeLongStore(t, dir)
	calls := 0
	makeOld(t, dir)
	openOnce(t, dir, Options{Migrating: func(int, int) error { calls++; return nil }}, func(s *Store) { mustBeAsNew(t, s) })
	if calls < 20 {
		t.Fatalf("the migration takes only %d steps: nowhere to kill it", calls)
	}
	for point := range points {
		makeOld(t, dir)
		at := 1 + point*calls/points
		killAt(t, dir, at, point*137%1500)
		if point%2 == 1 { // once more, where the first went on
			killAt(t, dir, 1+point%5, point*211%1500)
		}
		openOnce(t, dir, Options{}, func(s *Store) { mustBeAsNew(t, s) })
		if t.Failed() {
			t.Fatalf("after a kill at call %d of %d", at, calls)
		}
	}
}

func TestRowsOfAMigrationAreWrittenInPartsOfAFewBytes(t *testing.T) {
	spam := make(map[string]*postingRow)
	var want []string
	for i := range 2*migrationRows + 1 {
		row, term := newPostingRow(nil), fmt.Sprintf("%064d", i) // as long as a term may be
		if i < migrationRows {
			for place := range uint16(segmentNotes) {
				row.add(place) // in every note: as long as a row may be
			}
		}
		spam[term] = row
		want = append(want, term)
	}
	var have []string
	for part := range parts(spam) {
		bytes := 0
		for _, term := range part {
			bytes += len(wordKey(term, 0)) + len(spam[term].row)
		}
		if len(part) == 0 || len(part) > migrationRows || bytes > migrationBytes {
			t.Errorf("a part has %d rows of %d bytes", len(part), bytes)
		}
		have = append(have, part...)
	}
	if !slices.Equal(have, want) {
		t.Errorf("the parts hold %d terms of %d, or not in their order", len(have), len(want))
	}
}

func TestAMigrationEndsWhenItsCallerWishesAndGoesOnAtTheNextOpen(t *testing.T) {
	dir := t.TempDir()
	makeLongStore(t, dir)
	makeOld(t, dir)
	enough, last := errors.New("enough"), 0
	for opens := 0; ; opens++ {
		calls := 0
		s, err := Open(dir, Options{FreeSpace: plenty, Migrating: func(done, _ int) error {
			if calls++; calls == 6 {
				last = done
				return enough
			}
			return nil
		}})
		if err == nil {
			mustBeAsNew(t, s)
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			if opens < 3 {
				t.Errorf("it was interrupted %d times only", opens)
			}
			return
		}
		if !errors.Is(err, enough) || opens > 50 {
			t.Fatalf("opening number %d, at %d: %v", opens+1, last, err)
		}
	}
}

func plenty(string) (int64, error) { return 1 << 40, nil }

func openOnce(t *testing.T, dir string, opt Options, with func(*Store)) {
	t.Helper()
	opt.FreeSpace, opt.Now = plenty, (&clock{testNow}).now
	s, err := Open(dir, opt)
	if err != nil {
		t.Fatal(err)
	}
	with(s)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
}

// makeLongStore puts the old world into a store so that its few notes lie in many
// segments.
func makeLongStore(t *testing.T, dir string) {
	t.Helper()
	openOnce(t, dir, Options{}, func(s *Store) {
		for i, e := range oldWorld(t) {
			put(t, s, e)
			if i%10 == 9 {
				nextSegment(t, s)
			}
		}
	})
}

// makeOld turns a store that is not open into one of schema version 1, whose text
// index leads to the wrong notes.
func makeOld(t *testing.T, dir string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, witnessName)); err != nil { // version 1 had none
		t.Fatal(err)
	}
	s := newStore(dir, withDefaults(Options{}))
	db, err := openBadger(s.badgerOptions())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	err = db.Update(func(txn *badger.Txn) error {
		it := txn.NewIterator(keysOnly([]byte{famWord}))
		defer it.Close()
		for it.Rewind(); it.Valid(); it.Next() {
			if err := txn.Delete(it.Item().KeyCopy(nil)); err != nil {
				return err
			}
		}
		for segment := range uint32(14) {
			wrong := newPostingRow(nil)
			wrong.add(7)
			for _, term := range []string{"blue", "nowhere", fmt.Sprint("old", segment)} {
				if err := txn.Set(wordKey(term, segment), wrong.row); err != nil {
					return err
				}
			}
		}
		row, err := txnGet(txn, metaKey(metaMarks))
		if err != nil {
			return err
		}
		old := binary.BigEndian.AppendUint64(row[:12:12], 12345) // a wrong number of texts
		if err := txn.Set(metaKey(metaMarks), old); err != nil {
			return err
		}
		return txn.Set(metaKey(metaSchema), []byte{1})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, schemaName), []byte("1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// killAt migrates the store in another process, which is killed some microseconds
// after it has told its progress so many times.
func killAt(t *testing.T, dir string, calls, micros int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir, fmt.Sprintf("%s=%d %d", childDies, calls, micros))
	out, err := cmd.CombinedOutput()
	if _, killed := errors.AsType[*exec.ExitError](err); err != nil && !killed {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "error:") {
		t.Fatalf("the process to be killed says: %s", out)
	}
}

func migrateAndDie(dir, when string) error {
	var left, micros int
	if _, err := fmt.Sscan(when, &left, &micros); err != nil {
		return err
	}
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	_, err = Open(dir, Options{FreeSpace: plenty, Migrating: func(int, int) error {
		if left--; left == 0 {
			go func() {
				time.Sleep(time.Duration(micros) * time.Microsecond)
				_ = self.Kill()
			}()
		}
		return nil
	}})
	time.Sleep(10 * time.Millisecond)
	_ = self.Kill()
	return err
}

package ndb

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
)

// The test binary runs itself as a second process; these variables tell it what
// to do.
const (
	childDir   = "NDB_TEST_CHILD_DIR"
	childStart = "NDB_TEST_CHILD_START"
	childDies  = "NDB_TEST_CHILD_DIES" // after how many calls of Migrating, and microseconds
)

func TestMain(m *testing.M) {
	for name, do := range children {
		if value := os.Getenv(name); value != "" {
			if err := do(value); err != nil {
				fmt.Fprintln(os.Stderr, "error:", err)
				os.Exit(1)
			}
			return
		}
	}
	if dir := os.Getenv(childDir); dir != "" {
		if err := runChild(dir); err != nil {
			fmt.Println("error:", err)
			os.Exit(1)
		}
		return
	}
	os.Exit(m.Run())
}

// runChild stores notes until it is killed, and says of each batch that it was
// acknowledged.
func runChild(dir string) error {
	if when := os.Getenv(childDies); when != "" {
		return migrateAndDie(dir, when)
	}
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	var start int
	if _, err := fmt.Sscan(os.Getenv(childStart), &start); err != nil {
		return err
	}
	t, ada := &panicking{}, newPerson(1)
	for i := start; ; i++ {
		var batch []*nostr.Event
		for k := range 7 {
			batch = append(batch, childNote(t, ada, i*7+k))
		}
		if _, err := s.Put(context.Background(), Batch{Events: batch, Relay: "wss://relay.example"}); err != nil {
			return err
		}
		fmt.Println("stored", i)
	}
}

func childNote(t testing.TB, p person, number int) *nostr.Event {
	return p.signs(t, 1, testNow+int64(number), fmt.Sprintf("note number %d", number), nostr.Tag{"t", "kill"})
}

// panicking is a testing.TB where there is no test.
type panicking struct{ testing.TB }

func (*panicking) Helper()           {}
func (*panicking) Fatal(args ...any) { panic(fmt.Sprint(args...)) }

func startChild(t *testing.T, dir string, start int) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir, childStart+"="+fmt.Sprint(start))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, bufio.NewScanner(out)
}

func TestAKillLosesNoAcknowledgedBatch(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(1, 2))
	acknowledged := -1
	for range 6 {
		cmd, lines := startChild(t, dir, acknowledged+1)
		killAt := acknowledged + 1 + rng.IntN(25)
		for lines.Scan() {
			if _, err := fmt.Sscanf(lines.Text(), "stored %d", &acknowledged); err != nil {
				t.Fatalf("child says %q", lines.Text())
			}
			if acknowledged >= killAt {
				time.Sleep(time.Duration(rng.IntN(4000)) * time.Microsecond)
				break
			}
		}
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for lines.Scan() {
			_, _ = fmt.Sscanf(lines.Text(), "stored %d", &acknowledged)
		}
		_ = cmd.Wait()

		s := openDir(t, dir, Options{})
		for number := range (acknowledged + 1) * 7 {
			e := childNote(t, newPerson(1), number)
			if _, err := s.Event(context.Background(), e.ID); err != nil {
				t.Fatalf("note %d of %d acknowledged: %v", number, (acknowledged+1)*7, err)
			}
		}
		n, err := s.Count(context.Background(), QueryOptions{Hidden: true}, nostr.Filter{})
		if err != nil || n%7 != 0 {
			t.Errorf("%d notes, %v: half a batch is there", n, err)
		}
		mustBeSound(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		acknowledged = n/7 - 1 // stored without its acknowledgement being seen
	}
	if acknowledged < 6 {
		t.Errorf("only %d batches were stored", acknowledged)
	}
}

func TestASecondProcessIsToldWhoHasTheStore(t *testing.T) {
	dir := t.TempDir()
	cmd, lines := startChild(t, dir, 0)
	defer func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }()
	if !lines.Scan() {
		t.Fatal("the child stored nothing")
	}
	_, err := Open(dir, Options{})
	var inUse *InUseError
	if !errors.As(err, &inUse) || inUse.PID != cmd.Process.Pid || !strings.Contains(err.Error(), fmt.Sprint(cmd.Process.Pid)) {
		t.Errorf("error %v, want one that names process %d", err, cmd.Process.Pid)
	}
}

// folder maps each file of a folder to what tells whether it was changed.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		files[path] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestANewerStoreIsRefusedAndNotChanged(t *testing.T) {
	dir := t.TempDir()
	s := openDir(t, dir, Options{})
	put(t, s, newPerson(1).signs(t, 1, testNow, "note"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	newerWitness := witness{schema: 7, clean: true, seq: 99}
	for name, text := range map[string][]byte{schemaName: []byte("7\n"), witnessName: newerWitness.encode()} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	before := folder(t, dir)
	_, err := Open(dir, Options{})
	var newer *NewerError
	if !errors.As(err, &newer) || newer.Have != 7 || newer.Known != schemaVersion {
		t.Errorf("error %v", err)
	}
	if _, err := Salvage(context.Background(), dir, Options{}, nil); !errors.As(err, &newer) {
		t.Errorf("repairing it: %v", err)
	}
	if !maps.Equal(before, folder(t, dir)) {
		t.Error("it was changed")
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file, Options{}); err == nil || !strings.Contains(err.Error(), "not a folder") {
		t.Errorf("a file: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none"), Options{ReadOnly: true}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("nothing to read: %v", err)
	}
	full := filepath.Join(t.TempDir(), "full")
	if _, err := Open(full, Options{FreeSpace: func(string) (int64, error) { return spaceToOpen - 1, nil }}); !errors.Is(err, ErrNoSpace) {
		t.Errorf("a full disk: %v", err)
	}
	if os.Getuid() == 0 {
		return // root may write everywhere
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = os.Chmod(dir, 0o700) }()
	if _, err := Open(dir, Options{}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("no permission: %v", err)
	}
}

func TestADiskThatFillsUpStopsWritesAndNothingElse(t *testing.T) {
	ctx := context.Background()
	free := int64(1 << 40)
	dir, ada := t.TempDir(), newPerson(1)
	s := openDir(t, dir, Options{FreeSpace: func(string) (int64, error) { return free, nil }})
	first := ada.signs(t, 1, testNow, "first")
	put(t, s, first)
	free = spaceToStore - 1
	if _, err := s.Put(ctx, Batch{Events: []*nostr.Event{ada.signs(t, 1, testNow, "second")}}); !errors.Is(err, ErrNoSpace) {
		t.Errorf("put: %v", err)
	}
	if err := s.Bucket("app").Put(ctx, map[string][]byte{"small": {1}}); err != nil {
		t.Errorf("a small thing: %v", err)
	}
	if _, err := s.Compact(ctx, nil); err != nil {
		t.Errorf("making room: %v", err)
	}
	free = spaceToTidy - 1
	if err := s.Bucket("app").Put(ctx, map[string][]byte{"k": nil}); !errors.Is(err, ErrNoSpace) {
		t.Errorf("bucket: %v", err)
	}
	if got := query(t, s, nostr.Filter{}); len(got) != 1 {
		t.Errorf("%d notes are read", len(got))
	}
	free = 1 << 40
	put(t, s, ada.signs(t, 1, testNow, "third"))
	mustBeSound(t, s)
}

func TestAStoreOpenedForReadingIsNotWritten(t *testing.T) {
	ctx := context.Background()
	dir, ada := t.TempDir(), newPerson(1)
	s := openDir(t, dir, Options{})
	put(t, s, ada.signs(t, 1, testNow, "note"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s = openDir(t, dir, Options{ReadOnly: true})
	if got := query(t, s, nostr.Filter{}); len(got) != 1 {
		t.Errorf("%d notes are read", len(got))
	}
	if _, err := s.Put(ctx, Batch{Events: []*nostr.Event{ada.signs(t, 1, testNow, "more")}}); !errors.Is(err, ErrReadOnly) {
		t.Errorf("put: %v", err)
	}
	mustBeSound(t, s)
}

func TestANoteChangedOnDiskIsReportedAndNotShown(t *testing.T) {
	ctx := context.Background()
	s, _ := openTest(t)
	ada := newPerson(1)
	bad, good := ada.signs(t, 1, testNow, "the true text"), ada.signs(t, 1, testNow-1, "good")
	put(t, s, bad, good)
	changed := *bad
	changed.Content = "a false text"
	err := s.change(ctx, &change{apply: func(tx *tx) {
		n, _, _ := tx.find(&bad.ID)
		tx.set(noteKey(n), appendPacked(nil, &changed))
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Event(ctx, bad.ID); !errors.Is(err, ErrDamaged) {
		t.Errorf("by id: %v", err)
	}
	var shown []string
	var last error
	for e, err := range s.Query(ctx, QueryOptions{}, nostr.Filter{}) {
		if last = err; err == nil {
			shown = append(shown, e.Content)
		}
	}
	if strings.Join(shown, ",") != "good" || !errors.Is(last, ErrDamaged) {
		t.Errorf("shown %q, then %v", shown, last)
	}
	if report, err := s.Check(ctx, nil); err != nil || report.BadCount == 0 || !strings.Contains(report.Bad[0], bad.ID.String()) {
		t.Errorf("check: %v, %v", report, err)
	}
}

func TestAStoreWithDamagedFilesSaysSo(t *testing.T) {
	for name, spoil := range map[string]func(text []byte) []byte{
		"changed": func(text []byte) []byte { text[len(text)/2] ^= 0x55; return text },
		"noise":   func([]byte) []byte { return []byte("this is no manifest at all") },
	} {
		dir := t.TempDir()
		s := openDir(t, dir, Options{})
		put(t, s, newPerson(1).signs(t, 1, testNow, "note"))
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, "MANIFEST")
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, spoil(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, Options{}); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAStoreWithADamagedTableSaysSo(t *testing.T) {
	cut := func(text []byte) []byte { return text[:len(text)-100] }
	flip := func(at float64) func([]byte) []byte {
		return func(text []byte) []byte { text[int(at*float64(len(text)-1))] ^= 0x10; return text }
	}
	for name, spoil := range map[string]func(text []byte) []byte{
		"a bit of the first block": flip(0), "a bit in the middle": flip(0.5), "a bit of the index": flip(0.99), "a bit at the end": flip(1),
		"cut off": cut, "empty": func([]byte) []byte { return nil },
		"zeros": func(text []byte) []byte { return make([]byte, len(text)) },
		"gone":  nil,
	} {
		t.Run(name, func(t *testing.T) {
			dir, ada := t.TempDir(), newPerson(1)
			s := openDir(t, dir, Options{})
			for i := range 50 {
				put(t, s, ada.signs(t, 1, testNow-int64(i), fmt.Sprintf("note %d of a store with a table", i)))
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
			if err != nil || len(tables) == 0 {
				t.Fatalf("tables %v, %v", tables, err)
			}
			if spoil == nil {
				err = os.Remove(tables[0])
			} else if text, readErr := os.ReadFile(tables[0]); readErr != nil {
				t.Fatal(readErr)
			} else {
				err = os.WriteFile(tables[0], spoil(text), 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir, Options{}); !errors.Is(err, ErrDamaged) {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestWhatAKillLeavesBehindIsNoDamage(t *testing.T) {
	for name, content := range map[string]string{
		"000777.sst": "half a table", "00077.mem": "", "000077.vlog": "", "00000.mem": "",
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openDir(t, dir, Options{})
			put(t, s, newPerson(1).signs(t, 1, testNow, "note"))
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			s = openDir(t, dir, Options{})
			if got := query(t, s, nostr.Filter{}); len(got) != 1 {
				t.Errorf("%d notes are read", len(got))
			}
			put(t, s, newPerson(1).signs(t, 1, testNow, "another note"))
			mustBeSound(t, s)
		})
	}
}

func TestCheckFindsRowsThatAreMissingOrTooMany(t *testing.T) {
	ada := newPerson(1)
	for name, spoil := range map[string]func(t *tx, e *nostr.Event, n, a uint32){
		"an id without its row": func(t *tx, e *nostr.Event, _, _ uint32) { t.del(idKey(&e.ID)) },
		"a tag row missing": func(t *tx, e *nostr.Event, n, _ uint32) {
			t.del(appendPlace(tagPrefix('t', "x"), invertTime(e.CreatedAt), n))
		},
		"a kind row without note": func(t *tx, _ *nostr.Event, _, a uint32) {
			t.set(appendPlace(kindPrefix(9), 1, 77), authorAndKind(a, 9)[:4])
		},
		"a word missing":  func(t *tx, _ *nostr.Event, _, _ uint32) { t.del(wordKey("hello", 0)) },
		"a word too many": func(t *tx, _ *nostr.Event, _, _ uint32) { t.set(wordKey("stray", 0), []byte{1}) },
		"wrong counters":  func(t *tx, e *nostr.Event, _, _ uint32) { t.counters(&e.ID).Replies++ },
	} {
		t.Run(name, func(t *testing.T) {
			s, _ := openTest(t)
			e := ada.signs(t, 1, testNow, "hello there", nostr.Tag{"t", "x"})
			put(t, s, e)
			mustBeSound(t, s)
			err := s.change(context.Background(), &change{apply: func(tx *tx) {
				n, _, _ := tx.find(&e.ID)
				a, _ := tx.knownAuthor(ada.key)
				spoil(tx, e, n, a)
			}})
			if err != nil {
				t.Fatal(err)
			}
			if report, err := s.Check(context.Background(), nil); err != nil || report.BadCount == 0 {
				t.Errorf("check: %v, %v", report, err)
			}
		})
	}
}

package ndb

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dgraph-io/badger/v4"

	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
)

// rowsOf returns all rows of a store, as text.
func rowsOf(t *testing.T, s *Store) (rows []string) {
	t.Helper()
	err := s.view(context.Background(), func(txn *badger.Txn) error {
		return eachRow(context.Background(), txn, nil, func(key, value []byte) error {
			rows = append(rows, fmt.Sprintf("%x %x", key, value))
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// someStore has notes, versions, tombstones, coverage and values.
func someStore(t *testing.T, notes int) *Store {
	t.Helper()
	w := &world{t: t, rng: rand.New(rand.NewPCG(7, 7))}
	for i := range 5 {
		w.people = append(w.people, newPerson(i))
	}
	for range notes {
		w.made = append(w.made, w.event())
	}
	c := &clock{testNow}
	s := openDir(t, t.TempDir(), Options{Now: c.now, Own: []nostr.PubKey{w.people[0].key}})
	_, err := s.Put(t.Context(), Batch{
		Events: w.made, Relay: "wss://relay.example",
		Coverage: []coverage.Row{{Author: w.people[1].key, Relay: "wss://relay.example", Purpose: coverage.Feed, Interval: coverage.Interval{From: 1, To: testNow, VerifiedAt: testNow, Proof: coverage.ProofEmpty}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	values := map[string][]byte{"empty": {}, "long": bytes.Repeat([]byte("x"), maxBucketValue), "ключ": []byte("\x00\xff")}
	if err := s.Bucket("chats").Put(t.Context(), values); err != nil {
		t.Fatal(err)
	}
	return s
}

func backedUp(t *testing.T, s *Store) []byte {
	t.Helper()
	var b bytes.Buffer
	if _, err := s.Backup(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestWhatIsRestoredIsTheSameRowByRow(t *testing.T) {
	s := someStore(t, 150)
	var b bytes.Buffer
	told, err := s.Backup(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	want := rowsOf(t, s)
	dir := filepath.Join(t.TempDir(), "new", "own")
	report, err := Restore(t.Context(), dir, &b)
	if err != nil || report != told || report.Rows != len(want) {
		t.Fatalf("restored %+v, %v; backed up %+v of %d rows", report, err, told, len(want))
	}
	c := &clock{testNow}
	again := openDir(t, dir, Options{Now: c.now})
	if got := rowsOf(t, again); !slices.Equal(got, want) {
		t.Errorf("%d rows, want %d, or other ones", len(got), len(want))
	}
	mustBeSound(t, again)
	if names, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(names) != 1 {
		t.Errorf("beside it lies %v, %v", names, err)
	}
	// It goes on where the other was.
	ada := newPerson(9)
	e := ada.signs(t, 1, testNow, "new")
	put(t, again, e)
	if got := query(t, again, nostr.Filter{Authors: []nostr.PubKey{ada.key}}); len(got) != 1 || got[0].ID != e.ID {
		t.Errorf("after the restore a new note is %v", got)
	}
	mustBeSound(t, again)
}

func TestABackupIsTriedAsItIsAndLeftClosed(t *testing.T) {
	for _, schema := range []uint64{schemaVersion - 1, schemaVersion, schemaVersion + 1} {
		s := someStore(t, 10)
		set := func(txn *badger.Txn) error { return txn.Set(metaKey(metaSchema), binary.AppendUvarint(nil, schema)) }
		if err := s.db.Update(set); err != nil {
			t.Fatal(err)
		}
		s.reads.renew(s.db)
		dir := filepath.Join(t.TempDir(), "own")
		_, err := Restore(t.Context(), dir, bytes.NewReader(backedUp(t, s)))
		if schema > schemaVersion {
			if newer := (*NewerError)(nil); !errors.As(err, &newer) || newer.Dir != dir {
				t.Errorf("with a row of schema %d: %v", schema, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("schema %d: %v", schema, err)
		}
		if st, err := look(dir); err != nil || !st.closed {
			t.Errorf("schema %d: it was not left as one that was closed: %+v, %v", schema, st, err)
		}
		mustBeSound(t, openDir(t, dir, Options{Now: (&clock{testNow}).now}))
	}
}

func TestABackupIsOfOneMomentWhileWritesGoOn(t *testing.T) {
	s, _ := openTest(t)
	ada := newPerson(1)
	put(t, s, ada.signs(t, 1, testNow, "first"))
	stop := meanwhile(func(i int) {
		note := ada.signs(t, 1, testNow, fmt.Sprint(i))
		if _, err := s.Put(context.Background(), Batch{Events: []*nostr.Event{note, ada.signs(t, 7, testNow, "+", nostr.Tag{"e", note.ID.String()})}}); err != nil {
			t.Error(err)
		}
	})
	for range 3 {
		dir := filepath.Join(t.TempDir(), "own")
		if _, err := Restore(t.Context(), dir, bytes.NewReader(backedUp(t, s))); err != nil {
			t.Fatal(err)
		}
		mustBeSound(t, openDir(t, dir, Options{}))
	}
	stop()
}

func TestABadBackupIsRefusedAndNothingIsChanged(t *testing.T) {
	whole := backedUp(t, someStore(t, 20))
	plain := func(change func([]byte) []byte) []byte {
		z, err := gzip.NewReader(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		rows, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		out := gzip.NewWriter(&b)
		if _, err := out.Write(change(rows)); err != nil || out.Close() != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	bad := map[string][]byte{
		"empty":             nil,
		"text":              []byte("hello"),
		"another gzip":      plain(func([]byte) []byte { return []byte("hello") }),
		"a row changed":     plain(func(b []byte) []byte { b = bytes.Clone(b); b[len(b)/2] ^= 1; return b }),
		"the sum changed":   plain(func(b []byte) []byte { b = bytes.Clone(b); b[len(b)-1] ^= 1; return b }),
		"something behind":  plain(func(b []byte) []byte { return append(bytes.Clone(b), 0) }),
		"a huge field":      plain(func(b []byte) []byte { return append([]byte(backupMagic), 1, 0xff, 0xff, 0xff, 0xff, 0xff, 1) }),
		"garbage behind it": append(bytes.Clone(whole), "garbage"...),
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 20 {
		bad[fmt.Sprintf("cut %d", i)] = whole[:rng.IntN(len(whole))]
		flipped := bytes.Clone(whole)
		flipped[10+rng.IntN(len(whole)-10)] ^= byte(1 << rng.IntN(8))
		bad[fmt.Sprintf("flipped %d", i)] = flipped
	}
	parent := t.TempDir()
	dir := filepath.Join(parent, "own")
	for name, backup := range bad {
		_, err := Restore(t.Context(), dir, bytes.NewReader(backup))
		if !errors.Is(err, ErrBadBackup) {
			t.Errorf("%s: %v", name, err)
		}
	}
	newer := plain(func(b []byte) []byte { b = bytes.Clone(b); b[len(backupMagic)] = schemaVersion + 1; return b })
	if _, err := Restore(t.Context(), dir, bytes.NewReader(newer)); !errors.As(err, new(*NewerError)) {
		t.Errorf("a newer one: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Restore(ended, dir, bytes.NewReader(whole)); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: %v", err)
	}
	if names, err := os.ReadDir(parent); err != nil || len(names) != 0 {
		t.Errorf("something is left: %v, %v", names, err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil || os.WriteFile(filepath.Join(dir, "mine"), []byte("x"), 0o600) != nil {
		t.Fatal(err)
	}
	if _, err := Restore(t.Context(), dir, bytes.NewReader(whole)); err == nil || !strings.Contains(err.Error(), "not empty") {
		t.Errorf("into a folder with files: %v", err)
	}
}

// watched reads a backup and calls see before its first byte.
type watched struct {
	io.Reader
	see func()
}

func (w *watched) Read(p []byte) (int, error) {
	if w.see != nil {
		w.see()
		w.see = nil
	}
	return w.Reader.Read(p)
}

func TestAStoreIsLockedWhileABackupTakesItsPlace(t *testing.T) {
	backup := backedUp(t, someStore(t, 20))
	parent := t.TempDir()
	dir := filepath.Join(parent, "own")
	value := func() string {
		s := openDir(t, dir, Options{})
		v, err := s.Bucket("chats").Get(t.Context(), "mine")
		if err = errors.Join(err, s.Close()); err != nil && !errors.Is(err, ErrNotFound) {
			t.Fatal(err)
		}
		return string(v)
	}
	s := openDir(t, dir, Options{})
	if err := s.Bucket("chats").Put(t.Context(), map[string][]byte{"mine": []byte("here")}); err != nil {
		t.Fatal(err)
	}
	if _, err := RestoreOver(t.Context(), dir, bytes.NewReader(backup), at(testNow)); !errors.As(err, new(*InUseError)) {
		t.Errorf("while it is open: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := RestoreOver(t.Context(), dir, bytes.NewReader(backup[:len(backup)/2]), at(testNow)); !errors.Is(err, ErrBadBackup) || value() != "here" {
		t.Errorf("half a backup: %v", err)
	}
	// What a kill in the middle has left, the next to open the store removes.
	if err := os.MkdirAll(filepath.Join(dir+repairedSuffix, "half"), 0o700); err != nil || value() != "here" {
		t.Fatal(err)
	}
	if names, err := os.ReadDir(parent); err != nil || len(names) != 1 {
		t.Errorf("beside it lies %v, %v", names, err)
	}
	in := &watched{bytes.NewReader(backup), func() {
		if s, err := Open(dir, Options{}); !errors.As(err, new(*InUseError)) {
			t.Errorf("meanwhile it is opened: %v, %v", s, err)
		}
	}}
	aside, err := RestoreOver(t.Context(), dir, in, at(testNow))
	if err != nil || !strings.HasPrefix(aside, dir+"-before-") || value() != "" {
		t.Fatalf("restored, aside lies %q: %v", aside, err)
	}
	// A kill after the old one was set aside.
	if err := os.Rename(dir, dir+repairedSuffix); err != nil || markWhole(dir+repairedSuffix) != nil {
		t.Fatal(err)
	}
	s = openDir(t, dir, Options{})
	if rows := rowsOf(t, s); len(rows) < 20 {
		t.Errorf("after a kill there are %d rows", len(rows))
	}
	if err := s.Close(); err != nil || os.RemoveAll(dir) != nil || os.RemoveAll(aside) != nil {
		t.Fatal(err)
	}
	if _, err := RestoreOver(t.Context(), dir, strings.NewReader("none"), at(testNow)); !errors.Is(err, ErrBadBackup) {
		t.Errorf("no backup in the place of nothing: %v", err)
	}
	if names, err := os.ReadDir(parent); err != nil || len(names) != 0 {
		t.Errorf("and there is %v, %v", names, err)
	}
	if aside, err := RestoreOver(t.Context(), dir, bytes.NewReader(backup), at(testNow)); aside != "" || err != nil {
		t.Errorf("in the place of nothing: %q, %v", aside, err)
	}
	if names, err := os.ReadDir(parent); err != nil || len(names) != 1 {
		t.Errorf("at last, beside it lies %v, %v", names, err)
	}
}

func at(seconds int64) time.Time { return time.Unix(seconds, 0) }

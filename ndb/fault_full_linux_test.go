package ndb

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"bowerbird/ndb/nostr"
)

// smallDisk mounts a file system in memory that holds so many bytes. The test is
// skipped where that is not permitted.
func smallDisk(t *testing.T, bytes int64) string {
	t.Helper()
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d", bytes)); err != nil {
		t.Skipf("a small disk cannot be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// fillDisk takes up the disk until so many bytes are left.
func fillDisk(t *testing.T, disk string, left int64) {
	t.Helper()
	free, err := FreeSpace(disk)
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.OpenFile(filepath.Join(disk, "filler"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	if free <= left {
		return
	}
	if err := unix.Fallocate(int(file.Fd()), 0, 0, info.Size()+free-left); err != nil {
		t.Fatal(err)
	}
}

const childDisk = "NDB_TEST_CHILD_DISK"

func init() { children[childDisk] = storeUntilRefused }

// storeUntilRefused writes large notes until the store takes no more, then goes on
// reading; once there is room, it writes again. It says what was acknowledged.
func storeUntilRefused(dir string) error {
	ctx, ada, t := context.Background(), newPerson(1), &panicking{}
	rng := rand.New(rand.NewPCG(1, 1))
	s, err := Open(dir, Options{})
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		var events []*nostr.Event
		for k := range 8 {
			text := make([]byte, 40_000)
			for i := range text {
				text[i] = byte('a' + rng.IntN(26))
			}
			events = append(events, ada.signs(t, 4, testNow+int64(i*8+k), string(text)))
		}
		if _, err = s.Put(ctx, Batch{Events: events}); err != nil {
			break
		}
		for _, e := range events {
			fmt.Println("stored", e.ID)
		}
	}
	fmt.Println("refused", errors.Is(err, ErrNoSpace))
	var more string
	for {
		if _, err := fmt.Scan(&more); err != nil {
			return s.Close()
		}
		_, err = s.Put(ctx, Batch{Events: []*nostr.Event{ada.signs(t, 1, testNow, more)}})
		n, countErr := s.Count(ctx, QueryOptions{}, nostr.Filter{})
		fmt.Println("wrote", err == nil, "refused", errors.Is(err, ErrNoSpace), "read", n > 0 && countErr == nil)
	}
}

func TestADiskThatFillsUpForRealLosesNothingAndKillsNobody(t *testing.T) {
	disk := smallDisk(t, 420<<20)
	dir := filepath.Join(disk, "store")
	cmd, lines, in := startTalkingChild(t, childDisk+"="+dir)
	var stored []string
	for lines.Scan() && strings.HasPrefix(lines.Text(), "stored ") {
		stored = append(stored, strings.TrimPrefix(lines.Text(), "stored "))
		if len(stored) == 8 { // not much more than it may write
			fillDisk(t, disk, spaceToStore+(40<<20))
		}
	}
	if lines.Text() != "refused true" || len(stored) < 100 {
		t.Fatalf("after %d notes: %q", len(stored), lines.Text())
	}
	say := func(text, want string) {
		t.Helper()
		fmt.Fprintln(in, text)
		if lines.Scan(); lines.Text() != want {
			t.Fatalf("%s: %q, want %q", text, lines.Text(), want)
		}
	}
	fillDisk(t, disk, spaceToStore/2) // the store may give some back as it tidies up
	say("still-full", "wrote false refused true read true")
	fillDisk(t, disk, 0) // by somebody else, to the last byte
	say("wholly-full", "wrote false refused true read true")
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	say("room-again", "wrote true refused false read true")
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the program ended with %v", err)
	}
	s := openDir(t, dir, Options{})
	for _, id := range stored {
		parsed, err := nostr.ParseID(id)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Event(context.Background(), parsed); err != nil {
			t.Fatalf("acknowledged: %v", err)
		}
	}
	mustBeSound(t, s)
}

func TestAStoreOnAFullDiskClosesWithoutADeath(t *testing.T) {
	disk := smallDisk(t, 420<<20)
	dir := filepath.Join(disk, "store")
	cmd, lines, in := startTalkingChild(t, childDisk+"="+dir)
	stored := 0
	for lines.Scan() && strings.HasPrefix(lines.Text(), "stored ") {
		if stored++; stored == 8 {
			fillDisk(t, disk, spaceToStore+(6<<20))
		}
	}
	fillDisk(t, disk, 0)
	if err := in.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("the program ended with %v", err)
	}
	if err := os.Remove(filepath.Join(disk, "filler")); err != nil {
		t.Fatal(err)
	}
	s := openDir(t, dir, Options{})
	if n := len(query(t, s, nostr.Filter{})); n != stored {
		t.Errorf("%d notes of %d acknowledged", n, stored)
	}
	mustBeSound(t, s)
}

func TestAFileSystemThatIsReadOnlyIsSaidToBe(t *testing.T) {
	disk := smallDisk(t, 420<<20)
	dir := filepath.Join(disk, "store")
	s, err := Open(dir, Options{FreeSpace: plenty})
	if err != nil {
		t.Fatal(err)
	}
	put(t, s, newPerson(1).signs(t, 1, testNow, "note"))
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mount("", disk, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""); err != nil {
		t.Skipf("it cannot be made read-only here: %v", err)
	}
	before := folder(t, dir)
	for _, place := range []string{dir, filepath.Join(disk, "new")} {
		if _, err := Open(place, Options{FreeSpace: plenty}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", place, err)
		}
	}
	if _, err := Salvage(context.Background(), dir, Options{FreeSpace: plenty}, nil); !errors.Is(err, ErrReadOnly) {
		t.Errorf("repair: %v", err)
	}
	for path, text := range folder(t, dir) {
		if before[path] != text {
			t.Errorf("%s was changed", path)
		}
	}
	reading, err := Open(dir, Options{ReadOnly: true})
	if err != nil {
		t.Fatalf("for reading: %v", err)
	}
	if n := len(query(t, reading, nostr.Filter{})); n != 1 {
		t.Errorf("%d notes are read", n)
	}
	if err := reading.Close(); err != nil {
		t.Error(err)
	}
}

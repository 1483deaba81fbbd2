package ndb

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bowerbird/ndb/nostr"
)

// block is a file system in a file, mounted as a disk of its own.
type block struct {
	image, dir string
}

// newBlock makes an ext4 file system of 700 MB, which takes only what is written. The
// test is skipped where that is not permitted.
func newBlock(t *testing.T, image string) *block {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("power cuts need root, to mount a file as a disk")
	}
	file, err := os.Create(image)
	if err != nil {
		t.Fatal(err)
	}
	if err := file.Truncate(700 << 20); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mkfs.ext4", "-q", "-F", image).CombinedOutput(); err != nil {
		t.Skipf("no ext4 file system can be made here: %v %s", err, out)
	}
	b := &block{image: image, dir: t.TempDir()}
	if out, err := exec.Command("mount", "-o", "loop", image, b.dir).CombinedOutput(); err != nil {
		t.Skipf("no file can be mounted as a disk here: %v %s", err, out)
	}
	t.Cleanup(func() { _ = unix.Unmount(b.dir, unix.MNT_DETACH) })
	return b
}

// cut copies what has reached the disk, while whoever writes is stopped; then the
// disk is unmounted with all that had not, and the copy takes its place.
func (b *block) cut(t *testing.T, writer *exec.Cmd) {
	t.Helper()
	if err := writer.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	// Until all of its threads have stopped, it may go on storing and acknowledging.
	if _, err := syscall.Wait4(writer.Process.Pid, nil, syscall.WUNTRACED, nil); err != nil {
		t.Fatal(err)
	}
	after := b.image + ".after"
	if err := copySparse(b.image, after); err != nil {
		t.Fatal(err)
	}
	if err := writer.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = writer.Wait()
	if out, err := exec.Command("umount", b.dir).CombinedOutput(); err != nil {
		t.Fatalf("unmount: %v %s", err, out)
	}
	if err := os.Rename(after, b.image); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("mount", "-o", "loop", b.image, b.dir).CombinedOutput(); err != nil {
		t.Fatalf("mount after the cut: %v %s", err, out)
	}
}

// TestAPowerCutLosesNothingAcknowledged takes the power away from a disk that is
// being written: what the system has not written to it by then is gone. What the disk
// itself had taken in is all there and in its order; a disk that loses or reorders
// what it has taken in since the last flush is not simulated.
func TestAPowerCutLosesNothingAcknowledged(t *testing.T) {
	if testing.Short() {
		t.Skip("thousands of signatures: not beside the race detector")
	}
	b := newBlock(t, filepath.Join(faultDir(t), "disk"))
	dir := filepath.Join(b.dir, "store")
	rng := rand.New(rand.NewPCG(6, 1))
	cuts, acknowledged, slowest := faultCount(t, 2, 50), -1, time.Duration(0)
	for cut := range cuts {
		writer, lines := startChild(t, dir, acknowledged+1)
		if !lines.Scan() {
			t.Fatal("the writer stored nothing")
		}
		_, _ = fmt.Sscanf(lines.Text(), "stored %d", &acknowledged)
		heard := make(chan struct{})
		go func() {
			defer close(heard)
			for lines.Scan() {
				_, _ = fmt.Sscanf(lines.Text(), "stored %d", &acknowledged)
			}
		}()
		time.Sleep(time.Duration(rng.IntN(600_000)) * time.Microsecond)
		b.cut(t, writer)
		<-heard

		began := time.Now()
		s, err := Open(dir, Options{})
		if err != nil {
			t.Fatalf("cut %d, after %d batches: %v", cut, acknowledged+1, err)
		}
		slowest = max(slowest, time.Since(began))
		for number := range (acknowledged + 1) * 7 {
			id := childID(newPerson(1), number)
			if _, err := s.Event(context.Background(), id); err != nil {
				t.Fatalf("cut %d: note %d of %d acknowledged: %v", cut, number, (acknowledged+1)*7, err)
			}
		}
		n, err := s.Count(context.Background(), QueryOptions{Hidden: true}, nostr.Filter{})
		if err != nil || n%7 != 0 {
			t.Errorf("cut %d: %d notes, %v: half a batch is there", cut, n, err)
		}
		mustBeSound(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		acknowledged = n/7 - 1
	}
	t.Logf("%d power cuts, %d notes acknowledged, slowest open after one %v", cuts, (acknowledged+1)*7, slowest.Round(time.Millisecond))
}

// childID is the id of childNote's note.
func childID(p person, number int) nostr.ID {
	e := &nostr.Event{PubKey: p.key, Kind: 1, CreatedAt: testNow + int64(number), Content: fmt.Sprintf("note number %d", number), Tags: nostr.Tags{{"t", "kill"}}}
	return e.ComputeID()
}

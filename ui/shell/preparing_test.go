package shell

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"bowerbird/app"
	"bowerbird/app/config"
)

func TestOlderNotesAreBroughtAlongInSightAndTheWindowCanBeClosedMeanwhile(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	unpackOldNotes(t, places.Notes)
	st := newStage(t, places, config.Settings{})
	on := make(chan struct{})
	resume := sync.OnceFunc(func() { close(on) })
	t.Cleanup(resume)
	open := st.opt.Open
	st.opt.Open = func(ctx context.Context, sample bool, set config.Settings, preparing func(app.Preparation, int, int)) (*app.App, error) {
		return open(ctx, sample, set, func(what app.Preparation, done, of int) {
			preparing(what, done, of)
			<-on
		})
	}
	st.start()
	st.wait("open.progress")
	if got := st.preparing.text.String(); got != "0 % done" {
		t.Errorf("it says %q", got)
	}
	st.quit()
	resume()
	st.until("the end", st.thread.stopped)
	if len(st.opened) > 0 {
		t.Error("the window did not close before all was brought along")
	}

	st = newStage(t, places, config.Settings{})
	st.start()
	st.wait("welcome.sample")
	if st.preparing != nil {
		t.Error("it still says that notes are brought along")
	}
}

func TestTheProgressOfAPreparationNeverGoesBack(t *testing.T) {
	newStage(t, config.Locate(t.TempDir(), ""), config.Settings{})
	m := newPreparing(app.BringingAlong, func() {})
	for _, step := range []struct {
		done, of int
		want     string
	}{{0, 2000, "0 % done"}, {500, 2000, "25 % done"}, {1999, 2000, "99 % done"}, {0, 2000, "99 % done"}, {2000, 2000, "100 % done"}} {
		m.set(step.done, step.of)
		if got := m.text.String(); got != step.want {
			t.Errorf("at %d of %d it says %q", step.done, step.of, got)
		}
	}
}

// unpackOldNotes makes the store that the tests of ndb keep of the first schema.
func unpackOldNotes(t *testing.T, dir string) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(filepath.Join("..", "..", "ndb", "testdata", "v1.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(packed); ; {
		header, err := r.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(header.Name)), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

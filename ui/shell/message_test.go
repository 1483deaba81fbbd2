package shell

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"bowerbird/app"
	"bowerbird/app/config"
	"bowerbird/ndb"
)

func TestDamagedNotesAreSetAsideAndBegunAnew(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	st := newStage(t, places, app.Settings{})
	st.start()
	st.wait("welcome.sample")
	st.end()
	manifest := filepath.Join(places.Notes, "MANIFEST")
	if err := os.WriteFile(manifest, []byte("not a manifest"), 0o600); err != nil {
		t.Fatal(err)
	}

	st = newStage(t, places, app.Settings{})
	st.start()
	st.wait("open.again")
	st.tap("open.aside")
	st.wait("welcome.sample")
	aside, err := filepath.Glob(places.Notes + "-damaged-*/MANIFEST")
	if err != nil || len(aside) != 1 {
		t.Fatalf("set aside are %q, %v", aside, err)
	}
	if held, err := os.ReadFile(aside[0]); err != nil || string(held) != "not a manifest" {
		t.Errorf("the damaged file holds %q, %v", held, err)
	}
}

func TestOnlyDamagedNotesAreOfferedToBeSetAside(t *testing.T) {
	damaged := &app.StoreError{Store: "notes", Err: ndb.ErrDamaged}
	for _, tc := range []struct {
		err   error
		aside bool
		title string
	}{
		{damaged, true, "The stored notes are damaged"},
		{&app.StoreError{Store: "own data", Err: ndb.ErrDamaged}, false, "Your notes cannot be opened"},
		{&app.StoreError{Store: "notes", Err: &ndb.NewerError{Have: 9, Known: 1}}, false, "This Bowerbird is too old"},
		{&app.StoreError{Store: "notes", Err: &ndb.InUseError{}}, false, "Bowerbird is open already"},
		{&app.StoreError{Store: "notes", Err: ndb.ErrNoSpace}, false, "The disk is full"},
		{errors.New("something else"), false, "Your notes cannot be opened"},
	} {
		title, text := whyNotOpen(tc.err)
		if title != tc.title || notesDamaged(tc.err) != tc.aside || text == "" || strings.Contains(text, "process 0") {
			t.Errorf("%v: %q, %q, aside %v", tc.err, title, text, notesDamaged(tc.err))
		}
	}
}

func TestSettingsThatCannotBeReadAreToldAndReadAgain(t *testing.T) {
	st := newStage(t, config.Locate(t.TempDir(), ""), app.Settings{})
	st.opt.SettingsErr = errors.New("settings.toml:3: an entry that is not known")
	var tries atomic.Int32
	st.opt.LoadSettings = func() (app.Settings, error) {
		if tries.Add(1) == 1 {
			return app.Settings{}, st.opt.SettingsErr
		}
		return app.Settings{Window: app.Window{Sample: true}}, nil
	}
	st.start()
	st.tap("settings.again")
	st.until("the first try is over", func() bool { return st.busy == 0 })
	st.tap("settings.again")
	st.wait("chat.entry")
	if len(st.opened) != 1 || tries.Load() != 2 {
		t.Errorf("%d stores were opened after %d tries", len(st.opened), tries.Load())
	}
}

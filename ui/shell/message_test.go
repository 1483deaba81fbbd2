package shell

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"fyne.io/fyne/v2/lang"
	"golang.org/x/text/language"

	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
	"bowerbird/ui/present"
)

func TestDamagedStoresAreRepairedAndOpened(t *testing.T) {
	for _, own := range []bool{false, true} {
		places := config.Locate(t.TempDir(), "")
		st := newStage(t, places, config.Settings{})
		st.start()
		st.wait("welcome.sample")
		st.end()
		dir := places.Notes
		if own {
			dir = places.Own
		}
		if err := os.WriteFile(filepath.Join(dir, "MANIFEST"), []byte("not a manifest"), 0o600); err != nil {
			t.Fatal(err)
		}

		st = newStage(t, places, config.Settings{})
		st.start()
		if own { // notes can be had again, so nobody is asked
			st.wait("open.again")
			st.tap("open.repair")
			st.wait("repaired.on")
			st.tap("repaired.on")
		}
		st.wait("welcome.sample")
		st.end()
		aside, err := filepath.Glob(dir + "-damaged-*/MANIFEST")
		if err != nil || len(aside) != 1 {
			t.Fatalf("set aside are %q, %v", aside, err)
		}
		if held, err := os.ReadFile(aside[0]); err != nil || string(held) != "not a manifest" {
			t.Errorf("the damaged file holds %q, %v", held, err)
		}
	}
}

func TestDamagedOwnDataAreRestoredFromTheLastBackup(t *testing.T) {
	places := config.Locate(t.TempDir(), "")
	st := newStage(t, places, config.Settings{})
	st.start()
	st.wait("welcome.sample")
	a := st.opened[0]
	if err := a.Own().Bucket("chats").Put(t.Context(), map[string][]byte{"kept": []byte("yes")}); err != nil {
		t.Fatal(err)
	}
	if made, err := a.Upkeep().BackUpToday(t.Context()); !made || err != nil {
		t.Fatal(made, err)
	}
	st.end()
	damage := func() {
		if err := os.WriteFile(filepath.Join(places.Own, "MANIFEST"), []byte("not a manifest"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	damage()
	st = newStage(t, places, config.Settings{})
	st.start()
	st.wait("open.restore")
	st.tap("open.restore")
	st.wait("welcome.sample")
	if v, err := st.opened[0].Own().Bucket("chats").Get(t.Context(), "kept"); err != nil || string(v) != "yes" {
		t.Errorf("restored is %q, %v", v, err)
	}
	st.end()

	damage()
	if err := os.RemoveAll(places.Backups); err != nil {
		t.Fatal(err)
	}
	st = newStage(t, places, config.Settings{})
	st.start()
	st.wait("open.restore")
	st.tap("open.restore")
	st.wait("open.again") // and says that there is none
}

func TestOnlyWhatIsDamagedIsOfferedToBeRepaired(t *testing.T) {
	for _, tc := range []struct {
		err    error
		repair string
		title  string
	}{
		{&upkeep.StoreError{Store: "notes", Err: ndb.ErrDamaged}, "notes", "The stored notes are damaged"},
		{&upkeep.StoreError{Store: "own data", Err: ndb.ErrDamaged}, "own data", "Your own data is damaged"},
		{&upkeep.StoreError{Store: "sample", Err: ndb.ErrDamaged}, "", "Your notes cannot be opened"},
		{&upkeep.StoreError{Store: "notes", Err: &ndb.NewerError{Have: 9, Known: 1}}, "", "This Bowerbird is too old"},
		{&upkeep.StoreError{Store: "notes", Err: &ndb.InUseError{}}, "", "Bowerbird is already open"},
		{&upkeep.StoreError{Store: "notes", Err: ndb.ErrNoSpace}, "", "The disk is full"},
		{errors.New("something else"), "", "Your notes cannot be opened"},
		{upkeep.ErrNoBackup, "", "There is no backup to restore"},
	} {
		title, text := whyNotOpen(tc.err)
		if title != tc.title || damagedStore(tc.err) != tc.repair || text == "" || strings.Contains(text, "process 0") {
			t.Errorf("%v: %q, %q, to repair %q", tc.err, title, text, damagedStore(tc.err))
		}
	}
}

func TestWhatIsLostIsTold(t *testing.T) {
	words := present.Words{L: lang.L, Tag: language.English}
	all := []upkeep.Repaired{
		{Store: "notes", Report: ndb.SalvageReport{Lost: 3, LostFrom: clock.Add(-48 * time.Hour).Unix(), LostTo: clock.Unix(), Aside: "/data/notes-damaged"}},
		{Store: "own data", Report: ndb.SalvageReport{LostValues: map[string]int{"chats": 1}, Incomplete: true, Aside: "/data/own-damaged"}},
	}
	title, text := repairWords(words, all, clock)
	for _, want := range []string{"3 notes are lost.", "Today", "asks the relays", "1 of your own saved things", "the newest notes, deletions", "/data/notes-damaged", "/data/own-damaged"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not say %q", text, want)
		}
	}
	if whole, _ := repairWords(words, all[:0], clock); title != "Most was saved" || whole != "Everything was saved" {
		t.Error("the title says otherwise")
	}
}

func TestSettingsThatCannotBeReadAreToldAndReadAgain(t *testing.T) {
	st := newStage(t, config.Locate(t.TempDir(), ""), config.Settings{})
	st.opt.SettingsErr = errors.New("settings.toml:3: an entry that is not known")
	var tries atomic.Int32
	st.opt.LoadSettings = func() (config.Settings, error) {
		if tries.Add(1) == 1 {
			return config.Settings{}, st.opt.SettingsErr
		}
		return config.Settings{Window: config.Window{Sample: true}}, nil
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

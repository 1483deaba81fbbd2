package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/live"
	"bowerbird/app/upkeep"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// eachTable changes every table of a store.
func eachTable(t *testing.T, dir string, spoil func(table []byte) []byte) {
	t.Helper()
	tables, err := filepath.Glob(filepath.Join(dir, "*.sst"))
	if err != nil || len(tables) == 0 {
		t.Fatal(tables, err)
	}
	for _, path := range tables {
		table, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, spoil(table), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

func TestNotesThatWereDamagedAreFetchedAgainByThemselves(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func([]byte) []byte
		want  func(upkeep.Recovery) bool
	}{
		"emptied": { // as a look once left them
			func([]byte) []byte { return nil },
			func(m upkeep.Recovery) bool { return m.Unknown },
		},
		"spoiled in their middle": {
			func(table []byte) []byte {
				clear(table[len(table)/3 : len(table)/3+12<<10])
				return table
			},
			func(m upkeep.Recovery) bool { return m.Lost > 0 && m.Missing <= m.Lost },
		},
	} {
		t.Run(name, func(t *testing.T) {
			who := newCircle("ada", "ben")
			relays := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(who.notes(t, 60), who.follows(t, 2, time.Hour))...)
			places := config.Locate(t.TempDir(), "")
			a := who.reading(t, places, relays.URL)
			a.Live().Start()
			testkit.Eventually(t, "it is live", a.isLive)
			if n := countNotes(t, a); n != 120 {
				t.Fatalf("%d notes were fetched", n)
			}
			closeApp(t, a)
			eachTable(t, places.Notes, c.spoil)

			a = who.reading(t, places, relays.URL)
			defer func() { closeApp(t, a) }()
			if n, m := countNotes(t, a), a.Upkeep().Recovery(); n >= 120 || !m.Pending() || !c.want(m) {
				t.Fatalf("%d notes are there; %+v", n, m)
			}
			if held, err := filepath.Glob(filepath.Join(a.Upkeep().Recovery().Aside, "*.sst")); err != nil || len(held) == 0 {
				t.Errorf("the damaged files are not in %s: %v", a.Upkeep().Recovery().Aside, err)
			}
			a.Live().Start()
			testkit.Eventually(t, "it is live again", a.isLive)
			testkit.Eventually(t, "it knows what is back", func() bool { return a.Live().Status().Recovery.Fetched })
			if n, m := countNotes(t, a), a.Upkeep().Recovery(); n != 120 || !c.want(m) || m.Missing > 0 {
				t.Errorf("%d notes are back; %+v", n, m)
			}
			closeApp(t, a)
			a = who.reading(t, places, relays.URL) // and it is remembered
			if m := a.Upkeep().Recovery(); !m.Fetched || !c.want(m) {
				t.Errorf("%+v", m)
			}
		})
	}
}

func TestWhatNoRelayGivesAgainIsCounted(t *testing.T) {
	who := newCircle("ada")
	relays := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(who.notes(t, 3), who.follows(t, 1, time.Hour))...)
	places := config.Locate(t.TempDir(), "")
	a := who.reading(t, places, relays.URL)
	var only []*nostr.Event // which no relay has
	for i := range 50 {
		e, err := nostr.ParseEvent(who.people[0].Event(t, 1, time.Now().Add(-time.Duration(20*24+i)*time.Hour).Unix(), "kept here alone, and old"))
		if err != nil {
			t.Fatal(err)
		}
		only = append(only, e)
	}
	if _, err := a.Notes().Put(t.Context(), ndb.Batch{Events: only}); err != nil {
		t.Fatal(err)
	}
	closeApp(t, a)
	eachTable(t, places.Notes, func(table []byte) []byte {
		clear(table[len(table)/3 : len(table)/3+8<<10])
		return table
	})
	a = who.reading(t, places, relays.URL)
	defer closeApp(t, a)
	lost := a.Upkeep().Recovery()
	if lost.Lost == 0 || lost.From == 0 {
		t.Fatalf("%+v", lost)
	}
	if days := a.Upkeep().DaysToFetch(); days < 20 {
		t.Errorf("%d days are fetched, what was lost is 20 and more old", days)
	}
	summary, err := a.Live().Sync(t.Context(), live.SyncOptions{Once: true, AllowPrivate: true})
	if err != nil || summary.Complete == 0 {
		t.Fatalf("%+v, %v", summary, err)
	}
	if m := a.Upkeep().Recovery(); !m.Fetched || m.Missing == 0 || m.Missing > lost.Lost {
		t.Errorf("%+v", m)
	}
	if days := a.Upkeep().DaysToFetch(); days != a.Settings().Sync.DaysBack() {
		t.Errorf("%d days are fetched from then on", days)
	}
}

// lossy is a place whose notes are damaged: some of those of two people that a relay
// gives again, and of fifty older ones that it never had.
func lossy(t *testing.T) (circle, *testkit.GoRelay, config.Places) {
	t.Helper()
	who := newCircle("ada", "ben")
	relays := testkit.StartGoRelay(t, testkit.GoRelayOptions{}, append(who.notes(t, 30), who.follows(t, 2, time.Hour))...)
	places := config.Locate(t.TempDir(), "")
	a := who.reading(t, places, relays.URL)
	if _, err := a.Live().Sync(t.Context(), live.SyncOptions{Once: true, AllowPrivate: true}); err != nil {
		t.Fatal(err)
	}
	var old []*nostr.Event
	for i := range 50 {
		e, err := nostr.ParseEvent(who.people[0].Event(t, 1, time.Now().Add(-time.Duration(20*24+i)*time.Hour).Unix(), "kept here alone, and old"))
		if err != nil {
			t.Fatal(err)
		}
		old = append(old, e)
	}
	if _, err := a.Notes().Put(t.Context(), ndb.Batch{Events: old}); err != nil {
		t.Fatal(err)
	}
	closeApp(t, a)
	eachTable(t, places.Notes, func(table []byte) []byte {
		clear(table[len(table)/3 : len(table)/3+8<<10])
		return table
	})
	return who, relays, places
}

func TestWhatASyncDidNotAskForIsNotCalledFetchedAgain(t *testing.T) {
	who, relays, places := lossy(t)
	a := who.reading(t, places, relays.URL)
	defer closeApp(t, a)
	for name, narrow := range map[string]live.SyncOptions{
		"a day":    {Days: 1},
		"a person": {Authors: []string{who.people[1].PubKey}},
		"a relay":  {Relays: []string{relays.URL}},
	} {
		narrow.Once, narrow.AllowPrivate = true, true
		if _, err := a.Live().Sync(t.Context(), narrow); err != nil {
			t.Fatal(err)
		}
		if m := a.Upkeep().Recovery(); !m.Pending() {
			t.Errorf("%s was asked for: %+v", name, m)
		}
	}
}

func TestNotesAreMendedOnlyWhereWhatComesOfItCanBeKept(t *testing.T) {
	who, relays, places := lossy(t)
	own, err := filepath.Glob(filepath.Join(places.Own, "*.sst"))
	if err != nil || len(own) == 0 {
		t.Fatal(own, err)
	}
	good, err := os.ReadFile(own[0])
	if err == nil {
		err = os.WriteFile(own[0], good[:len(good)/2], 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Places: places}); damagedStoreOf(err) != "own data" {
		t.Fatalf("own data are damaged too: %v", err)
	}
	if err := os.WriteFile(own[0], good, 0o600); err != nil {
		t.Fatal(err)
	}
	a := who.reading(t, places, relays.URL)
	defer closeApp(t, a)
	if m := a.Upkeep().Recovery(); !m.Pending() || !m.Now {
		t.Errorf("%+v", m)
	}
}

func damagedStoreOf(err error) string {
	if store, ok := errors.AsType[*upkeep.StoreError](err); ok && errors.Is(err, ndb.ErrDamaged) {
		return store.Store
	}
	return ""
}

func TestASecondLossIsAddedToTheFirst(t *testing.T) {
	who, relays, places := lossy(t)
	a := who.reading(t, places, relays.URL)
	first, days := a.Upkeep().Recovery(), a.Upkeep().DaysToFetch()
	closeApp(t, a)
	eachTable(t, places.Notes, func([]byte) []byte { return nil })
	a = who.reading(t, places, relays.URL)
	defer closeApp(t, a)
	if m := a.Upkeep().Recovery(); m.Lost < first.Lost || m.From != first.From || !m.Unknown || a.Upkeep().DaysToFetch() < days {
		t.Errorf("%+v, first %+v", m, first)
	}
}

// Who mends without asking must be sure: what cannot be opened may be whole.
func TestNotesThatMayNotBeReadAreNotMended(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may read everything")
	}
	_, _, places := lossy(t)
	tables, err := filepath.Glob(filepath.Join(places.Notes, "*.sst"))
	if err == nil {
		err = os.Chmod(tables[0], 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), Options{Places: places}); !errors.Is(err, ndb.ErrUnreadable) || errors.Is(err, ndb.ErrDamaged) {
		t.Errorf("%v", err)
	}
	if aside, _ := filepath.Glob(places.Notes + "-damaged-*"); len(aside) > 0 {
		t.Errorf("set aside: %q", aside)
	}
}

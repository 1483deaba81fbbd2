package app

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
)

// makeStores makes both stores of a place, each with a value in it.
func makeStores(t *testing.T) config.Places {
	t.Helper()
	places := config.Locate(t.TempDir(), "")
	for _, dir := range []string{places.Notes, places.Own} {
		s, err := ndb.Open(dir, ndb.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Bucket("chats").Put(t.Context(), map[string][]byte{"a": []byte("kept")}); err != nil {
			t.Fatal(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	return places
}

func TestOnlyTheDamagedStoreIsRepaired(t *testing.T) {
	places := makeStores(t)
	if err := os.WriteFile(filepath.Join(places.Own, "MANIFEST"), []byte("not a manifest"), 0o600); err != nil {
		t.Fatal(err)
	}
	checks, err := upkeep.CheckStores(t.Context(), places, upkeep.CheckOptions{})
	if err != nil || len(checks) != 2 || checks[0].Report.BadCount != 0 || checks[1].Report.BadCount == 0 {
		t.Fatalf("%+v, %v", checks, err)
	}
	repaired, err := upkeep.RepairStores(t.Context(), places, upkeep.CheckOptions{})
	if err != nil || len(repaired) != 1 || repaired[0].Store != "own data" || !repaired[0].Report.Whole() || repaired[0].Report.Values != 1 {
		t.Fatalf("%+v, %v", repaired, err)
	}
	own, err := ndb.Open(places.Own, ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	value, err := own.Bucket("chats").Get(t.Context(), "a")
	if string(value) != "kept" || err != nil {
		t.Errorf("the chat holds %q, %v", value, err)
	}
	if err := own.Close(); err != nil {
		t.Error(err)
	}
	if again, err := upkeep.RepairStores(t.Context(), places, upkeep.CheckOptions{}); err != nil || len(again) != 0 {
		t.Errorf("repaired once more: %+v, %v", again, err)
	}
}

func TestStoresThatAreOpenAreNeitherCheckedNorRepaired(t *testing.T) {
	places := makeStores(t)
	s, err := ndb.Open(places.Notes, ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	var inUse *ndb.InUseError
	if _, err := upkeep.CheckStores(t.Context(), places, upkeep.CheckOptions{}); !errors.As(err, &inUse) || inUse.PID != os.Getpid() {
		t.Errorf("check: %v", err)
	}
	if _, err := upkeep.RepairStores(t.Context(), places, upkeep.CheckOptions{}); !errors.As(err, &inUse) {
		t.Errorf("repair: %v", err)
	}
}

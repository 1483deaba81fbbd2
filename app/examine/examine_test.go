package examine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/ndb"
)

// The test binary is its own child; the variable says what it does as one.
const childDoes = "EXAMINE_TEST_CHILD"

func TestMain(m *testing.M) {
	dir := os.Args[len(os.Args)-1]
	switch os.Getenv(childDoes) {
	case "":
		os.Exit(m.Run())
	case "serve":
		if err := Serve(context.Background(), os.Stdout, dir, os.Args[len(os.Args)-3] == "--full"); err != nil {
			os.Exit(1)
		}
	case "panic": // as the database does: in a goroutine of its own
		fmt.Println(`{"done":1,"of":2}`)
		go func() { panic("assert failed in a goroutine of its own") }()
		select {}
	case "kill":
		if self, err := os.FindProcess(os.Getpid()); err == nil {
			_ = self.Kill()
		}
		select {}
	case "panic once":
		mark, err := os.OpenFile(filepath.Join(dir, "panicked"), os.O_CREATE|os.O_EXCL, 0o600)
		if err == nil {
			_ = mark.Close()
			panic("this once")
		}
		fmt.Println(`{"report":{"events":7}}`)
	case "silence":
	case "full":
		fmt.Println(`{"error":"no room","kind":"no space"}`)
	}
}

func makeStore(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "notes")
	s, err := ndb.Open(dir, ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Bucket("state").Put(t.Context(), map[string][]byte{"person": []byte("ada")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestACrashOfTheChildIsAFinding(t *testing.T) {
	look := ByChild(os.Args[0])
	for does, want := range map[string]string{
		"panic": "assert failed", "silence": "ended the process",
	} {
		t.Setenv(childDoes, does)
		report, err := look(t.Context(), t.TempDir(), false, nil)
		if err != nil || report.BadCount != 1 || !strings.Contains(report.Bad[0], want) {
			t.Errorf("%s: %+v, %v", does, report, err)
		}
	}
}

func TestAChildThatIsKilledSaysNothingOfTheStore(t *testing.T) {
	t.Setenv(childDoes, "kill")
	if report, err := ByChild(os.Args[0])(t.Context(), t.TempDir(), false, nil); !errors.Is(err, ErrKilled) || report.BadCount != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestOneCrashIsNotDamage(t *testing.T) {
	t.Setenv(childDoes, "panic once")
	if report, err := ByChild(os.Args[0])(t.Context(), t.TempDir(), false, nil); err != nil || report.BadCount != 0 || report.Events != 7 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestTheChildSaysWhatItFinds(t *testing.T) {
	t.Setenv(childDoes, "serve")
	look, dir := ByChild(os.Args[0]), makeStore(t)
	for _, full := range []bool{false, true} {
		if report, err := look(t.Context(), dir, full, nil); err != nil || report.BadCount != 0 {
			t.Errorf("a sound store, full %v: %+v, %v", full, report, err)
		}
	}
	if err := os.Truncate(filepath.Join(dir, "MANIFEST"), 10); err != nil {
		t.Fatal(err)
	}
	if report, err := look(t.Context(), dir, true, nil); err != nil || report.BadCount == 0 {
		t.Errorf("a damaged store: %+v, %v", report, err)
	}
}

func TestErrorsKeepTheirKind(t *testing.T) {
	t.Setenv(childDoes, "full")
	if _, err := ByChild(os.Args[0])(t.Context(), t.TempDir(), false, nil); !errors.Is(err, ndb.ErrNoSpace) {
		t.Error(err)
	}
}

func TestWithoutAProgramItLooksItself(t *testing.T) {
	report, err := ByChild(filepath.Join(t.TempDir(), "none"))(t.Context(), makeStore(t), true, nil)
	if err != nil || report.BadCount != 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

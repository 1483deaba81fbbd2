package app

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/config"
	"bowerbird/app/upkeep"
	"bowerbird/ndb"
)

// daysOf names the days of the backups of a place.
func daysOf(t *testing.T, places config.Places) (days []string) {
	t.Helper()
	list, err := upkeep.Backups(places)
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range list {
		days = append(days, b.Day.Format("02"))
	}
	return days
}

func setValue(t *testing.T, a *App, value string) {
	t.Helper()
	if err := a.own.Bucket("chats").Put(t.Context(), map[string][]byte{"chat": []byte(value)}); err != nil {
		t.Fatal(err)
	}
}

func TestEachDayHasABackupAndTheEighthDeletesTheFirst(t *testing.T) {
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, Zone: time.UTC, Now: func() time.Time { return now }})
	for range 8 {
		setValue(t, a, now.Format("02"))
		if made, err := a.Upkeep().BackUpToday(t.Context()); !made || err != nil {
			t.Fatalf("%s: %v, %v", now, made, err)
		}
		now = now.Add(10 * time.Hour)
		if made, err := a.Upkeep().BackUpToday(t.Context()); made || err != nil {
			t.Errorf("a second one of %s: %v, %v", now, made, err)
		}
		now = now.Add(14 * time.Hour)
	}
	if got, want := daysOf(t, places), []string{"08", "07", "06", "05", "04", "03", "02"}; !slices.Equal(got, want) {
		t.Errorf("there are %v, want %v", got, want)
	}
	left, err := os.ReadDir(places.Data)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		if !slices.Contains([]string{"notes", "own", "backups"}, entry.Name()) {
			t.Errorf("%s is left", entry.Name())
		}
	}
}

func TestBackupsOfAClockThatWasAheadGoFirst(t *testing.T) {
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, Zone: time.UTC, Now: func() time.Time { return now }})
	if err := os.MkdirAll(places.Backups, 0o700); err != nil {
		t.Fatal(err)
	}
	for day := 20; day < 20+7; day++ {
		name := fmt.Sprintf("%s2030-01-%d%s", "own-", day, ".backup")
		if err := os.WriteFile(filepath.Join(places.Backups, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range [][]string{
		{"25", "24", "23", "22", "21", "20", "01"},
		{"24", "23", "22", "21", "20", "02", "01"},
	} {
		if made, err := a.Upkeep().BackUpToday(t.Context()); !made || err != nil {
			t.Fatalf("%s: %v, %v", now, made, err)
		}
		if got := daysOf(t, places); !slices.Equal(got, want) {
			t.Errorf("there are %v, want %v", got, want)
		}
		now = now.Add(24 * time.Hour)
	}
}

func TestABackupIsPutInPlaceOfWhatIsThere(t *testing.T) {
	now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
	places := config.Locate(t.TempDir(), "")
	opt := Options{Places: places, Zone: time.UTC, Now: func() time.Time { return now }}
	a := open(t, opt)
	setValue(t, a, "before")
	if _, err := a.Upkeep().BackUpToday(t.Context()); err != nil {
		t.Fatal(err)
	}
	setValue(t, a, "after")
	list, err := upkeep.Backups(places)
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	file := list[0].File
	if _, err := upkeep.RestoreOwn(t.Context(), places, file, now); !errors.As(err, new(*ndb.InUseError)) {
		t.Errorf("while it is open: %v", err)
	}
	if _, err := a.Upkeep().BackUp(t.Context(), file); err == nil {
		t.Error("a backup was overwritten")
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	broken := filepath.Join(t.TempDir(), "broken")
	whole, err := os.ReadFile(file)
	if err != nil || os.WriteFile(broken, whole[:len(whole)/2], 0o600) != nil {
		t.Fatal(err)
	}
	if _, err := upkeep.RestoreOwn(t.Context(), places, broken, now); !errors.Is(err, ndb.ErrBadBackup) {
		t.Errorf("a broken one: %v", err)
	}
	value := func() string {
		a := open(t, opt)
		v, err := a.own.Bucket("chats").Get(t.Context(), "chat")
		if err := errors.Join(err, a.Close()); err != nil {
			t.Fatal(err)
		}
		return string(v)
	}
	if got := value(); got != "after" {
		t.Errorf("after what was refused the value is %q", got)
	}

	// A store that cannot be opened any more.
	if err := os.WriteFile(filepath.Join(places.Own, "MANIFEST"), []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if a, err := Open(t.Context(), opt); !errors.Is(err, ndb.ErrDamaged) {
		t.Fatalf("a damaged store: %v, %v", a, err)
	}
	aside, err := upkeep.RestoreOwn(t.Context(), places, file, now)
	if err != nil {
		t.Fatal(err)
	}
	if got := value(); got != "before" {
		t.Errorf("restored is %q", got)
	}
	if raw, err := os.ReadFile(filepath.Join(aside, "MANIFEST")); err != nil || string(raw) != "rubbish" {
		t.Errorf("aside lies %q, %v", raw, err)
	}
	// Where nothing is, too.
	if err := os.RemoveAll(places.Own); err != nil {
		t.Fatal(err)
	}
	if aside, err := upkeep.RestoreOwn(t.Context(), places, file, now); aside != "" || err != nil {
		t.Errorf("in the place of nothing: %q, %v", aside, err)
	}
}

// killedEnv tells the test binary, started once more, to make backups until it is
// killed, in the folder that it names.
const killedEnv = "BOWERBIRD_TEST_BACKUPS_IN"

func TestAKillInTheMiddleOfABackupLeavesTheOlderOnes(t *testing.T) {
	if dir := os.Getenv(killedEnv); dir != "" {
		now := time.Date(2026, 5, 1, 9, 0, 0, 0, time.UTC)
		a := open(t, Options{Places: config.Locate(dir, ""), Zone: time.UTC, Now: func() time.Time { return now }})
		for {
			if _, err := a.Upkeep().BackUpToday(t.Context()); err != nil {
				t.Fatal(err)
			}
			os.Stdout.WriteString(".")
			now = now.Add(24 * time.Hour)
		}
	}
	dir := t.TempDir()
	places := config.Locate(dir, "")
	a := open(t, Options{Places: places})
	for range 8 { // so that a backup takes its time
		setValue(t, a, string(bytes.Repeat([]byte(time.Now().String()), 8_000)))
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	for round := range 5 {
		before := daysOf(t, places)
		cmd := exec.Command(os.Args[0], "-test.run=^TestAKillInTheMiddle", "-test.v=false")
		cmd.Env = append(os.Environ(), killedEnv+"="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil || cmd.Start() != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // one is whole, the next begins
			t.Fatal(err)
		}
		time.Sleep(time.Duration(round*7) * time.Millisecond)
		if err := cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = cmd.Wait() // it was killed
		after := daysOf(t, places)
		if len(after) == 0 || len(before) > 0 && len(after) < min(len(before), 7) {
			t.Errorf("round %d: of %v are left %v", round, before, after)
		}
		list, err := upkeep.Backups(places)
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range list {
			if err := restores(t, b.File); err != nil {
				t.Errorf("round %d, %s: %v", round, b.File, err)
			}
		}
	}
	again := open(t, Options{Places: places, Now: func() time.Time { return time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC) }})
	if _, err := again.Upkeep().BackUpToday(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, pattern := range []string{filepath.Join(places.Backups, "*.part-*"), filepath.Join(places.Data, ".verifying-*")} {
		if left, err := filepath.Glob(pattern); err != nil || len(left) > 0 {
			t.Errorf("left behind: %v, %v", left, err)
		}
	}
}

func TestABackupThatCannotBeWrittenNamesTheFileThatWasAskedFor(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), "")})
	file := filepath.Join(t.TempDir(), "nowhere", "mine.backup")
	_, err := a.Upkeep().BackUp(t.Context(), file)
	if err == nil || !strings.Contains(err.Error(), file+": its folder does not exist") || strings.Contains(err.Error(), ".part-") {
		t.Errorf("it says: %v", err)
	}
}

// restores says what is wrong with a backup.
func restores(t *testing.T, file string) error {
	places := config.Locate(t.TempDir(), "")
	if _, err := upkeep.RestoreOwn(t.Context(), places, file, time.Now()); err != nil {
		return err
	}
	own, err := ndb.Open(places.Own, ndb.Options{})
	if err != nil {
		return err
	}
	report, err := own.Check(t.Context(), nil)
	if err == nil && report.BadCount > 0 {
		err = errors.New(report.String())
	}
	return errors.Join(err, own.Close())
}

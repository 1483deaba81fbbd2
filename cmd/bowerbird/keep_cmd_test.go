package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/app/config"
	"bowerbird/ndb"
)

func TestABackupIsRestoredAndADamagedOneChangesNothing(t *testing.T) {
	data := t.TempDir()
	file, cut := filepath.Join(t.TempDir(), "mine.backup"), filepath.Join(t.TempDir(), "cut")
	if r := bowerbird(t, "", "--data", data, "--json", "backup", file); r.code != exitDone || decode[ndb.BackupReport](t, r.out).SHA256 == "" {
		t.Fatalf("backup: %+v", r)
	}
	if r := bowerbird(t, "", "--data", data, "backup", file); r.code != exitFailed || !strings.Contains(r.err, "already") {
		t.Errorf("over a file that is there: %+v", r)
	}
	whole, err := os.ReadFile(file)
	if err != nil || os.WriteFile(cut, whole[:len(whole)-9], 0o600) != nil {
		t.Fatal(err)
	}
	if r := bowerbird(t, "", "--data", data, "restore", cut); r.code != exitFailed || !strings.Contains(r.err, "nothing was changed") {
		t.Errorf("one that was cut off: %+v", r)
	}
	text := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(text, []byte("no backup at all, but a text of a few lines\nthat somebody wrote\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, other := range []string{cut, text, os.DevNull} {
		r := bowerbird(t, "", "--data", data, "restore", other)
		if r.code != exitFailed || strings.Contains(r.err, "EOF") || !strings.Contains(r.err, "not a backup; name a file") || !strings.Contains(r.err, "nothing was changed") {
			t.Errorf("%s: %+v", other, r)
		}
	}
	if r := bowerbird(t, "", "--data", data, "restore", file); r.code != exitDone || !strings.Contains(r.err, "-before-") {
		t.Errorf("restore: %+v", r)
	}
	manifest := filepath.Join(config.Locate(data, "").Own, "MANIFEST")
	if err := os.WriteFile(manifest, []byte("rubbish"), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := bowerbird(t, "", "--data", data, "stats"); r.code != exitUnusable || !strings.Contains(r.err, "there is no backup") || !strings.Contains(r.err, "--repair") {
		t.Errorf("damaged, without a backup: %+v", r)
	}
	daily := filepath.Join(data, "backups", "own-2026-05-04.backup")
	if err := os.MkdirAll(filepath.Dir(daily), 0o700); err != nil || os.WriteFile(daily, whole, 0o600) != nil {
		t.Fatal(err)
	}
	if r := bowerbird(t, "", "--data", data, "stats"); !strings.Contains(r.err, "4 May 2026: bowerbird restore") {
		t.Errorf("damaged, with a backup: %+v", r)
	}
}

// Without an account nobody knows whose notes must stay; prune has no --as to name one.
func TestPruneWithoutAnAccountSaysHowToChooseOne(t *testing.T) {
	r := bowerbird(t, "", "--data", t.TempDir(), "prune", "--max-gb", "1", "--dry-run")
	if r.code != exitUsage || !strings.Contains(r.err, "[person]") || strings.Contains(r.err, "with --as") {
		t.Errorf("exit %d: %s", r.code, r.err)
	}
}

func TestPruneSaysWhatWouldGoAndRemovesIt(t *testing.T) {
	w, file := world(t)
	data := t.TempDir()
	if r := bowerbird(t, "", "--data", data, "import", file); r.code != exitDone {
		t.Fatalf("import: %+v", r)
	}
	if r := bowerbird(t, "", "--data", data, "prune", "--dry-run"); r.code != exitUsage || !strings.Contains(r.err, "--max-gb") {
		t.Errorf("without a budget: %+v", r)
	}
	settings := "[person]\nkey = \"" + w.Me.Npub() + "\"\n"
	if err := os.WriteFile(filepath.Join(data, "settings.toml"), []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	type report struct {
		ndb.PruneReport
		DryRun bool `json:"dry_run"`
	}
	would := bowerbird(t, "", "--data", data, "--json", "prune", "--dry-run", "--days", "1")
	did := bowerbird(t, "", "--data", data, "--json", "prune", "--days", "1")
	if would.code != exitDone || did.code != exitDone {
		t.Fatalf("%+v\n%+v", would, did)
	}
	a, b := decode[report](t, would.out), decode[report](t, did.out)
	if a.Notes == 0 || a.Notes != b.Notes || !a.DryRun || b.DryRun {
		t.Errorf("it would remove %+v and removed %+v", a, b)
	}
	if r := bowerbird(t, "", "--data", data, "--json", "compact"); r.code != exitDone || decode[ndb.CompactReport](t, r.out).After == 0 {
		t.Errorf("compact: %+v", r)
	}
}

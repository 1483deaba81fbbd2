package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The test binary is the program that looks at stores and reports crashes, as the
// program itself is, and one that crashes.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case examineName, crashName:
			os.Exit(run(context.Background(), os.Args[1:], streams{in: os.Stdin, out: os.Stdout, err: os.Stderr}))
		case crashingName:
			crashAs(os.Args[2])
		}
	}
	os.Exit(m.Run())
}

func TestADamagedStoreIsToldAndRepaired(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	data := t.TempDir()
	do := func(args ...string) (code int, out string) {
		t.Helper()
		var stdout, stderr strings.Builder
		code = run(t.Context(), append([]string{"--data", data}, args...), streams{in: strings.NewReader(""), out: &stdout, err: &stderr})
		t.Log(args, code, stderr.String())
		return code, stdout.String()
	}
	if code, _ := do("stats"); code != exitDone { // which makes the stores
		t.Fatal("the stores were not made")
	}
	if code, out := do("check"); code != exitDone || !strings.Contains(out, "notes: 0 events read, 0 problems found") {
		t.Errorf("sound: exit %d, %s", code, out)
	}
	if err := os.WriteFile(filepath.Join(data, "notes", "MANIFEST"), []byte("noise"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out := do("check", "--json"); code != exitUnusable || !strings.Contains(out, `"bad_count":1`) {
		t.Errorf("damaged: exit %d, %s", code, out)
	}
	code, out := do("check", "--repair", "--json")
	var report struct {
		Repaired map[string]struct{ Aside string }
	}
	if err := json.Unmarshal([]byte(out), &report); err != nil || code != exitDone {
		t.Fatalf("repair: exit %d, %v, %s", code, err, out)
	}
	if held, err := os.ReadFile(filepath.Join(report.Repaired["notes"].Aside, "MANIFEST")); string(held) != "noise" || len(report.Repaired) != 1 {
		t.Errorf("set aside: %q, %v; %s", held, err, out)
	}
	if code, _ := do("check"); code != exitDone {
		t.Errorf("after the repair: exit %d", code)
	}
}

package config

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"
)

func TestSettingsThatAreSavedAreReadBack(t *testing.T) {
	file := filepath.Join(t.TempDir(), "deep", "settings.toml")
	want := Settings{
		Person:    Person{Key: "npub1example"},
		Assistant: Assistant{Model: "ollama:qwen3:4b", BaseURL: "http://localhost:11434/v1"},
		Sync:      Sync{Relays: []string{"wss://relay.example"}, Days: 7},
	}
	if err := Save(file, want); err != nil {
		t.Fatal(err)
	}
	got, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("read %+v, saved %+v", got, want)
	}
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), ".settings-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestAMissingFileGivesTheDefaults(t *testing.T) {
	s, err := Load(filepath.Join(t.TempDir(), "none.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if s.Assistant.ModelID() != DefaultModel || s.Sync.DaysBack() != DefaultDays {
		t.Errorf("model %q, days %d", s.Assistant.ModelID(), s.Sync.DaysBack())
	}
}

func TestABrokenFileIsRefusedWithPlaceAndEntry(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"unknown entry", "[assistant]\nmodl = \"x\"\n", `line 2: unknown entry "assistant.modl"`},
		{"wrong type", "[sync]\ndays = \"many\"\n", "line 2"},
		{"no TOML", "{\"json\": 1}", "line 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(file, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Load(file)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), file) {
				t.Errorf("error %v; want the file's name and %q", err, tt.want)
			}
			if after, _ := os.ReadFile(file); string(after) != tt.text {
				t.Error("the file was changed")
			}
		})
	}
}

func TestADataFolderBringsItsOwnSettings(t *testing.T) {
	p := Locate("here", "")
	if p.Settings != filepath.Join("here", "settings.toml") || p.Notes != filepath.Join("here", "notes") {
		t.Errorf("%+v", p)
	}
	if s := p.ForSample(); s.Notes != filepath.Join("here", "sample", "notes") || s.Settings != p.Settings {
		t.Errorf("sample: %+v", s)
	}
	if p := Locate("", ""); !filepath.IsAbs(p.Data) || !strings.Contains(p.Settings, "bowerbird") {
		t.Errorf("default: %+v", p)
	}
}

func TestAPathInTheHomeFolderIsWrittenShort(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows writes home folders out")
	}
	t.Setenv("HOME", "/home/juno")
	for path, want := range map[string]string{
		"/home/juno/.local/share/bowerbird": "~/.local/share/bowerbird",
		"/home/juno":                        "~",
		"/home/juno/..notes":                "~/..notes",
		"/home/junos/notes":                 "/home/junos/notes",
		"/srv/notes":                        "/srv/notes",
		"notes":                             "notes",
	} {
		if got := ShortPath(path); got != want {
			t.Errorf("%s is written %s, want %s", path, got, want)
		}
	}
}

func TestASecretNeverPrintsItself(t *testing.T) {
	s := NewSecret(" sk-planted-canary \n")
	js, err := json.Marshal(struct{ Key Secret }{s})
	if err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{fmt.Sprint(s), fmt.Sprintf("%v %+v %#v %s %q", s, s, s, s, s), string(js)} {
		if strings.Contains(out, "canary") {
			t.Errorf("printed: %s", out)
		}
	}
	if s.Reveal() != "sk-planted-canary" {
		t.Error("white space kept")
	}
}

func TestAKeyIsKeptForItsHostAlone(t *testing.T) {
	keyring.MockInit()
	ctx, k := context.Background(), Keyring{}
	if err := k.SetModelKey(ctx, "API.example", NewSecret("one")); err != nil {
		t.Fatal(err)
	}
	if got, err := k.ModelKey(ctx, "api.example"); err != nil || got.Reveal() != "one" {
		t.Errorf("got %q, %v", got.Reveal(), err)
	}
	if _, err := k.ModelKey(ctx, "evil.example"); !errors.Is(err, ErrNoSecret) {
		t.Errorf("another host: %v, want ErrNoSecret", err)
	}
	if err := k.SetModelKey(ctx, "api.example", Secret{}); err != nil {
		t.Fatal(err)
	}
	if _, err := k.ModelKey(ctx, "api.example"); !errors.Is(err, ErrNoSecret) {
		t.Errorf("after removal: %v", err)
	}
}

func TestAMissingKeyringIsNotAMissingKey(t *testing.T) {
	keyring.MockInitWithError(errors.New(`exec: "dbus-launch": not found`))
	defer keyring.MockInit()
	_, err := Keyring{}.ModelKey(context.Background(), "api.example")
	if !errors.Is(err, ErrNoKeyring) || errors.Is(err, ErrNoSecret) {
		t.Errorf("error %v", err)
	}
	if err := (Keyring{}).Probe(context.Background()); !errors.Is(err, ErrNoKeyring) {
		t.Errorf("probe: %v", err)
	}
}

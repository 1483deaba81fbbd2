package config

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

const (
	password = "correct horse battery"
	aSecret  = "Kd83hs92Lq01mZxc7Vbn"
)

// keyFile returns a file of keys in a new folder, that is made of its password at
// a small cost.
func keyFile(t *testing.T) *KeyFile {
	t.Helper()
	at := time.Date(2026, 5, 4, 8, 0, 0, 0, time.UTC)
	f := NewKeyFile(filepath.Join(t.TempDir(), "keys.json"), func() time.Time { return at })
	f.cost = 1 << 4
	return f
}

// filled is keyFile, created, with a key for api.example.
func filled(t *testing.T) *KeyFile {
	t.Helper()
	f := keyFile(t)
	if err := errors.Join(f.Create(password), f.SetModelKey("API.example", NewSecret(aSecret))); err != nil {
		t.Fatal(err)
	}
	return f
}

// again opens the same file as the next start of the program does.
func (f *KeyFile) again() *KeyFile { return &KeyFile{path: f.path, now: f.now, cost: f.cost} }

func wantState(t *testing.T, f *KeyFile, want KeyFileState) {
	t.Helper()
	if got, err := f.State(); got != want || (err != nil) != (want == KeyFileDamaged) {
		t.Errorf("the state is %q, %v; want %q", got, err, want)
	}
}

func TestAKeyIsReadWithThePasswordAfterARestart(t *testing.T) {
	f := keyFile(t)
	wantState(t, f, KeyFileNone)
	if _, err := f.ModelKey("api.example"); !errors.Is(err, ErrNoSecret) {
		t.Errorf("without a file: %v", err)
	}
	if err := f.Unlock(password); !errors.Is(err, ErrNoKeyFile) {
		t.Errorf("unlocking what is not there: %v", err)
	}
	f = filled(t)
	wantState(t, f, KeyFileOpen)
	if err := f.Create(password); !errors.Is(err, ErrKeyFileThere) {
		t.Errorf("creating it again: %v", err)
	}
	raw, err := os.ReadFile(f.path)
	if err != nil || bytes.Contains(raw, []byte(aSecret)) || bytes.Contains(raw, []byte(password)) {
		t.Errorf("%v; the file holds %s", err, raw)
	}
	if info, err := os.Stat(f.path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v; want 0600", info.Mode(), err)
	}

	f = f.again()
	wantState(t, f, KeyFileLocked)
	if _, err := f.ModelKey("api.example"); !errors.Is(err, ErrKeysLocked) {
		t.Errorf("locked: %v", err)
	}
	if _, err := f.ModelKey("other.example"); !errors.Is(err, ErrNoSecret) {
		t.Errorf("locked, of a host without a key: %v", err)
	}
	if err := f.SetModelKey("other.example", NewSecret("x")); !errors.Is(err, ErrKeysLocked) {
		t.Errorf("locked, a new key: %v", err)
	}
	for _, wrong := range []string{"", "x", password + " ", strings.ToUpper(password)} {
		if err := f.Unlock(wrong); !errors.Is(err, ErrWrongPassword) || errors.Is(err, ErrNoSecret) {
			t.Errorf("password %q: %v", wrong, err)
		}
	}
	wantState(t, f, KeyFileLocked)
	if err := f.Unlock(password); err != nil {
		t.Fatal(err)
	}
	if key, err := f.ModelKey("api.EXAMPLE"); err != nil || key.Reveal() != aSecret {
		t.Errorf("%q, %v", key.Reveal(), err)
	}
	if all := f.Open(); len(all) != 1 || all["api.example"].Reveal() != aSecret {
		t.Errorf("open are the keys of %d hosts", len(all))
	}
	f.key = nil
	wantState(t, f, KeyFileLocked)
	if all := f.Open(); len(all) != 0 {
		t.Errorf("locked, and open are the keys of %d hosts", len(all))
	}
	if err := f.SetModelKey("api.example", Secret{}); err != nil {
		t.Errorf("removing a key: %v", err)
	}
	if err := f.SetModelKey("api.example", Secret{}); !errors.Is(err, ErrNoSecret) {
		t.Errorf("removing it again: %v", err)
	}
}

func TestAPasswordIsTheSameHoweverItsLettersAreWritten(t *testing.T) {
	f := keyFile(t)
	if err := f.Create("pässwörter"); err != nil { // composed
		t.Fatal(err)
	}
	if err := f.again().Unlock("pa\u0308sswo\u0308rter"); err != nil {
		t.Errorf("decomposed: %v", err)
	}
	for _, bad := range []string{"", "1234567", "ääääääa", strings.Repeat("x", 257)} {
		f := keyFile(t)
		if err := f.Create(bad); !errors.Is(err, ErrPassword) {
			t.Errorf("%q: %v", bad, err)
		}
		wantState(t, f, KeyFileNone)
	}
}

func TestAChangedPasswordOpensAllKeysAndTheOldOneNone(t *testing.T) {
	f := filled(t)
	if err := f.SetModelKey("b.example:8080", NewSecret("second")); err != nil {
		t.Fatal(err)
	}
	other := f.again() // of another process
	if err := other.Unlock(password); err != nil {
		t.Fatal(err)
	}
	if err := f.ChangePassword("wrong password", "another password"); !errors.Is(err, ErrWrongPassword) {
		t.Errorf("with a wrong one: %v", err)
	}
	if err := f.ChangePassword(password, "short"); !errors.Is(err, ErrPassword) {
		t.Errorf("to a short one: %v", err)
	}
	if err := f.ChangePassword(password, "another password"); err != nil {
		t.Fatal(err)
	}
	wantState(t, f, KeyFileOpen)
	wantState(t, other, KeyFileLocked)
	if err := other.SetModelKey("c.example", NewSecret("third")); !errors.Is(err, ErrKeysLocked) {
		t.Errorf("a key sealed under the old password: %v", err)
	}
	f = f.again()
	if err := f.Unlock(password); !errors.Is(err, ErrWrongPassword) {
		t.Errorf("the old one: %v", err)
	}
	if err := f.Unlock("another password"); err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{"api.example": aSecret, "b.example:8080": "second"} {
		if got, err := f.ModelKey(host); err != nil || got.Reveal() != want {
			t.Errorf("%s: %q, %v", host, got.Reveal(), err)
		}
	}
}

// edit changes a file of keys as somebody with an editor does.
func edit(t *testing.T, f *KeyFile, change func(*savedKeys)) {
	t.Helper()
	saved, err := f.read()
	if err != nil {
		t.Fatal(err)
	}
	change(saved)
	raw, err := json.Marshal(saved)
	if err == nil {
		err = os.WriteFile(f.path, raw, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func TestAKeyThatIsMovedToAnotherHostDoesNotOpen(t *testing.T) {
	f := filled(t)
	if err := f.SetModelKey("b.example", NewSecret("second")); err != nil {
		t.Fatal(err)
	}
	edit(t, f, func(s *savedKeys) { s.Keys[0].Host = "evil.example" })
	var damaged *DamagedKeyFileError
	if key, err := f.ModelKey("evil.example"); !errors.As(err, &damaged) || !key.IsZero() {
		t.Errorf("moved: %q, %v", key.Reveal(), err)
	}
	if _, err := f.ModelKey("api.example"); !errors.Is(err, ErrNoSecret) {
		t.Errorf("where it was: %v", err)
	}
	if key, err := f.ModelKey("b.example"); err != nil || key.Reveal() != "second" {
		t.Errorf("its neighbour: %q, %v", key.Reveal(), err)
	}
	before, _ := os.ReadFile(f.path)
	if err := f.ChangePassword(password, "another password"); !errors.As(err, &damaged) {
		t.Errorf("a new password over a damaged key: %v", err)
	}
	if after, _ := os.ReadFile(f.path); !bytes.Equal(before, after) {
		t.Error("the file was changed all the same")
	}
	edit(t, f, func(s *savedKeys) { s.Keys[0].Sealed, s.Keys[1].Sealed = s.Keys[1].Sealed, s.Keys[0].Sealed })
	if key, err := f.ModelKey("b.example"); err == nil {
		t.Errorf("swapped: %q", key.Reveal())
	}
}

func TestADamagedFileIsToldKeptAndNeverOverwritten(t *testing.T) {
	for name, damage := range map[string]func(raw []byte) []byte{
		"cut":              func(raw []byte) []byte { return raw[:len(raw)/2] },
		"empty":            func([]byte) []byte { return nil },
		"more behind it":   func(raw []byte) []byte { return append(raw, "{}"...) },
		"no JSON":          func([]byte) []byte { return []byte("api.example = key") },
		"too large":        func(raw []byte) []byte { return append(bytes.Repeat([]byte(" "), mostKeyFile), raw...) },
		"a later version":  replace(`"version": 1`, `"version": 2`),
		"any memory":       replace(`"n": 16`, `"n": 1073741824`),
		"any memory again": replace(`"r": 8`, `"r": 65536`),
		"any time":         replace(`"p": 1`, `"p": 1000000`),
		"no cost":          replace(`"n": 16`, `"n": 2`),
		"another way":      replace(`"scrypt"`, `"none"`),
		"more than known":  replace(`"keys"`, `"plain": "x", "keys"`),
		"two of a host":    func(raw []byte) []byte { return replace(`"keys": [`, `"keys": [{"host":"API.example"},`)(raw) },
	} {
		t.Run(name, func(t *testing.T) {
			f := filled(t)
			raw, err := os.ReadFile(f.path)
			if err != nil {
				t.Fatal(err)
			}
			bad := damage(bytes.Clone(raw))
			if bytes.Equal(bad, raw) {
				t.Fatal("nothing was damaged")
			}
			if err := os.WriteFile(f.path, bad, 0o600); err != nil {
				t.Fatal(err)
			}
			wantState(t, f, KeyFileDamaged)
			_, keyErr := f.ModelKey("api.example")
			for what, err := range map[string]error{
				"a key": keyErr, "unlocking": f.Unlock(password), "keeping": f.SetModelKey("api.example", NewSecret("x")),
				"removing": f.SetModelKey("api.example", Secret{}), "a new password": f.ChangePassword(password, password+"2"),
			} {
				var damaged *DamagedKeyFileError
				if !errors.As(err, &damaged) || !strings.Contains(err.Error(), f.path) || errors.Is(err, ErrNoSecret) {
					t.Errorf("%s: %v", what, err)
				}
			}
			if after, _ := os.ReadFile(f.path); !bytes.Equal(after, bad) {
				t.Error("the damaged file was changed")
			}
			for range 2 { // twice in the same second
				if err := os.WriteFile(f.path, bad, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := f.Create(password); err != nil {
					t.Fatal(err)
				}
			}
			wantState(t, f, KeyFileOpen)
			aside, err := filepath.Glob(f.path + ".aside-20260504-080000*")
			if err != nil || len(aside) != 2 {
				t.Fatalf("set aside are %v, %v", aside, err)
			}
			for _, path := range aside {
				if kept, err := os.ReadFile(path); err != nil || !bytes.Equal(kept, bad) {
					t.Errorf("%s is not what was damaged: %v", path, err)
				}
			}
		})
	}
}

func replace(old, new string) func([]byte) []byte {
	return func(raw []byte) []byte { return bytes.Replace(raw, []byte(old), []byte(new), 1) }
}

func TestAForgottenPasswordLosesTheKeysButNoFile(t *testing.T) {
	f := filled(t)
	to, err := f.SetAside()
	if err != nil {
		t.Fatal(err)
	}
	wantState(t, f, KeyFileNone)
	if err := f.Create("another password"); err != nil {
		t.Fatal(err)
	}
	if _, err := f.ModelKey("api.example"); !errors.Is(err, ErrNoSecret) {
		t.Errorf("a key of the file before: %v", err)
	}
	if err := os.Rename(to, f.path); err != nil {
		t.Fatal(err)
	}
	wantState(t, f, KeyFileLocked) // what opened the other does not open this one
	if err := f.Unlock(password); err != nil {
		t.Errorf("remembered after all: %v", err)
	}
}

func TestAPasswordCostsWhoeverTriesIt(t *testing.T) {
	f := NewKeyFile(filepath.Join(t.TempDir(), "keys.json"), time.Now)
	if f.cost != 1<<17 || scryptR != 8 {
		t.Errorf("a try costs %d KiB", f.cost*scryptR*128/1024)
	}
	if err := errors.Join(f.Create(password), f.SetModelKey("api.example", NewSecret(aSecret)), f.again().Unlock(password)); err != nil {
		t.Error(err)
	}
}

// FuzzKeyFile reads files that anybody may have written.
func FuzzKeyFile(f *testing.F) {
	for _, seed := range []string{"", "{}", `{"version":1,"kdf":{"name":"scrypt","n":16,"r":8,"p":1,"salt":""},"check":"","keys":[{"host":"a","sealed":""}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		file := keyFile(t)
		if err := os.WriteFile(file.path, raw, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := file.Unlock(password); err == nil {
			t.Errorf("opened: %s", raw)
		}
		if key, err := file.ModelKey("a"); err == nil {
			t.Errorf("a key of %s: %s", raw, key.Reveal())
		}
	})
}

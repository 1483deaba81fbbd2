package app

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/app/upkeep"
)

// withoutKeyring stands for a computer that has no keyring.
func withoutKeyring(t *testing.T) {
	t.Helper()
	keyring.MockInitWithError(errors.New("the name org.freedesktop.secrets was not provided by any .service files"))
	t.Cleanup(keyring.MockInit)
}

// Row 002-1: where there is no keyring, keys are kept under a password.
func TestWithoutAKeyringKeysAreKeptInAFileUnderAPassword(t *testing.T) {
	withoutKeyring(t)
	const key, password = "Kd83hs92Lq01mZxc7Vbn", "correct horse battery"
	base := modelServer(t, key)
	places := config.Locate(t.TempDir(), "")
	choice := models.Choice{ID: "custom:owl", BaseURL: base}
	wantKey := func(a *App, want models.KeyPlace, obstacle models.Obstacle) {
		t.Helper()
		if place, _ := a.Models().KeyPlace(t.Context(), "custom", base); place != want {
			t.Errorf("the key is in %q, want %q", place, want)
		}
		if got := a.Models().State(t.Context(), choice).Obstacle; got != obstacle {
			t.Errorf("the obstacle is %q, want %q", got, obstacle)
		}
		if _, err := a.Models().List(t.Context(), "custom", base); (err == nil) != (want != models.KeyNowhere && obstacle == models.NoObstacle) {
			t.Errorf("asked with the key in %q: %v", want, err)
		}
	}

	a := open(t, Options{Places: places, Getenv: noEnv})
	if place, err := a.Models().SetKey(t.Context(), "custom", base, key); err != nil || place != models.KeyInMemory {
		t.Fatalf("before there is a file: %q, %v", place, err)
	}
	wantKey(a, models.KeyInMemory, models.NoObstacle)
	if err := a.Models().CreateKeyFile("short"); !errors.Is(err, config.ErrPassword) {
		t.Errorf("a short password: %v", err)
	}
	if err := a.Models().CreateKeyFile(password); err != nil {
		t.Fatal(err)
	}
	wantKey(a, models.KeyInFile, models.NoObstacle)
	if place, err := a.Models().SetKey(t.Context(), "openrouter", "", "sk-or-0123456789abcdef01"); err != nil || place != models.KeyInFile {
		t.Errorf("the next key: %q, %v", place, err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}

	a = open(t, Options{Places: places, Getenv: noEnv})
	if state, err := a.Models().KeyFile(); state != config.KeyFileLocked || err != nil {
		t.Errorf("after a restart: %q, %v", state, err)
	}
	wantKey(a, models.KeyInFile, models.KeysLocked)
	if got := a.Models().State(t.Context(), models.Choice{ID: "ollama:owl"}).Obstacle; got != models.NoObstacle {
		t.Errorf("a model without a key is held up by the file: %q", got)
	}
	if err := a.Models().UnlockKeys("wrong password"); !errors.Is(err, config.ErrWrongPassword) {
		t.Errorf("a wrong password: %v", err)
	}
	if place, err := a.Models().SetKey(t.Context(), "groq", "", "gsk_0123456789abcdef01"); err != nil || place != models.KeyInMemory {
		t.Errorf("while it is locked: %q, %v", place, err)
	}
	if err := a.Models().UnlockKeys(password); err != nil {
		t.Fatal(err)
	}
	wantKey(a, models.KeyInFile, models.NoObstacle)
	if place, err := a.Models().KeyPlace(t.Context(), "groq", ""); place != models.KeyInFile || err != nil {
		t.Errorf("entered while it was locked: %q, %v", place, err)
	}
	if err := errors.Join(a.Models().RemoveKey(t.Context(), "custom", base), a.Close()); err != nil {
		t.Fatal(err)
	}

	// In scripts.
	env := func(name string) string { return map[string]string{models.EnvKeysPassword: password}[name] }
	a = open(t, Options{Places: places, Getenv: env})
	wantKey(a, models.KeyNowhere, models.NoObstacle)
	if place, err := a.Models().KeyPlace(t.Context(), "openrouter", ""); place != models.KeyInFile || err != nil {
		t.Errorf("with the password in the environment: %q, %v", place, err)
	}
	for _, secret := range []string{key, password, "sk-or-0123456789abcdef01", "gsk_0123456789abcdef01"} {
		wrote(t, places.Data, secret, false)
	}
	if err := errors.Join(a.Close(), upkeep.RemoveData(places)); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(places.Data, "*")); len(left) > 0 {
		t.Errorf("removing the data left %v", left)
	}
}

func TestThePasswordIsAskedForOnlyWhenAKeyIsNeeded(t *testing.T) {
	withoutKeyring(t)
	const key = "Kd83hs92Lq01mZxc7Vbn"
	base := modelServer(t, key)
	host, err := models.ServerHost("custom", base, config.Settings{})
	if err != nil {
		t.Fatal(err)
	}
	stopped := errors.New("the user pressed Ctrl+C")
	for _, tt := range []struct {
		name    string
		answers []string // "" for none: the user stops
		want    error
	}{
		{"at once", []string{"correct horse battery"}, nil},
		{"at the third try", []string{"wrong password", "worse password", "correct horse battery"}, nil},
		{"never", []string{"wrong password", "worse password", "worst password"}, config.ErrWrongPassword},
		{"stopped", []string{"wrong password", ""}, stopped},
	} {
		t.Run(tt.name, func(t *testing.T) {
			places := config.Locate(t.TempDir(), "")
			file := config.NewKeyFile(places.Keys, nil)
			if err := errors.Join(file.Create("correct horse battery"), file.SetModelKey(host, config.NewSecret(key))); err != nil {
				t.Fatal(err)
			}
			asked := 0
			a := open(t, Options{Places: places, Getenv: noEnv, KeysPassword: func(_ context.Context, again bool) (string, error) {
				if asked >= len(tt.answers) {
					t.Error("asked once more")
					return "", stopped
				}
				if again != (asked > 0) {
					t.Errorf("question %d says that the password was wrong: %v", asked+1, again)
				}
				answer := tt.answers[asked]
				if asked++; answer == "" {
					return "", stopped
				}
				return answer, nil
			}})
			if _, err := a.model(t.Context(), models.Choice{ID: "ollama:owl"}, Scope{}); err != nil || asked != 0 {
				t.Errorf("a model without a key: %v, asked %d times", err, asked)
			}
			for range 2 {
				if _, err := a.Models().List(t.Context(), "custom", base); !errors.Is(err, tt.want) {
					t.Errorf("%v, want %v", err, tt.want)
				}
			}
			if asked != len(tt.answers) {
				t.Errorf("asked %d times, want %d", asked, len(tt.answers))
			}
		})
	}
}

func TestADamagedFileOfKeysIsNoMissingKey(t *testing.T) {
	withoutKeyring(t)
	places := config.Locate(t.TempDir(), "")
	if err := os.WriteFile(places.Keys, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	a := open(t, Options{Places: places, Getenv: noEnv})
	if state, err := a.Models().KeyFile(); state != config.KeyFileDamaged || err == nil {
		t.Errorf("%q, %v", state, err)
	}
	var damaged *config.DamagedKeyFileError
	if _, err := a.model(t.Context(), models.Choice{ID: "openrouter:z/owl"}, Scope{}); !errors.As(err, &damaged) {
		t.Errorf("a key that may be in it: %v", err)
	}
	if err := a.Models().CreateKeyFile("correct horse battery"); err != nil {
		t.Fatal(err)
	}
	if files, err := config.KeyFiles(places.Keys); err != nil || len(files) != 2 {
		t.Errorf("the files are %v, %v; want the damaged one kept", files, err)
	}
}

// Row 002-1: a key is sent to its own host alone, also where it stands in the
// environment.
func TestAKeyOfTheEnvironmentGoesToTheHostItWasEnteredFor(t *testing.T) {
	keyring.MockInit()
	const key = "Kd83hs92Lq01mZxc7Vbn"
	for _, tt := range []struct {
		name, provider, base string
		env                  map[string]string
		place                models.KeyPlace
		want                 string // in the error
	}{
		{"no host is named", "custom", "https://llm.example/v1", map[string]string{"BOWERBIRD_API_KEY": key}, models.KeyNowhere, "BOWERBIRD_API_HOST=llm.example"},
		{"its host", "custom", "https://LLM.example/v1", map[string]string{"BOWERBIRD_API_KEY": key, models.EnvAPIHost: "llm.example"}, models.KeyInEnvironment, ""},
		{"its host as an address", "custom", "https://llm.example:8443/v1", map[string]string{"BOWERBIRD_API_KEY": key, models.EnvAPIHost: "https://llm.example:8443/v1"}, models.KeyInEnvironment, ""},
		{"another host", "custom", "https://evil.example/v1", map[string]string{"BOWERBIRD_API_KEY": key, models.EnvAPIHost: "llm.example"}, models.KeyNowhere, ""},
		{"another port", "custom", "https://llm.example:8443/v1", map[string]string{"BOWERBIRD_API_KEY": key, models.EnvAPIHost: "llm.example"}, models.KeyNowhere, ""},
		{"a host without a key", "custom", "https://llm.example/v1", map[string]string{models.EnvAPIHost: "llm.example"}, models.KeyNowhere, ""},
		{"a provider's own host", "groq", "", map[string]string{"GROQ_API_KEY": key}, models.KeyInEnvironment, ""},
		{"a provider elsewhere", "groq", "https://evil.example/v1", map[string]string{"GROQ_API_KEY": key, models.EnvAPIHost: "evil.example"}, models.KeyNowhere, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: func(name string) string { return tt.env[name] }})
			place, err := a.Models().KeyPlace(t.Context(), tt.provider, tt.base)
			if place != tt.place || (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%q, %v; want %q, %q", place, err, tt.place, tt.want)
			}
			if _, err := a.model(t.Context(), models.Choice{ID: tt.provider + ":owl", BaseURL: tt.base}, Scope{}); tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("asked all the same: %v; want %q", err, tt.want)
			}
			if err != nil && strings.Contains(err.Error(), key) {
				t.Errorf("the key is shown: %v", err)
			}
		})
	}
}

package app

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/config"
	"bowerbird/app/models"
)

// Row 002-1: a key stands in no file, log, chat or error, wherever it is kept and
// whoever repeats it. The keys look like nothing that is known.
func TestNoKeyStandsInAnyFileLogOrError(t *testing.T) {
	const (
		inKeyring, inFile, inEnv, inMemory = "Zq8rT2mVx0bLk7NcWd4Hs9Ye", "Hw3nKp6sYtR1vB5xGz9QdLmA", "Pf7uJc4eXo2iTn8wAk5hSy6R", "Gb9vDm3zEr1qUl6yCt0jNx8W"
		password                           = "Mi5tKo7eRa9n" // looks like one, too
	)
	for _, tt := range []struct {
		name  string
		set   func(t *testing.T, a *App, base string)
		place models.KeyPlace
		key   string
	}{
		{"in the keyring", func(t *testing.T, a *App, base string) {
			keyring.MockInit()
			enter(t, a, base, inKeyring)
		}, models.KeyInKeyring, inKeyring},
		{"in the file of keys", func(t *testing.T, a *App, base string) {
			withoutKeyring(t)
			if err := a.Models().CreateKeyFile(password); err != nil {
				t.Fatal(err)
			}
			enter(t, a, base, inFile)
		}, models.KeyInFile, inFile},
		{"in the environment", func(*testing.T, *App, string) { keyring.MockInit() }, models.KeyInEnvironment, inEnv},
		{"in memory", func(t *testing.T, a *App, base string) {
			withoutKeyring(t)
			enter(t, a, base, inMemory)
		}, models.KeyInMemory, inMemory},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server := newParrot(t, tt.key)
			host := strings.TrimPrefix(server.URL, "http://")
			env := map[string]string{}
			if tt.place == models.KeyInEnvironment {
				env = map[string]string{"BOWERBIRD_API_KEY": tt.key, models.EnvAPIHost: host}
			}
			root := t.TempDir()
			places := config.Locate(filepath.Join(root, "data"), filepath.Join(root, "config", "settings.toml"))
			var log bytes.Buffer
			a := open(t, Options{
				Places: places, Getenv: func(name string) string { return env[name] },
				Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
			})
			tt.set(t, a, server.URL)
			if place, err := a.Models().KeyPlace(t.Context(), "custom", server.URL); place != tt.place || err != nil {
				t.Fatalf("the key is in %q, %v", place, err)
			}
			if err := a.SaveSettings(func(s *config.Settings) {
				s.Assistant.Model, s.Assistant.BaseURL = "custom:owl", server.URL
				s.Models = map[string]config.ModelOptions{"custom:owl": {Context: 8000}}
			}); err != nil {
				t.Fatal(err)
			}
			_, refused := a.Models().List(t.Context(), "custom", "")
			if _, err := a.Models().List(t.Context(), "custom", ""); err != nil {
				t.Error(err)
			}
			answer, err := a.Ask(t.Context(), Question{Text: "Is " + tt.key + " my key?"})
			if err != nil {
				t.Fatal(err)
			}
			said := fmt.Sprintf("%v %#v", refused, refused)
			for e := range answer.Events {
				if e.Err != nil {
					said += fmt.Sprintf("%v %+v", e.Err, *e.Err)
				}
			}
			store, err := a.Chats()
			if err != nil {
				t.Fatal(err)
			}
			if err := store.Rename(t.Context(), answer.Chat.Info().ID, "About "+tt.key); err != nil {
				t.Fatal(err)
			}
			a.opt.Logger.Error("asked", "error", errors.New("with "+tt.key), "state", a.Models().State(t.Context(), models.Choice{}))
			said += fmt.Sprintf("%+v %+v", a.Settings(), a.Models().Sent(answer.Chat.Info().ID, ""))
			backup := filepath.Join(root, "mine.backup")
			if _, err := a.Upkeep().BackUp(t.Context(), backup); err != nil {
				t.Fatal(err)
			}
			if err := a.Close(); err != nil {
				t.Fatal(err)
			}
			if asked := server.asked.Load(); asked < 3 {
				t.Errorf("the server was asked %d times", asked)
			}
			for _, secret := range []string{tt.key, password} {
				wrote(t, root, secret, false)
				for what, text := range map[string]string{"log": log.String(), "errors": said} {
					if strings.Contains(text, secret) {
						t.Errorf("%s stands in the %s: %s", secret, what, text)
					}
				}
			}
			wrote(t, root, "API key removed", true) // it was looked for in what is there
		})
	}
}

// parrot is a model's server that repeats the key it is sent wherever it can: it
// refuses it at first, then lists it as a model, and says it in its answers.
type parrot struct {
	*httptest.Server
	asked atomic.Int32
}

func newParrot(t *testing.T, key string) *parrot {
	p := &parrot{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if got := r.Header.Get("Authorization"); err != nil || got != "Bearer "+key || bytes.Contains(body, []byte(key)) {
			t.Errorf("%s %s came with the key in %q, and in the body: %s, %v", r.Method, r.URL, got, body, err)
		}
		switch first := p.asked.Add(1) == 1; {
		case first:
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = fmt.Fprintf(w, `{"error":{"message":"Incorrect API key provided: %s"}}`, key)
		case strings.HasSuffix(r.URL.Path, "/models"):
			_, _ = fmt.Fprintf(w, `{"data":[{"id":"owl"},{"id":%q}]}`, key)
		case r.Method == http.MethodPost:
			_, _ = io.WriteString(w, answered("Your key is "+key+", is it not?"))
		default:
			http.Error(w, key+" is not found", http.StatusNotFound)
		}
	}))
	t.Cleanup(p.Close)
	return p
}

func enter(t *testing.T, a *App, base, key string) {
	t.Helper()
	if _, err := a.Models().SetKey(t.Context(), "custom", base, key); err != nil {
		t.Fatal(err)
	}
}

// A question that is stopped while the keyring is asked is stopped, and nobody is told
// of a keyring.
func TestAQuestionIsStoppedWhileAKeyringIsAsked(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	stop()
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	for _, id := range []string{"openrouter:m", "ollama:m"} {
		if _, err := a.model(ctx, models.Choice{ID: id}, Scope{}); !errors.Is(err, context.Canceled) || errors.Is(err, config.ErrNoKeyring) {
			t.Errorf("%s: %v", id, err)
		}
		if got := a.Models().State(ctx, models.Choice{ID: id}); got.Obstacle != models.NoObstacle {
			t.Errorf("%s: nobody knows of the obstacle %q", id, got.Obstacle)
		}
	}
}

package app

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// ollamaThat returns settings for an Ollama that answers so when it is asked about its
// one model, "owl".
func ollamaThat(t *testing.T, show http.HandlerFunc) config.Settings {
	t.Helper()
	keyring.MockInit()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else it does not hear that the client left
		switch r.URL.Path {
		case "/api/show":
			show(w, r)
		case "/v1/models":
			_, _ = w.Write([]byte(`{"data":[{"id":"owl"}]}`))
		default:
			_, _ = w.Write([]byte(`{"message":{"role":"assistant","content":"hi"},"done":true,"done_reason":"stop"}` + "\n"))
		}
	}))
	t.Cleanup(s.Close)
	return config.Settings{Models: map[string]config.ModelOptions{"ollama": {BaseURL: s.URL + "/v1"}}}
}

func tells(body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }
}

// Never send holds for a model that is passed on also when its server, asked again,
// is too busy to say so.
func TestAServerThatTellsNothingThisOnceTakesNothingBack(t *testing.T) {
	var busy atomic.Bool
	settings := ollamaThat(t, func(w http.ResponseWriter, r *http.Request) {
		if busy.Load() {
			http.Error(w, "busy", http.StatusServiceUnavailable)
			return
		}
		tells(`{"remote_host":"https://ollama.com:443","model_info":{"a.context_length":131072}}`)(w, r)
	})
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: settings})
	owl := models.Choice{ID: "ollama:owl"}
	for _, b := range []bool{false, true} {
		busy.Store(b)
		if got, err := a.Models().AskFacts(t.Context(), owl); err != nil || got.Context != 131072 {
			t.Errorf("busy %v: known is %+v, %v", b, got, err)
		}
	}
	a.Models().KeepHere(true)
	if _, err := a.model(t.Context(), owl, Scope{}); err == nil || a.Models().StaysHere(owl) {
		t.Errorf("the model is said to run here (%v)", err)
	}
}

// That a model is passed on is learned by a client that did not know it; the answer
// names the host all the same.
func TestWhatIsLearnedOfWhereAModelRunsHoldsForTheNextClient(t *testing.T) {
	a := open(t, Options{
		Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: ollamaThat(t, tells(`{"remote_host":"https://ollama.com:443"}`)),
	})
	owl := models.Choice{ID: "ollama:owl"}
	if _, err := a.Models().AskFacts(t.Context(), owl); err != nil {
		t.Fatal(err)
	}
	if model, err := a.model(t.Context(), owl, Scope{}); err != nil || model.Info().Host != "ollama.com" {
		t.Errorf("text is said to go to %q (%v)", model.Info().Host, err)
	}
}

// Ollama cuts what is longer than a model takes without a word, so that a turn must not
// count on more, whoever wishes it.
func TestNobodyCountsOnMoreThanAModelTakes(t *testing.T) {
	for name, show := range map[string]string{
		"the user":      `{"model_info":{"a.context_length":8192}}`,
		"its Modelfile": `{"model_info":{"a.context_length":8192},"parameters":"num_ctx 32768"}`,
	} {
		settings := ollamaThat(t, tells(show))
		if name == "the user" {
			settings.Models["ollama:owl"] = config.ModelOptions{Context: 32768}
		}
		a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: settings})
		if got, err := a.Models().AskFacts(t.Context(), models.Choice{ID: "ollama:owl"}); err != nil || got.Context != 8192 || got.MostContext != 0 {
			t.Errorf("%s wishes more: %+v, %v", name, got, err)
		}
	}
}

// An Ollama that tells nothing of a model starts it with a small window and cuts what
// does not fit: it is asked for the window that the turn counts on.
func TestAnOllamaThatTellsNothingIsAskedForTheWindowThatIsCountedOn(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: ollamaThat(t, tells(`{}`))})
	owl := models.Choice{ID: "ollama:owl"}
	got, err := a.Models().AskFacts(t.Context(), owl)
	if err != nil || got.Context != 16<<10 || got.ContextFrom != llm.FromDefault {
		t.Errorf("known is %+v, %v", got, err)
	}
	answer, err := a.Ask(t.Context(), Question{Text: "hello", Model: owl})
	if err != nil {
		t.Fatal(err)
	}
	for range answer.Events {
	}
	sent := a.Models().Sent(answer.Chat.Info().ID, answer.Chat.Turns[0].ID)
	if len(sent) == 0 || answer.Model.Context != 16<<10 || !strings.Contains(string(sent[0].Body), `"num_ctx":16384`) {
		t.Errorf("a window of %d, %d requests, the first %+v", answer.Model.Context, len(sent), sent)
	}
}

// Who stops a question before the server told of its model has not kept the next one
// from finding out.
func TestAStopBeforeAServerToldLeavesItToBeAskedAgain(t *testing.T) {
	var times atomic.Int32
	asked := make(chan struct{})
	settings := ollamaThat(t, func(w http.ResponseWriter, r *http.Request) {
		if times.Add(1) == 1 {
			close(asked)
			<-r.Context().Done()
			return
		}
		tells(`{"model_info":{"a.context_length":8192}}`)(w, r)
	})
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: settings})
	owl := models.Choice{ID: "ollama:owl"}
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		<-asked
		stop()
	}()
	a.Models().FindOut(ctx, owl)
	a.Models().FindOut(t.Context(), owl)
	if got := a.Models().Facts(owl); got.Context != 8192 {
		t.Errorf("known is %+v", got)
	}
}

// Two servers may call different models by one name.
func TestModelsOfOneNameAtTwoServersAreMeasuredEachByItself(t *testing.T) {
	keyring.MockInit()
	one, two := testkit.NewModelServer(t), testkit.NewModelServer(t)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	first, err := a.model(t.Context(), models.Choice{ID: "custom:owl", BaseURL: one.URL}, Scope{})
	if err != nil {
		t.Fatal(err)
	}
	second, err := a.model(t.Context(), models.Choice{ID: "custom:owl", BaseURL: two.URL}, Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if a.Models().Gauge(first) == a.Models().Gauge(second) {
		t.Error("they share a gauge")
	}
}

func TestAKeyIsRemovedFromTheKeyringAlsoBesideADamagedFileOfKeys(t *testing.T) {
	keyring.MockInit()
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, Getenv: noEnv})
	if place, err := a.Models().SetKey(t.Context(), "openrouter", "", "sk-or-v1-0123456789abcdef"); err != nil || place != models.KeyInKeyring {
		t.Fatal(place, err)
	}
	if err := os.WriteFile(places.Keys, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	var damaged *config.DamagedKeyFileError
	if err := a.Models().RemoveKey(t.Context(), "openrouter", ""); !errors.As(err, &damaged) {
		t.Errorf("of the file it says %v", err)
	}
	if _, err := (config.Keyring{}).ModelKey(t.Context(), "openrouter.ai"); !errors.Is(err, config.ErrNoSecret) {
		t.Errorf("the key is still there (%v)", err)
	}
}

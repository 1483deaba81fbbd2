package app

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func noEnv(string) string { return "" }

// modelServer lists a model to who has the key.
func modelServer(t *testing.T, key string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if key != "" && r.Header.Get("Authorization") != "Bearer "+key {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = fmt.Fprint(w, `{"data":[{"id":"wren-small"}]}`)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

func TestProvidersSayWhereTextGoes(t *testing.T) {
	order := ""
	for _, p := range models.Providers() {
		switch {
		case p.Local:
			order += "h"
		case p.NeedsAddress:
			order += "u"
		default:
			order += "f"
		}
		if p.Name == "" || p.Local && p.Host != "" || !p.Local && !p.NeedsAddress && p.Host == "" {
			t.Errorf("%+v", p)
		}
	}
	if !strings.HasPrefix(order, "hhhhhf") || !strings.HasSuffix(order, "fu") || strings.Contains(order, "fh") {
		t.Errorf("the order is %s; want here, far, unknown", order)
	}
}

func TestWhatKeepsAModelFromAnsweringIsKnownBeforeItIsAsked(t *testing.T) {
	keyring.MockInit()
	tests := []struct {
		choice   models.Choice
		obstacle models.Obstacle
		host     string
	}{
		{models.Choice{ID: "builtin:digest"}, models.NoObstacle, ""},
		{models.Choice{}, models.NoObstacle, ""},
		{models.Choice{ID: "ollama:qwen3:8b"}, models.NoObstacle, ""},
		{models.Choice{ID: "ollama:qwen3:8b", BaseURL: "http://192.168.1.9:11434/v1"}, models.NoObstacle, "192.168.1.9:11434"},
		{models.Choice{ID: "openrouter:z/owl"}, models.KeyMissing, "openrouter.ai"},
		{models.Choice{ID: "custom:owl"}, models.AddressMissing, ""},
		{models.Choice{ID: "custom:owl", BaseURL: "https://llm.example/v1"}, models.NoObstacle, "llm.example"},
		{models.Choice{ID: "nobody:owl"}, models.ModelUnknown, ""},
		{models.Choice{ID: "nonsense"}, models.ModelUnknown, ""},
		{models.Choice{ID: "builtin:other"}, models.ModelUnknown, ""},
	}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	for _, tt := range tests {
		got := a.Models().State(t.Context(), tt.choice)
		if got.Obstacle != tt.obstacle || got.Host != tt.host {
			t.Errorf("%+v: obstacle %q, host %q; want %q, %q", tt.choice, got.Obstacle, got.Host, tt.obstacle, tt.host)
		}
		if _, err := a.model(t.Context(), tt.choice, Scope{}); (err == nil) != (tt.obstacle == models.NoObstacle) {
			t.Errorf("%+v: %v though the obstacle is %q", tt.choice, err, tt.obstacle)
		}
	}
}

func TestTheAddressOfTheSettingsIsForTheirOwnProvider(t *testing.T) {
	keyring.MockInit()
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	err := a.SaveSettings(func(s *config.Settings) {
		s.Assistant.Model, s.Assistant.BaseURL = "ollama:owl", "http://192.168.1.9:11434/v1"
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Models().State(t.Context(), models.Choice{}).Host; got != "192.168.1.9:11434" {
		t.Errorf("the chosen model is at %q", got)
	}
	if got := a.Models().State(t.Context(), models.Choice{ID: "openrouter:owl"}).Host; got != "openrouter.ai" {
		t.Errorf("another provider is asked at %q", got)
	}
}

func TestAKeyGoesToTheHostThatItWasEnteredForAndNoOther(t *testing.T) {
	keyring.MockInit()
	const key = "sk-planted-0123456789"
	here, there := modelServer(t, key), modelServer(t, key)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	place, err := a.Models().SetKey(t.Context(), "custom", here, " "+key+"\n")
	if err != nil || place != models.KeyInKeyring {
		t.Fatalf("%q, %v", place, err)
	}
	if models, err := a.Models().List(t.Context(), "custom", here); err != nil || len(models) != 1 {
		t.Errorf("%v, %v", models, err)
	}
	_, err = a.Models().List(t.Context(), "custom", there)
	if refused := (*llm.Error)(nil); !errors.As(err, &refused) || refused.Kind != llm.KindAuth {
		t.Errorf("the other server: %v", err)
	}
	if err := a.Models().RemoveKey(t.Context(), "custom", here); err != nil {
		t.Error(err)
	}
	if err := a.Models().RemoveKey(t.Context(), "custom", here); err != nil {
		t.Errorf("removing what is not there: %v", err)
	}
	if place, err := a.Models().KeyPlace(t.Context(), "custom", here); place != models.KeyNowhere || err != nil {
		t.Errorf("after removal: %q, %v", place, err)
	}
}

func TestWithoutAKeyringAKeyHoldsForThisRun(t *testing.T) {
	keyring.MockInitWithError(errors.New("no secret service"))
	t.Cleanup(keyring.MockInit)
	base := modelServer(t, "sk-planted")
	places := config.Locate(t.TempDir(), "")
	a := open(t, Options{Places: places, Getenv: noEnv})
	place, err := a.Models().SetKey(t.Context(), "custom", base, "sk-planted")
	if err != nil || place != models.KeyInMemory {
		t.Fatalf("%q, %v", place, err)
	}
	if place, err := a.Models().KeyPlace(t.Context(), "custom", base); place != models.KeyInMemory || err != nil {
		t.Errorf("%q, %v", place, err)
	}
	if _, err := a.Models().List(t.Context(), "custom", base); err != nil {
		t.Errorf("it is not used: %v", err)
	}
	if state := a.Models().State(t.Context(), models.Choice{ID: "openrouter:owl"}); state.Obstacle != models.KeyringLocked {
		t.Errorf("another host: %q", state.Obstacle)
	}
	if err := a.Models().RemoveKey(t.Context(), "custom", base); err != nil {
		t.Error(err)
	}
	if place, _ := a.Models().KeyPlace(t.Context(), "custom", base); place != models.KeyNowhere {
		t.Errorf("after removal: %q", place)
	}
}

func TestWhatIsNoKeyIsRefusedWithoutBeingRepeated(t *testing.T) {
	keyring.MockInit()
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	for _, key := range []string{"", "  ", "my secret diary", "sk-ключ", strings.Repeat("a", 2001), "sk\x00planted"} {
		_, err := a.Models().SetKey(t.Context(), "openrouter", "", key)
		var wrong *config.ArgumentError
		if !errors.As(err, &wrong) {
			t.Errorf("%.20q: %v", key, err)
		} else if k := strings.TrimSpace(key); k != "" && strings.Contains(err.Error(), k) {
			t.Errorf("the error repeats it: %v", err)
		}
	}
}

func TestServersOnThisComputerAreFoundAndNoOtherIsAsked(t *testing.T) {
	base := modelServer(t, "")
	keyed := modelServer(t, "sk-planted")
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, "<html>") }))
	t.Cleanup(web.Close)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, localBase: func(provider string) string {
		return map[string]string{"ollama": base, "lmstudio": "http://192.0.2.1:1234/v1", "llamacpp": web.URL, "vllm": keyed}[provider]
	}})
	found := a.Models().LocalServers(t.Context())
	if len(found) != 1 || found[0].Provider.ID != "ollama" || len(found[0].Models) != 1 || found[0].BaseURL != base {
		t.Errorf("found %+v", found)
	}
}

func TestTheBuiltinPassesItsTest(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), "")})
	if r, err := a.Models().Test(t.Context(), models.Choice{}); err != nil || !r.Tools {
		t.Errorf("%+v, %v", r, err)
	}
}

// Rows 002-2 and 000-52: what is chosen for a model is in its requests.
func TestWhatIsChosenForAModelIsInItsRequests(t *testing.T) {
	server := testkit.NewModelServer(t, testkit.Reply{Body: "data: {\"choices\":[{\"delta\":{\"content\":\"pong\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n"})
	cold := 0.0
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: config.Settings{
		Models: map[string]config.ModelOptions{
			"custom":     {BaseURL: server.URL + "/v1", MaxTokens: 300, Temperature: &cold, Effort: "low"},
			"custom:owl": {MaxTokens: 77, Context: 5000, Format: "hermes"},
		},
	}})
	if _, err := a.Models().Test(t.Context(), models.Choice{ID: "custom:owl"}); err != nil {
		t.Fatal(err)
	}
	sent := string(server.Received()[0].Body)
	for _, want := range []string{`"max_tokens":77`, `"temperature":0`, `"reasoning_effort":"low"`, "To call a tool, write exactly this"} {
		if !strings.Contains(sent, want) {
			t.Errorf("%s is not in %s", want, sent)
		}
	}
	model, err := a.model(t.Context(), models.Choice{ID: "custom:owl"}, Scope{})
	if err != nil || model.Info().Context != 5000 {
		t.Errorf("window %+v, %v", model, err)
	}
}

package app

import (
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/netsafe"
)

// anotherComputer serves at an address of this computer that is not its loopback, as
// one in the same network would be reached; it counts the connections and the requests made to it.
func anotherComputer(t *testing.T) (base string, connections *atomic.Int32) {
	t.Helper()
	addresses, err := net.InterfaceAddrs()
	if err != nil {
		t.Fatal(err)
	}
	for _, address := range addresses {
		prefix, err := netip.ParsePrefix(address.String())
		if err != nil || prefix.Addr().IsLoopback() || (netsafe.Policy{AllowPrivate: true}).CheckAddr(prefix.Addr()) != nil {
			continue
		}
		listener, err := net.Listen("tcp", netip.AddrPortFrom(prefix.Addr(), 0).String())
		if err != nil {
			continue
		}
		connections = new(atomic.Int32)
		s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			connections.Add(1) // a connection may be used again
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = w.Write([]byte(answered("there")))
		}))
		s.Listener.Close()
		s.Listener = listener
		s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
			if state == http.StateNew {
				connections.Add(1)
			}
		}
		s.Start()
		t.Cleanup(s.Close)
		return s.URL + "/v1", connections
	}
	t.Skip("this computer has no address that another could have")
	return "", nil
}

// answered is the stream of an answer of one word.
func answered(word string) string {
	return `data: {"choices":[{"delta":{"content":"` + word + `"},"finish_reason":"stop"}]}` + "\n\ndata: [DONE]\n\n"
}

// TestNeverSendLetsNoConnectionOffThisComputer goes through all that asks a model's
// server for something.
func TestNeverSendLetsNoConnectionOffThisComputer(t *testing.T) {
	keyring.MockInit()
	base, connections := anotherComputer(t)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: config.Settings{
		Assistant: config.Assistant{Model: "custom:owl", BaseURL: base},
	}})
	choice := models.Choice{ID: "custom:owl", BaseURL: base}
	beside := func() *models.Registry { // as the commands of the terminal that open no store
		return models.New(models.Options{Places: a.Places(), Settings: a.Settings, Getenv: noEnv, Remember: true})
	}
	entries := map[string]func() error{
		"a question": func() error {
			answer, err := a.Ask(t.Context(), Question{Text: "hello", Model: choice})
			if err == nil {
				agenttest.Collect(answer.Events)
			}
			return err
		},
		"the daily digest": func() error {
			answer, err := a.Ask(t.Context(), Question{Text: "hello", Unattended: true})
			if err == nil {
				agenttest.Collect(answer.Events)
			}
			return err
		},
		"the list of models":       func() error { _, err := a.Models().List(t.Context(), "custom", base); return err },
		"the test of a model":      func() error { _, err := a.Models().Test(t.Context(), choice); return err },
		"what is known of a model": func() error { _, err := a.Models().AskFacts(t.Context(), choice); return err },
		"the same in a terminal": func() error {
			_, err := beside().AskFacts(t.Context(), choice)
			return err
		},
		"a terminal's command": func() error {
			client, err := beside().Client(t.Context(), choice)
			if err == nil {
				_, err = client.List(t.Context())
			}
			return err
		},
	}
	for name, ask := range entries {
		before := connections.Load()
		_ = ask() // what is wrong with the answer is not looked at here
		if connections.Load() == before {
			t.Errorf("%s reached nobody while sending was allowed: this test shows nothing", name)
		}
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.LocalOnly = true }); err != nil {
		t.Fatal(err)
	}
	before := connections.Load()
	for name, ask := range entries {
		var kept *models.LocalOnlyError
		if err := ask(); !errors.As(err, &kept) || !strings.Contains(base, kept.Host) {
			t.Errorf("%s: %v; want it refused by the switch", name, err)
		}
	}
	if got := a.Models().State(t.Context(), choice); got.Obstacle != models.LocalOnlyOn {
		t.Errorf("the obstacle is %q", got.Obstacle)
	}
	a.Models().LocalServers(t.Context())
	if n := connections.Load() - before; n != 0 {
		t.Errorf("%d connections left this computer", n)
	}
}

func TestNeverSendHoldsForATurnThatIsTakenUp(t *testing.T) {
	keyring.MockInit()
	base, connections := anotherComputer(t)
	here := testkit.NewModelServer(t, testkit.Reply{Body: `data: {"choices":[{"delta":{"content":"I be"}}]}` + "\n\n", Hang: true})
	places := config.Locate(t.TempDir(), "")
	set := config.Settings{Models: map[string]config.ModelOptions{"vllm:owl": {Context: 32000}}} // known, so that its server is not asked for it
	a := open(t, Options{Places: places, Getenv: noEnv, Settings: set})
	answer, err := a.Ask(t.Context(), Question{Text: "hello", Model: models.Choice{ID: "vllm:owl", BaseURL: here.URL}})
	if err != nil {
		t.Fatal(err)
	}
	for range answer.Events {
		go func() { _ = a.Close() }() // in the middle of the answer
	}
	chat := answer.Chat.Info().ID
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	set.Assistant.LocalOnly = true
	a = open(t, Options{Places: places, Getenv: noEnv, Settings: set})
	var kept *models.LocalOnlyError
	if _, err := a.Resume(t.Context(), chat, models.Choice{ID: "vllm:owl", BaseURL: base}, nil); !errors.As(err, &kept) || connections.Load() != 0 {
		t.Errorf("%v, with %d connections", err, connections.Load())
	}
}

func TestNeverSendNamesTheServerAndTheWayOut(t *testing.T) {
	keyring.MockInitWithError(errors.New("this keyring must not be asked"))
	defer keyring.MockInit()
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: config.Settings{Assistant: config.Assistant{LocalOnly: true}}})
	for _, tt := range []struct {
		choice models.Choice
		host   string // "" where it may answer
	}{
		{models.Choice{ID: "openrouter:z/owl"}, "openrouter.ai"},
		{models.Choice{ID: "ollama:qwen3:8b", BaseURL: "http://192.168.1.9:11434"}, "192.168.1.9:11434"},
		{models.Choice{ID: "ollama:qwen3:8b"}, ""},
		{models.Choice{ID: "custom:owl", BaseURL: "http://localhost:9/v1"}, ""},
		{models.Choice{}, ""},
	} {
		_, err := a.model(t.Context(), tt.choice, Scope{})
		var kept *models.LocalOnlyError
		switch {
		case tt.host == "" && err != nil:
			t.Errorf("%+v: %v", tt.choice, err)
		case tt.host != "" && (!errors.As(err, &kept) || kept.Host != tt.host || !strings.Contains(err.Error(), "local_only")):
			t.Errorf("%+v: %v; want it refused for %s", tt.choice, err, tt.host)
		}
	}
}

func TestNeverSendHoldsForTheNextStepOfATurnUnderWay(t *testing.T) {
	keyring.MockInit()
	base, connections := anotherComputer(t)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	model, err := a.model(t.Context(), models.Choice{ID: "custom:owl", BaseURL: base}, Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.LocalOnly = true }); err != nil {
		t.Fatal(err)
	}
	_, err = say(t, model)
	var kept *models.LocalOnlyError
	if !errors.As(err, &kept) || connections.Load() != 0 {
		t.Errorf("%v, with %d connections", err, connections.Load())
	}
}

func TestAServerHereCannotSendTextElsewhere(t *testing.T) {
	keyring.MockInit()
	base, connections := anotherComputer(t)
	here := testkit.NewModelServer(t, testkit.Reply{Status: http.StatusTemporaryRedirect, Header: http.Header{"Location": {base + "/chat/completions"}}})
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: config.Settings{Assistant: config.Assistant{LocalOnly: true}}})
	model, err := a.model(t.Context(), models.Choice{ID: "custom:owl", BaseURL: here.URL}, Scope{})
	if err != nil {
		t.Fatal(err)
	}
	if text, err := say(t, model); err == nil || connections.Load() != 0 {
		t.Errorf("answered %q, %v, with %d connections elsewhere", text, err, connections.Load())
	}
}

// say asks a model for a word and returns what it says.
func say(t *testing.T, model llm.Model) (text string, err error) {
	t.Helper()
	for e, streamErr := range model.Stream(t.Context(), &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hello"}}}) {
		text += e.Delta
		err = streamErr
	}
	return text, err
}

func TestTheSwitchHoldsBeforeItIsSaved(t *testing.T) {
	keyring.MockInit()
	base, connections := anotherComputer(t)
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	a.Models().KeepHere(true)
	var refused *models.LocalOnlyError
	if _, err := a.Models().List(t.Context(), "custom", base); !errors.As(err, &refused) || connections.Load() != 0 {
		t.Errorf("got %v after %d connections", err, connections.Load())
	}
	a.Models().KeepHere(false)
	if _, err := a.Models().List(t.Context(), "custom", base); errors.As(err, &refused) || connections.Load() == 0 {
		t.Errorf("got %v after %d connections", err, connections.Load())
	}
}

func TestWhetherTextStaysHereIsToldForEachModel(t *testing.T) {
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	for choice, want := range map[models.Choice]bool{
		{}:                                true, // the built-in
		{ID: "ollama:qwen3:8b"}:           true,
		{ID: "ollama:gpt-oss:120b-cloud"}: false, // Ollama passes it on
		{ID: "ollama:qwen3:8b", BaseURL: "http://192.168.1.9:11434/v1"}: false,
		{ID: "custom:owl", BaseURL: "http://localhost:8080/v1"}:         true,
		{ID: "custom:owl", BaseURL: "http://localhost.example:8080/v1"}: false,
		{ID: "custom:owl"}:           false, // nobody said where it is
		{ID: "openrouter:birds/owl"}: false,
		{ID: "nobody:owl"}:           false,
	} {
		if got := a.Models().StaysHere(choice); got != want {
			t.Errorf("%+v: %v", choice, got)
		}
	}
}

func TestTheSwitchHoldsBeforeItIsSavedAlsoForWhatIsPassedOn(t *testing.T) {
	keyring.MockInit()
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv})
	a.Models().KeepHere(true)
	var refused *models.LocalOnlyError
	if _, err := a.Models().Test(t.Context(), models.Choice{ID: "ollama:gpt-oss:120b-cloud"}); !errors.As(err, &refused) {
		t.Errorf("got %v", err)
	}
}

package app

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// told asks a model a question and returns its answer.
func told(t *testing.T, a *App, model string) string {
	t.Helper()
	answer, err := a.Ask(t.Context(), Question{Text: "hello", Model: models.Choice{ID: model}})
	if err != nil {
		t.Fatal(err)
	}
	return agenttest.Collect(answer.Events).Text
}

func ownServer(s *testkit.ModelServer) config.Settings {
	return config.Settings{Models: map[string]config.ModelOptions{"custom": {BaseURL: s.URL + "/v1"}, "ollama": {BaseURL: s.URL + "/v1"}}}
}

func words(text string) testkit.Reply {
	return testkit.SSE(`{"choices":[{"delta":{"content":"` + text + `"},"finish_reason":"stop"}],"usage":{"prompt_tokens":9000,"completion_tokens":3}}`)
}

// Rows 003-15 and 004-11: what was learned of a model is known when the program starts
// anew, and is forgotten when the user says so.
func TestWhatWasLearnedOfAModelIsKeptOverRestarts(t *testing.T) {
	noTools := testkit.Reply{Status: 400, Body: `{"error":{"message":"this model does not support tools"}}`}
	noUsage := testkit.Reply{Status: 400, Body: `{"error":{"message":"unknown field stream_options"}}`}
	s := testkit.NewModelServer(t, noUsage, noTools, words("one"), words("two"), noUsage, words("three"))
	s.About(testkit.Reply{Body: `{"data":[{"id":"owl-7b","context_length":9000}]}`})
	opt := Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: ownServer(s)}
	owl := models.Choice{ID: "custom:owl-7b"}

	a := open(t, opt)
	if got := told(t, a, owl.ID); got != "one" {
		t.Fatalf("got %q", got)
	}
	want := a.Models().Facts(owl)
	if want.Format != "hermes" || want.FormatFrom != llm.FromRefusal || strings.Join(want.Refuses, " ") != "stream_options" || want.Context != 9000 {
		t.Errorf("learned %+v", want)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(filepath.Join(opt.Places.Data, "models.json")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}

	a = open(t, opt)
	if got := a.Models().Facts(owl); got.Format != want.Format || got.FormatFrom != want.FormatFrom || len(got.Refuses) != 1 || got.Context != want.Context {
		t.Errorf("after a restart %+v", got)
	}
	if got := told(t, a, owl.ID); got != "two" || len(s.Received()) != 4 {
		t.Errorf("got %q at the request %d: it was refused anew", got, len(s.Received()))
	}
	if sent := string(s.Received()[3].Body); strings.Contains(sent, "stream_options") || strings.Contains(sent, `"tools":`) {
		t.Errorf("sent %s", sent)
	}
	a.Models().ForgetFacts(owl)
	if got := a.Models().Facts(owl); got.Format != config.FormatNative || len(got.Refuses) != 0 || got.ContextFrom != llm.FromList {
		t.Errorf("after it was forgotten: %+v", got)
	}
	if got := told(t, a, owl.ID); got != "three" || len(s.Received()) != 6 {
		t.Errorf("got %q at the request %d", got, len(s.Received()))
	}
}

// A file that is broken or of a later version never keeps the program from starting,
// and the latter is left as it is.
func TestAFileOfModelsThatCannotBeReadIsPassedOver(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		left       bool // as it was, after something was learned
	}{
		{"broken", `{"version":1,"models":[{`, false},
		{"another thing", `[]`, false},
		{"members of other types", `{"version":1,"models":{"a":1}}`, false},
		{"later", `{"version":2,"models":"?"}`, true},
		{"empty", ``, false},
		{"nonsense in it", `{"version":1,"models":[{"server":"::","model":""}],"learned":[{"server":"http://h/v1","model":"m","drop":["messages"],"format":"nonsense"},{"server":"x","model":"m"}],"lists":[{}]}`, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := testkit.NewModelServer(t)
			s.About(testkit.Reply{Body: `{"data":[{"id":"owl","context_length":9000}]}`})
			places := config.Locate(t.TempDir(), "")
			file := filepath.Join(places.Data, "models.json")
			if err := os.WriteFile(file, []byte(tt.file), 0o600); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			a := open(t, Options{Places: places, Getenv: noEnv, Settings: ownServer(s), Logger: slog.New(slog.NewTextHandler(&log, nil))})
			if got, err := a.Models().AskFacts(t.Context(), models.Choice{ID: "custom:owl"}); err != nil || got.Context != 9000 {
				t.Errorf("got %+v, %v", got, err)
			}
			raw, err := os.ReadFile(file)
			if err != nil || (string(raw) == tt.file) != tt.left {
				t.Errorf("the file is %s (%v)", raw, err)
			}
			if broken := tt.name != "nonsense in it"; strings.Contains(log.String(), "models") != broken {
				t.Errorf("the log says %q", log.String())
			}
		})
	}
}

// Issue 5, "context window known or asked": before the first question, and once.
func TestAModelsWindowIsAskedForBeforeItsFirstQuestion(t *testing.T) {
	line := testkit.Reply{Body: `{"message":{"role":"assistant","content":"hi"},"done":true,"done_reason":"stop"}` + "\n"}
	s := testkit.NewModelServer(t, line, line)
	s.About(testkit.Reply{Body: `{"details":{"parameter_size":"8.2B"},"model_info":{"qwen3.context_length":40960},"capabilities":["completion"]}`})
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: ownServer(s)})
	told(t, a, "ollama:qwen3:8b")
	told(t, a, "ollama:qwen3:8b")
	if len(s.Asked()) != 1 || s.Asked()[0].URL.Path != "/api/show" {
		t.Errorf("asked %+v", s.Asked())
	}
	for _, r := range s.Received() {
		if body := string(r.Body); !strings.Contains(body, `"num_ctx":16384`) || strings.Contains(body, `"tools":`) || !strings.Contains(body, "To call a tool") {
			t.Errorf("sent %s", body)
		}
	}
	got := a.Models().Facts(models.Choice{ID: "ollama:qwen3:8b"})
	if got.Context != 16384 || got.MostContext != 40960 || got.ContextFrom != llm.FromServer || got.Params != 8.2 || got.Format != "hermes" || got.FormatFrom != llm.FromServer {
		t.Errorf("known is %+v", got)
	}
	err := a.SaveSettings(func(s *config.Settings) { s.Models["ollama:qwen3:8b"] = config.ModelOptions{Context: 100_000} })
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Models().Facts(models.Choice{ID: "ollama:qwen3:8b"}); got.Context != 40960 || got.ContextFrom != llm.FromServer {
		t.Errorf("more than it takes was believed: %+v", got)
	}
	if got.Price == nil || !got.Price.Free() {
		t.Errorf("what runs here costs %+v", got.Price)
	}
}

func TestAServerThatTellsNothingIsAskedAQuestionAllTheSame(t *testing.T) {
	s := testkit.NewModelServer(t, words("one"), words("two"))
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: ownServer(s)})
	if got := told(t, a, "custom:owl") + told(t, a, "custom:owl"); got != "onetwo" {
		t.Errorf("got %q", got)
	}
	if n := len(s.Asked()); n != 3 { // its list, and the two places where a server without a name may tell
		t.Errorf("asked %d times", n)
	}
	if got := a.Models().Facts(models.Choice{ID: "custom:owl"}); got.Context != 0 || got.ContextFrom != llm.FromDefault {
		t.Errorf("known is %+v", got)
	}
}

func TestModelsCanBeChosenWhileTheirServerIsAway(t *testing.T) {
	s := testkit.NewModelServer(t)
	s.About(testkit.Reply{Body: `{"data":[{"id":"owl","context_length":9000},{"id":"wren"}]}`})
	opt := Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: ownServer(s)}
	a := open(t, opt)
	if got := a.Models().Known("custom", ""); got != nil {
		t.Errorf("before it was asked: %v", got)
	}
	if _, err := a.Models().List(t.Context(), "custom", ""); err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	a = open(t, opt)
	if got := a.Models().Known("custom", ""); len(got) != 2 || got[0].ID != "owl" || got[0].Context != 9000 {
		t.Errorf("after a restart: %+v", got)
	}
	if got := a.Models().Facts(models.Choice{ID: "custom:owl"}); got.Context != 9000 || got.ContextFrom != llm.FromList {
		t.Errorf("known is %+v", got)
	}
}

// A model that Ollama passes on runs elsewhere, whatever the address says.
func TestAModelInTheCloudIsNotOnThisComputer(t *testing.T) {
	s := testkit.NewModelServer(t)
	s.About(testkit.Reply{Body: `{"remote_host":"https://ollama.com:443","model_info":{"a.context_length":131072}}`})
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: ownServer(s)})
	if _, err := a.Models().AskFacts(t.Context(), models.Choice{ID: "ollama:disguised"}); err != nil {
		t.Fatal(err)
	}
	for name, host := range map[string]string{"qwen3:8b": "", "gpt-oss:120b-cloud": "ollama.com", "kimi-k2:cloud": "ollama.com", "disguised": "ollama.com"} {
		choice := models.Choice{ID: "ollama:" + name}
		if got := a.Models().State(t.Context(), choice); got.Host != host {
			t.Errorf("%s: text is said to go to %q, want %q", name, got.Host, host)
		}
		model, err := a.model(t.Context(), choice, Scope{})
		if err != nil || model.Info().Host != host {
			t.Errorf("%s: the model says %q, want %q (%v)", name, model.Info().Host, host, err)
		}
		if got := a.Models().Facts(choice); (got.Price == nil) != (host != "") {
			t.Errorf("%s: the price is %+v", name, got.Price)
		}
	}
	if err := a.SaveSettings(func(s *config.Settings) { s.Assistant.LocalOnly = true }); err != nil {
		t.Fatal(err)
	}
	for name, kept := range map[string]bool{"qwen3:8b": false, "gpt-oss:120b-cloud": true, "disguised": true} {
		if _, err := a.model(t.Context(), models.Choice{ID: "ollama:" + name}, Scope{}); (err != nil) != kept {
			t.Errorf("%s, with never send: %v", name, err)
		}
	}
}

package llm_test

import (
	"net/http"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func TestBaseURLsAreReadAsPeopleWriteThem(t *testing.T) {
	for address, want := range map[string]string{
		"http://h":                              "/v1/chat/completions",
		"http://h/":                             "/v1/chat/completions",
		"http://h/v1":                           "/v1/chat/completions",
		"http://h/v1//":                         "/v1/chat/completions",
		" http://h/v1/chat/completions ":        "/v1/chat/completions",
		"http://h/v1beta/openai/":               "/v1beta/openai/chat/completions",
		"http://h:1234/openai/v1":               "/openai/v1/chat/completions",
		"http://h/api/paas/v4/chat/completions": "/api/paas/v4/chat/completions",
	} {
		s := testkit.NewModelServer(t, ok())
		c := newClient(t, s, func(o *llm.Options) { o.BaseURL, o.HTTP = address, reach(s) })
		ask(t, c, question())
		if got := s.Received()[0].URL.Path; got != want {
			t.Errorf("%q: asked at %s, want %s", address, got, want)
		}
	}
	for _, address := range []string{"", "h", "ftp://h", "http://", "http://u:pass@h", "http://h/?key=pass", "::", "http://h/#pass"} {
		_, err := llm.New(llm.Options{Model: "m", BaseURL: address, HTTP: &http.Client{}})
		if err == nil || strings.Contains(err.Error(), "pass") {
			t.Errorf("%q: got error %v", address, err)
		}
	}
}

func TestOnlyLoopbackStaysOnThisComputer(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:11434": "", "http://localhost": "", "http://[::1]:1": "", "http://LocalHost.:1": "", "http://127.9.9.9": "",
		"http://192.168.1.5:11434": "192.168.1.5:11434", "https://api.example/v1": "api.example", "http://localhost.example": "localhost.example",
	} {
		c, err := llm.New(llm.Options{Model: "m", BaseURL: address, HTTP: &http.Client{}})
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Info().Host; got != want {
			t.Errorf("%s: host %q, want %q", address, got, want)
		}
	}
}

func TestProvidersAreWholeRows(t *testing.T) {
	var names []string
	for _, p := range llm.Providers() {
		names = append(names, p.Name)
		if p.Title == "" || len(p.KeyEnv) == 0 || (p.BaseURL == "") != (p.Name == "custom") {
			t.Errorf("%+v lacks something", p)
		}
		if p.BaseURL != "" {
			c, err := llm.New(llm.Options{Provider: p, Model: "m", HTTP: &http.Client{}})
			if err != nil || (c.Info().Host == "") == p.NeedsKey {
				t.Errorf("%s: %v; a server elsewhere needs a key, one here none", p.Name, err)
			}
		}
	}
	want := "openai anthropic openrouter gemini groq mistral deepseek together ollama lmstudio llamacpp vllm custom"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAModelIDIsPartedAtItsFirstColon(t *testing.T) {
	for id, want := range map[string][2]string{
		"openrouter:openai/gpt-5:free": {"openrouter", "openai/gpt-5:free"},
		" ollama:qwen3:8b ":            {"ollama", "qwen3:8b"},
	} {
		provider, model, err := llm.ParseModelID(id)
		if got := [2]string{provider, model}; got != want || err != nil {
			t.Errorf("%q: got %q, %v", id, got, err)
		}
	}
	for _, id := range []string{"", "gpt-5", ":gpt-5", "openai:"} {
		if _, _, err := llm.ParseModelID(id); err == nil {
			t.Errorf("%q was read", id)
		}
	}
}

func TestARequestThatCannotSucceedIsNotSent(t *testing.T) {
	s := testkit.NewModelServer(t)
	for name, test := range map[string]struct {
		kind   llm.ErrorKind
		change func(*llm.Options)
	}{
		"no key":   {llm.KindAuth, func(o *llm.Options) { row(t, "openai")(o); o.BaseURL, o.HTTP = "https://api.openai.com", reach(s) }},
		"no model": {llm.KindNotFound, func(o *llm.Options) { o.Model = "" }},
	} {
		if got := ask(t, newClient(t, s, test.change), question()); got.Error == nil || got.Error.Kind != test.kind {
			t.Errorf("%s: got %+v", name, got.Error)
		}
	}
	if len(s.Received()) != 0 {
		t.Errorf("sent %+v", s.Received())
	}
}

// Issue 5, "context window known": by the name, where no list tells it and it is sure.
func TestAWindowIsKnownByTheNameWhereNoListReportsIt(t *testing.T) {
	for _, tt := range []struct {
		provider, model string
		want            int
	}{
		{"openai", "gpt-5-mini", 272_000},
		{"openai", "gpt-4o-2024-11-20", 128_000},
		{"openai", "gpt-4", 0},
		{"openai", "owl", 0},
		{"anthropic", "claude-sonnet-4-5", 200_000},
		{"custom", "gpt-5", 0}, // there anybody may be called so
		{"ollama", "gpt-oss:20b", 0},
	} {
		p, _ := llm.FindProvider(tt.provider)
		if got := p.Window(tt.model); got != tt.want {
			t.Errorf("%s:%s: %d, want %d", tt.provider, tt.model, got, tt.want)
		}
	}
}

package llm_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func TestARequestToOllamaIsWhole(t *testing.T) {
	body := sentTo(t, "ollama", conversation(), func(o *llm.Options) { o.Model, o.Effort, o.Context = "qwen3:8b", "low", 12_000 })
	golden(t, filepath.Join("testdata", "ollama.golden.json"), indented(t, body))
}

// Issue 5, "context window known": Ollama gets the window that the turn assumes.
func TestOllamaGetsTheWindowOfTheTurn(t *testing.T) {
	for window, want := range map[int]string{8192: `"num_ctx":8192`, 0: ""} {
		body := string(sentTo(t, "ollama", question(), func(o *llm.Options) { o.Context = window }))
		if (want != "") != strings.Contains(body, "num_ctx") || !strings.Contains(body, want) {
			t.Errorf("a window of %d: sent %s", window, body)
		}
	}
}

func TestOllamasAddressesAreThoseBesideItsV1(t *testing.T) {
	s := testkit.NewModelServer(t)
	for base, path := range map[string]string{
		s.URL: "/api/chat", s.URL + "/v1/": "/api/chat", s.URL + "/behind/a/proxy/v1": "/behind/a/proxy/api/chat",
		s.URL + "/v1/chat/completions": "/api/chat", s.URL + "/other": "/other/api/chat",
	} {
		s.Queue(nextOf("ollama"))
		ask(t, newClient(t, s, row(t, "ollama"), func(o *llm.Options) { o.BaseURL = base }), question())
		if got := s.Received()[len(s.Received())-1].URL.Path; got != path {
			t.Errorf("%s: asked %s, want %s", base, got, path)
		}
	}
}

// What speaks chat completions alone, where Ollama was set, is spoken to so from then
// on. That a model is not there is another matter.
func TestWhereOllamaIsNotItsOwnChatCompletionsAreSpoken(t *testing.T) {
	for _, refusal := range []testkit.Reply{
		{Status: 404, Body: "404 page not found"},
		{Status: 405, Body: `{"detail":"Method Not Allowed"}`},
		{Body: `{"error":"Unexpected endpoint or method. (POST /api/chat). Returning 200 anyway"}`},
	} {
		s := testkit.NewModelServer(t, refusal, ok(), ok())
		c := newClient(t, s, row(t, "ollama"))
		for range 2 {
			if got := ask(t, c, question()); got.Text != "ok" {
				t.Fatalf("%s: got %+v", refusal.Body, got.Error)
			}
		}
		var asked []string
		for _, r := range s.Received() {
			asked = append(asked, r.URL.Path)
		}
		if got := strings.Join(asked, " "); got != "/api/chat /v1/chat/completions /v1/chat/completions" {
			t.Errorf("%s: asked %s", refusal.Body, got)
		}
	}
	s := testkit.NewModelServer(t, testkit.Reply{Status: 404, Body: `{"error":"model \"owl\" not found, try pulling it first"}`})
	if got := ask(t, newClient(t, s, row(t, "ollama")), question()); got.Error == nil || got.Error.Kind != llm.KindNotFound {
		t.Errorf("no such model: %+v", got.Error)
	}
}

func TestAModelThinksAsFarAsItsServerLetsIt(t *testing.T) {
	refuse := func(said string) testkit.Reply {
		body, _ := json.Marshal(map[string]string{"error": said})
		return testkit.Reply{Status: 400, Body: string(body)}
	}
	next := nextOf("ollama")
	for _, tt := range []struct {
		name, effort string
		replies      []testkit.Reply
		sent         []string // what each request says of thinking
	}{
		{"as it will", "", []testkit.Reply{next}, []string{"<nil>"}},
		{"not at all", "none", []testkit.Reply{next}, []string{"false"}},
		{"so much", "high", []testkit.Reply{next}, []string{"high"}},
		{"the least", "minimal", []testkit.Reply{next}, []string{"low"}},
		{"yes, not how much", "high", []testkit.Reply{refuse(`think value "high" is not supported for this model`), next}, []string{"high", "true"}},
		{"it cannot", "low", []testkit.Reply{refuse(`"owl" does not support thinking`), next}, []string{"low", "<nil>"}},
		{"neither", "low", []testkit.Reply{refuse(`think value "low" is not supported`), refuse(`"owl" does not support thinking`), next}, []string{"low", "true", "<nil>"}},
	} {
		s := testkit.NewModelServer(t, tt.replies...)
		c := newClient(t, s, row(t, "ollama"), func(o *llm.Options) { o.Effort = tt.effort })
		if got := ask(t, c, question()); got.Text != "next" {
			t.Errorf("%s: got %+v", tt.name, got.Error)
		}
		for i, r := range s.Received() {
			var body struct{ Think any }
			if err := json.Unmarshal(r.Body, &body); err != nil {
				t.Fatal(err)
			}
			if got := fmt.Sprint(body.Think); got != tt.sent[i] {
				t.Errorf("%s: request %d says %s, want %s", tt.name, i+1, got, tt.sent[i])
			}
		}
	}
}

// Rows 003-16 and 003-15: a model that its server gives no tools is told of them in
// the text.
func TestAModelWithoutToolsBehindOllamaGetsThemAsText(t *testing.T) {
	call := `{"message":{"role":"assistant","content":"{\"name\": \"query\", \"arguments\": {\"limit\": 5}}"},"done":true,"done_reason":"stop"}` + "\n"
	s := testkit.NewModelServer(t,
		testkit.Reply{Status: 400, Body: `{"error":"registry.ollama.ai/library/gemma3:4b does not support tools"}`},
		testkit.Reply{Body: call})
	req := question()
	req.Tools = []llm.Tool{{Name: "query", Description: "Looks for notes."}}
	got := ask(t, newClient(t, s, row(t, "ollama"), func(o *llm.Options) { o.Model = "gemma3:4b" }), req)
	if len(got.Calls) != 1 || got.Calls[0].Name != "query" || got.Text != "" {
		t.Errorf("got %+v", got)
	}
	var sent struct {
		Tools    []any
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal(s.Received()[1].Body, &sent); err != nil {
		t.Fatal(err)
	}
	if len(sent.Tools) > 0 || sent.Messages[0].Role != "system" || !strings.Contains(sent.Messages[0].Content, "Looks for notes.") {
		t.Errorf("sent %s", s.Received()[1].Body)
	}
}

package agent_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// prefixOf returns what of a request's body a provider reads, in its order: tools,
// contract, conversation. Marks of what to cache are no part of it.
func prefixOf(t *testing.T, body []byte) []string {
	t.Helper()
	body = regexp.MustCompile(`"cache_control":\{"type":"ephemeral"\},?`).ReplaceAll(body, nil)
	body = bytes.ReplaceAll(body, []byte(`,}`), []byte(`}`))
	var req struct {
		Tools    json.RawMessage   `json:"tools"`
		System   json.RawMessage   `json:"system"`
		Messages []json.RawMessage `json:"messages"`
		Input    []json.RawMessage `json:"input"` // Responses
	}
	if err := json.Unmarshal(body, &req); err != nil {
		t.Fatalf("%v: %s", err, body)
	}
	out := []string{string(req.Tools), string(req.System)}
	for _, m := range append(req.Messages, req.Input...) {
		out = append(out, string(m))
	}
	return out
}

// hashOf is the SHA-256 of the first n pieces.
func hashOf(pieces []string, n int) [sha256.Size]byte {
	return sha256.Sum256([]byte(strings.Join(pieces[:n], "\x00")))
}

// Rows 000-33 and 000-47: over the steps of a turn and the turns of a chat each request
// begins, on the wire, with the bytes of the one before: the tools, the contract, the
// session, what was said. What changes stands at the end.
//
// Row 000-49: what is remembered meanwhile does not change it, but the next chat's.
func TestEachRequestBeginsOnTheWireWithTheOneBefore(t *testing.T) {
	type provider struct {
		name   string
		script []testkit.Reply // two turns: a call, an answer
	}
	piece := func(delta, finish string) string {
		return fmt.Sprintf(`{"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`, delta, finish)
	}
	call := testkit.SSE(
		piece(`{"reasoning_content":"hm","content":"Noted. "}`, "null"),
		piece(`{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"remember","arguments":"{ \"what\" : \"tea\" }"},"extra_content":{"google":{"thought_signature":"c2ln"}}}]}`, "null"),
		piece(`{}`, `"tool_calls"`))
	fine := testkit.SSE(piece(`{"content":"fine"}`, "null"), piece(`{}`, `"stop"`))
	var all []provider
	for _, name := range []string{"custom", "openrouter", "gemini", "groq", "mistral", "deepseek", "llamacpp"} {
		all = append(all, provider{name, []testkit.Reply{call, fine, call, fine}})
	}
	for _, f := range families(t) {
		all = append(all, provider{f.provider, append(f.first, f.thinks, f.fine, f.thinks, f.fine)})
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			var remembered []string
			remember := testTool{name: "remember", effect: tools.Local, run: func(_ context.Context, _ *tools.Env, args json.RawMessage) (tools.Result, error) {
				remembered = append(remembered, string(args))
				return answerText("remembered"), nil
			}}
			s := testkit.NewModelServer(t, p.script...)
			row, _ := llm.FindProvider(p.name)
			key := llm.NewKey("k", strings.TrimPrefix(s.URL, "http://"))
			m, err := llm.New(llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1, Key: key, Learned: &llm.Learned{}})
			if err != nil {
				t.Fatal(err)
			}
			a := newAgent(t, agent.Options{
				Model: m, Tools: []tools.Tool{remember, echo("query"), echo("count")},
				Permission: func(tools.Spec) agent.Permission { return agent.FreeClean }, Prompts: agent.Prompts{System: "contract"},
			})
			session := func() string { return fmt.Sprintf("The user likes: %q", remembered) }
			c := agent.Conversation{Session: session()}
			for _, question := range []string{"remember tea", "and again"} {
				if got := outline(ask(t, a, &c, question)); !strings.Contains(got, "finish stop") {
					t.Fatalf("the turn is\n%s", got)
				}
			}
			var before []string
			for i, r := range s.Received()[len(p.script)-4:] {
				now := prefixOf(t, r.Body)
				if n := len(before); n > 0 && (len(now) <= n || hashOf(now, n) != hashOf(before, n)) {
					for j := range min(n, len(now)) {
						if now[j] != before[j] {
							t.Errorf("request %d, piece %d:\n%s\nbefore:\n%s", i+1, j, now[j], before[j])
						}
					}
					t.Fatalf("request %d does not begin with the one before", i+1)
				}
				before = now
			}
			if strings.Contains(p.script[0].Body, "remember") && (len(remembered) != 2 || session() == c.Session) {
				t.Errorf("remembered %q; the next chat is told %q", remembered, session())
			}
		})
	}
}

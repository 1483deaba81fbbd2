package app

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
)

var update = flag.Bool("update", false, "write the golden files anew")

// Rows 000-44, 003-17, 003-18 and 004-13: the whole of what a model is told behind its
// first call, with the real prompts and tools, as one with native calls gets it and as
// each text format writes it.
func TestWhatAModelIsToldIsAsInTheGoldenFiles(t *testing.T) {
	now := time.Date(2026, 9, 1, 14, 30, 0, 0, time.FixedZone("CEST", 7200))
	native := `{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"call_1","function":{"name":"current_time","arguments":"{}"}}]},"finish_reason":"tool_calls"}]}`
	for format, call := range map[string]string{
		"native":   native,
		"hermes":   `<tool_call>{"name": "current_time", "arguments": {}}</tool_call>`,
		"mistral":  `[TOOL_CALLS] [{"name": "current_time", "arguments": {}, "id": "call00001"}]`,
		"pythonic": `[current_time()]`,
		"json":     `{"name": "current_time", "arguments": {}}`,
	} {
		t.Run(format, func(t *testing.T) {
			if format != "native" {
				raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": map[string]string{"content": call}, "finish_reason": "stop"}}})
				if err != nil {
					t.Fatal(err)
				}
				call = string(raw)
			}
			s := testkit.NewModelServer(t, testkit.SSE(call), words("It is half past two."))
			a := open(t, Options{
				Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Now: func() time.Time { return now }, Zone: now.Location(),
				Settings: config.Settings{Models: map[string]config.ModelOptions{"custom:owl": {Format: format}, "custom": {BaseURL: s.URL + "/v1"}}},
			})
			answer, err := a.Ask(t.Context(), Question{Text: "What time is it?", Model: models.Choice{ID: "custom:owl"}, Unattended: true})
			if err != nil {
				t.Fatal(err)
			}
			if got := agenttest.Collect(answer.Events); got.Text != "It is half past two." || len(got.Calls) != 1 {
				t.Fatalf("got %+v", got)
			}
			got := readable(t, s.Received()[1].Body)
			file := filepath.Join("testdata", "prompt_"+format+".txt")
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("the request is not as in %s; run with -update and look at the difference", file)
			}
			inOrder(t, got, "=== system", "You are the assistant of Bowerbird", "The user has not said who they are", `"current_time"`, "=== user", "What time is it?", "<context>", "=== assistant", "2026-09-01T14:30:00+02:00")
		})
	}
}

// readable writes a request so that a person can read it, and a difference in it: what
// the model reads, in the order in which it reads it.
func readable(t *testing.T, body []byte) string {
	t.Helper()
	var sent struct {
		Messages []struct {
			Role, Content string
			Calls         json.RawMessage `json:"tool_calls"`
			CallID        string          `json:"tool_call_id"`
		}
		Tools []json.RawMessage
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for i, m := range sent.Messages {
		fmt.Fprintf(&b, "=== %s %s\n%s\n", m.Role, m.CallID, m.Content)
		if len(m.Calls) > 0 {
			fmt.Fprintf(&b, "%s\n", m.Calls)
		}
		if i == 0 && len(sent.Tools) > 0 { // where templates put them
			b.WriteString("=== tools\n")
			for _, tool := range sent.Tools {
				fmt.Fprintf(&b, "%s\n", tool)
			}
		}
	}
	return b.String()
}

func inOrder(t *testing.T, text string, parts ...string) {
	t.Helper()
	at := 0
	for _, part := range parts {
		i := strings.Index(text[at:], part)
		if i < 0 {
			t.Errorf("%q is not behind what should come before it", part)
			return
		}
		at += i + len(part)
	}
}

// Row 004-11, "none enabled -> plain chat with notice": the model is told that it cannot
// look, and the user that it did not.
func TestWithoutAnyFormatTheChatIsPlainAndSaysSo(t *testing.T) {
	s := testkit.NewModelServer(t, words("I cannot look."))
	settings := ownServer(s)
	settings.Models["custom:owl"] = config.ModelOptions{Format: config.FormatNone, Prompt: "Be kind."}
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: settings})
	answer, err := a.Ask(t.Context(), Question{Text: "What did I miss?", Model: models.Choice{ID: "custom:owl"}})
	if err != nil {
		t.Fatal(err)
	}
	if got := agenttest.Collect(answer.Events); got.Text != "I cannot look." || !answer.Toolless {
		t.Errorf("got %+v; said to be without tools: %v", got, answer.Toolless)
	}
	got := readable(t, s.Received()[0].Body)
	if strings.Contains(got, "=== tools") || strings.Contains(got, "present_notes") {
		t.Errorf("told of tools: %s", got)
	}
	inOrder(t, got, "=== system", "you have no tools", "Be kind.", "=== user", "What did I miss?")
}

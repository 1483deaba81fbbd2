package llm_test

import (
	"encoding/json"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// Rows 000-48 and 000-52: where the marks for the cache stand in a request, and that
// nobody gets any who needs none or wants none.
func TestMarksForTheCacheComeAfterThePromptAndTheQuestion(t *testing.T) {
	req := func() *llm.Request {
		return &llm.Request{
			Messages: []llm.Message{
				{Role: llm.System, Text: `the "contract"`},
				{Role: llm.User, Text: "earlier"},
				{Role: llm.Assistant, Text: "said"},
				{Role: llm.User, Text: "the question"},
				{Role: llm.Assistant, Calls: []llm.Call{{ID: "a", Name: "query", Arguments: json.RawMessage(`{}`)}}},
				{Role: llm.ToolRole, CallID: "a", CallName: "query", Text: "found"},
			},
			Tools: []llm.Tool{{Name: "query"}},
		}
	}
	for _, tt := range []struct {
		name, provider, model string
		none                  bool
		want                  []int // messages that are marked
	}{
		{"Claude behind OpenRouter", "openrouter", "anthropic/claude-x", false, []int{0, 3}},
		{"Claude behind OpenRouter, without caching", "openrouter", "anthropic/claude-x", true, nil},
		{"another model there", "openrouter", "openai/gpt-x", false, nil},
		{"the same name elsewhere", "custom", "anthropic/claude-x", false, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := testkit.NewModelServer(t, ok())
			c := newClient(t, s, row(t, tt.provider), keyFor(s), func(o *llm.Options) { o.Model, o.NoCaching = tt.model, tt.none })
			if got := ask(t, c, req()); got.Text != "ok" {
				t.Fatalf("got %+v", got.Error)
			}
			body := s.Received()[0].Body
			var sent struct {
				Messages []struct{ Content json.RawMessage }
			}
			if err := json.Unmarshal(body, &sent); err != nil {
				t.Fatal(err)
			}
			if n := strings.Count(string(body), "cache_control"); n != len(tt.want) {
				t.Errorf("%d marks, want %d: %s", n, len(tt.want), body)
			}
			for _, i := range tt.want {
				var parts []struct {
					Type, Text string
					Cache      struct{ Type string } `json:"cache_control"`
				}
				err := json.Unmarshal(sent.Messages[i].Content, &parts)
				if err != nil || len(parts) != 1 || parts[0].Text != req().Messages[i].Text || parts[0].Cache.Type != "ephemeral" {
					t.Errorf("message %d is %s (%v)", i, sent.Messages[i].Content, err)
				}
			}
		})
	}
}

func TestAServerThatRefusesMarksForTheCacheGetsNone(t *testing.T) {
	s := testkit.NewModelServer(t, refusal(400, "Unknown field: cache_control", "", ""), ok())
	c := newClient(t, s, row(t, "openrouter"), keyFor(s), func(o *llm.Options) { o.Model = "anthropic/claude-x" })
	if got := ask(t, c, question()); got.Text != "ok" || strings.Contains(string(s.Received()[1].Body), "cache_control") {
		t.Errorf("got %+v, sent %s", got.Error, s.Received()[len(s.Received())-1].Body)
	}
}

// What was learned with caching is still known after it was off, whatever was learned
// meanwhile.
func TestARefusalOfMarksIsNotForgottenWhileCachingIsOff(t *testing.T) {
	s := testkit.NewModelServer(t,
		refusal(400, "Unknown field: cache_control", "", ""), ok(),
		refusal(400, "Unknown field: stream_options", "", ""), ok(), ok())
	var learned llm.Learned
	for _, off := range []bool{false, true, false} {
		c := newClient(t, s, row(t, "openrouter"), keyFor(s), func(o *llm.Options) {
			o.Model, o.NoCaching, o.Learned = "anthropic/claude-x", off, &learned
		})
		if got := ask(t, c, question()); got.Text != "ok" {
			t.Fatalf("got %+v", got.Error)
		}
	}
	if all := s.Received(); len(all) != 5 || strings.Contains(string(all[4].Body), "cache_control") {
		t.Errorf("%d requests, the last is %s", len(all), all[len(all)-1].Body)
	}
}

package app

import (
	"encoding/json"
	"fmt"
	"math"
	"testing"

	"github.com/zalando/go-keyring"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// Rows 003-15 and 004-11: what is known of a model, and by what.
func TestTheUsersOwnWordComesBeforeThatOfTheServer(t *testing.T) {
	server := testkit.NewModelServer(t)
	server.About(testkit.Reply{Body: `{"data":[{"id":"owl-8b","context_length":9000},{"id":"wren"}]}`})
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: config.Settings{
		Models: map[string]config.ModelOptions{"custom": {BaseURL: server.URL}},
	}})
	owl := models.Choice{ID: "custom:owl-8b"}
	if got := a.Models().Facts(owl); got.Context != 0 || got.ContextFrom != llm.FromDefault || got.Params != 8 || got.Format != "native" {
		t.Errorf("before anybody was asked: %+v", got)
	}
	if got, err := a.Models().AskFacts(t.Context(), owl); err != nil || got.Context != 9000 || got.ContextFrom != llm.FromList {
		t.Errorf("after: %+v, %v", got, err)
	}
	if model, err := a.model(t.Context(), owl, Scope{}); err != nil || model.Info().Context != 9000 {
		t.Errorf("the model takes %+v, %v", model.Info(), err)
	}
	err := a.SaveSettings(func(s *config.Settings) {
		s.Models["custom:owl-8b"] = config.ModelOptions{Context: 5000, Format: config.FormatNone}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := a.Models().Facts(owl); got.Context != 5000 || got.ContextFrom != llm.FromUser || got.Format != config.FormatNone || got.FormatFrom != llm.FromUser {
		t.Errorf("with words of the user's own: %+v", got)
	}
	a.Models().ForgetFacts(owl)
	if got := a.Models().Facts(owl); got.Context != 5000 {
		t.Errorf("what the user said was forgotten: %+v", got)
	}
}

func TestWithoutToolsAModelIsToldOfNone(t *testing.T) {
	server := testkit.NewModelServer(t, testkit.SSE(`{"choices":[{"delta":{"content":"pong"},"finish_reason":"stop"}]}`))
	a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: config.Settings{
		Models: map[string]config.ModelOptions{"custom": {BaseURL: server.URL, Format: config.FormatNone}},
	}})
	model, err := a.model(t.Context(), models.Choice{ID: "custom:owl"}, Scope{})
	if err != nil {
		t.Fatal(err)
	}
	req := &llm.Request{
		Tools: []llm.Tool{{Name: "query"}},
		Messages: []llm.Message{
			{Role: llm.User, Text: "q"},
			{Role: llm.Assistant, Calls: []llm.Call{{ID: "1", Name: "query", Arguments: json.RawMessage(`{"a":1}`)}}},
			{Role: llm.ToolRole, CallID: "1", CallName: "query", Text: "found"},
		},
	}
	for _, err := range model.Stream(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
	}
	var sent struct {
		Tools    []any
		Messages []struct {
			Role      string
			ToolCalls []any `json:"tool_calls"`
		}
	}
	if err := json.Unmarshal(server.Received()[0].Body, &sent); err != nil {
		t.Fatal(err)
	}
	if len(sent.Tools) > 0 || len(sent.Messages) != 3 || len(sent.Messages[1].ToolCalls) > 0 || sent.Messages[2].Role != "user" {
		t.Errorf("sent %s", server.Received()[0].Body)
	}
}

// Issue 5, "cost where a price is known": by the server's own count, else by the prices
// of its list; nothing here, and unknown elsewhere.
func TestATurnsCostIsKnownWhereAPriceIs(t *testing.T) {
	keyring.MockInit()
	usage := func(more string) testkit.Reply {
		return testkit.SSE(`{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000,"completion_tokens":100` + more + `}}`)
	}
	priced := `{"data":[{"id":"owl","context_length":128000,"pricing":{"prompt":"0.000002","completion":"0.00001"}}]}`
	for _, tt := range []struct {
		name, model, list, more string
		want                    string
	}{
		{"by the list", "custom:owl", priced, "", "0.003"},
		{"by the server's count", "openrouter:owl", priced, `,"cost":0.0042`, "0.0042"},
		{"a server on this computer", "custom:owl", `{"data":[{"id":"owl"}]}`, "", "0"},
		{"one in the cloud behind it", "ollama:owl-cloud", `{}`, "", "unknown"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := testkit.NewModelServer(t)
			s.About(testkit.Reply{Body: tt.list})
			s.Queue(usage(tt.more))
			if tt.model == "ollama:owl-cloud" {
				s = testkit.NewModelServer(t, testkit.Reply{Body: `{"message":{"content":"hi"},"done":true,"prompt_eval_count":1000,"eval_count":100}` + "\n"})
			}
			settings := ownServer(s)
			settings.Models["openrouter"] = config.ModelOptions{BaseURL: s.URL + "/v1"}
			a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: func(name string) string {
				if name == "OPENROUTER_API_KEY" {
					return "sk-planted-0123456789"
				}
				return ""
			}, Settings: settings})
			if tt.model == "openrouter:owl" {
				if _, err := a.Models().SetKey(t.Context(), "openrouter", "", "sk-planted-0123456789"); err != nil {
					t.Fatal(err)
				}
			}
			answer, err := a.Ask(t.Context(), Question{Text: "hello", Model: models.Choice{ID: tt.model}})
			if err != nil {
				t.Fatal(err)
			}
			got := "unknown"
			for e := range answer.Events {
				if e.Type == agent.EventFinish && e.Cost != nil {
					got = fmt.Sprint(*e.Cost)
				}
			}
			if got != tt.want {
				t.Errorf("it cost %s, want %s", got, tt.want)
			}
		})
	}
}

// A price that the user set comes before all others;
// what they left out of it is as it is known otherwise.
func TestCostsAreReckonedByThePriceThatTheUserSet(t *testing.T) {
	of := func(x float64) *float64 { return &x }
	counted := `{"choices":[{"delta":{"content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":1000000,"completion_tokens":100000,"prompt_tokens_details":{"cached_tokens":500000}}}`
	for name, tt := range map[string]struct {
		own  config.ModelOptions
		list string // what the server's list says
		cost float64
		by   string
	}{
		"none":                      {config.ModelOptions{}, `"pricing":{"prompt":"0.000002","completion":"0.00001"}`, 2 + 1, ""},
		"all of it":                 {config.ModelOptions{PriceIn: of(4), PriceOut: of(10), PriceCached: of(1)}, ``, 2 + 0.5 + 1, "user"},
		"all but the cache":         {config.ModelOptions{PriceIn: of(4), PriceOut: of(10)}, ``, 4 + 1, "user"},
		"the cache for nothing":     {config.ModelOptions{PriceIn: of(4), PriceOut: of(10), PriceCached: of(0)}, ``, 2 + 1, "user"},
		"nothing":                   {config.ModelOptions{PriceIn: of(0), PriceOut: of(0)}, `"pricing":{"prompt":"0.000002","completion":"0.00001"}`, 0, "user"},
		"a part, the rest is known": {config.ModelOptions{PriceOut: of(20)}, `"pricing":{"prompt":"0.000002","completion":"0.00001"}`, 2 + 2, "user"},
		"a part, of a server here":  {config.ModelOptions{PriceOut: of(20)}, ``, 2, "user"},
	} {
		t.Run(name, func(t *testing.T) {
			s := testkit.NewModelServer(t, testkit.SSE(counted))
			list := `{"data":[{"id":"owl"}]}`
			if tt.list != "" {
				list = `{"data":[{"id":"owl",` + tt.list + `}]}`
			}
			s.About(testkit.Reply{Body: list})
			set := ownServer(s)
			set.SetOptions("custom:owl", tt.own)
			a := open(t, Options{Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Settings: set})
			answer, err := a.Ask(t.Context(), Question{Text: "hello", Model: models.Choice{ID: "custom:owl"}})
			if err != nil {
				t.Fatal(err)
			}
			var last agent.Event
			for e := range answer.Events {
				last = e
			}
			if last.Cost == nil || math.Abs(*last.Cost-tt.cost) > 1e-9 || last.CostBy != tt.by {
				t.Fatalf("it cost %v by %q, want %v by %q", last.Cost, last.CostBy, tt.cost, tt.by)
			}
			if from := a.Models().Facts(models.Choice{ID: "custom:owl"}).PriceFrom; (from == llm.FromUser) != (tt.by == "user") {
				t.Errorf("the price is said to be by %q", from)
			}
		})
	}
}

package agent_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Rows 000-50 and 002-50: each model call tells what it read, also from and into the
// cache, and what it cost; the end tells the sum. A cost is told where all of it is
// known, and no other.
func TestTheEndOfATurnTellsWhatAllOfItCost(t *testing.T) {
	used := func(u llm.Usage, rest reply) reply {
		return func(req *llm.Request) ([]llm.Event, error) {
			events, err := rest(req)
			return append(events, llm.Event{Type: llm.EventUsage, Usage: &u}), err
		}
	}
	first := llm.Usage{Input: 1000, Output: 50, Total: 1050, Written: 900, Thought: 20}
	second := llm.Usage{Input: 1200, Output: 100, Total: 1300, Cached: 900}
	price := func(u llm.Usage) (float64, bool) { return float64(u.Input) / 1000, u.Input != 1200 }
	call := calls(callOf("a", "read", `{}`))
	for _, tt := range []struct {
		name   string
		price  func(llm.Usage) (float64, bool)
		script []reply
		usage  *llm.Usage
		cost   float64 // -1: not known
	}{
		{"both told, no price", nil, []reply{used(first, call), used(second, says("done"))}, &llm.Usage{Input: 2200, Output: 150, Total: 2350, Cached: 900, Written: 900, Thought: 20}, -1},
		{"both told and priced", price, []reply{used(first, call), used(first, says("done"))}, &llm.Usage{Input: 2000, Output: 100, Total: 2100, Written: 1800, Thought: 40}, 2},
		{"one has no price", price, []reply{used(first, call), used(second, says("done"))}, &llm.Usage{Input: 2200, Output: 150, Total: 2350, Cached: 900, Written: 900, Thought: 20}, -1},
		{"one told nothing", price, []reply{used(first, call), says("done")}, &first, -1},
		{"one was refused", price, []reply{fails(llm.KindMalformedCall), used(first, says("done"))}, &first, 1},
		{"one broke off and was taken back", price, []reply{fails(llm.KindNamelessCall, llm.Event{Type: llm.EventText, Delta: "so"}), used(first, says("done"))}, &first, -1},
		{"one was tried again by the provider's means", price, []reply{func(*llm.Request) ([]llm.Event, error) {
			return []llm.Event{
				{Type: llm.EventText, Delta: "so"},
				{Type: llm.EventRetrying, Retry: &llm.Retry{}},
				{Type: llm.EventText, Delta: "done"},
				{Type: llm.EventUsage, Usage: &first},
			}, nil
		}}, &first, -1},
		{"none told anything", price, []reply{call, says("done")}, nil, -1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := newAgent(t, agent.Options{Model: &scripted{script: tt.script}, Tools: []tools.Tool{echo("read")}, Price: tt.price})
			var c agent.Conversation
			events := ask(t, a, &c, "q")
			end := events[len(events)-1]
			if end.Type != agent.EventFinish || (end.Usage == nil) != (tt.usage == nil) || tt.usage != nil && *end.Usage != *tt.usage {
				t.Errorf("the end tells %+v, want %+v", end.Usage, tt.usage)
			}
			if known := end.Cost != nil; known != (tt.cost >= 0) || known && *end.Cost != tt.cost {
				t.Errorf("the end tells the cost %v, want %v", end.Cost, tt.cost)
			}
			var sum llm.Usage
			for _, e := range events {
				if e.Type == agent.EventUsage {
					sum.Cached += e.Usage.Cached
					sum.Written += e.Usage.Written
				}
			}
			if tt.usage != nil && (sum.Cached != tt.usage.Cached || sum.Written != tt.usage.Written) {
				t.Errorf("the calls tell %+v", sum)
			}
		})
	}
}

// Row 000-50: what was read from a cache, and what was put into one, is told whichever
// of the three shapes the server tells it in.
func TestTheTokensOfACacheAreToldInEveryShape(t *testing.T) {
	chat := func(usage string) testkit.Reply {
		return testkit.SSE(`{"choices":[{"index":0,"delta":{"content":"fine"},"finish_reason":"stop"}],"usage":` + usage + `}`)
	}
	for name, tt := range map[string]struct {
		provider string
		reply    testkit.Reply
		want     llm.Usage
	}{
		"OpenAI": {"custom", chat(`{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,"prompt_tokens_details":{"cached_tokens":80}}`), llm.Usage{
			Input: 100, Output: 5, Total: 105, Cached: 80,
		}},
		"DeepSeek": {"deepseek", chat(`{"prompt_tokens":100,"completion_tokens":5,"total_tokens":105,"prompt_cache_hit_tokens":64,"prompt_cache_miss_tokens":36}`), llm.Usage{
			Input: 100, Output: 5, Total: 105, Cached: 64,
		}},
		"Anthropic": {"anthropic", testkit.Reply{Body: `data: {"type":"message_start","message":{"usage":{"input_tokens":10,"cache_read_input_tokens":70,"cache_creation_input_tokens":20,"output_tokens":1}}}` + "\n\n" +
			`data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"fine"}}` + "\n\n" +
			`data: {"type":"message_delta","delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":5}}` + "\n\n" +
			`data: {"type":"message_stop"}` + "\n\n"}, llm.Usage{
			Input: 100, Output: 5, Total: 105, Cached: 70, Written: 20,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s := testkit.NewModelServer(t, tt.reply)
			row, _ := llm.FindProvider(tt.provider)
			m, err := llm.New(llm.Options{
				Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1,
				Key: llm.NewKey("k", strings.TrimPrefix(s.URL, "http://")),
			})
			if err != nil {
				t.Fatal(err)
			}
			var c agent.Conversation
			for _, e := range ask(t, newAgent(t, agent.Options{Model: m}), &c, "q") {
				if e.Type != agent.EventUsage {
					continue
				}
				if *e.Usage != tt.want {
					t.Errorf("told is %+v, want %+v", *e.Usage, tt.want)
				}
				raw, err := json.Marshal(e)
				if err != nil || !strings.Contains(string(raw), fmt.Sprintf(`"cached":%d`, tt.want.Cached)) ||
					strings.Contains(string(raw), "cache_written") != (tt.want.Written > 0) {
					t.Errorf("the event is %s (%v)", raw, err)
				}
				return
			}
			t.Error("no usage was told")
		})
	}
}

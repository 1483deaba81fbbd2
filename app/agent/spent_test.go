package agent_test

import (
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/llm"
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

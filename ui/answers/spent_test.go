package answers

import (
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/llm"
	"bowerbird/ui/present"
)

// factsOf writes the facts of a turn, one a line.
func factsOf(t Turn, chat chats.Usage, uncached Phrase) string {
	var lines []string
	for _, f := range t.Facts(chat, uncached) {
		var words []string
		for _, w := range f.Words {
			for name, v := range w.Data {
				if m, ok := v.(Money); ok {
					w.Data[name] = present.Words{}.Dollars(float64(m))
				}
			}
			words = append(words, english(w))
		}
		lines = append(lines, english(f.Name)+": "+strings.Join(words, " · "))
	}
	return strings.Join(lines, "\n")
}

// Row 000-50: what of a request came from the provider's cache, and what went into it,
// is said of each turn; row 002-50: what a turn came to in all.
func TestWhatATurnCostIsSaidAsFarAsItIsKnown(t *testing.T) {
	usd := 0.004
	usage := &llm.Usage{Input: 5120, Output: 340, Cached: 4096, Written: 512, Thought: 120}
	chat := chats.Usage{Input: 9800, Output: 410, Cached: 8192, Cost: 0.0123}
	for name, tt := range map[string]struct {
		head     Turn
		events   []agent.Event
		chat     chats.Usage
		uncached Phrase
		want     string
	}{
		"all is known": {
			Turn{Model: "openai:gpt", Host: "api.openai.com", Number: 2},
			[]agent.Event{{Type: agent.EventUsage, Usage: usage, Cost: &usd}, {Type: agent.EventFinish, Finish: "stop", Cost: &usd}},
			chat,
			Phrase{},
			"Answered by: openai:gpt · sent to api.openai.com\n" +
				"Tokens: 5120 tokens read · 340 tokens written · 120 of them for thinking\n" +
				"Cache: 4096 of the tokens read came from the cache · 512 were put into it\n" +
				"Cost: about $0.004\n" +
				"This chat: 9800 tokens read · 410 tokens written · 8192 of them from the cache · about $0.012",
		},
		"no price": {
			Turn{Model: "groq:m", Host: "api.groq.com", Number: 1},
			[]agent.Event{{Type: agent.EventUsage, Usage: &llm.Usage{Input: 10, Output: 2}}, {Type: agent.EventFinish, Finish: "stop"}},
			chat, phrase("It has none."),
			"Answered by: groq:m · sent to api.groq.com\nTokens: 10 tokens read · 2 tokens written\nCache: It has none.\nCost: not known",
		},
		"here": {
			Turn{Model: "ollama:qwen3:8b", Number: 2},
			[]agent.Event{{Type: agent.EventFinish, Finish: "stop"}},
			chats.Usage{Input: 10, Output: 2, Cost: 1.25, Unpriced: true},
			Phrase{},
			"Answered by: ollama:qwen3:8b · on this computer\nCost: nothing: it ran on this computer\nThis chat: 10 tokens read · 2 tokens written · $1.25 or more",
		},
		"nothing was told": {
			Turn{Model: "custom:m", Host: "lan.example", Number: 1},
			[]agent.Event{{Type: agent.EventFinish, Finish: "stop"}},
			chats.Usage{},
			Phrase{},
			"Answered by: custom:m · sent to lan.example",
		},
		"the built-in": {
			Turn{Model: config.DefaultModel, Number: 3},
			nil, chat,
			Phrase{},
			"Answered by: Built-in, no language model\nText: stayed on this computer",
		},
	} {
		t.Run(name, func(t *testing.T) {
			asm := NewAssembler(tt.head, nil)
			for _, e := range tt.events {
				asm.Add(t.Context(), e)
			}
			if got := factsOf(asm.Turn(), tt.chat, tt.uncached); got != tt.want {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}

// Row 000-51: each cause of an empty cache has its hint.
func TestEveryCauseOfAnEmptyCacheIsSaid(t *testing.T) {
	all := constants(t, "app/models", "CacheMiss")
	if len(all) < 10 {
		t.Fatalf("only %v were found", all)
	}
	seen := map[string]string{}
	for _, cause := range all {
		words, known := uncached[models.CacheMiss(cause)]
		if !known || (words == "") != (cause == "") {
			t.Errorf("%q is said as %q", cause, words)
		}
		if other, there := seen[words]; there {
			t.Errorf("%q and %q are said alike", cause, other)
		}
		seen[words] = cause
	}
}

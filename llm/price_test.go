package llm_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

func TestAPriceIsThatOfEachKindOfToken(t *testing.T) {
	whole := llm.Price{Input: 3, Output: 15, CachedInput: 0.3, CacheWrite: 3.75}
	for _, tt := range []struct {
		price llm.Price
		usage llm.Usage
		want  float64
	}{
		{whole, llm.Usage{Input: 1_000_000, Output: 1_000_000}, 18},
		{whole, llm.Usage{Input: 1_000_000, Cached: 1_000_000}, 0.3},
		{whole, llm.Usage{Input: 1_000_000, Written: 1_000_000}, 3.75},
		{whole, llm.Usage{Input: 1000, Cached: 400, Written: 100, Output: 10}, (500*3 + 400*0.3 + 100*3.75 + 150) / 1e6},
		{llm.Price{Input: 2, Output: 4}, llm.Usage{Input: 1000, Cached: 400, Written: 100, Output: 10}, 0.00204},
		{whole, llm.Usage{Input: 10, Cached: 900, Written: 900}, 10 * 0.3 / 1e6}, // a count that cannot be
		{llm.Price{Input: 2, Output: 4, CachedFree: true}, llm.Usage{Input: 1000, Cached: 400, Output: 10}, (600*2 + 40) / 1e6},
		{llm.Price{}, llm.Usage{Input: 1000, Output: 1000}, 0},
	} {
		if got := tt.price.Of(tt.usage); math.Abs(got-tt.want) > 1e-12 {
			t.Errorf("%+v at %+v costs %v, want %v", tt.usage, tt.price, got, tt.want)
		}
	}
}

// Issue 5, "cost where a price is known": OpenRouter counts it itself; what another
// server calls cost may be in any money.
func TestTheCostIsThatWhichTheProviderReports(t *testing.T) {
	for _, tt := range []struct{ provider, cost, want string }{
		{"openrouter", `0.00141`, "0.00141"},
		{"openrouter", `"0.5"`, "0.5"},
		{"openrouter", `0`, "0"},
		{"openrouter", `null`, "unknown"},
		{"openrouter", `-1`, "unknown"},
		{"openrouter", `1e300`, "unknown"},
		{"openrouter", `{"usd":1}`, "unknown"},
		{"custom", `0.5`, "unknown"},
	} {
		s := testkit.NewModelServer(t, testkit.SSE(`{"choices":[{"delta":{"content":"ok"},"finish_reason":"stop"}]}`,
			`{"choices":[],"usage":{"prompt_tokens":10,"completion_tokens":2,"cost":`+tt.cost+`}}`))
		got := "unknown"
		for e, err := range newClient(t, s, row(t, tt.provider), keyFor(s)).Stream(t.Context(), question()) {
			if err != nil {
				t.Fatal(err)
			}
			if e.Type == llm.EventUsage && e.Usage.Cost != nil {
				got = fmt.Sprint(*e.Usage.Cost)
			}
		}
		if got != tt.want {
			t.Errorf("%s says %s: got %s, want %s", tt.provider, tt.cost, got, tt.want)
		}
		if asked := strings.Contains(string(s.Received()[0].Body), `"usage":{"include":true}`); asked != (tt.provider == "openrouter") {
			t.Errorf("%s: asked for the cost: %v", tt.provider, asked)
		}
	}
}

func keyFor(s *testkit.ModelServer) func(*llm.Options) {
	return func(o *llm.Options) { o.Key = llm.NewKey("sk-planted", strings.TrimPrefix(s.URL, "http://")) }
}

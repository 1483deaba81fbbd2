package llm

import (
	"encoding/json"
)

// readUsage reads a provider's usage. Providers use different names for the counts besides
// input and output, at the top level or in details. Negative counts are ignored.
func readUsage(raw json.RawMessage) *Usage {
	m := membersOf(raw)
	if m == nil {
		return nil
	}
	input := []members{m}
	for _, name := range []string{"prompt_tokens_details", "input_tokens_details", "cache_creation"} {
		input = append(input, membersOf(m[name]))
	}
	output := []members{m}
	for _, name := range []string{"completion_tokens_details", "output_tokens_details"} {
		output = append(output, membersOf(m[name]))
	}
	u := Usage{
		Input:   count(input[:1], "prompt_tokens", "input_tokens"),
		Output:  count(output[:1], "completion_tokens", "output_tokens"),
		Cached:  count(input, "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens", "cache_read_tokens"),
		Written: count(input, "cache_creation_input_tokens", "cache_write_tokens", "cache_creation_tokens"),
		Thought: count(output, "reasoning_tokens", "thinking_tokens", "thoughts_token_count"),
	}
	if u.Written == 0 { // Anthropic counts them by lifetime
		u.Written = count(input, "ephemeral_5m_input_tokens") + count(input, "ephemeral_1h_input_tokens")
	}
	if present(m["total_tokens"]) {
		u.Total = count(input[:1], "total_tokens")
	} else {
		u.Total = u.Input + u.Output
	}
	return &u
}

// countsAny reports whether a usage counts any tokens: some servers send an empty one after
// the real one.
func countsAny(raw json.RawMessage) bool {
	u := readUsage(raw)
	return u != nil && u.Input+u.Output+u.Total > 0
}

func count(places []members, names ...string) int {
	for _, m := range places {
		for _, name := range names {
			if n, ok := number(m[name]); ok && n > 0 {
				return n
			}
		}
	}
	return 0
}

// readCost reads the cost that a provider reports for an answer, in US dollars; nil if there
// is none, or if it is not plausible.
func readCost(raw json.RawMessage) *float64 {
	cost, ok := dollars(membersOf(raw)["cost"])
	if !ok || !(cost >= 0 && cost <= 1e4) {
		return nil
	}
	return &cost
}

// Price is the price of a model, in US dollars per million tokens. CachedInput and CacheWrite
// are 0 if their price is that of other input.
type Price struct {
	Input       float64 `json:"input"`
	Output      float64 `json:"output"`
	CachedInput float64 `json:"cached_input,omitempty"` // read from the provider's cache
	CachedFree  bool    `json:"cached_free,omitempty"`  // reading from the cache costs nothing
	CacheWrite  float64 `json:"cache_write,omitempty"`  // written to the cache
}

// Of returns the cost of a usage, in US dollars.
func (p Price) Of(u Usage) float64 {
	cached, written := min(u.Cached, u.Input), min(u.Written, max(u.Input-u.Cached, 0))
	rate := func(special float64) float64 {
		if special > 0 {
			return special
		}
		return p.Input
	}
	ofCached := rate(p.CachedInput)
	if p.CachedFree {
		ofCached = 0
	}
	dollars := float64(u.Input-cached-written)*p.Input +
		float64(cached)*ofCached + float64(written)*rate(p.CacheWrite) +
		float64(u.Output)*p.Output
	return dollars / 1e6
}

// Free reports whether the model costs nothing.
func (p Price) Free() bool { return p.Input == 0 && p.Output == 0 }

func (p Price) believable() bool {
	for _, cost := range []float64{p.Input, p.Output, p.CachedInput, p.CacheWrite} {
		if !(cost >= 0 && cost <= maxCost) {
			return false
		}
	}
	return true
}

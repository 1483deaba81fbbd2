package llm

import "time"

// Price is what a model costs, in US dollars per million tokens. CachedInput and
// CacheWrite are 0 where they cost as other input does.
type Price struct {
	Input       float64   `json:"input"`
	Output      float64   `json:"output"`
	CachedInput float64   `json:"cached_input,omitempty"` // read from the provider's cache
	CachedFree  bool      `json:"cached_free,omitempty"`  // that costs nothing, and not as other input does
	CacheWrite  float64   `json:"cache_write,omitempty"`  // put into it
	As          time.Time `json:"as"`                     // when it was so; zero: for good
}

// Of returns what tokens cost, in US dollars.
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

// believable reports whether a price can be one.
func (p Price) believable() bool {
	for _, cost := range []float64{p.Input, p.Output, p.CachedInput, p.CacheWrite} {
		if !(cost >= 0 && cost <= mostCost) {
			return false
		}
	}
	return true
}

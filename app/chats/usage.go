package chats

import (
	"strings"

	"bowerbird/app/agent"
)

// Usage sums up the model calls of a turn or chat, in tokens and money, as far as their
// providers reported it.
type Usage struct {
	Input   int     `json:"input,omitempty"`
	Output  int     `json:"output,omitempty"`
	Cached  int     `json:"cached,omitempty"`  // of Input: read from a cache
	Written int     `json:"written,omitempty"` // of Input: put into a cache
	Cost    float64 `json:"cost,omitempty"`    // US dollars
	// Unpriced is true if the cost of some call is unknown, so that Cost is not complete.
	Unpriced bool `json:"unpriced,omitempty"`
}

// UsageOf converts what an agent spent.
func UsageOf(s agent.Spent) Usage {
	return Usage{
		Input: s.Usage.Input, Output: s.Usage.Output, Cached: s.Usage.Cached, Written: s.Usage.Written,
		Cost: s.Cost, Unpriced: s.Unpriced,
	}
}

func (u Usage) plus(v Usage) Usage {
	return Usage{
		Input: u.Input + v.Input, Output: u.Output + v.Output, Cached: u.Cached + v.Cached,
		Written: u.Written + v.Written, Cost: u.Cost + v.Cost, Unpriced: u.Unpriced || v.Unpriced,
	}
}

// noModel begins the name of the model without a language model, which costs nothing.
const noModel = "builtin:"

// usageOf sums up the events of a turn. A step whose model call reported no price, or was
// interrupted before it could, makes the turn Unpriced.
func usageOf(model string, events []agent.Event) Usage {
	var spent agent.Spent
	priced := map[int]bool{}
	for _, e := range events {
		if e.Type == agent.EventUsage && e.Usage != nil {
			spent.Add(e.Usage, e.Cost)
			priced[e.Step] = priced[e.Step] || e.Cost != nil
		}
	}
	u := UsageOf(spent)
	if strings.HasPrefix(model, noModel) {
		u.Unpriced = false
		return u
	}
	for _, e := range events {
		switch e.Type {
		case agent.EventFinish: // it knows of what was taken back, too
			u.Unpriced = u.Unpriced || e.Usage != nil && e.Cost == nil
		case agent.EventText, agent.EventReasoning, agent.EventRefusal, agent.EventToolCall:
			u.Unpriced = u.Unpriced || !priced[e.Step]
		}
	}
	return u
}

// usageOfAll sums up turns.
func usageOfAll(turns []Turn) Usage {
	var u Usage
	for _, t := range turns {
		u = u.plus(t.Usage)
	}
	return u
}

package agent

import "bowerbird/llm"

// Spent sums up model calls, as far as their providers reported usage.
type Spent struct {
	Calls    int       // with reported usage
	Usage    llm.Usage // of these
	Cost     float64   // in US dollars, of those of which it is known
	Unpriced bool      // the cost of some call is unknown
}

// Add adds one model call; usage and cost are nil if unknown.
func (s *Spent) Add(usage *llm.Usage, cost *float64) {
	if usage != nil {
		s.Calls++
		s.Usage = sum(s.Usage, *usage)
	}
	if cost == nil {
		s.Unpriced = true
		return
	}
	s.Cost += *cost
}

func sum(a, b llm.Usage) llm.Usage {
	return llm.Usage{
		Input: a.Input + b.Input, Output: a.Output + b.Output, Total: a.Total + b.Total,
		Cached: a.Cached + b.Cached, Written: a.Written + b.Written, Thought: a.Thought + b.Thought,
	}
}

// spend adds a model call, and emits its usage if known.
func (r *run) spend(usage *llm.Usage) {
	var cost *float64
	if usage != nil && r.opt.Price != nil {
		if usd, known := r.opt.Price(*usage); known {
			cost = &usd
		}
	}
	r.spent.Add(usage, cost)
	if usage != nil {
		r.emit(Event{Type: EventUsage, Usage: usage, Cost: cost, CostBy: r.pricedBy(cost)})
	}
}

// pricedBy returns whose price a cost was computed with; "" for no cost.
func (r *run) pricedBy(cost *float64) string {
	if cost == nil {
		return ""
	}
	return r.opt.PriceFrom
}

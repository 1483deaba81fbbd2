package agent

import "bowerbird/llm"

// Spent is what model calls came to, as far as their providers told.
type Spent struct {
	Calls    int       // those that told
	Usage    llm.Usage // of these
	Cost     float64   // in US dollars, of those of which it is known
	Unpriced bool      // of a call it is not known what it cost
}

// Add counts one model call; usage and cost are nil where they are not known.
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

// spend counts a model call, and tells what it used if that is known.
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

// pricedBy says by whose price a cost was reckoned; "" where none was.
func (r *run) pricedBy(cost *float64) string {
	if cost == nil {
		return ""
	}
	return r.opt.PriceFrom
}

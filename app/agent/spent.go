package agent

import "bowerbird/app/llm"

// spent counts what the model calls of a turn cost.
type spent struct {
	usage    llm.Usage
	told     bool // a call told its usage
	cost     float64
	unpriced bool // of a call it is not known what it cost
}

// add counts one model call; usage is nil where the provider told none.
func (s *spent) add(usage *llm.Usage, cost *float64) {
	if usage != nil {
		s.told = true
		s.usage = sum(s.usage, *usage)
	}
	if cost == nil {
		s.unpriced = true
		return
	}
	s.cost += *cost
}

// total returns the cost of all calls, or nil where that of one is not known.
func (s *spent) total() *float64 {
	if !s.told || s.unpriced {
		return nil
	}
	cost := s.cost
	return &cost
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
	r.spent.add(usage, cost)
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

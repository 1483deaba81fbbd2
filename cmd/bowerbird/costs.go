package main

import (
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/ui/present"
)

// spentWords says what model calls came to; "" for nothing that was counted.
func spentWords(u chats.Usage) string {
	if u.Input+u.Output == 0 {
		return ""
	}
	var w present.Words
	text := w.Number(u.Input) + " tokens read"
	if u.Cached > 0 {
		text += " (" + w.Number(u.Cached) + " of them from the provider's cache)"
	}
	text += ", " + w.Number(u.Output) + " written"
	switch {
	case !u.Unpriced && u.Cost == 0:
		return text + ", for nothing"
	case !u.Unpriced:
		return text + ", for " + w.Dollars(u.Cost)
	case u.Cost > 0:
		return text + ", for " + w.Dollars(u.Cost) + " and what is not known"
	}
	return text
}

// spentIn is what the turn of a finish event came to.
func spentIn(e agent.Event) chats.Usage {
	var spent agent.Spent
	spent.Add(e.Usage, e.Cost)
	return chats.UsageOf(spent)
}

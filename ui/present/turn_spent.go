package present

import (
	"bowerbird/app/agent"
	"bowerbird/app/chats"
)

// Spent is what the model calls of a turn came to, as far as their provider told.
type Spent struct {
	Calls           int      // those that told
	Input, Output   int      // tokens
	Cached, Written int      // of Input: from the provider's cache, and into it
	Thought         int      // of Output
	Cost            *float64 // US dollars; nil where it is not known, or the turn has not ended
}

func (s *Spent) add(e agent.Event) {
	if e.Usage == nil {
		return
	}
	s.Calls++
	s.Input += e.Usage.Input
	s.Output += e.Usage.Output
	s.Cached += e.Usage.Cached
	s.Written += e.Usage.Written
	s.Thought += e.Usage.Thought
}

// TurnFact is one line about an answer: what it is about, and what is known of it.
type TurnFact struct {
	Name  Phrase
	Words []Phrase
}

// Facts say who answered a turn and what that came to; chat is what all turns of its
// chat came to, and uncached why nothing came from a provider's cache ("" in Text for
// nothing to say).
func (t Turn) Facts(chat chats.Usage, uncached Phrase) []TurnFact {
	who := TurnFact{Name: phrase("Answered by")}
	switch {
	case t.Model == builtinModel:
		who.Words = []Phrase{phrase("Built-in, no language model")}
		return []TurnFact{who, {phrase("Text"), []Phrase{phrase("stayed on this computer")}}}
	case t.Host == "":
		who.Words = []Phrase{phrase("{{.Text}}", "Text", t.Model), phrase("on this computer")}
	default:
		who.Words = []Phrase{phrase("{{.Text}}", "Text", t.Model), phrase("sent to {{.Host}}", "Host", t.Host)}
	}
	facts := []TurnFact{who}
	if t.Spent.Calls > 0 {
		facts = append(facts, TurnFact{phrase("Tokens"), tokens(t.Spent)})
	}
	if t.Spent.Cached > 0 || t.Spent.Written > 0 {
		facts = append(facts, TurnFact{phrase("Cache"), cached(t.Spent)})
	} else if uncached.Text != "" {
		facts = append(facts, TurnFact{phrase("Cache"), []Phrase{uncached}})
	}
	if words, known := costWords(t); known {
		facts = append(facts, TurnFact{phrase("Cost"), []Phrase{words}})
	}
	if all := chatWords(chat); t.Number > 1 && len(all) > 0 {
		facts = append(facts, TurnFact{phrase("This chat"), all})
	}
	return facts
}

func tokens(u Spent) []Phrase {
	words := []Phrase{plural("{{.Count}} tokens read", u.Input), plural("{{.Count}} tokens written", u.Output)}
	if u.Thought > 0 {
		words = append(words, phrase("{{.Thought}} of them for thinking", "Thought", u.Thought))
	}
	return words
}

func cached(u Spent) []Phrase {
	var words []Phrase
	if u.Cached > 0 {
		words = append(words, plural("{{.Count}} of the tokens read came from the cache", u.Cached))
	}
	if u.Written > 0 {
		words = append(words, plural("{{.Count}} were put into it", u.Written))
	}
	return words
}

// costWords say what a turn cost, and whether that is known.
func costWords(t Turn) (words Phrase, known bool) {
	switch {
	case t.Spent.Cost != nil:
		return phrase("about {{.Cost}}", "Cost", Money(*t.Spent.Cost)), true
	case t.here():
		return phrase("nothing: it ran on this computer"), true
	case t.Spent.Calls > 0 && !t.Running():
		return phrase("not known"), true
	}
	return Phrase{}, false
}

// chatWords say what a chat came to; none where its models told nothing.
func chatWords(u chats.Usage) []Phrase {
	if u.Input+u.Output == 0 {
		return nil
	}
	words := []Phrase{plural("{{.Count}} tokens read", u.Input), plural("{{.Count}} tokens written", u.Output)}
	if u.Cached > 0 {
		words = append(words, phrase("{{.Cached}} of them from the cache", "Cached", u.Cached))
	}
	switch {
	case u.Cost > 0 && u.Unpriced:
		words = append(words, phrase("{{.Cost}} or more", "Cost", Money(u.Cost)))
	case u.Cost > 0:
		words = append(words, phrase("about {{.Cost}}", "Cost", Money(u.Cost)))
	}
	return words
}

// Money is an amount of US dollars that stands in a Phrase; see Words.Dollars.
type Money float64

// Usage says in one line what a chat came to; "" for nothing.
func (w Words) Usage(u chats.Usage) string {
	if u.Input+u.Output == 0 {
		return ""
	}
	total := w.Short(int64(u.Input + u.Output))
	if u.Cost > 0 {
		return w.say("{{.Count}} tokens, about {{.Cost}}", "Count", total, "Cost", w.Dollars(u.Cost))
	}
	return w.say("{{.Count}} tokens", "Count", total)
}

package answers

import (
	"bowerbird/app"
	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/app/config"
	"bowerbird/app/models"
)

// Spent is the usage of the model calls of a turn, as far as the provider reported it.
type Spent struct {
	agent.Spent
	// All is what the turn cost, in US dollars; nil where it is not known, or the turn
	// has not ended.
	All *float64
	Own bool // by a price that the user set

	last agent.Event // the last one with usage
}

func (s *Spent) add(e agent.Event) {
	if e.Usage != nil {
		s.last = e
		s.Spent.Add(e.Usage, e.Cost)
	}
}

// TurnFact is one line about an answer: its name and its value.
type TurnFact struct {
	Name  Phrase
	Words []Phrase
}

// uncached words why nothing came from a provider's cache, with a text for each cause.
var uncached = map[models.CacheMiss]string{
	models.CacheRead:      "",
	models.CacheLocal:     "managed by the server on this computer, which does not report it",
	models.CacheUntold:    "this provider has none, or does not report it",
	models.CacheOff:       "not used: switched off in the settings",
	models.CacheShort:     "not used: the request was too short",
	models.CacheFirst:     "not used: this is the first request in this chat since Bowerbird was started",
	models.CacheModel:     "not used: the previous question went to another model",
	models.CacheTools:     "not used: the tools have changed since the previous question",
	models.CacheRenewed:   "not used: the instructions have changed",
	models.CacheShortened: "not used: the chat had to be shortened",
	models.CacheAged:      "not used: too much time has passed since the previous question",
	models.CacheUnknown:   "not used, for an unknown reason",
}

// Uncached words why nothing of a turn of a chat came from the provider's cache; it is
// empty if something did. It reads what was sent, so it must not be called on the window's
// thread.
func (t Turn) Uncached(a *app.App, chat string) Phrase {
	if t.Model == config.DefaultModel || t.Spent.Usage.Cached > 0 {
		return Phrase{}
	}
	return phrase(uncached[a.Models().WhyNoCache(chat, t.ID, t.Spent.last.Usage)])
}

// Facts lists who answered a turn and what it cost. chat is the usage of the whole chat,
// missed the result of Uncached.
func (t Turn) Facts(chat chats.Usage, missed Phrase) []TurnFact {
	who := TurnFact{Name: phrase("Answered by")}
	switch {
	case t.Model == config.DefaultModel:
		who.Words = []Phrase{phrase("Built-in, no language model")}
		return []TurnFact{who, {phrase("Text"), []Phrase{phrase("stayed on this computer")}}}
	case t.Host == "":
		who.Words = []Phrase{phrase("{{.Text}}", "Text", t.Model), phrase("on this computer")}
	default:
		who.Words = []Phrase{phrase("{{.Text}}", "Text", t.Model), phrase("sent to {{.Host}}", "Host", t.Host)}
	}
	facts := []TurnFact{who}
	if t.Spent.Calls > 0 {
		facts = append(facts, TurnFact{phrase("Tokens"), tokens(t.Spent.Spent)})
	}
	if t.Spent.Usage.Cached > 0 || t.Spent.Usage.Written > 0 {
		facts = append(facts, TurnFact{phrase("Cache"), fromCache(t.Spent.Spent)})
	} else if missed.Text != "" {
		facts = append(facts, TurnFact{phrase("Cache"), []Phrase{missed}})
	}
	if words, known := costWords(t); known {
		facts = append(facts, TurnFact{phrase("Cost"), []Phrase{words}})
	}
	if all := chatWords(chat); t.Number > 1 && len(all) > 0 {
		facts = append(facts, TurnFact{phrase("This chat"), all})
	}
	return facts
}

func tokens(s agent.Spent) []Phrase {
	words := []Phrase{plural("{{.Count}} tokens read", s.Usage.Input), plural("{{.Count}} tokens written", s.Usage.Output)}
	if s.Usage.Thought > 0 {
		words = append(words, phrase("{{.Thought}} of them for thinking", "Thought", s.Usage.Thought))
	}
	return words
}

func fromCache(s agent.Spent) []Phrase {
	var words []Phrase
	if s.Usage.Cached > 0 {
		words = append(words, plural("{{.Count}} of the tokens read came from the cache", s.Usage.Cached))
	}
	if s.Usage.Written > 0 {
		words = append(words, plural("{{.Count}} were put into it", s.Usage.Written))
	}
	return words
}

// costWords words what a turn cost; known is false if there is nothing to say about it.
func costWords(t Turn) (words Phrase, known bool) {
	switch {
	case t.Spent.All != nil:
		if t.Spent.Own {
			return phrase("about {{.Cost}}, at the price you set", "Cost", Money(*t.Spent.All)), true
		}
		return phrase("about {{.Cost}}", "Cost", Money(*t.Spent.All)), true
	case t.here():
		return phrase("nothing: it ran on this computer"), true
	case t.Spent.Calls > 0 && !t.Running():
		return phrase("not known"), true
	}
	return Phrase{}, false
}

// chatWords words the usage of a chat; nil if its models reported none.
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

// Money is an amount of US dollars in a [Phrase]; see [present.Words.Dollars].
type Money float64

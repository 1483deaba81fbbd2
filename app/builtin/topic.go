package builtin

import (
	"slices"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/ndb/search"
	"bowerbird/tools"
)

// topicWords are the words of a topic that notes must hold: "the strike" is about
// strikes. What a person put in quotation marks stays as it is.
func (p *plan) topicWords() string {
	if p.anyOf != "" {
		return p.anyOf
	}
	if strings.Contains(p.q.Topic, `"`) {
		return p.q.Topic
	}
	words := slices.DeleteFunc(strings.Fields(p.q.Topic), func(w string) bool { return p.grammar.usual[w] != 0 })
	if len(words) == 0 {
		return p.q.Topic
	}
	return strings.Join(words, " ")
}

// settleTopic drops the plural s of an English topic where no note has its words
// as they were asked, but some have them without: "cupboards" finds a cupboard.
// The answer then names the topic that it found. It asks nothing of other topics.
func (p *plan) settleTopic(f filters, w question.Window) {
	single := singular(p.q.Topic)
	if p.q.Lang != "en" || single == p.q.Topic {
		return
	}
	f.search = p.topicWords()
	asked := ask[tools.CountResult](p.turn, "count", f.args(postKinds, w))
	topic := p.q.Topic
	p.q.Topic = single
	f.search = p.topicWords()
	found := ask[tools.CountResult](p.turn, "count", f.args(postKinds, w))
	if asked.value == nil || asked.value.Count > 0 || found.value == nil || found.value.Count == 0 {
		p.q.Topic = topic
	}
}

// settleWords looks for any of the words of a topic where no note has all of them.
func (p *plan) settleWords(f filters, w question.Window) {
	words := strings.Fields(p.topicWords())
	if len(words) < 2 || strings.Contains(p.q.Topic, `"`) {
		return
	}
	f.search = p.topicWords()
	all := ask[tools.CountResult](p.turn, "count", f.args(postKinds, w))
	if all.value == nil || all.value.Count > 0 {
		return
	}
	if p.q.Lang == "en" {
		for _, word := range words {
			if single := singularWord(word); single != word {
				words = append(words, single)
			}
		}
	}
	f.search = strings.Join(words, " OR ")
	some := ask[tools.CountResult](p.turn, "count", f.args(postKinds, w))
	if some.value != nil && some.value.Count > 0 {
		p.anyOf = f.search
	}
}

// singular drops the plural s of plain English words; what is quoted stays.
func singular(topic string) string {
	if strings.Contains(topic, `"`) {
		return topic
	}
	words := strings.Fields(topic)
	for i, w := range words {
		words[i] = singularWord(w)
	}
	return strings.Join(words, " ")
}

func singularWord(w string) string {
	if len(w) < 4 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" {
		return w
	}
	if stem, ok := strings.CutSuffix(w, "ies"); ok && len(stem) > 2 {
		return stem + "y"
	}
	for _, end := range []string{"sses", "xes", "ches", "shes"} {
		if strings.HasSuffix(w, end) {
			return strings.TrimSuffix(w, "es")
		}
	}
	for _, end := range []string{"ss", "us", "is"} {
		if strings.HasSuffix(w, end) {
			return w
		}
	}
	return strings.TrimSuffix(w, "s")
}

// holds returns how many of the words a text has, as a search finds them.
func holds(text string, words map[string]bool) int {
	n := 0
	seen := map[string]bool{}
	for tok := range search.Tokens(text) {
		if words[tok.Term] && !seen[tok.Term] {
			seen[tok.Term] = true
			n++
		}
	}
	return n
}

func tokens(text string) map[string]bool {
	out := map[string]bool{}
	for tok := range search.Tokens(text) {
		if tok.Kind == search.TokenWord {
			out[tok.Term] = true
		}
	}
	return out
}

package builtin

import (
	"slices"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/ndb/search"
	"bowerbird/tools"
)

// topicWords returns the words that notes about the topic must have: "the strike" is about
// strikes. A topic in quotation marks is not changed.
func (p *plan) topicWords() string {
	if p.q.Intent == question.Pictures {
		return strings.TrimSpace(p.aboutWords() + " has:image")
	}
	return p.aboutWords()
}

func (p *plan) aboutWords() string {
	if p.anyOf != "" {
		return p.anyOf
	}
	return p.wordsOf(p.q.Topic)
}

func (p *plan) wordsOf(topic string) string {
	if strings.Contains(topic, `"`) {
		return topic
	}
	words := slices.DeleteFunc(strings.Fields(topic), func(w string) bool { return p.grammar.usual[w] != 0 })
	if len(words) == 0 {
		return topic
	}
	return strings.Join(words, " ")
}

// settleTopic drops the plural s of an English topic if no note has its words as they were
// asked but some have them without: "cupboards" finds a cupboard. The answer then names the
// topic that was found.
func (p *plan) settleTopic(f filters, w question.Window) {
	single := singular(p.q.Topic)
	if p.q.Lang != "en" || single == p.q.Topic {
		return
	}
	asked := p.having(f, w, p.topicWords())
	found := p.having(f, w, p.wordsOf(single))
	if asked.value != nil && asked.value.Count == 0 && found.value != nil && found.value.Count > 0 {
		p.q.Topic = single
	}
}

// settleWords does the same, and searches for any word of the topic if no note has all.
func (p *plan) settleWords(f filters, w question.Window) {
	p.settleTopic(f, w)
	words := strings.Fields(p.topicWords())
	if len(words) < 2 || strings.Contains(p.q.Topic, `"`) {
		return
	}
	if p.q.Lang == "en" {
		for _, word := range words {
			if single := singularWord(word); single != word {
				words = append(words, single)
			}
		}
	}
	any := strings.Join(words, " OR ")
	all, some := p.having(f, w, p.topicWords()), p.having(f, w, any) // at once: a turn has few steps
	if all.value != nil && all.value.Count == 0 && some.value != nil && some.value.Count > 0 {
		p.anyOf = any
	}
}

// having counts the posts with these words.
func (p *plan) having(f filters, w question.Window, words string) found[tools.CountResult] {
	f.search = words
	return ask[tools.CountResult](p.turn, "count", f.args(postKinds, w))
}

// searchedFor is the topic as it was searched for.
func (p *plan) searchedFor() string {
	if p.anyOf == "" && strings.EqualFold(p.aboutWords(), p.q.Topic) {
		return label(p.q.Topic, 60)
	}
	return label(strings.ReplaceAll(p.aboutWords(), " OR ", ", "), 60)
}

// singular drops the plural s of plain English words; quoted text is not changed.
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

// holds counts the words that a text has, as a search finds them.
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

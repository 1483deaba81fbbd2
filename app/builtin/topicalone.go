package builtin

import (
	"strings"

	"bowerbird/tools"
)

// topicAlone reads what asks nothing but names something: "the bridge", "what about the
// bridge". It is the last that is tried, as a word may also be a misspelt one.
func (lx *compiled) topicAlone(text string, c calendar, t *talk) (question, bool) {
	parts := sentencesOf(text)
	if len(parts) != 1 {
		return question{}, false
	}
	cl := lx.clause(tokenize(parts[0]), c, t, false)
	runs := cl.runs()
	if len(runs) != 1 || cl.topic != "" || cl.beginsTime(runs[0].from) || cl.toks[runs[0].from].at || len(strings.Fields(runs[0].text)) > 2 {
		return question{}, false
	}
	for _, word := range cl.toks[runs[0].from:runs[0].to] {
		if runs[0].to-runs[0].from > 1 && t.knows(word.text) {
			return question{}, false // something is asked of a person
		}
	}
	if !cl.only(cAgain|cAbout|cOf) || cl.has&(cDid|cPolite|cWhether|cGreeting) != 0 {
		return question{}, false
	}
	definite := runs[0].from > 0 && cl.marks[runs[0].from-1] == cFiller
	return question{intent: digest, lang: lx.lang, window: cl.window, form: cl.form(), topic: runs[0].text, definite: definite, either: !definite}, true
}

// settleName makes a person of a topic that stood alone, where no note has that word
// and somebody's name is one letter off.
func (p *plan) settleName() {
	if !p.q.either {
		return
	}
	found := ask[tools.CountResult](p.turn, "count", filters{context: "any", search: p.q.topic}.args(postKinds, p.searchWindow()))
	names := p.names()
	if near := nearestName(p.q.topic, names); near != "" && found.value != nil && found.value.Count == 0 {
		p.q.person, p.q.topic = near, ""
	}
}

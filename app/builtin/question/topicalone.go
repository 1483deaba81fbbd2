package question

import "strings"

// topicAlone reads what asks nothing but names something: "the bridge", "what about the
// bridge". It is the last that is tried, as a word may also be a misspelt one.
func (lx *compiled) topicAlone(text string, c Calendar, t *Talk) (Question, bool) {
	parts := lx.sentencesOf(text)
	if len(parts) != 1 {
		return Question{}, false
	}
	cl := lx.clause(lx.tokenize(parts[0]), c, t, false)
	runs := cl.runs()
	if len(runs) != 1 || cl.topic != "" || cl.beginsTime(runs[0].from) || cl.toks[runs[0].from].at || len(strings.Fields(runs[0].text)) > 2 {
		return Question{}, false
	}
	for _, word := range cl.toks[runs[0].from:runs[0].to] {
		if runs[0].to-runs[0].from > 1 && t.knows(word.text) {
			return Question{}, false // something is asked of a person
		}
	}
	if !cl.only(cAgain|cAbout|cOf) || cl.has&(cDid|cPolite|cWhether|cGreeting) != 0 {
		return Question{}, false
	}
	definite := runs[0].from > 0 && cl.marks[runs[0].from-1] == cFiller
	return Question{Intent: Digest, Lang: lx.Lang, Window: cl.window, Form: cl.form(), Topic: runs[0].text, definite: definite, Either: !definite}, true
}

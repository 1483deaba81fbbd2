package question

import "strings"

// onlyUnseen takes the wish for what was not seen yet out of a question.
func (p *Reader) onlyUnseen(question string) (rest string, only bool) {
	low := strings.ToLower(question)
	if len(low) != len(question) {
		return question, false // places would not agree
	}
	for _, lx := range p.langs {
		for _, words := range lx.Unseen.Words {
			i := strings.Index(low, words)
			if i < 0 {
				continue
			}
			rest = strings.TrimRight(question[:i], " ,:;–—、") + question[i+len(words):]
			if strings.Trim(rest, " ?.!。？") == "" {
				rest = lx.Unseen.Question
			}
			return rest, true
		}
	}
	return question, false
}

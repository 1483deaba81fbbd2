package question

import "strings"

// onlyUnseen cuts "only what I have not seen" out of a question.
func (p *Reader) onlyUnseen(question string) (rest string, only bool) {
	low := strings.ToLower(question)
	if len(low) != len(question) {
		return question, false // offsets would not agree
	}
	for _, lx := range p.langs {
		for _, words := range lx.Unseen.Words {
			i := strings.Index(low, strings.ToLower(words))
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

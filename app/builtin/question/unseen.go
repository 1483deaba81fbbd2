package question

import "strings"

// unseenWords ask in a language for what the reader was not shown yet; question is what
// they ask where nothing else is said.
type unseenWords struct {
	question string
	words    []string
}

func wordsOfUnseen() []unseenWords {
	return []unseenWords{
		{"What did I miss?", []string{"only what i have not seen", "only what i haven't seen", "only what i haven’t seen", "that i have not seen", "that i haven't seen", "not seen yet"}},
		{"Was habe ich verpasst?", []string{"nur was ich noch nicht gesehen habe", "was ich noch nicht gesehen habe", "noch nicht gesehen"}},
		{"Qu'ai-je manqué ?", []string{"seulement ce que je n'ai pas vu", "ce que je n'ai pas encore vu", "que je n'ai pas vu"}},
		{"¿Qué me perdí?", []string{"solo lo que no he visto", "sólo lo que no he visto", "lo que no he visto"}},
		{"O que perdi?", []string{"só o que ainda não vi", "só o que não vi", "o que ainda não vi"}},
		{"昨日から何を見逃した?", []string{"まだ見ていないものだけ", "見ていないものだけ", "まだ見ていないもの"}},
	}
}

// onlyUnseen takes the wish for what was not seen yet out of a question.
func onlyUnseen(question string) (rest string, only bool) {
	low := strings.ToLower(question)
	if len(low) != len(question) {
		return question, false // places would not agree
	}
	for _, in := range wordsOfUnseen() {
		for _, words := range in.words {
			i := strings.Index(low, words)
			if i < 0 {
				continue
			}
			rest = strings.TrimRight(question[:i], " ,:;–—、") + question[i+len(words):]
			if strings.Trim(rest, " ?.!。？") == "" {
				rest = in.question
			}
			return rest, true
		}
	}
	return question, false
}

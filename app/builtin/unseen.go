package builtin

import (
	"slices"
	"strings"

	"bowerbird/tools"
)

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
func onlyUnseen(question string) (rest string, asked bool) {
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

// unseenNotes are the notes of people followed that the reader was not shown, and by whom
// they are.
type unseenNotes struct {
	notes int
	by    map[*person]bool
}

// leaveOut keeps from being quoted what the reader was shown before, and counts it.
func (p *plan) leaveOut(r *reading) {
	if !p.unseen || p.opt.Seen == nil {
		return
	}
	seen := p.opt.Seen
	r.unseen = &unseenNotes{by: map[*person]bool{}}
	for _, n := range r.corpus.notes {
		fresh := n.fresh && n.author.followed
		switch {
		case seen(n.id):
			if n.repeated = true; fresh {
				r.seen++
			}
		case fresh:
			r.unseen.notes++
			r.unseen.by[n.author] = true
		}
	}
	r.toMe.notes = slices.DeleteFunc(r.toMe.notes, func(n tools.Note) bool {
		if !seen(n.NoteID) {
			return false
		}
		if r.corpus.notes[n.NoteID] == nil {
			r.seen++
		}
		return true
	})
}

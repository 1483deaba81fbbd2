package builtin

import (
	"strings"

	"bowerbird/tools"
)

// nothing says why there is nothing to tell: nobody wrote, nothing is here yet,
// or it is still on its way.
func (p *plan) nothing(f filters, w window, r *reading, name string) string {
	win := p.words.window(w, p.calendar.now)
	newest := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
		Context: f.context, Author: f.author, Search: f.search, Kind: postKinds, IncludeReplies: true, Limit: 1,
	})
	if p.waiting() {
		return ""
	}
	if newest.value == nil || len(newest.value.Notes) == 0 {
		switch {
		case p.q.topic != "" && name != "":
			return fill(p.words.searchNothingBy, "topic", label(p.q.topic, 60), "name", name)
		case p.q.topic != "":
			return fill(p.words.searchNothing, "topic", label(p.q.topic, 60))
		case p.opt.Syncing():
			return fill(p.words.nothingStillSyncing, "window", win)
		}
		return p.words.nothingAtAll
	}
	n := newest.value.Notes[0]
	index := p.present([]string{n.NoteID})
	if p.waiting() {
		return ""
	}
	lines := []string{fill(p.words.nothing, "window", win)}
	c := newCorpus(p.me)
	said := newNote(&n, c.person(&n))
	if quote := p.bestQuote(said); quote != "" && index[said.id] > 0 {
		lines = append(lines, fill(p.words.newest, "name", said.author.name, "when", p.words.when(p.timeOf(said), p.calendar.now),
			"quote", quote+" "+ref(index[said.id])))
	}
	lines = append(lines, p.words.older)
	lines = append(lines, p.covered(r)...)
	return strings.Join(append(lines, p.words.noModel), " ") + "\n"
}

// help says what can be asked.
func (p *plan) help() string { return p.listExamples(p.words.helpTitle) }

// unknown says that the question was not understood, and what would be.
func (p *plan) unknown() string { return p.listExamples(p.words.unknownTitle) }

func (p *plan) listExamples(title string) string {
	var b strings.Builder
	b.WriteString(title + "\n\n")
	for _, ex := range p.words.examples {
		b.WriteString("- " + ex + "\n")
	}
	return b.String()
}

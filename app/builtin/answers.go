package builtin

import (
	"slices"
	"strings"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// nothing says why there is nothing to tell: nobody wrote, nothing is here yet,
// or it is still on its way.
func (p *plan) nothing(f filters, w question.Window, r *reading, who *tools.ProfileResult) string {
	win := p.words.Window(w, p.calendar.Now)
	newest := ask[tools.QueryResult](p.turn, "query", tools.QueryArgs{
		Context: f.context, Author: f.author, Search: f.search, Kind: postKinds, IncludeReplies: true, Limit: pageSize,
	})
	if p.waiting() {
		return ""
	}
	if newest.value == nil {
		return p.words.Failed
	}
	if len(newest.value.Notes) == 0 {
		switch {
		case p.q.Either && len(strings.Fields(p.q.Topic)) > 1: // no sentence, and no topic either
			return p.near(p.texts.Near)
		case p.q.Topic != "" && who != nil:
			return words.Fill(p.words.SearchNothingBy, "topic", label(p.q.Topic, 60), "name", profileName(who))
		case who != nil: // of others there may be many
			return p.title(w, who) + " " + p.words.NothingSuch + "\n"
		case p.q.Topic != "" && f.context == "home":
			ever := *p
			ever.q.Window = question.Window{}
			return ever.search() // others may have written of it
		case p.q.Topic != "":
			return words.Fill(p.words.SearchNothing, "topic", label(p.q.Topic, 60))
		case p.opt.Syncing():
			return words.Fill(p.words.NothingStillSyncing, "window", win)
		}
		return p.words.NothingAtAll
	}
	notes := slices.DeleteFunc(slices.Clone(newest.value.Notes), func(n tools.Note) bool {
		return !r.narrow && !p.opt.Scope.Everyone && n.PubKey == p.me // who is none of the people followed
	})
	index := p.present(idsOf(notes[:min(1, len(notes))]))
	if p.waiting() {
		return ""
	}
	lines, newestText := []string{words.Fill(p.words.Nothing, "window", win)}, p.words.Newest
	if r.narrow { // what was written besides is not asked about
		lines[0], newestText = p.title(w, who)+" "+p.words.NothingSuch, p.words.NewestSuch
	}
	if len(index) > 0 {
		said := newNote(&notes[0], newCorpus(p.me).person(&notes[0]))
		quote := strings.TrimSpace(p.bestQuote(said) + " " + ref(index[said.id])) // it is shown, quoted or not
		lines = append(lines, words.Fill(newestText, "name", said.author.name, "when", p.words.When(p.timeOf(said), p.calendar.Now), "quote", quote))
		if !p.timeOf(said).After(w.Until) { // else what is newer is what a longer time would not bring
			lines = append(lines, p.words.Older)
		}
	}
	lines = slices.Concat(lines, p.covered(r), p.asOf(r))
	return strings.Join(append(lines, p.words.NoModel), " ") + "\n"
}

// help says what can be asked.
func (p *plan) help() string { return p.listExamples(p.words.HelpTitle) }

func (p *plan) listExamples(title string) string {
	var b strings.Builder
	b.WriteString(title + "\n\n")
	asIs := slices.DeleteFunc(slices.Clone(p.texts.Offers), func(q string) bool { return strings.Contains(q, "{") || slices.Contains(p.words.Examples, q) })
	for _, ex := range slices.Concat(p.words.Examples, asIs, p.words.Patterns) {
		b.WriteString("- " + ex + "\n")
	}
	return b.String()
}

// Offer is an answer that lists what can be asked.
type Offer struct {
	Before    string   // the text above the list
	Questions []string // can be asked as they are
	Patterns  []string // hold a name, a word or a code to be replaced
}

// ReadOffer reads an answer of this model; ok is false where it does not list what
// can be asked.
func ReadOffer(answer string) (o Offer, ok bool) {
	before, list, _ := strings.Cut(strings.TrimSpace(answer), "\n\n")
	for _, w := range ownLanguages().words {
		offered := &w.Asked
		near := before == offered.Near || before == offered.Cannot || before == offered.Outside
		if before != w.HelpTitle && !near {
			continue
		}
		o.Before = before
		for line := range strings.Lines(list) {
			switch q := strings.TrimPrefix(strings.TrimSpace(line), "- "); {
			case near && strings.HasPrefix(line, "- "), slices.Contains(offered.Offers, q):
				o.Questions = append(o.Questions, q)
			case slices.Contains(w.Examples, q):
				o.Questions = append(o.Questions, q)
			case slices.Contains(w.Patterns, q):
				o.Patterns = append(o.Patterns, q)
			}
		}
		return o, len(o.Questions) > 0
	}
	return Offer{}, false
}

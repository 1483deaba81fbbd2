package builtin

import (
	"slices"
	"strings"
	"time"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// nothing explains an empty answer: nobody wrote, nothing is stored yet, or it is still
// arriving.
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
			found := ever.search() // others may have written of it
			if p.q.Window.Asked && found != "" {
				return p.title(w, who) + " " + p.words.NothingSuch + "\n\n" + found
			}
			return found
		case p.q.Topic != "":
			return words.Fill(p.words.SearchNothing, "topic", label(p.q.Topic, 60))
		case p.opt.Syncing():
			return words.Fill(p.words.NothingStillSyncing, "window", win)
		}
		return p.words.NothingAtAll
	}
	notes := slices.DeleteFunc(slices.Clone(newest.value.Notes), func(n tools.Note) bool {
		return !r.narrow && !p.opt.Scope.Everyone && n.PubKey == p.me // the user is not one of the people followed
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
		lines = append(lines, words.Fill(newestText, "name", said.author.name, "when", p.when(said.at), "quote", quote))
		if !time.Unix(said.at, 0).After(w.Until) { // else what is newer is what a longer time would not bring
			lines = append(lines, p.words.Older)
		}
	}
	lines = slices.Concat(lines, p.covered(r), p.asOf(r))
	return strings.Join(append(lines, p.words.NoModel), " ") + "\n"
}

// help lists what can be asked.
func (p *plan) help() string {
	var b strings.Builder
	b.WriteString(p.words.HelpTitle + "\n\n")
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

// ReadOffer reads an answer of this model; ok is false if it does not list what can be
// asked.
func ReadOffer(answer string) (o Offer, ok bool) {
	before, list, _ := strings.Cut(strings.TrimSpace(answer), "\n\n")
	for _, w := range ownLanguages().words {
		offered := &w.Asked
		nobody, known, _ := strings.Cut(w.NoSuchPerson, "{name}")
		near := strings.HasPrefix(before, nobody) && strings.HasSuffix(before, known) || before == offered.Near || before == offered.Cannot || before == offered.Outside || before == offered.Followers
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

// maxBare is how many notes are shown if none can be quoted.
const maxBare = 3

// bare are the notes of a window of which no sentence can be quoted. They are shown all the
// same: an answer is never a heading alone.
type bare struct {
	ids      []string // the newest, at most maxBare
	passedOn bool     // others wrote them; people followed only reposted them
}

// bare chooses what to show if nothing can be quoted.
func (c *corpus) bare() bare {
	var own, passed []string
	for _, n := range slices.Backward(c.sorted()) {
		switch {
		case n.fresh && n.author.followed && !n.repeated:
			own = append(own, n.id)
		case slices.ContainsFunc(c.acts, func(a takingUp) bool { return a.repost && a.target == n.id }):
			passed = append(passed, n.id)
		}
	}
	if len(own) == 0 {
		return bare{passed[:min(len(passed), maxBare)], true}
	}
	return bare{own[:min(len(own), maxBare)], false}
}

// unquoted explains why a digest quotes nothing, and shows what there is.
func (p *plan) unquoted(d draft, index map[string]int) []Item {
	var refs []string
	for _, id := range d.bare.ids {
		if n, shown := index[id]; shown {
			refs = append(refs, ref(n))
		}
	}
	text := p.words.NoSentence
	switch {
	case len(refs) == 0:
		text = p.words.NotShown
	case d.bare.passedOn:
		text = p.words.PassedOn
	}
	return []Item{{Lines: []Line{{Text: strings.Join(append([]string{text}, refs...), " ")}}}}
}

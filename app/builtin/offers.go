package builtin

import (
	"math/bits"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"bowerbird/app/builtin/question"
	"bowerbird/app/builtin/words"
	"bowerbird/tools"
)

// How many questions are offered if one was not understood, and from how many days the
// names in them are taken.
const (
	maxOffers   = 4
	namesOfDays = 90
)

// near answers that a question was not understood, and offers the most similar ones, with
// names of stored people.
func (p *plan) near(title string) string {
	names, topic := p.named()
	if name := asTyped(p.q.Person, p.question); p.q.Intent == question.Unknown && name != "" && len(names) == 0 {
		names = append(names, name) // whom only a part of their name names
	}
	asked, about := p.parser.Concepts(p.question, p.q.Lang), len(names)
	for _, name := range p.names() {
		same := func(taken string) bool { // "Wren" is Wren Talaudi
			return strings.Contains(" "+question.Fold(name)+" ", " "+question.Fold(taken)+" ")
		}
		if !slices.ContainsFunc(names, same) {
			names = append(names, name)
		}
	}
	ofTopic := topic != ""
	if !ofTopic {
		topic = p.offeredTopic()
	}
	if p.waiting() {
		return ""
	}
	type offer struct {
		text  string
		score int
	}
	var list []offer
	for _, text := range p.texts.Offers {
		score := 2 * bits.OnesCount64(uint64(asked&p.parser.Concepts(text, p.words.Lang)))
		if strings.Contains(text, "{topic}") {
			if topic == "" {
				continue
			}
			if p.q.Topic != "" {
				score += 3
			} else if ofTopic { // the word may be no topic at all
				score += 2
			}
		}
		if strings.Contains(text, "{topic}") && strings.Contains(text, "{name}") && (about == 0 || !ofTopic) {
			continue
		}
		if about > 0 && strings.Contains(text, "{name}") {
			score += 3
		}
		if need := strings.Count(text, "{name}") + strings.Count(text, "{other}"); need > len(names) {
			continue
		}
		for i, slot := range []string{"name", "other"} {
			if i < len(names) {
				text = words.Fill(text, slot, names[i])
			}
		}
		list = append(list, offer{words.Fill(text, "topic", topic), score})
	}
	slices.SortStableFunc(list, func(a, b offer) int { return b.score - a.score })
	var b strings.Builder
	b.WriteString(title + "\n\n")
	for _, o := range list[:min(len(list), maxOffers)] {
		b.WriteString("- " + o.text + "\n")
	}
	return b.String()
}

// named returns the people named in a question that was not understood and, of its other
// words, the one that the fewest notes have.
func (p *plan) named() (names []string, topic string) {
	fewest, all := 0, p.names()
	for _, odd := range p.parser.Odd(p.question, p.q.Lang) {
		if near := question.Nearest(odd.Text, all); near != "" && !p.knows(odd.Text) { // it is misspelt
			names = append(names, near)
			continue
		}
		name := p.nameIn(odd.Text)
		if name != "" {
			names = append(names, name)
		}
		for _, word := range odd.Words {
			if slices.Contains(strings.Fields(name), asTyped(word, p.question)) || p.grammar.usual[question.Fold(word)] != 0 || p.q.Intent == question.Cannot {
				continue
			}
			found := p.having(filters{context: "any"}, p.searchWindow(), word).value
			if found != nil && found.Count > 0 && (topic == "" || found.Count < fewest) {
				topic, fewest = asTyped(word, p.question), found.Count
			}
		}
	}
	return names, topic
}

// nameIn returns the longest name of somebody known among words that are not understood;
// "" for none.
func (p *plan) nameIn(said string) string {
	all := strings.Fields(said)
	all = all[:min(len(all), maxOffers+1)]
	for n := len(all); n > 0; n-- {
		for i := 0; i+n <= len(all); i++ {
			if name := strings.TrimPrefix(asTyped(strings.Join(all[i:i+n], " "), p.question), "@"); p.knows(name) {
				return name
			}
		}
	}
	return ""
}

// names returns who wrote most lately, of the people followed or of all.
func (p *plan) names() []string {
	f := filters{context: "home"}
	if p.opt.Scope.Everyone {
		f.context = "any"
	}
	w := question.Window{Since: p.calendar.DayStart(-namesOfDays), Until: p.calendar.Now}
	got := ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: f.args(postKinds, w), By: "author", Limit: 200})
	var out []string
	if got.value != nil {
		for _, b := range got.value.Buckets {
			if name := label(b.Label, maxName); name != "" && b.Key != p.me && name == b.Label && !strings.ContainsAny(name, `"?!,;…`) {
				out = append(out, name)
			}
		}
	}
	return out
}

// offeredTopic is the topic of a question that was not understood; else a hashtag in use.
func (p *plan) offeredTopic() string {
	if p.q.Topic != "" {
		return label(p.q.Topic, 40)
	}
	w := question.Window{Since: p.calendar.DayStart(-30), Until: p.calendar.Now}
	got := ask[tools.AggregateResult](p.turn, "aggregate", tools.AggregateArgs{CountArgs: filters{context: "home"}.args(postKinds, w), By: "hashtag", Limit: 5})
	if got.value != nil {
		for _, b := range got.value.Buckets {
			if tag := hashtag(b.Key); tag != "" {
				return "#" + tag
			}
		}
	}
	return ""
}

// nobodyCalled answers that nobody of a name is known, and lists some who are.
func (p *plan) nobodyCalled(name string, names []string) string {
	if first, _ := utf8.DecodeRuneInString(asTyped(name, p.question)); unicode.IsLower(first) && !strings.Contains(p.question, "@"+name) {
		return p.near(p.texts.Near) // it is no name
	}
	out := words.Fill(p.words.NoSuchPerson, "name", label(name, 60))
	if len(names) == 0 {
		return out + "\n"
	}
	begins := question.Fold(name)
	_, size := utf8.DecodeRuneInString(begins)
	begins = begins[:size]
	slices.SortStableFunc(names, func(a, b string) int { // those that begin alike first
		return trueFirst(strings.HasPrefix(question.Fold(a), begins), strings.HasPrefix(question.Fold(b), begins))
	})
	return out + " " + words.Fill(p.texts.Here, "names", strings.Join(names[:min(len(names), maxOffers)], p.words.ListJoin)) + "\n"
}

// trueFirst orders true before false.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

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
			newest := *p
			newest.q.Intent, newest.q.Topic, newest.anyOf = question.Latest, "", ""
			return words.Fill(p.words.SearchNothingBy, "topic", label(p.q.Topic, 60), "name", profileName(who)) + "\n\n" + newest.listNewest()
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
		near := strings.HasPrefix(before, nobody) && strings.HasSuffix(before, known) || strings.HasSuffix(before, offered.Near) || before == offered.Cannot || before == offered.Outside || before == offered.Followers
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

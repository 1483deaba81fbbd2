package builtin

import (
	"math/bits"
	"slices"
	"strings"
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
		if !slices.Contains(names, name) {
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

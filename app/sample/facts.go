package sample

import (
	"fmt"
	"slices"
	"strings"

	"bowerbird/ndb"
)

// minTakers is how many people I follow must take a note up for it to be a fact.
const minTakers = 3

// facts finds who took up the texts that the script marks as facts. One that
// fewer than minTakers have taken up by now is no fact yet.
func (st *stage) facts() ([]Fact, error) {
	var facts []Fact
	for i, p := range st.played {
		if len(p.entry.fact) == 0 || p.post.event.CreatedAt > st.now.Unix() {
			continue
		}
		f := Fact{
			Text: p.post.event.Content, Terms: p.entry.fact,
			Author: p.post.by.PubKey, Events: []ndb.ID{p.post.event.ID},
		}
		if f.Sentence = sentenceWith(f.Text, f.Terms); f.Sentence == "" {
			return nil, fmt.Errorf("%s.txt line %d: no sentence has all of %q", p.entry.file, p.entry.line, f.Terms)
		}
		st.takeUp(&f, i)
		if len(f.Takers) >= minTakers {
			facts = append(facts, f)
		}
	}
	return facts, nil
}

// takeUp fills in who replied to, quoted or reposted the i-th text, or wrote of
// it with one of its terms in the same story.
func (st *stage) takeUp(f *Fact, i int) {
	told := st.played[i]
	take := func(by *actor, id ndb.ID) {
		f.Events = append(f.Events, id)
		if by.Followed && by != told.post.by && !slices.Contains(f.Takers, by.PubKey) {
			f.Takers = append(f.Takers, by.PubKey)
		}
	}
	for _, p := range st.played[i+1:] {
		same := p.post.thread() == told.post || st.labels[p.entry.quote] == told.post ||
			p.entry.file == told.entry.file && slices.ContainsFunc(f.Terms, func(t string) bool {
				return strings.Contains(p.entry.text, t)
			})
		if same && p.post.event.CreatedAt <= st.now.Unix() {
			take(p.post.by, p.post.event.ID)
		}
	}
	for _, e := range st.events {
		if e.Kind != kindRepost || e.CreatedAt > st.now.Unix() {
			continue
		}
		if id, _ := e.Tags.Value("e"); id != told.post.event.ID.String() {
			continue
		}
		for _, a := range st.actors {
			if a.PubKey == e.PubKey {
				take(a, e.ID)
			}
		}
	}
}

// sentenceWith returns the shortest sentence of a text that holds all terms, or
// "".
func sentenceWith(text string, terms []string) string {
	best := ""
	for _, s := range sentences(text) {
		holds := !slices.ContainsFunc(terms, func(t string) bool { return !strings.Contains(s, t) })
		if holds && (best == "" || len(s) < len(best)) {
			best = s
		}
	}
	return best
}

// sentences cuts a text behind each full stop, question or exclamation mark that
// a space follows, behind their CJK forms, and at line ends.
func sentences(text string) []string {
	var out []string
	start := 0
	cut := func(end int) {
		if s := strings.TrimSpace(text[start:end]); s != "" {
			out = append(out, s)
		}
		start = end
	}
	for i, r := range text {
		switch r {
		case '\n':
			cut(i)
		case '。', '！', '？':
			cut(i + len(string(r)))
		case '.', '!', '?':
			if i+1 < len(text) && text[i+1] == ' ' {
				cut(i + 1)
			}
		}
	}
	cut(len(text))
	return out
}

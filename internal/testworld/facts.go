package testworld

import (
	"fmt"
	"slices"
	"strings"

	"bowerbird/app/sample"
	"bowerbird/app/sample/actor"
	"bowerbird/ndb/nostr"
)

// minTakers is how many people I follow must take a note up for it to be a fact.
const minTakers = 3

// Fact is something that happened in a World and that people I follow took up.
type Fact struct {
	Text     string         // the content of the note that tells it
	Sentence string         // the sentence of Text that holds all Terms
	Terms    []string       // its distinctive words, as written in Sentence
	Author   nostr.PubKey   // who tells it, a person followed
	Events   []nostr.ID     // the note first, then what took it up
	Takers   []nostr.PubKey // the others followed who took it up: at least 3
}

// Sample makes the program's sample, with the facts that its texts mark. One that fewer
// than three people followed have taken up by then is no fact yet.
func Sample(o sample.Options) (*World, error) {
	made, err := sample.Make(o)
	if err != nil {
		return nil, err
	}
	w := &World{Me: made.Me, People: made.People, Events: made.Events}
	for i, text := range made.Texts {
		if len(text.Fact) == 0 {
			continue
		}
		f := Fact{
			Text: text.Event.Content, Terms: text.Fact,
			Author: text.Event.PubKey, Events: []nostr.ID{text.Event.ID},
		}
		if f.Sentence = sentenceWith(f.Text, f.Terms); f.Sentence == "" {
			return nil, fmt.Errorf("story %s: no sentence has all of %q", text.Story, f.Terms)
		}
		f.takeUp(w, text, made.Texts[i+1:])
		if len(f.Takers) >= minTakers {
			w.Planted = append(w.Planted, f)
		}
	}
	return w, nil
}

const kindRepost = 6

// takeUp fills in who replied to, quoted or reposted a text, or wrote of it later with one
// of its terms in the same story.
func (f *Fact) takeUp(w *World, told sample.Text, later []sample.Text) {
	take := func(e *nostr.Event) {
		f.Events = append(f.Events, e.ID)
		followed := slices.ContainsFunc(w.People, func(p actor.Person) bool { return p.Followed && p.PubKey == e.PubKey })
		if followed && e.PubKey != f.Author && !slices.Contains(f.Takers, e.PubKey) {
			f.Takers = append(f.Takers, e.PubKey)
		}
	}
	for _, text := range later {
		reply, _ := nostr.ReplyTo(text.Event)
		title, _ := text.Event.Tags.Value("title") // of an article
		again := text.Story == told.Story && slices.ContainsFunc(f.Terms, func(t string) bool {
			return strings.Contains(title+"\n"+text.Event.Content, t)
		})
		if again || reply.Root == told.Event.ID || slices.Contains(nostr.Quotes(text.Event), told.Event.ID) {
			take(text.Event)
		}
	}
	for _, e := range w.Events {
		if id, _ := e.Tags.Value("e"); e.Kind == kindRepost && id == told.Event.ID.String() {
			take(e)
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

package builtin_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"bowerbird/app/builtin"
	"bowerbird/app/sample/actor"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// cited returns the events that an answer shows.
func (r *reader) cited(t testing.TB, a answer) []*nostr.Event {
	t.Helper()
	var out []*nostr.Event
	for _, s := range a.notes {
		id, err := nostr.ParseID(s)
		if err != nil {
			t.Fatal(err)
		}
		e, err := r.store.Event(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

func sampled(t testing.TB, w *testworld.World, name string) actor.Person {
	t.Helper()
	for _, p := range w.People {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("the sample has nobody called %s", name)
	return actor.Person{}
}

func TestAQuestionAboutAPersonCitesOnlyThatPersonsNotes(t *testing.T) {
	if testing.Short() {
		t.Skip("the same path as on the sample: not beside the race detector")
	}
	r, w := sampleReader(t)
	ada, heike := sampled(t, w, "Ada Lindqvist"), sampled(t, w, "Heike Brandweiner")
	for _, tt := range []struct {
		question string
		by       actor.Person
		word     string // that each note cited must hold; "" for any
	}{
		{"What is Ada Lindqvist saying about relays?", ada, "relays"},
		{"What is Ada Lindqvist saying in the last 9 days?", ada, ""},
		{"Was sagt Ada Lindqvist über relays?", ada, "relays"},
		{"Was hat Heike Brandweiner seit dem 11. November geschrieben?", heike, ""},
		{"Was schreibt Heike Brandweiner über Radweg?", heike, "radweg"},
	} {
		t.Run(tt.question, func(t *testing.T) {
			a := r.ask(t, tt.question)
			if checkQuotes(t, r, a) == 0 {
				t.Errorf("nothing is quoted:\n%s", a)
			}
			for _, e := range r.cited(t, a) {
				if e.PubKey != tt.by.PubKey {
					t.Errorf("a note by somebody else is cited: %s", e.Content)
				}
				if !strings.Contains(strings.ToLower(e.Content), tt.word) {
					t.Errorf("a note without %q is cited: %s", tt.word, e.Content)
				}
			}
		})
	}
}

func TestAQuestionAboutATopicCitesAndCountsOnlyTheNotesOfTheTopic(t *testing.T) {
	if testing.Short() {
		t.Skip("the same path as on the sample: not beside the race detector")
	}
	r, _ := sampleReader(t)
	a := r.ask(t, "What's new about the comet in the last 9 days?")
	if checkQuotes(t, r, a) == 0 {
		t.Fatalf("nothing is quoted:\n%s", a)
	}
	for _, e := range r.cited(t, a) {
		if !strings.Contains(strings.ToLower(e.Content), "comet") {
			t.Errorf("a note without comet is cited: %s", e.Content)
		}
	}
	a = r.chat(t, "What's new about the comet in the last 9 days?", "details, please")
	m := regexp.MustCompile(`Read (\d+) notes by (\d+) people, .* and (\d+) reposts? and (\d+) reactions? to them`).FindStringSubmatch(a.text)
	if m == nil {
		t.Fatalf("the answer does not say what was read:\n%s", a)
	}
	notes := map[string]bool{}
	since := noon.AddDate(0, 0, -9).Unix()
	query := func(name, args string) any {
		tool, _ := tools.Builtin().Get(name)
		res, err := tool.Call(t.Context(), r.env(), []byte(args))
		if err != nil {
			t.Fatal(err)
		}
		return res
	}
	found := query("query", fmt.Sprintf(`{"context":"home","search":"comet","kind":[1,1111,30023],"since":%d,"include_replies":true,"limit":200}`, since)).(tools.QueryResult)
	for _, n := range found.Notes {
		notes[n.NoteID] = true
	}
	reactions := 0
	until := noon.Unix()
	for {
		page := query("query", fmt.Sprintf(`{"context":"home","kind":7,"since":%d,"until":%d,"include_replies":true,"limit":200}`, since, until)).(tools.QueryResult)
		for _, n := range page.Notes {
			if id, _ := n.Event.Tags.Value("e"); notes[id] && n.Content != "-" { // against it, which does not count
				reactions++
			}
			until = n.CreatedAtUnix - 1 // may pass over notes of the same second; see the bound below
		}
		if !page.Truncated || len(page.Notes) == 0 {
			break
		}
	}
	var said [4]int
	for i := range said {
		fmt.Sscan(m[i+1], &said[i])
	}
	if said[0] != len(notes) || said[3] < reactions || said[3] > reactions+5 {
		t.Errorf("the answer says %v, but %d notes have %d reactions", said, len(notes), reactions)
	}
}

func TestAlsoStandsOnlyBehindSomething(t *testing.T) {
	r, _ := sampleReader(t)
	for _, q := range []string{"What did I miss since 8 am?", "What did I miss in the last 2 hours?", "What is Ada Lindqvist saying?", "Notes by Rune Aasgard"} {
		a := r.ask(t, q)
		if strings.Contains(a.text, "\n\n\n") || strings.Contains(a.text, ":\n\nAlso:") {
			t.Errorf("%s has a heading with nothing above it:\n%s", q, a)
		}
	}
}

var notSaid = regexp.MustCompile(`https?://\S+|#\S+`)

func TestASearchQuotesTheSentenceThatHasTheWord(t *testing.T) {
	if testing.Short() {
		t.Skip("the same path as on the sample: not beside the race detector")
	}
	r, _ := sampleReader(t)
	for question, word := range map[string]string{"search lmdb": "lmdb", "search comet": "comet", "search comets in the last 2 days": "comet", "Suche Radweg": "radweg"} {
		a := r.ask(t, question)
		if checkQuotes(t, r, a) == 0 {
			t.Errorf("%s: nothing is quoted:\n%s", question, a)
		}
		for _, m := range quotation.FindAllStringSubmatch(a.text, -1) {
			n, _ := strconv.Atoi(m[5])
			// A hashtag or an address behind the text is no part of a sentence.
			text := notSaid.ReplaceAllString(strings.ToLower(r.cited(t, a)[n-1].Content), "")
			if strings.Contains(text, word) && !strings.Contains(strings.ToLower(m[0]), word) {
				t.Errorf("%s: the sentence lacks the word: %s", question, m[0])
			}
		}
	}
}

func TestASearchSaysWhichNotesItCannotQuote(t *testing.T) {
	me, ann := named("me"), named("ann")
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann),
		ann.event(t, 0, noon.Unix()-9000, `{"name":"ann"}`),
		ann.event(t, 1, noon.Unix()-7200, "The ferry runs again from Tuesday on, with the old captain."),
		ann.event(t, 1, noon.Unix()-600, "**ferry**"),
	})
	a := r.ask(t, "search ferry")
	for _, want := range []string{"2 notes by people you follow", "old captain.” ^1", "Left out: 1 note without a sentence that can be quoted."} {
		if !strings.Contains(a.text, want) {
			t.Errorf("%q is missing in\n%s", want, a)
		}
	}
	a = r.ask(t, "What is ann saying about ferries?")
	if !strings.Contains(a.text, `about “ferry”`) || checkQuotes(t, r, a) != 1 {
		t.Errorf("the plural finds nothing:\n%s", a)
	}
	a = r.ask(t, "What is ann saying about trains?")
	if !strings.Contains(a.text, `No note by ann here has “trains”.`) {
		t.Errorf("the answer does not say by whom:\n%s", a)
	}
}

// TestTheSmallPrintIsShort: two short lines say what matters; the rest is told where
// details are asked, of a digest alone.
func TestTheSmallPrintIsShort(t *testing.T) {
	r := smallCircle(t)
	for question, asked := range map[string]string{
		"What did I miss since yesterday?": "details, please", "Was habe ich seit gestern verpasst?": "mehr Details", "What did Annika say about the bridge this week?": "More details?",
	} {
		d, ok := builtin.ReadDigest(r.ask(t, question).text)
		if n := utf8.RuneCountInString(d.Closing); !ok || n == 0 || n > 160 {
			t.Errorf("%s: %d letters of small print: %s", question, n, d.Closing)
		}
		full, ok := builtin.ReadDigest(r.chat(t, question, asked).text)
		if !ok || full.Headline != d.Headline || len(full.Closing) < len(d.Closing) || !regexp.MustCompile(`\d (reac|Reak)`).MatchString(full.Closing) {
			t.Errorf("%s: the details are %s\nof %s", question, full.Closing, full.Headline)
		}
	}
	if _, offered := builtin.ReadOffer(r.chat(t, "Who answered me?", "details").text); !offered {
		t.Error("the details of a list of answers are told, and there are none")
	}
}

package builtin_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"bowerbird/app/sample"
	"bowerbird/ndb"
	"bowerbird/tools"
)

// cited returns the events that an answer shows.
func (r *reader) cited(t testing.TB, a answer) []*ndb.Event {
	t.Helper()
	var out []*ndb.Event
	for _, s := range a.notes {
		id, err := ndb.ParseID(s)
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

func sampled(t testing.TB, w *sample.World, name string) sample.Person {
	t.Helper()
	for _, p := range w.People {
		if p.Name == name {
			return p
		}
	}
	t.Fatalf("the sample has nobody called %s", name)
	return sample.Person{}
}

func TestAQuestionAboutAPersonCitesOnlyThatPersonsNotes(t *testing.T) {
	r, w := sampleReader(t)
	ada, heike := sampled(t, w, "Ada Lindqvist"), sampled(t, w, "Heike Brandweiner")
	for _, tt := range []struct {
		question string
		by       sample.Person
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
			if id, _ := n.Event.Tags.Value("e"); notes[id] {
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

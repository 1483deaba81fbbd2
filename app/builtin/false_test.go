package builtin_test

import (
	"strings"
	"testing"

	"bowerbird/app/builtin"
	"bowerbird/ndb/nostr"
)

// TestNothingIsSaidThatIsNotSo: each question has an answer that would be false.
func TestNothingIsSaidThatIsNotSo(t *testing.T) {
	me, ann, eve := named("me"), named("ann"), named("eve")
	at := noon.Unix()
	mine := me.event(t, 1, at-7200, "Has anybody seen the grey cat of the harbour office?")
	list := follows(t, me, ann)
	old := ann.event(t, 1, at-40*86400, "The ferry runs again from Tuesday on, with the old captain.")
	strange := eve.event(t, 1, at-3600, "A stranger sells umbrellas at the corner of the market.")
	picture := ann.event(t, 1, at-600, "https://pictures.example/ferry.jpg")
	for _, tt := range []struct {
		name, question string
		events         []*nostr.Event
		everyone       bool
		want           []string
		wrong          []string
	}{
		{"a year before the protocol", "What happened in 1999?", []*nostr.Event{list, old}, false, nil, []string{"could not be read"}},
		{"a day long ago", "What did I miss on 3 March 1999?", []*nostr.Event{list, old}, false, nil, []string{"could not be read"}},
		{"how many, long ago", "How many notes were there in 1999?", []*nostr.Event{list, old}, false, nil, []string{"could not be read"}},
		{"notes by others only", "What did I miss since yesterday?", []*nostr.Event{list, strange}, false, []string{"by the people you follow"}, nil},
		{"of somebody without notes, beside many", "What did ann write this week?", []*nostr.Event{list, strange, ann.event(t, 0, at-90000, `{"name":"ann"}`)}, false, []string{"What ann wrote", "nothing"}, []string{"Not one note"}},
		{"one word is a note", "search quiet", []*nostr.Event{list, ann.event(t, 1, at-600, "Quiet.")}, false, []string{"“Quiet.” ^1"}, nil},
		{"told once", "What did I miss since yesterday?", []*nostr.Event{list, old, ann.event(t, 1, at-900, "The bakery by the harbour has closed its doors for good.")}, false, []string{"^1"}, []string{"^1 (first"}},
		{"nothing but mine", "What did I miss since yesterday?", []*nostr.Event{list, mine}, false, nil, []string{"Not one note is"}},
		{"a list of pictures", "search ferry", []*nostr.Event{list, picture}, false, nil, []string{":\n\n\n", ":\n\nNo language"}},
		{"no visit is known", "What did I miss since I was last here?", []*nostr.Event{list, old, ann.event(t, 1, at-900, "The bakery by the harbour has closed its doors for good.")}, false, []string{"No earlier visit of yours is known"}, nil},
		{"how many, and no visit is known", "How many notes were there since I was last here?", []*nostr.Event{list, old}, false, []string{"No earlier visit of yours is known"}, nil},
		{"who, and no visit is known", "Who posted most since I was last here?", []*nostr.Event{list, ann.event(t, 1, at-900, "The bakery by the harbour has closed its doors for good.")}, false, []string{"No earlier visit of yours is known"}, nil},
		{"who answered, and no visit is known", "Who answered me since I was last here?", []*nostr.Event{list, mine}, false, []string{"No earlier visit of yours is known"}, nil},
		{"a search of a time", "search ferry since yesterday", []*nostr.Event{list, old}, false, []string{"nothing", "old captain"}, []string{"No note here has"}},
		{"a topic of strangers", "What do people say about umbrellas?", []*nostr.Event{list, old, strange}, false, []string{"A stranger sells umbrellas"}, []string{"No note here has"}},
		{"no articles, but notes", "articles since yesterday as a table", []*nostr.Event{list, ann.event(t, 1, at-900, "The bakery by the harbour has closed its doors for good.")}, false, []string{"0 articles"}, []string{"No note by"}},
		{"a title without a list", "search ferry", []*nostr.Event{list, picture}, false, nil, []string{"“ferry”:"}},
		{"words that were not looked for", "What are people saying about the hundred bakeries?", []*nostr.Event{list, ann.event(t, 1, at-900, "The bakery by the harbour has closed its doors for good.")}, false, []string{"1 note with “bakery”"}, []string{"note with “hundred"}},
		{"half a name", "whaddup with ann posting", []*nostr.Event{list, old, ann.event(t, 0, at-90000, `{"name":"ann"}`)}, false, nil, []string{"Nobody called"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := newReader(t, me.key(t), noon, tt.events)
			r.scope = builtin.Scope{Everyone: tt.everyone}
			a := r.ask(t, tt.question)
			t.Log(a.text)
			for _, want := range tt.want {
				if !strings.Contains(a.text, want) {
					t.Errorf("%q is missing in\n%s", want, a.text)
				}
			}
			for _, wrong := range tt.wrong {
				if strings.Contains(a.text, wrong) {
					t.Errorf("%q stands in\n%s", wrong, a.text)
				}
			}
		})
	}
}

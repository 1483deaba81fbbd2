package builtin_test

import (
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// contest is a world in which something was lost and found, in another language than most
// notes are in, and in which people write of boats.
func contest(t *testing.T) *reader {
	me, ann, bob, eve := named("me"), named("ann"), named("bob"), named("eve")
	at := noon.Unix()
	lost := eve.event(t, 1, at-80_000, "O papagaio fugiu pela janela.", []string{"t", "papagaio"})
	return newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob, eve),
		me.event(t, 0, at-90_000, `{"name":"mira"}`),
		ann.event(t, 0, at-90_000, `{"name":"Annika"}`),
		bob.event(t, 0, at-90_000, `{"name":"Bob Weiss"}`),
		eve.event(t, 0, at-90_000, `{"name":"eve"}`),
		lost,
		ann.event(t, 1, at-70_000, "A parrot flew over the market square.", []string{"t", "papagaio"}),
		eve.event(t, 1, at-60_000, "Encontrado! Estava no telhado da escola.", []string{"t", "papagaio"}),
		bob.event(t, 1, at-50_000, "The rowing boats are painted blue this year."),
		ann.event(t, 1, at-40_000, "Nobody rowed the boats today, the wind was too strong."),
		ann.event(t, 1, at-40*86_400, "The boats spend the winter in the long shed."),
	})
}

func TestWhatIsNotUnderstoodIsLookedForInNotes(t *testing.T) {
	r := contest(t)
	for question, want := range map[string]struct{ has, hasNot []string }{
		"did they find the parrot":                {[]string{"Looked for words of the question: “parrot”, “find”.", "Encontrado!", "A parrot flew"}, []string{"boats"}},
		"Wurde der parrot gefunden?":              {[]string{"„parrot“, „gefunden“", "Encontrado!"}, nil},
		"was hat eve gefunden":                    {[]string{"Encontrado!"}, []string{"parrot"}},
		"how many people repainted the boats":     {[]string{"Not taken into account: “how”, “many”", "“boats”", "painted blue", "wind"}, nil},
		"is Bob Weiss on holiday or what":         {[]string{"No note by Bob Weiss here has “holiday”", "painted blue"}, []string{"wind"}},
		"how many zeppelins came":                 {[]string{"No note here has “zeppelins”.", "I did not understand"}, nil},
		"did Annika not paint the boats":          {[]string{"I did not understand"}, []string{"painted blue"}},
		"who is papagaio":                         {[]string{"Looked for words of the question: “papagaio”", "O papagaio fugiu"}, []string{"boats"}},
		"search for the mast of the boats":        {[]string{"No note here has “mast of the boats”.", "“boats”", "painted blue"}, nil},
		"What are people saying about boats?":     {[]string{"about “boats”", "the long shed"}, nil}, // weeks ago
		"What is new about boats since yesterday": {[]string{"about “boats”"}, []string{"the long shed"}},
	} {
		a := r.ask(t, question)
		for _, w := range want.has {
			if !strings.Contains(a.text, w) {
				t.Errorf("%s: %q is missing in\n%s", question, w, a)
			}
		}
		for _, w := range want.hasNot {
			if strings.Contains(a.text, w) {
				t.Errorf("%s: %q is told in\n%s", question, w, a)
			}
		}
		if len(a.notes) != strings.Count(a.text, " ^") {
			t.Errorf("%s: %d notes are shown in\n%s", question, len(a.notes), a)
		}
	}
}

func TestWhomAQuestionExceptsIsLeftOut(t *testing.T) {
	r := contest(t)
	for question, left := range map[string]string{
		"What are people saying about boats, except Bob Weiss?":  "painted",
		"Was schreiben die Leute außer Annika über boats?":       "wind",
		"¿Qué dice la gente sobre boats, aparte de Bob Weiss?":   "painted",
		"Que disent les gens sur boats, à part Annika ?":         "wind",
		"O que as pessoas dizem sobre boats, além de Bob Weiss?": "painted",
		"Annikaさん以外の人はboatsについて何を書いた?":                           "wind",
	} {
		a := r.ask(t, question)
		one, other := "painted", "wind"
		if left == one {
			one, other = other, one
		}
		if strings.Contains(a.text, other) || !strings.Contains(a.text, one) {
			t.Errorf("%s: got\n%s", question, a)
		}
		if first, _, _ := strings.Cut(a.text, "\n"); !strings.Contains(strings.ToLower(first), "bob weiss") && !strings.Contains(strings.ToLower(first), "annika") {
			t.Errorf("%s: who is left out is not said first: %s", question, first)
		}
	}
	a := r.ask(t, "Who wrote most, except Annika?")
	if len(a.tables) != 1 {
		t.Fatalf("got %s", a)
	}
	for _, row := range a.tables[0].Rows {
		if row[0] == "Annika" {
			t.Errorf("who is left out is ranked: %v", a.tables[0].Rows)
		}
	}
}

func TestWhatIsAskedOfTheWorldIsRefusedThoughNotesHaveAWordOfIt(t *testing.T) {
	r := contest(t)
	for _, question := range []string{"what time is it at the market", "¿qué tiempo hace en market?", "que horas são em market"} {
		if a := r.ask(t, question); len(a.notes) > 0 {
			t.Errorf("%s: got\n%s", question, a)
		}
	}
}

package builtin_test

import (
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

func TestTheUserAsksAboutThemselves(t *testing.T) {
	me, ann := named("me"), named("ann")
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann),
		me.event(t, 0, noon.Unix()-9000, `{"name":"juno"}`),
		me.event(t, 1, noon.Unix()-7200, "The bakery by the harbour has closed its doors for good."),
		ann.event(t, 1, noon.Unix()-600, "The ferry runs again from Tuesday on, with the old captain."),
	})
	for question, want := range map[string]string{
		"who am I?": "This is you.", "who is me": "This is you.", "wer bin ich?": "Das bist du.",
		"what did I write?": "juno: “The bakery", "Was habe ich geschrieben?": "juno: „The bakery",
		"how many notes did I write?": "1 note by juno",
	} {
		a := r.ask(t, question)
		if !strings.Contains(a.text, want) || strings.Contains(a.text, "ferry") || strings.Contains(a.text, "do not follow") {
			t.Errorf("%s: %q is missing in\n%s", question, want, a)
		}
	}
}

func TestAnExactNameComesBeforeThoseThatOnlyContainIt(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, bob),
		ann.event(t, 0, noon.Unix()-9000, `{"name":"jb55"}`),
		bob.event(t, 0, noon.Unix()-9000, `{"name":"minebot","about":"not jb55 at all","nip05":"jb55@wallet.example"}`),
		ann.event(t, 1, noon.Unix()-600, "The ferry runs again from Tuesday on, with the old captain."),
	})
	if a := r.ask(t, "who is jb55"); !strings.Contains(a.text, "**jb55**") || strings.Contains(a.text, "minebot") {
		t.Errorf("got\n%s", a)
	}
}

func TestWhatIsLackingIsSaid(t *testing.T) {
	me, ann := named("me"), named("ann")
	note := ann.event(t, 1, noon.Unix()-600, "The ferry runs again from Tuesday on, with the old captain.")
	r := newReader(t, me.key(t), noon, []*nostr.Event{follows(t, me, ann), note})
	code := note.ID.Note()
	wrong := code[:len(code)-1] + "q"
	if wrong == code {
		wrong = code[:len(code)-1] + "p"
	}
	for question, want := range map[string]string{
		"search": "Search for what?", `search ""`: "Search for what?", "Suche": "Wonach soll ich suchen?",
		"summarise this thread":                 "Which one?",
		"summarise this thread note1abc":        "mistyped",
		"summarise this thread " + wrong:        "mistyped",
		"summarise this thread " + code:         "“The ferry",
		"summarize the week":                    "Since Mon 00:00.",
		"what did I miss last 24h":              "Since Thu 12:00.",
		"what did I miss since 20:30 yesterday": "Since Thu 20:30.",
		"what did I miss since 18/11/2026":      "Since Wed 00:00.",
		"what did I miss since I was last here": "No earlier visit of yours is known; this is since Thu",
	} {
		if a := r.ask(t, question); !strings.Contains(a.text, want) {
			t.Errorf("%s: %q is missing in\n%s", question, want, a)
		}
	}
}

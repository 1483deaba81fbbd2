package builtin_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// boats are notes by one person that differ in nothing but a number.
func boats(t testing.TB, by someone, n int) []*nostr.Event {
	t.Helper()
	var events []*nostr.Event
	for i := range n {
		events = append(events, by.event(t, 1, noon.Unix()-int64(100*(n-i)), fmt.Sprintf("Live note number %d about the boats in the harbour.", i+1)))
	}
	return events
}

func TestWhatAPersonSaysAgainAndAgainIsToldOnce(t *testing.T) {
	me, anna := named("me"), named("anna")
	r := newReader(t, me.key(t), noon, append([]*nostr.Event{
		follows(t, me, anna), anna.event(t, 0, noon.Unix()-9e6, `{"name":"Anna Live"}`),
	}, boats(t, anna, 12)...))
	for question, want := range map[string]string{
		"What is Anna Live saying about boats?":       "“Live note number 12 about the boats in the harbour.” ^1 (12 times, nearly the same)",
		"What did Anna Live write today?":             "^1 (12 times, nearly the same)",
		"What did I miss since yesterday?":            "^1 (12 times, nearly the same)",
		"search boats":                                "^1 (12 times, nearly the same)",
		"Was hat Anna Live heute geschrieben?":        "„Live note number 12 about the boats in the harbour.“ ^1 (12-mal, fast gleich)",
		"¿Qué dice Anna Live?":                        "«Live note number 12 about the boats in the harbour.» ^1 (12 veces, casi igual)",
		"O que Anna Live escreveu nos últimos 2 dias": "«Live note number 12 about the boats in the harbour.» ^1 (12 vezes, quase igual)",
	} {
		a := r.ask(t, question)
		if !strings.Contains(a.text, want) || checkQuotes(t, r, a) != 1 {
			t.Errorf("%s: %q is not told once in\n%s", question, want, a)
		}
	}
}

func TestWhoRepeatsHimselfComesBehindTheOthers(t *testing.T) {
	me, anna, bob := named("me"), named("anna"), named("bob")
	r := newReader(t, me.key(t), noon, append([]*nostr.Event{
		follows(t, me, anna, bob),
		anna.event(t, 0, noon.Unix()-9e6, `{"name":"anna"}`), bob.event(t, 0, noon.Unix()-9e6, `{"name":"bob"}`),
		bob.event(t, 1, noon.Unix()-7200, "My tomatoes have turned red."),
	}, boats(t, anna, 12)...))
	a := r.ask(t, "What did I miss since yesterday?")
	if bob, anna := strings.Index(a.text, "bob: "), strings.Index(a.text, "anna: "); bob < 0 || anna < bob {
		t.Errorf("got\n%s", a)
	}
}

func TestWhereNothingCanBeQuotedTheNewestNotesAreShownAndItIsSaid(t *testing.T) {
	me, ann, far := named("me"), named("ann"), named("far")
	said := far.event(t, 1, noon.Unix()-8000, "The ferry runs again from Tuesday on, with the old captain.")
	profile := ann.event(t, 0, noon.Unix()-9e6, `{"name":"ann"}`)
	for name, tt := range map[string]struct {
		question string
		events   []*nostr.Event
		want     string
	}{
		"pictures": {"What did I miss since yesterday?", []*nostr.Event{
			ann.event(t, 1, noon.Unix()-7000, "https://pictures.example/a.jpg"), ann.event(t, 1, noon.Unix()-600, "GM"),
		}, "there are only pictures, links or a few words. The newest: ^1 ^2\n"},
		"of one person": {"What did ann write today?", []*nostr.Event{ann.event(t, 1, noon.Unix()-600, "GM")}, "The newest: ^1\n"},
		"in German":     {"Was hat ann heute geschrieben?", []*nostr.Event{ann.event(t, 1, noon.Unix()-600, "GM")}, "Die neuesten: ^1\n"},
		"only passed on": {"What did I miss since yesterday?", []*nostr.Event{
			said, ann.event(t, 6, noon.Unix()-600, "", []string{"e", said.ID.String()}, []string{"p", far.PubKey}),
		}, "passed on was: ^1\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a := newReader(t, me.key(t), noon, append(tt.events, follows(t, me, ann), profile)).ask(t, tt.question)
			if !strings.Contains(a.text, tt.want) || len(a.notes) != strings.Count(a.text, " ^") {
				t.Errorf("%q is missing in\n%s", tt.want, a)
			}
		})
	}
}

// aboutNothing are reasons for which an answer may cite nothing.
var aboutNothing = regexp.MustCompile(`nothing, as far|No note|Not one note|nichts, soweit|[Kk]eine Notiz|keine einzige|nada, por|[Nn]inguna nota|nada, pelo|[Nn]enhuma nota|could not be shown|Left out|Weggelassen|Sin contar|De fora|Nobody called|conversation`)

// TestEveryAnswerCitesOrSaysWhyNot asks small worlds of people who say much, little,
// nothing or always the same.
func TestEveryAnswerCitesOrSaysWhyNot(t *testing.T) {
	seeds := uint64(24)
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := newReader(t, named("me").key(t), noon, odd(t, rand.New(rand.NewPCG(seed, 1))))
			for _, question := range []string{
				"What did I miss since yesterday?", "What did anna write today?", "What is anna saying about boats?", "What is bob saying?",
				"What's new about boats?", "search boats", "Summarise the longest thread", "Was habe ich seit gestern verpasst?",
				"Was sagt anna über Boote?", "¿Qué me perdí desde ayer?", "O que perdi desde ontem?",
			} {
				a := r.ask(t, question)
				checkSays(t, question, a)
			}
		})
	}
}

// checkSays fails where an answer is a heading without content.
func checkSays(t *testing.T, question string, a answer) {
	t.Helper()
	if len(a.notes) != strings.Count(a.text, " ^") {
		t.Errorf("%s: %d notes are shown in\n%s", question, len(a.notes), a)
	}
	if len(a.notes) == 0 && !aboutNothing.MatchString(a.text) {
		t.Errorf("%s: nothing is cited, and no reason given:\n%s", question, a)
	}
	parts := strings.Split(strings.TrimSpace(a.text), "\n\n")
	for i, part := range parts {
		last := i+1 == len(parts)
		// A heading right below another one is looked at in its turn.
		if strings.HasSuffix(part, ":") && (last || !strings.Contains(parts[i+1], "^") && !strings.HasSuffix(parts[i+1], ":")) && !aboutNothing.MatchString(a.text) {
			t.Errorf("%s: %q has nothing under it in\n%s", question, part, a)
		}
	}
}

// odd makes the notes of a few people, each with one habit.
func odd(t testing.TB, rng *rand.Rand) []*nostr.Event {
	t.Helper()
	me, far := named("me"), named("far")
	people := []someone{named("anna"), named("bob"), named("cho")}
	events := []*nostr.Event{follows(t, me, people...)}
	at := noon.Unix() - 80_000
	for i, by := range people {
		events = append(events, by.event(t, 0, at-1000, fmt.Sprintf(`{"name":%q}`, []string{"anna", "bob", "cho"}[i])))
		habit := rng.IntN(8)
		for n := range rng.IntN(14) {
			at += 1 + int64(rng.IntN(1500))
			switch habit {
			case 0:
				events = append(events, by.event(t, 1, at, fmt.Sprintf("Live note %d about boats.", n)))
			case 1:
				events = append(events, by.event(t, 1, at, "The boats are in the harbour again, all of them."))
			case 2:
				events = append(events, by.event(t, 1, at, fmt.Sprintf("https://pictures.example/boats%d.jpg", n)))
			case 3:
				events = append(events, by.event(t, 1, at, []string{"GM", "**boats**", "boats!", "🚤🚤🚤"}[n%4]))
			case 4:
				note := far.event(t, 1, at-5, fmt.Sprintf("A stranger tells story %d of the boats in the harbour.", n))
				events = append(events, note, by.event(t, 6, at, "", []string{"e", note.ID.String()}, []string{"p", far.PubKey}))
			case 5:
				if last := events[len(events)-1]; last.Kind == 1 {
					events = append(events, by.event(t, 1, at, fmt.Sprintf("%d", n), []string{"e", last.ID.String(), "", "root"}))
					continue
				}
				events = append(events, by.event(t, 1, at, "Which of the boats is yours, the red one by the pier?"))
			case 6:
				if last := events[len(events)-1]; last.Kind == 1 {
					events = append(events, by.event(t, 7, at, "+", []string{"e", last.ID.String()}))
				}
			default:
				events = append(events, by.event(t, 1, at, "BOATS "+strings.Repeat("boats", n)))
			}
		}
	}
	return events
}

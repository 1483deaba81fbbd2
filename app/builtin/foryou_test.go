package builtin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/app/builtin"
	"bowerbird/ndb/nostr"
)

// TestAFloodHidesNoAnswerOfAFriend: of strangers' notes, or of likes. How many those are
// is told as what was read of them.
func TestAFloodHidesNoAnswerOfAFriend(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	p := []string{"p", me.key(t).String()}
	mine := me.event(t, 1, at-90000, "Has anybody seen the grey cat of the harbour office?")
	quiet := []*nostr.Event{
		follows(t, me, ann, bob), mine, ann.event(t, 0, at-900000, `{"name":"Ann"}`),
		ann.event(t, 1, at-36000, "The cat sleeps in our boat house every afternoon.", []string{"e", mine.ID.String(), "", "root"}, p),
		bob.event(t, 1, at-36001, "The ferry to the island is painted green since Monday."),
	}
	for want, flood := range map[string]func(i int) *nostr.Event{
		"More notes to you, not listed here: at least 597.": func(i int) *nostr.Event {
			return named(fmt.Sprint("stranger", i%50)).event(t, 1, at-int64(i)-10, fmt.Sprintf("Buy the marvellous coin number %d at the market.", i), p)
		},
		"At least 600 reactions on your note “Has anybody": func(i int) *nostr.Event {
			return named(fmt.Sprint("stranger", i%50)).event(t, 7, at-int64(i)-10, fmt.Sprint("+", i), []string{"e", mine.ID.String()}, p)
		},
	} {
		events := slices.Clone(quiet)
		for i := range 650 {
			events = append(events, flood(i))
		}
		r := newReader(t, me.key(t), noon, events)
		a := r.ask(t, "What did I miss since yesterday?")
		for _, want := range []string{want, "1 of them to you.**", "**Ann** answered you: “The cat sleeps"} {
			if !strings.Contains(a.text, want) {
				t.Errorf("%q is missing in\n%s", want, a.text)
			}
		}
	}
}

// TestWhatIsForMeWithoutWords is named by what it is; an answer that does not name me is
// for me all the same, and no stranger takes the place of another.
func TestWhatIsForMeWithoutWords(t *testing.T) {
	me, ann, eve, dan := named("me"), named("ann"), named("eve"), named("dan")
	at := noon.Unix()
	p := []string{"p", me.key(t).String()}
	mine := me.event(t, 1, at-90000, "Has anybody seen the grey cat of the harbour office?")
	e := []string{"e", mine.ID.String(), "", "root"}
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann), mine,
		ann.event(t, 0, at-900000, `{"name":"Ann"}`), dan.event(t, 0, at-900000, `{"name":"Dan"}`),
		ann.event(t, 1, at-600, "https://example.com/cat.jpg", e, p),
		ann.event(t, 1, at-700, "👍", e, p),
		ann.event(t, 1, at-800, "https://example.com/long/page", e, p),
		ann.event(t, 1, at-850, "**[a](b)**", e, p),
		ann.event(t, 1, at-900, "The cat sleeps in the third boat house, I saw her this morning.", e),
		eve.event(t, 1, at-10, "First spam about the shiny coin of the day.", p),
		eve.event(t, 1, at-11, "Second spam about the shiny coin of the night.", p),
		eve.event(t, 1, at-12, "Third spam about the shiny coin of the week.", p),
		dan.event(t, 1, at-100, "I found your lost wallet at the ferry landing, please call the office.", p),
	})
	a := r.ask(t, "What did I miss in the last 12 hours?")
	for _, want := range []string{
		"5 of them to you.**",
		"**Ann** answered you: (a picture) ^1", "**Ann** answered you: 👍 ^2", "**Ann** answered you: (a link) ^3",
		"**Ann** answered you: (see the note) ^4", "**Ann** answered you: “The cat sleeps", "**Dan** mentioned you: “I found",
	} {
		if !strings.Contains(a.text, want) {
			t.Errorf("%q is missing in\n%s", want, a.text)
		}
	}
	if got := section(t, a, builtin.ForYou); strings.Count(got, "spam") != 2 || strings.Index(got, "Dan") > strings.Index(got, "Second spam") {
		t.Errorf("the strangers are\n%s", got)
	}
	if code := me.key(t).Npub()[:12]; strings.Contains(a.text, code) {
		t.Errorf("I am named by my code:\n%s", a.text)
	}
	a = r.ask(t, "Who answered me in the last 12 hours?")
	for _, want := range []string{": (a picture) ^", ": 👍 ^", ": (a link) ^"} {
		if !strings.Contains(a.text, want) {
			t.Errorf("%q is missing in\n%s", want, a.text)
		}
	}
}

// TestWhatWasDoneWithoutWordsIsToldInOneLine: what was done, to which of my notes most, by
// whom, when.
func TestWhatWasDoneWithoutWordsIsToldInOneLine(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	cat := me.event(t, 1, at-900_000, "Has anybody seen the grey cat of the harbour office?")
	pear := me.event(t, 1, at-90_000, "The pear tree by the wall has its first fruit.")
	like := func(who someone, of *nostr.Event, ago int64) *nostr.Event {
		return who.event(t, 7, at-ago, "+", noteTag(of, ""), personTag(me, t))
	}
	base := []*nostr.Event{
		follows(t, me, ann, bob), cat, pear, ann.event(t, 0, at-900_000, `{"name":"Ann"}`), bob.event(t, 0, at-900_000, `{"name":"Bob"}`),
		ann.event(t, 1, at-7000, "The ferry to the island is painted green since Monday."),
	}
	for want, acts := range map[string][]*nostr.Event{
		"1 reaction on your note “Has anybody seen the grey cat of the harbour office?” ^1, Fri 11:00, by Ann.":                               {like(ann, cat, 3600)},
		"3 reactions on your notes, most on “Has anybody seen the grey cat of the harbour office?” ^1, the latest Fri 11:00, by Ann and Bob.": {like(ann, cat, 3600), like(bob, cat, 7200), like(bob, pear, 7300)},
		"2 reactions on your notes, the latest Fri 11:00, by Ann and Bob.":                                                                    {like(ann, cat, 3600), like(bob, pear, 7300)},
	} {
		r := newReader(t, me.key(t), noon, append(slices.Clone(base), acts...))
		a := r.ask(t, "What did I miss since yesterday?")
		if got := section(t, a, builtin.ForYou); !strings.Contains(got, "Text:"+want+"}") {
			t.Errorf("%q is not told:\n%s", want, got)
		}
		checkQuotes(t, r, a)
	}
}

// TestWhoTurnedToMeIsAtLeastThoseWhoWereRead, where there is more than is read.
func TestWhoTurnedToMeIsAtLeastThoseWhoWereRead(t *testing.T) {
	me := named("me")
	p := []string{"p", me.key(t).String()}
	events := []*nostr.Event{follows(t, me, named("ann"))}
	for i := range 650 {
		events = append(events, named(fmt.Sprint("stranger", i%50)).event(t, 1, noon.Unix()-int64(i)-10, fmt.Sprintf("Buy the marvellous coin number %d at the market.", i), p))
	}
	r := newReader(t, me.key(t), noon, events)
	for question, want := range map[string]string{
		"Who mentioned me today?":                 "at least 600 mentions, by at least 50 people",
		"Who mentioned me in the last 5 minutes?": ": 291 mentions, by 50 people",
	} {
		if a := r.ask(t, question); !strings.Contains(a.text, want) {
			t.Errorf("%s: %q is missing in\n%.300s", question, want, a.text)
		}
	}
}

// What two friends answered me is told once, though others liked it: as addressed to me.
func TestWhatIsForMeIsNoTopicBesides(t *testing.T) {
	me, ann, bob, cid, dot := named("me"), named("ann"), named("bob"), named("cid"), named("dot")
	at := noon.Unix()
	mine := me.event(t, 1, at-9000, "The old ledger is bound again, and its spine creaks.")
	first := ann.event(t, 1, at-8000, "Keep the creaking spine, ledgers ought to complain.", nostr.Tag{"e", mine.ID.String(), "", "root"}, nostr.Tag{"p", me.key(t).String()})
	second := bob.event(t, 1, at-7000, "The ledger spine creaks like my grandmother's stairs.", nostr.Tag{"e", mine.ID.String(), "", "root"}, nostr.Tag{"p", me.key(t).String()})
	events := []*nostr.Event{
		follows(t, me, ann, bob, cid, dot), mine, first, second,
		cid.event(t, 1, at-900, "The bakery by the harbour has closed its doors for good."),
		dot.event(t, 1, at-600, "A tram line to the northern quarter opens in the autumn."),
	}
	for _, who := range []someone{cid, dot} {
		events = append(events, who.event(t, 7, at-500, "+", nostr.Tag{"e", first.ID.String()}, nostr.Tag{"p", ann.key(t).String()}))
	}
	a := newReader(t, me.key(t), noon, events).ask(t, "What did I miss since yesterday?")
	for _, text := range []string{"Keep the creaking spine", "like my grandmother"} {
		if n := strings.Count(a.text, text); n != 1 {
			t.Errorf("%q stands %d times in\n%s", text, n, a)
		}
	}
}

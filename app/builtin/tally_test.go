package builtin_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// asking is a store of two people followed: one asks, answers and links, the other is liked.
func asking(t *testing.T) *reader {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	asked := ann.event(t, 1, at-40_000, "The ladder is back. Who has the long rope? It was in the shed.") // at 0:53
	answered := ann.event(t, 1, at-18_000, "Does anybody know the tune of the mill wheel?")
	plain := bob.event(t, 1, at-17_000, "The granary door is painted red, see https://granary.example/?door for the colours.")
	mine := me.event(t, 1, at-16_000, "My own loaf came out flat.")
	reply := bob.event(t, 1, at-15_000, "It goes up and down like the wheel itself.", noteTag(answered, "root"), personTag(ann, t))
	ev := []*nostr.Event{
		follows(t, me, ann, bob), me.event(t, 0, at-90_000, `{"name":"Mia"}`), ann.event(t, 0, at-90_000, `{"name":"Annika"}`), bob.event(t, 0, at-90_000, `{"name":"Bob"}`),
		asked, answered, plain, mine, reply,
		ann.event(t, 7, at-14_000, "+", noteTag(plain, ""), personTag(bob, t)),
		me.event(t, 7, at-13_000, "+", noteTag(plain, ""), personTag(bob, t)),
		bob.event(t, 7, at-13_000, "+", noteTag(mine, ""), personTag(me, t)),
	}
	return newReader(t, me.key(t), noon, ev)
}

func TestPeopleAreRankedByWhatTheirNotesTell(t *testing.T) {
	r := asking(t)
	for question, want := range map[string]string{
		"Who does Bob talk to the most?":        "Whom Bob answers and mentions most, since 21 Oct, 00:00 [[Annika 1]]",
		"Mit wem redet Bob am meisten?":         "Wem Bob seit 21. Okt., 00:00 Uhr am meisten geantwortet oder wen am meisten erwähnt [[Annika 1]]",
		"Who gets the most likes?":              "Whose notes got most reactions, since 21 Oct, 00:00 [[Bob 2] [Mia 1]]",
		"Who writes at night about the ladder?": "Who wrote most between 22:00 and 6:00, since 21 Oct, 00:00 [[Annika 1]]",
		"Who writes at night?":                  "Who wrote most between 22:00 and 6:00, since 21 Oct, 00:00 [[Annika 1]]",
		"table of my notes with their likes":    "What Mia wrote since 13 Nov, 00:00 [[Fri 07:33 Mia My own loaf came out flat. 0 1 0 0]]",
	} {
		a := r.ask(t, question)
		if len(a.tables) != 1 {
			t.Errorf("%s: %d tables\n%s", question, len(a.tables), a)
			continue
		}
		if got := a.tables[0].Title + " " + fmt.Sprint(a.tables[0].Rows); got != want {
			t.Errorf("%s: got\n%s, want\n%s", question, got, want)
		}
	}
}

func TestWhatNobodyAnsweredAndLinksAreListed(t *testing.T) {
	r := asking(t)
	for question, want := range map[string][]string{
		"Which questions did nobody answer today?":     {"1 question without an answer", "“Who has the long rope?”"},
		"Which of my notes got no answer?":             {"1 note without an answer by", "flat"},
		"Links from today":                             {"1 note with a link", "granary"},
		"Links about the ladder":                       {"0 notes with a link", "1 note by people you follow with “ladder”"},
		"Who follows me?":                              {"Who follows whom cannot be told here", "How many people do I follow?"},
		"anything about the wheel that isn't from Bob": {"I did not understand"},
	} {
		a := r.ask(t, question)
		checkQuotes(t, r, a)
		if i := slices.IndexFunc(want, func(w string) bool { return !strings.Contains(a.text, w) }); i >= 0 {
			t.Errorf("%s: %q is missing in\n%s", question, want[i], a)
		}
	}
}

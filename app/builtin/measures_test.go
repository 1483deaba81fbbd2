package builtin_test

import (
	"slices"
	"strings"
	"testing"

	"bowerbird/ndb/nostr"
)

// liked is a store of two people followed, whose notes were taken up to different degrees,
// and who wrote an article each.
func liked(t *testing.T) *reader {
	me, ann, bob, eve := named("me"), named("ann"), named("bob"), named("eve")
	at := noon.Unix()
	ladder := ann.event(t, 1, at-40_000, "The ladder from the workshop leans behind the shed.")
	bridge := bob.event(t, 1, at-39_000, "The bridge at the mill opens on Saturday with a brass band.")
	choir := bob.event(t, 1, at-38_000, "The choir rehearses in the old granary this winter.")
	ev := []*nostr.Event{
		follows(t, me, ann, bob),
		ann.event(t, 0, at-90_000, `{"name":"Annika"}`), bob.event(t, 0, at-90_000, `{"name":"Bob"}`), eve.event(t, 0, at-90_000, `{"name":"eve"}`),
		ladder, bridge, choir,
		ann.event(t, 1, at-30_000, "A brass band on that bridge will shake the bolts loose.", noteTag(bridge, "root")),
		eve.event(t, 1, at-29_000, "The bolts of that bridge are new.", noteTag(bridge, "root")),
		ann.event(t, 30023, at-20_000, "Slugs eat the leeks first. A copper ring keeps them away.", []string{"d", "slugs"}, []string{"title", "Slugs in the leeks"}),
		bob.event(t, 30023, at-86_400*40, "The granary was built in 1790 by two brothers.", []string{"d", "granary"}, []string{"title", "The old granary"}),
	}
	for _, who := range []someone{bob, eve, me} {
		ev = append(ev, who.event(t, 7, at-28_000, "+", noteTag(ladder, ""), personTag(ann, t)))
	}
	ev = append(ev, ann.event(t, 7, at-27_000, "+", noteTag(choir, ""), personTag(bob, t)))
	return newReader(t, me.key(t), noon, ev)
}

func TestPopularNotesAreThoseMostTakenUpByTheMeasureAskedFor(t *testing.T) {
	r := liked(t)
	for question, want := range map[string][]string{
		"most liked notes this week":           {"counted: reactions", "ladder", "(3 reactions)", "choir", "(1 reaction)"},
		"most popular notes today":             {"counted: answers, reactions and reposts", "ladder", "(3 reactions)", "bridge", "(2 answers)", "choir"},
		"Which note got the most answers?":     {"counted: answers", "bridge", "(2 answers)"},
		"Bob's most popular notes this week":   {"2 notes by Bob", "bridge", "choir"},
		"most popular notes about the granary": {"1 note with “granary”", "choir"},
		"Die beliebtesten Notizen heute":       {"gezählt: Antworten, Reaktionen und weitergegebene Notizen", "ladder", "bridge"},
		"今週いいねが多いノート":                          {"数えたもの: リアクション", "ladder", "choir"},
	} {
		a := r.ask(t, question)
		checkQuotes(t, r, a)
		rest := a.text
		for _, w := range want {
			i := strings.Index(rest, w)
			if i < 0 {
				t.Errorf("%s: %q is missing, or stands too early, in\n%s", question, w, a)
				break
			}
			rest = rest[i:]
		}
	}
	if a := r.ask(t, "most zapped notes this week"); !strings.Contains(a.text, "none of them got any of these: zaps") {
		t.Errorf("got\n%s", a)
	}
	if a := r.ask(t, "most liked notes this week, as a table"); len(a.tables) != 1 || len(a.tables[0].Rows) != 2 {
		t.Errorf("no table of the two that were liked:\n%s", a)
	}
}

func TestArticlesAreListed(t *testing.T) {
	r := liked(t)
	for question, want := range map[string]string{
		"what articles were published this week?": "1 article by people you follow, since Mon",
		"long reads by Annika":                    "1 article by Annika",
		"articles about slugs":                    "1 article with “slugs”",
		"Bob's articles":                          "1 article by Bob, since 22 Aug", // none in the last seven days
		"Welche Artikel hat Annika geschrieben?":  "1 Artikel von Annika",
		"今週公開された記事は?":                             "フォロー中の人の記事1件",
	} {
		a := r.ask(t, question)
		title := "**Slugs in the leeks** — Annika"
		if strings.Contains(question, "Bob") {
			title = "**The old granary** — Bob"
		}
		if checkQuotes(t, r, a) != 1 || !strings.Contains(a.text, want) || !strings.Contains(a.text, title) || strings.Contains(a.text, "bridge") {
			t.Errorf("%s: %q or %q is missing in\n%s", question, want, title, a)
		}
	}
	if a := r.ask(t, "How many articles did Annika write this week?"); !strings.Contains(a.text, "1 article by Annika") {
		t.Errorf("not one article is counted:\n%s", a)
	}
}

func TestTwoPeopleAreCompared(t *testing.T) {
	r := liked(t)
	a := r.ask(t, "Compare Annika and Bob this week")
	if checkQuotes(t, r, a) < 3 || len(a.charts) != 1 || a.charts[0].Refused != "" {
		t.Errorf("too little is quoted or drawn:\n%s", a)
	}
	ann, bob, _ := strings.Cut(a.text, "**Bob**")
	if !strings.Contains(ann, "**Annika**: 3 notes, about 0.7 a day.") || !strings.Contains(ann, "shed") || !strings.HasPrefix(bob, ": 2 notes, about 0.4 a day.") || !strings.Contains(bob, "choir") {
		t.Errorf("not what each of them wrote:\n%s", a)
	}
	if strings.Contains(bob, "Annika: ") || strings.Contains(ann, "Bob: ") {
		t.Errorf("what one wrote is told of the other:\n%s", a)
	}
	if a := r.ask(t, "Vergleiche Annika mit Bob, als Tabelle"); len(a.tables) != 1 || len(a.tables[0].Columns) != 3 || !strings.Contains(a.text, "etwa 0,1 am Tag") {
		t.Errorf("no table with both:\n%s", a)
	}
	if a := r.ask(t, "What did Annika or Bob write this week?"); !strings.Contains(a.text, "**Annika**: 3 notes") || !strings.Contains(a.text, "**Bob**: 2 notes") {
		t.Errorf("\"or\" is read as one word to the other:\n%s", a)
	}
}

func TestHowManyAreFollowedIsTold(t *testing.T) {
	r := liked(t)
	for question, want := range map[string]string{"How many people do I follow?": "You follow 2 people.", "Wie vielen Leuten folge ich?": "Du folgst 2 Personen."} {
		if a := r.ask(t, question); strings.TrimSpace(a.text) != want {
			t.Errorf("%s: got\n%s", question, a)
		}
	}
}

// TestHashtagsAreChosenAndDrawnByOneMeasure: five notes by one person are less than one each
// by two.
func TestHashtagsAreChosenAndDrawnByOneMeasure(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	ev := []*nostr.Event{follows(t, me, ann, bob)}
	for i, who := range []someone{ann, ann, ann, ann, ann, ann, bob} {
		tag := []string{"alone", "alone", "alone", "alone", "alone", "shared", "shared"}[i]
		ev = append(ev, who.event(t, 1, at-int64(i)-60, "The weather of the hour is number "+strings.Repeat("i", i+1)+" #"+tag, []string{"t", tag}))
	}
	r := newReader(t, me.key(t), noon, ev)
	a := r.ask(t, "Top hashtags today, as a chart")
	if len(a.charts) != 1 || a.charts[0].Chart == nil {
		t.Fatalf("no chart:\n%s", a)
	}
	var got []float64
	for _, p := range a.charts[0].Chart.Layers[0].Points {
		got = append(got, p.Amount)
	}
	if !slices.Equal(got, []float64{2, 1}) || !strings.HasPrefix(a.charts[0].Title, "Hashtags by how many of the people you follow used them") {
		t.Errorf("%q draws %v", a.charts[0].Title, got)
	}
}

package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/builtin"
	"bowerbird/ndb"
)

// section returns the items of a digest's section, as one text.
func section(t *testing.T, a answer, kind builtin.SectionKind) string {
	t.Helper()
	d, ok := builtin.ReadDigest(a.text)
	if !ok {
		t.Fatalf("no digest:\n%s", a.text)
	}
	for _, s := range d.Sections {
		if s.Kind == kind {
			return fmt.Sprintf("%+v", s.Items)
		}
	}
	return ""
}

// TestWhatIsForMeComesFirst: each kind of it in its own words, strangers after people
// followed, and what takes no words in one line.
func TestWhatIsForMeComesFirst(t *testing.T) {
	me, ann, bob, cho, dan, eve := named("me"), named("ann"), named("bob"), named("cho"), named("dan"), named("eve")
	at := noon.Unix()
	p := []string{"p", me.key(t).String()}
	mine := me.event(t, 1, at-90000, "Has anybody seen the grey cat of the harbour office?")
	old := bob.event(t, 1, at-90000, "Somebody should paint the ferry landing.")
	e := []string{"e", mine.ID.String(), "", "root"}
	events := []*ndb.Event{follows(t, me, ann, bob, cho), mine, old}
	for name, who := range map[string]*someone{"Ann": &ann, "Bob": &bob, "Cho": &cho, "Dan": &dan, "Eve": &eve} {
		events = append(events, who.event(t, 0, at-900000, `{"name":"`+name+`"}`))
	}
	events = append(events,
		dan.event(t, 1, at-60, "The stranger saw the cat on the roof of the library.", e, p),
		ann.event(t, 1, at-3600, "The cat sleeps in our boat house every afternoon.", e, p),
		bob.event(t, 1, at-5400, "Come to the rehearsal on Friday, nostr:"+me.key(t).Npub()+" please.", p),
		cho.event(t, 1, at-7200, "This is the question of the year nostr:"+mine.ID.Note(), []string{"q", mine.ID.String()}, p),
		eve.event(t, 1, at-7300, "An answer to Bob alone, in a thread of many people.", []string{"e", old.ID.String(), "", "root"}, []string{"p", bob.key(t).String()}, p),
		ann.event(t, 7, at-50, "+", []string{"e", mine.ID.String()}, p),
		bob.event(t, 7, at-50, "🐈", []string{"e", mine.ID.String()}, p),
		cho.event(t, 6, at-50, "", []string{"e", mine.ID.String()}, p),
	)
	r := newReader(t, me.key(t), noon, events)
	a := r.ask(t, "What did I miss since yesterday?")
	checkQuotes(t, r, a)
	first, rest, _ := strings.Cut(a.text, "## What people talked about")
	last := -1
	for _, want := range []string{
		"wrote ", ", 3 of them to you.**", "## For you",
		"**Ann** answered you: “The cat sleeps", "**Bob** mentioned you: “Come to", "**Cho** quoted you: “This is the question",
		"**Dan** answered you: “The stranger", "2 reactions and 1 repost on your notes, by Ann, Bob and Cho.",
	} {
		i := strings.Index(first, want)
		if i <= last {
			t.Errorf("%q is missing or too early in\n%s", want, a.text)
		}
		last = max(last, i)
	}
	if strings.Contains(first, "An answer to Bob") || rest == "" {
		t.Errorf("what was written to another is for me:\n%s", a.text)
	}
	if got := section(t, a, builtin.ForYou); strings.Count(got, "^") != 4 {
		t.Errorf("the section is %s", got)
	}
}

// TestWhoIsRarelyHeardIsNeverLost, however many there are: some with a sentence, all
// with their names, and none of those who write every day.
func TestWhoIsRarelyHeardIsNeverLost(t *testing.T) {
	me := named("me")
	var people []someone
	var events []*ndb.Event
	at := noon.Unix()
	const day = 86400
	for i := range 14 {
		who := named(fmt.Sprint("quiet", i))
		people = append(people, who)
		events = append(events,
			who.event(t, 0, at-70*day, fmt.Sprintf(`{"name":"Quiet%d"}`, i)),
			who.event(t, 1, at-int64(20+i)*day, fmt.Sprintf("An early note about the orchard number %d and its pears.", i)),
			who.event(t, 1, at-int64(i+1)*600, fmt.Sprintf("The long walk number %d along the river ended in the rain.", i)))
	}
	loud := named("loud")
	people = append(people, loud)
	events = append(events, loud.event(t, 0, at-70*day, `{"name":"Loud"}`))
	for i := range 50 {
		events = append(events, loud.event(t, 1, at-int64(i)*day-30, fmt.Sprintf("Day %d of my very regular diary of small things.", i)))
	}
	r := newReader(t, me.key(t), noon, append(events, follows(t, me, people...)))
	a := r.ask(t, "What did I miss in the last 24 hours?")
	checkQuotes(t, r, a)
	d, _ := builtin.ReadDigest(a.text)
	for i := range 14 {
		if !strings.Contains(a.text, fmt.Sprintf("Quiet%d", i)) {
			t.Errorf("Quiet%d is lost in\n%s", i, a.text)
		}
	}
	rare := section(t, a, builtin.Rarely)
	if !strings.Contains(rare, "first in ") || strings.Contains(rare, "Loud") {
		t.Errorf("rarely heard: %s\nof\n%s", rare, a.text)
	}
	for _, s := range d.Sections {
		if s.Kind == builtin.Rarely && len(s.Items) > 8 {
			t.Errorf("%d items", len(s.Items))
		}
	}
}

// TestADigestIsReadAsItWasWritten in all languages: nothing of it is lost on the way.
func TestADigestIsReadAsItWasWritten(t *testing.T) {
	r, _ := sampleReader(t)
	for _, q := range []string{
		"What did I miss in the last 9 days?", "Was habe ich in den letzten 9 Tagen verpasst?", "Qu'ai-je manqué ces 9 derniers jours ?",
		"¿Qué me perdí en los últimos 9 días?", "O que perdi nos últimos 9 dias?", "昨日から何を見逃した?",
	} {
		a := r.ask(t, q)
		d, ok := builtin.ReadDigest(a.text)
		if !ok || d.Headline == "" || d.Status == "" || d.Closing == "" {
			t.Errorf("%s: %+v of\n%s", q, d, a.text)
			continue
		}
		kinds, cited := map[builtin.SectionKind]bool{}, 0
		for _, s := range d.Sections {
			kinds[s.Kind] = true
			for _, it := range s.Items {
				for i, l := range it.Lines {
					cited += strings.Count(l.Text, " ^")
					if strings.Contains(l.Text, "**") || s.Kind == builtin.Stories && i == 1 && l.Label == "" && len(it.Lines[0].Label) > 0 {
						t.Errorf("%s: %+v", q, it)
					}
				}
			}
		}
		if !kinds[builtin.Stories] || cited != strings.Count(a.text, " ^") {
			t.Errorf("%s: %v, %d citations of\n%s", q, kinds, cited, a.text)
		}
	}
}

package builtin_test

import (
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/builtin"
	"bowerbird/ndb/nostr"
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

// What I wrote is no news to me: only what others said to it is.
func TestMyOwnNotesAreNoNews(t *testing.T) {
	me, ann, bob, cho := named("me"), named("ann"), named("bob"), named("cho")
	at := noon.Unix()
	mine := me.event(t, 1, at-9000, "Has anybody seen the grey cat of the harbour office?")
	e := []string{"e", mine.ID.String(), "", "root"}
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob, cho), mine,
		ann.event(t, 1, at-3600, "That cat sleeps in our boat house by the harbour every afternoon.", e),
		bob.event(t, 1, at-3000, "The harbour cat has three names and four homes in this town.", e),
		cho.event(t, 7, at-50, "+", e),
	})
	a := r.ask(t, "What did I miss since yesterday?")
	if strings.Contains(a.text, "Has anybody seen") || !strings.Contains(a.text, "cat ") {
		t.Errorf("got\n%s", a.text)
	}
}

// Each kind of it in its own words, strangers after people followed, and what takes no words
// in one line.
func TestWhatIsForMeComesFirst(t *testing.T) {
	me, ann, bob, cho, dan, eve := named("me"), named("ann"), named("bob"), named("cho"), named("dan"), named("eve")
	at := noon.Unix()
	p := []string{"p", me.key(t).String()}
	mine := me.event(t, 1, at-90000, "Has anybody seen the grey cat of the harbour office?")
	old := bob.event(t, 1, at-90000, "Somebody should paint the ferry landing.")
	e := []string{"e", mine.ID.String(), "", "root"}
	events := []*nostr.Event{follows(t, me, ann, bob, cho), mine, old}
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
		"**Dan** answered you: “The stranger", "2 reactions and 1 repost on your note “Has anybody seen the grey cat of the harbour office?” ^5, the latest Fri 11:59, by Ann, Bob and Cho.",
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
	if got := section(t, a, builtin.ForYou); strings.Count(got, "^") != 5 {
		t.Errorf("the section is %s", got)
	}
}

// TestWhoIsRarelyHeardIsNeverLost, however many there are: some with a sentence, all
// with their names, and none of those who write every day.
func TestWhoIsRarelyHeardIsNeverLost(t *testing.T) {
	me := named("me")
	var people []someone
	var events []*nostr.Event
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

// Who is rarely heard is not known of a store that began some days ago, however far back
// relays were asked; and of many, a number stands for the last of the names.
func TestWhoIsRarelyHeardIsKnownOfWhatIsStored(t *testing.T) {
	me, at := named("me"), noon.Unix()
	const day = 86400
	for _, tt := range []struct {
		since  int64 // days of notes
		people int
		want   string
	}{{9, 3, ""}, {40, 3, "long walk"}, {40, 40, " and 10 more"}} {
		people := []someone{named("often")}
		var events []*nostr.Event
		for i := range tt.since {
			events = append(events, people[0].event(t, 1, at-(i+1)*day-30, fmt.Sprintf("Page %d of the diary, on the weather and the hens.", i)))
		}
		for i := range tt.people {
			who := named(fmt.Sprint("quiet", i))
			people = append(people, who)
			events = append(events, who.event(t, 0, at-70*day, fmt.Sprintf(`{"name":"Quiet%d"}`, i)),
				who.event(t, 1, at-int64(i+1)*600, fmt.Sprintf("The long walk number %d along the river ended in the rain.", i)))
		}
		r := newReader(t, me.key(t), noon, append(events, follows(t, me, people...)))
		a := r.ask(t, "What did I miss in the last 24 hours?")
		if got := section(t, a, builtin.Rarely); (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("%d days, %d people: %q is not in %q of\n%s", tt.since, tt.people, tt.want, got, a.text)
		}
	}
}

// What the reader wrote is not what people wrote.
func TestTheNumbersAreThoseOfOthers(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	note := ann.event(t, 1, at-3600, "The cat sleeps in our boat house every afternoon.")
	r := newReader(t, me.key(t), noon, []*nostr.Event{
		follows(t, me, ann, bob), note, bob.event(t, 1, at-3000, "The ferry has a new captain since this morning."),
		me.event(t, 1, at-2000, "I mend the old clock of the town hall."), me.event(t, 7, at-900, "+", []string{"e", note.ID.String()}),
	})
	if a := r.ask(t, "What did I miss since yesterday?"); !strings.Contains(a.text, "2 people wrote 2 notes") {
		t.Errorf("got\n%s", a.text)
	}
	var more []*nostr.Event
	for i := range int64(9) {
		more = append(more, bob.event(t, 1, at-i*3600-7, fmt.Sprintf("Hour %d of the regatta.", i)))
	}
	r.put(t, more)
	if a := r.ask(t, "What did I miss since yesterday?"); len(a.charts) != 1 || !strings.HasPrefix(a.charts[0].Title, "11 notes by people you follow") {
		t.Errorf("got %+v beside\n%s", a.charts, a.text)
	}
}

// TestWhoIsRarelyHeardIsAPerson: who wrote some days ago too is quoted, a greeting is
// not, and a program that says the height of a chain is nobody.
func TestWhoIsRarelyHeardIsAPerson(t *testing.T) {
	me, ann, bob, bot := named("me"), named("ann"), named("bob"), named("bot")
	at := noon.Unix()
	const day = 86400
	events := []*nostr.Event{follows(t, me, ann, bob, bot), ann.event(t, 0, at-70*day, `{"name":"Ann"}`), bob.event(t, 0, at-70*day, `{"name":"Bob"}`), bot.event(t, 0, at-70*day, `{"name":"Ticker"}`)}
	for i, who := range []someone{ann, bob, bot} {
		events = append(events, who.event(t, 1, at-int64(50+i)*day, "A first note about the orchard and its pears."), who.event(t, 1, at-int64(3+i)*day, "A second one about apples and the old ladder."))
	}
	events = append(events,
		ann.event(t, 1, at-900, "The lighthouse got a new lamp, which can be seen from Talheide."),
		bob.event(t, 1, at-800, "The harbour master has retired after forty years of service."))
	for i := range 4 {
		events = append(events, bot.event(t, 1, at-int64(700-i), fmt.Sprintf("Block %d was found.", 870000+i)))
	}
	loud := []someone{named("loud0"), named("loud1"), named("loud2")}
	more := []string{"I was there with my two sons %d, and the band played.", "Who brings the ladder %d and the long rope?", "My neighbour said the same %d over the hedge."}
	for i, about := range []string{"The flood path is open again.", "Three choirs sang one song.", "The comet is seen with bare eyes.", "A new cycle way is voted for.", "The sourdough contest has a date.", "The museum lends its telescope."} {
		first := loud[i%3].event(t, 1, at-int64(5000+i), about)
		events = append(events, first)
		for j, who := range loud {
			events = append(events, who.event(t, 1, at-int64(4000+10*i+j), fmt.Sprintf(more[j], i), []string{"e", first.ID.String(), "", "root"}))
		}
	}
	for i, who := range loud {
		for d := range 40 {
			events = append(events, who.event(t, 1, at-int64(d+2)*day-int64(i), fmt.Sprintf("Page %d of the diary of number %d.", d, i)))
		}
	}
	events[0] = follows(t, me, append(loud, ann, bob, bot)...)
	r := newReader(t, me.key(t), noon, events)
	a := r.ask(t, "What did I miss in the last 24 hours?")
	checkQuotes(t, r, a)
	rare := section(t, a, builtin.Rarely)
	if !strings.Contains(rare, "new lamp") || !strings.Contains(rare, "harbour master") || strings.Contains(rare, "Also wrote") || strings.Contains(rare, "Ticker") {
		t.Errorf("rarely heard: %s\nof\n%s", rare, a.text)
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

// TestOnlyWhatIsNotSeen leaves out what an earlier digest showed, in each language, and
// says how much that was; a plain question is answered whole.
func TestOnlyWhatIsNotSeen(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	first := ann.event(t, 1, at-9000, "The ferry runs again from Tuesday on, with the old captain.")
	r := newReader(t, me.key(t), noon, []*nostr.Event{follows(t, me, ann, bob), first, bob.event(t, 1, at-900, "The bakery by the harbour has closed its doors for good.")})
	r.seen = map[string]bool{first.ID.String(): true}
	for _, tt := range []struct{ question, left, headline string }{
		{"What did I miss since yesterday, only what I have not seen?", "shown them before: 1 note.", "**1 person wrote 1 note.**"},
		{"Only what I haven't seen", "shown them before: 1 note.", "**1 person wrote 1 note.**"},
		{"Was habe ich seit gestern verpasst, nur was ich noch nicht gesehen habe?", "schon gesehen hast: 1 Notiz.", "**1 Notiz von 1 Person.**"},
		{"¿Qué me perdí desde ayer, solo lo que no he visto?", "lo que ya viste: 1 nota.", "**1 nota de 1 persona.**"},
	} {
		if a := r.ask(t, tt.question); strings.Contains(a.text, "ferry") || !strings.Contains(a.text, "bakery") || !strings.Contains(a.text, tt.left) || !strings.HasPrefix(a.text, tt.headline) {
			t.Errorf("%s:\n%s", tt.question, a.text)
		}
	}
	if a := r.ask(t, "What did I miss since yesterday?"); !strings.Contains(a.text, "ferry") || strings.Contains(a.text, "before:") {
		t.Errorf("all:\n%s", a.text)
	}
	for _, n := range r.ask(t, "What did I miss since yesterday?").notes {
		r.seen[n] = true
	}
	if a := r.ask(t, "What did I miss since yesterday, only what I have not seen?"); len(a.notes) > 0 || !strings.HasPrefix(a.text, "**There is nothing that you were not shown before.**") {
		t.Errorf("nothing is left:\n%s", a.text)
	}
}

// TestAnAnswerThatStandsAloneSaysWhatItAnswers: a sentence of it where it is stored,
// and else that it is not.
func TestAnAnswerThatStandsAloneSaysWhatItAnswers(t *testing.T) {
	me, ann, bob := named("me"), named("ann"), named("bob")
	at := noon.Unix()
	asked := bob.event(t, 1, at-9e5, "Who has seen the film about the lighthouse keeper?")
	gone := bob.event(t, 1, at-9e5, "Nobody has this note.")
	to := func(e *nostr.Event) []string { return []string{"e", e.ID.String(), "", "root"} }
	for _, tt := range []struct {
		answer *nostr.Event
		want   string
	}{
		{ann.event(t, 1, at-900, "I watched it twice already, and cried both times.", to(asked)), "ann, answering bob (“Who has seen the film about the lighthouse keeper?” ^1): “I watched it"},
		{ann.event(t, 1, at-900, "I watched it twice already, and cried both times.", to(gone)), "ann, answering a note that is not stored here: “I watched it"},
	} {
		r := newReader(t, me.key(t), noon, []*nostr.Event{
			follows(t, me, ann), asked, tt.answer, ann.event(t, 0, at-9e6, `{"name":"ann"}`), bob.event(t, 0, at-9e6, `{"name":"bob"}`),
		})
		a := r.ask(t, "What did I miss since yesterday?")
		if checkQuotes(t, r, a); !strings.Contains(a.text, tt.want) {
			t.Errorf("%q is missing in\n%s", tt.want, a.text)
		}
	}
}

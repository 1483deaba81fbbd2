package builtin_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"bowerbird/app/builtin"
	"bowerbird/app/sample"
	"bowerbird/app/sample/actor"
	"bowerbird/internal/testworld"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

func sampleReader(t testing.TB) (*reader, *testworld.World) {
	t.Helper()
	w, err := testworld.Sample(sample.Options{Now: noon, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return newReader(t, w.Me, noon, w.Events), w
}

// TestOnTheSample asks one store, which takes a while to fill, many things.
func TestOnTheSample(t *testing.T) {
	r, w := sampleReader(t)
	for name, test := range map[string]func(*testing.T, *reader, *testworld.World){
		"each quoted sentence stands verbatim in its note":  eachQuotedSentenceStandsVerbatimInItsNote,
		"the numbers of a digest are those of count":        theNumbersOfADigestAreThoseOfCount,
		"the same input gives the same words":               theSameInputGivesTheSameWords,
		"a digest brings up twice what the newest notes do": aDigestOfTheSampleBringsUpTwiceWhatTheNewestNotesDo,
		"rankings are drawn with the numbers of aggregate":  rankingsAreDrawnAndTheirNumbersAreThoseOfAggregate,
		"people, threads and searches are answered":         peopleThreadsAndSearchesAreAnswered,
		"all that is offered is answered":                   allThatIsOfferedIsAnswered,
		"a digest can be parted, other answers cannot":      aDigestCanBePartedOtherAnswersCannot,
	} {
		t.Run(name, func(t *testing.T) { test(t, r, w) })
	}
}

var quotation = regexp.MustCompile(`(?:“([^”„“]*)”|«(.*?)»|„([^“]*)“|「([^」]*)」) \^(\d+)`)

var reference = regexp.MustCompile(` \^\d+`)

// checkQuotes fails where a quoted sentence does not stand in the note cited, and
// returns how many there are.
func checkQuotes(t testing.TB, r *reader, a answer) int {
	t.Helper()
	found := quotation.FindAllStringSubmatch(a.text, -1)
	for _, m := range found {
		said := strings.TrimSuffix(strings.Trim(strings.Join(m[1:5], ""), "\u202f"), " […]") // of the pairs one is filled
		n, err := strconv.Atoi(m[5])
		if err != nil || n < 1 || n > len(a.notes) {
			t.Errorf("%s cites note %s of %d", m[0], m[5], len(a.notes))
			continue
		}
		id, err := nostr.ParseID(a.notes[n-1])
		if err != nil {
			t.Fatal(err)
		}
		e, err := r.store.Event(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(e.Content, said) {
			t.Errorf("note %s does not hold %q, but\n%s", id, said, e.Content)
		}
	}
	refs, cited, articles := reference.FindAllString(a.text, -1), map[string]bool{}, 0
	for _, ref := range refs {
		cited[ref] = true
	}
	if d, ok := builtin.ReadDigest(a.text); ok {
		for _, s := range d.Sections {
			if s.Kind == builtin.ToRead { // of which the title stands there
				articles = len(s.Items)
			}
		}
	}
	if len(refs) != len(found)+articles || len(cited) != len(a.notes) {
		t.Errorf("%d citations of %d notes, %d quotations and %d articles, %d notes shown:\n%s", len(refs), len(cited), len(found), articles, len(a.notes), a.text)
	}
	return len(found)
}

func eachQuotedSentenceStandsVerbatimInItsNote(t *testing.T, r *reader, _ *testworld.World) {
	for _, q := range []string{
		"What did I miss since yesterday?", "What did the people I follow talk about in the last 9 days?", "What's new about the comet in the last 9 days",
		"What is Ada Lindqvist saying about relay", "search comet", "Was habe ich seit Montag verpasst?",
	} {
		t.Run(q, func(t *testing.T) {
			a := r.ask(t, q)
			if checkQuotes(t, r, a) == 0 {
				t.Errorf("nothing is quoted:\n%s", a)
			}
		})
	}
}

func theNumbersOfADigestAreThoseOfCount(t *testing.T, r *reader, _ *testworld.World) {
	a := r.chat(t, "What did I miss in the last 9 days?", "details")
	since := noon.AddDate(0, 0, -9).Unix()
	count := func(args string) tools.CountResult {
		tool, _ := tools.Builtin().Get("count")
		res, err := tool.Call(t.Context(), r.env(), []byte(args))
		if err != nil {
			t.Fatal(err)
		}
		return res.(tools.CountResult)
	}
	home := func(kinds, more string) tools.CountResult {
		return count(fmt.Sprintf(`{"context":"home","kind":%s,"since":%d,"until":%d,"include_replies":true%s}`, kinds, since, noon.Unix(), more))
	}
	all, reposts, likes := home("[1,1111,30023]", ""), home("[6,16]", ""), home("7", "")
	want := fmt.Sprintf("Read %d notes, %d reposts and %d reactions by %d people, since 11 Nov, 12:00.", all.Count, reposts.Count, likes.Count, all.Authors)
	if !strings.Contains(a.text, want) {
		t.Errorf("the digest does not say %q:\n%s", want, a)
	}
	if len(a.charts) != 1 || a.charts[0].Chart == nil {
		t.Fatalf("%d charts", len(a.charts))
	}
	drawn := 0.0
	for _, p := range a.charts[0].Chart.Layers[0].Points {
		drawn += p.Amount
	}
	mine := home("[1,1111,30023]", `,"author":"`+r.me.Npub()+`"`).Count
	if int(drawn) != all.Count-mine || mine == 0 {
		t.Errorf("the chart sums to %v, the digest read %d, and %d of them are the reader's", drawn, all.Count, mine)
	}
	tags := regexp.MustCompile(`#(\S+) \((\d+) notes\)`).FindAllStringSubmatch(a.text, -1)
	if len(tags) == 0 {
		t.Errorf("the digest names no hashtags:\n%s", a)
	}
	for _, m := range tags {
		n := home("[1,1111,30023]", `,"hashtag":"`+m[1]+`"`).Count - home("[1,1111,30023]", `,"author":"`+r.me.Npub()+`","hashtag":"`+m[1]+`"`).Count
		if got := fmt.Sprint(n); got != m[2] {
			t.Errorf("%s, but count has %s", m[0], got)
		}
	}
}

func theSameInputGivesTheSameWords(t *testing.T, r *reader, w *testworld.World) {
	const q = "What did I miss in the last 9 days?"
	first := r.ask(t, q).text
	other := newReader(t, w.Me, noon, w.Events)
	if again := other.ask(t, q).text; again != first {
		t.Errorf("two stores with the same notes give\n%s\nand\n%s", first, again)
	}
}

func aDigestOfTheSampleBringsUpTwiceWhatTheNewestNotesDo(t *testing.T, r *reader, w *testworld.World) {
	a := r.ask(t, "What did I miss in the last 9 days?")
	n := len(a.notes)
	found, new, answered := told(w, a.notes), told(w, newest(w, n)), told(w, mostAnswered(w, n))
	t.Logf("of %d facts: %d found with %d notes; the newest have %d, the most answered %d", len(w.Planted), found, n, new, answered)
	if found < 2*new {
		t.Errorf("%d facts found, the newest notes have %d:\n%s", found, new, a)
	}
	for _, f := range a.failed {
		if !strings.Contains(f, "not in the store") {
			t.Errorf("a call failed: %s", f)
		}
	}
}

func aDigestCanBePartedOtherAnswersCannot(t *testing.T, r *reader, _ *testworld.World) {
	for _, q := range []string{
		"What did I miss since yesterday?", "What did I miss in the last 9 days?", "What's new about the comet in the last 9 days?",
		"What did Ada Lindqvist write this week?", "Was habe ich seit gestern verpasst?", "昨日から何を見逃した?",
	} {
		a := r.ask(t, q)
		d, ok := builtin.ReadDigest(a.text)
		if !ok {
			t.Errorf("%s: not read:\n%s", q, a)
			continue
		}
		if !strings.Contains(a.text, d.Headline) || !strings.HasSuffix(a.text, d.Closing+"\n") || len(d.Sections) == 0 {
			t.Errorf("%s: %+v", q, d)
		}
	}
	for _, q := range []string{
		"search comet", "Who is Ada Lindqvist?", "Top hashtags this week", "How many notes were there today?", "Summarise the longest thread", "help", "What did I miss in May 2021?",
	} {
		if d, ok := builtin.ReadDigest(r.ask(t, q).text); ok {
			t.Errorf("%s: read as a digest: %+v", q, d)
		}
	}
}

func allThatIsOfferedIsAnswered(t *testing.T, r *reader, w *testworld.World) {
	ada, note := "", ""
	for _, p := range w.People {
		if strings.HasPrefix(p.Name, "Ada") {
			ada = p.Name
		}
	}
	for _, e := range w.Events {
		if e.Kind == 1 && e.ID.String() > note {
			note = e.ID.String()
		}
	}
	if a := r.ask(t, "Top hashtags, as a chart"); len(a.charts) != 1 || a.charts[0].Chart == nil || len(a.tables) > 0 {
		t.Errorf("%d charts and %d tables are shown:\n%s", len(a.charts), len(a.tables), a)
	}
	put := strings.NewReplacer("NAME", ada, "NOMBRE", ada, "NOME", ada, "NOM", ada, "名前", ada, "note1…", note)
	for lang, help := range map[string]string{
		"en": "help", "de": "Hilfe", "fr": "aide", "es": "ayuda", "pt": "ajuda", "ja": "使い方",
	} {
		list := r.ask(t, help).text
		offer, ok := builtin.ReadOffer(list)
		if !ok || len(offer.Questions)+len(offer.Patterns) != strings.Count(list, "\n- ") {
			t.Fatalf("%s: %+v is offered in\n%s", lang, offer, list)
		}
		for _, q := range offer.Questions {
			a := r.ask(t, q)
			if _, again := builtin.ReadOffer(a.text); again || !answersSomething(a) {
				t.Errorf("%s: %q is answered\n%s", lang, q, a)
			}
		}
		for _, q := range offer.Patterns {
			a := r.ask(t, put.Replace(q))
			if _, again := builtin.ReadOffer(a.text); again || a.text == "" {
				t.Errorf("%s: %q is answered\n%s", lang, q, a)
			}
		}
	}
}

// answersSomething reports whether an answer cites, draws or counts.
func answersSomething(a answer) bool {
	return len(a.notes) > 0 || len(a.tables) > 0 || len(a.charts) > 0 || a.calls["count"]+a.calls["get_profile"] > 0 && strings.ContainsAny(a.text, "123456789")
}

func TestFiftyColludingStrangersMoveNothing(t *testing.T) {
	if testing.Short() {
		t.Skip("makes and reads two worlds: not beside the race detector")
	}
	opt := testworld.Options{Seed: 7, Now: noon, Planted: 10, Events: 2000}
	without, err := testworld.Make(opt)
	if err != nil {
		t.Fatal(err)
	}
	opt.Colluders = 50
	with, err := testworld.Make(opt)
	if err != nil {
		t.Fatal(err)
	}
	if len(with.Events) < len(without.Events)+500 {
		t.Fatalf("the colluders wrote %d events", len(with.Events)-len(without.Events))
	}
	clean, pushed := newReader(t, without.Me, noon, without.Events), newReader(t, with.Me, noon, with.Events)
	for _, q := range []string{"What did I miss in the last 7 days?", "top hashtags last 7 days", "who posted most in the last 7 days"} {
		a, b := clean.ask(t, q), pushed.ask(t, q)
		if a.text != b.text || !reflect.DeepEqual(a.tables, b.tables) {
			t.Errorf("%s changed from\n%s\nto\n%s", q, a, b)
		}
	}
}

func TestAWeekOfThousandsOfNotesIsReadWholeInEightSteps(t *testing.T) {
	if testing.Short() {
		t.Skip("reads thousands of notes: not beside the race detector")
	}
	w, err := testworld.Make(testworld.Options{Seed: 3, Now: noon, Events: 6500, People: 300, Followed: 150, Planted: 10})
	if err != nil {
		t.Fatal(err)
	}
	r := newReader(t, w.Me, noon, w.Events)
	a := r.ask(t, "What did I miss in the last 7 days?")
	if a.steps > 8 {
		t.Errorf("%d steps", a.steps)
	}
	if !regexp.MustCompile(`wrote [1-9],\d\d\d notes`).MatchString(a.text) || strings.Contains(a.text, "too many to read") {
		t.Errorf("a week of thousands of notes was not read whole:\n%s", a)
	}
	if got := told(w, a.notes); got*10 < len(w.Planted)*9 {
		t.Errorf("%d of %d facts found", got, len(w.Planted))
	}
	checkQuotes(t, r, a)
}

func rankingsAreDrawnAndTheirNumbersAreThoseOfAggregate(t *testing.T, r *reader, _ *testworld.World) {
	for question, by := range map[string]string{"Top 5 hashtags in the last 9 days": "hashtag", "Who posted most in the last 9 days?": "author"} {
		t.Run(question, func(t *testing.T) {
			a := r.ask(t, question)
			tool, _ := tools.Builtin().Get("aggregate")
			res, err := tool.Call(t.Context(), r.env(), fmt.Appendf(nil, `{"by":%q,"context":"home","kind":[1,1111,30023],"since":%d,"include_replies":true}`, by, noon.AddDate(0, 0, -9).Unix()))
			if err != nil {
				t.Fatal(err)
			}
			rows := res.(tools.AggregateResult).Buckets
			if len(a.tables) != 1 || len(a.charts) != 0 || len(rows) == 0 {
				t.Fatalf("%d tables, %d charts, %d rows: %s", len(a.tables), len(a.charts), len(rows), a)
			}
			for i, row := range a.tables[0].Rows {
				want := []string{strconv.Itoa(rows[i].Count)}
				if by == "hashtag" {
					want = slices.Insert(want, 0, strconv.Itoa(rows[i].Authors))
				}
				if !slices.Equal(row[1:], want) {
					t.Errorf("row %d has %v, aggregate says %v", i, row, want)
				}
				if strings.Contains(a.text, row[0]+":") {
					t.Errorf("the text repeats %v of the table:\n%s", row, a.text)
				}
			}
		})
	}
}

func peopleThreadsAndSearchesAreAnswered(t *testing.T, r *reader, w *testworld.World) {
	var ada actor.Person
	for _, p := range w.People {
		if p.Name == "Ada Lindqvist" {
			ada = p
		}
	}
	root := ""
	for _, f := range w.Planted {
		if f.Author == ada.PubKey {
			root = f.Events[0].String()
		}
	}
	if root == "" {
		t.Fatal("the sample has no fact told by Ada Lindqvist")
	}
	for _, tt := range []struct {
		question string
		want     []string
	}{
		{"Who is Ada Lindqvist?", []string{"**Ada Lindqvist**, npub1", "You follow Ada Lindqvist.", "notes stored", "^1"}},
		{"what is Ada Lindqvist saying in the last 9 days?", []string{"What Ada Lindqvist wrote since", "Ada Lindqvist: “", "^1"}},
		{"what is " + ada.PubKey.Npub() + " saying about relay?", []string{`What Ada Lindqvist wrote about “relay” since`, "Ada Lindqvist: “", "^1"}},
		{"how many notes did Ada Lindqvist post in the last 9 days?", []string{" notes by Ada Lindqvist, since 11 Nov, 12:00."}},
		{"how many notes are there?", []string{" notes by ", "as far back as is stored"}},
		{"search comet", []string{` by people you follow with “comet”:`, "^1", "No language model was used"}},
		{"search xyzzyplugh", []string{`No note here has “xyzzyplugh”.`}},
		{"summarise this thread " + root, []string{"A thread of ", "It begins:", "Ada Lindqvist: “", "From the answers:", "^2"}},
		{"summarise this thread " + strings.Repeat("0", 64), []string{"That note is not stored here."}},
		{"who is Nobody Atall?", []string{`Nobody called “Nobody Atall” is known here.`}},
		{"when did Ada Lindqvist last write something?", []string{"- Ada Lindqvist, ", "^1\n\n"}},
		{"Ada Lindqvist's last three posts", []string{" notes by Ada Lindqvist, as far back as is stored:", "^3", "These are the newest 3."}},
		{"les deux dernières notes d'Ada Lindqvist", []string{" stocké ici :\n\n- Ada"}},
		{"did Ada Lindqvist repair the relay?", []string{"What Ada Lindqvist wrote about “relay”", "^1"}},
		{"did Ada Lindqvist sell the xyzzyplugh?", []string{"No note by Ada Lindqvist here has “sell xyzzyplugh”.", "12 notes by Ada Lindqvist"}},
		{"¿qué hay de nuevo sobre los cometaux?", []string{"«cometa»"}},
		{"what time of day do people post most?", []string{"Most between "}},
		{"Wie wird das Wetter morgen?", []string{"Ich kenne nur die Notizen, die auf diesem Computer gespeichert sind", "- Was habe ich seit gestern verpasst?"}},
		{"help", []string{"no language model", "- What did I miss since yesterday?"}},
		{"Write a poem about autumn", []string{"I only read:", "- Search autumn"}},
		{"¿Cuál es la capital de Francia?", []string{"- "}},
		{"What did I miss since 2027?", []string{"That time has not come yet."}},
	} {
		t.Run(tt.question, func(t *testing.T) {
			a := r.ask(t, tt.question)
			for _, want := range tt.want {
				if !strings.Contains(a.text, want) {
					t.Errorf("%q is missing in\n%s", want, a)
				}
			}
			if strings.Contains(a.text, "{") {
				t.Errorf("a blank was not filled in:\n%s", a.text)
			}
		})
	}
}

package tools_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"bowerbird/app/sample"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

func aggregate(t testing.TB, w *tooltest.World, args string) tools.AggregateResult {
	t.Helper()
	return tooltest.Call(t, builtin(t, "aggregate"), w.Env(), args).(tools.AggregateResult)
}

func buckets(r tools.AggregateResult) string {
	var out []string
	for _, b := range r.Buckets {
		label := b.Label
		if label == "" {
			label = b.Key
		}
		out = append(out, fmt.Sprintf("%s=%d/%d", label, b.Count, b.Authors))
	}
	return strings.Join(out, " ")
}

// crowd is a world of some people and notes, spread by seed.
func crowd(t testing.TB, seed uint64) *tooltest.World {
	t.Helper()
	w := tooltest.NewWorld(t)
	rng := rand.New(rand.NewPCG(seed, 7))
	var all []*tooltest.Person
	for i := range 5 {
		all = append(all, w.Person(fmt.Sprint("p", i), fmt.Sprint("Person ", i)))
	}
	w.Read(all[0], all[1:4]...)
	var events []*nostr.Event
	for i := range 120 {
		p := all[rng.IntN(len(all))]
		post := tooltest.Post{Kind: 1, Content: fmt.Sprintf("note %d about %s", i, []string{"bread", "relays", "owls"}[rng.IntN(3)]), Ago: time.Duration(rng.IntN(10*24*3600)) * time.Second}
		switch rng.IntN(4) {
		case 0:
			post.Tags = nostr.Tags{{"t", []string{"bread", "Owls"}[rng.IntN(2)]}}
		case 1:
			if i > 0 {
				post.Tags = nostr.Tags{{"e", events[rng.IntN(len(events))].ID.String(), "", "root"}}
			}
		}
		if rng.IntN(10) == 0 {
			post.Kind = 30023
			post.Tags = append(post.Tags, nostr.Tag{"d", fmt.Sprint(i)})
		}
		events = append(events, p.Sign(post))
	}
	w.Put(events...)
	return w
}

func TestCountIsTheNumberOfNotesOnAllPages(t *testing.T) {
	w := crowd(t, 1)
	for _, filter := range []string{``, `"context":"any"`, `"since":"3d"`, `"include_replies":true`, `"kind":[1,30023],"context":"any"`, `"search":"bread"`, `"hashtag":"owls"`, `"author":"Person 2","until":"2d"`} {
		n := tooltest.Call(t, builtin(t, "count"), w.Env(), `{`+filter+`}`).(tools.CountResult)
		notes, authors, own, cursor := 0, map[string]bool{}, false, ""
		for {
			args := fmt.Sprintf(`{"limit":13,"cursor":%q`, cursor)
			if filter != "" {
				args += "," + filter
			}
			page := query(t, w, args+"}")
			for _, note := range page.Notes {
				notes++
				authors[note.PubKey] = true
			}
			own = own || page.Own
			if page.Total != n.Count {
				t.Errorf("{%s}: total %d, count %d", filter, page.Total, n.Count)
			}
			if cursor = page.Cursor; !page.Truncated {
				break
			}
		}
		if n.Count != notes || n.Authors != len(authors) || notes == 0 {
			t.Errorf("{%s}: count %d by %d, pages hold %d by %d", filter, n.Count, n.Authors, notes, len(authors))
		}
		if mine := authors[w.Me.Key.String()]; n.Own != mine || own != mine {
			t.Errorf("{%s}: own notes are counted: %v, on the pages: %v, want %v", filter, n.Own, own, mine)
		}
		for _, by := range []string{"hour", "day", "week", "author", "kind"} {
			args := fmt.Sprintf(`{"by":%q,"limit":500`, by)
			if filter != "" {
				args += "," + filter
			}
			res, sum := aggregate(t, w, args+"}"), 0
			for _, b := range res.Buckets {
				sum += b.Count
			}
			if sum != n.Count || res.Total != n.Count || res.Truncated {
				t.Errorf("{%s} by %s: buckets sum to %d, total %d, count %d", filter, by, sum, res.Total, n.Count)
			}
		}
	}
}

// TestWhatATurnCountsIsReadOnce: counts of one turn agree with those that are read by
// themselves, whatever was counted before, and with each other while notes arrive.
func TestWhatATurnCountsIsReadOnce(t *testing.T) {
	w := crowd(t, 2)
	calls := []struct{ tool, args string }{
		{"aggregate", `{"by":"day","since":"5d","until":"1d"}`},
		{"aggregate", `{"by":"author","since":"5d","until":"1d"}`},
		{"aggregate", `{"by":"author","since":"2d","until":"1d"}`}, // the end of what was read
		{"aggregate", `{"by":"hour","since":"8d","until":"1d","limit":500}`},
		{"count", `{"until":"1d"}`},
		{"count", `{"since":"5d","until":"1d","include_replies":true}`},
		{"count", `{"since":"5d","until":"1d","context":"any"}`},
		{"count", `{"since":"5d"}`},
		{"aggregate", `{"by":"hashtag","since":"5d"}`},
	}
	turn := w.Env()
	turn.Kept = &tools.Kept{}
	before := make([]tools.Result, len(calls))
	for i, c := range calls {
		before[i] = tooltest.Call(t, builtin(t, c.tool), w.Env(), c.args)
		if got := tooltest.Call(t, builtin(t, c.tool), turn, c.args); !reflect.DeepEqual(got, before[i]) {
			t.Errorf("%s %s in a turn: %+v, by itself %+v", c.tool, c.args, got, before[i])
		}
	}
	w.Me.Note("more bread", 36*time.Hour)
	for i, c := range calls[:7] {
		if got := tooltest.Call(t, builtin(t, c.tool), turn, c.args); !reflect.DeepEqual(got, before[i]) {
			t.Errorf("%s %s was read twice: %+v, before %+v", c.tool, c.args, got, before[i])
		}
		if got := tooltest.Call(t, builtin(t, c.tool), w.Env(), c.args); reflect.DeepEqual(got, before[i]) {
			t.Errorf("%s %s in the next turn lacks the new note", c.tool, c.args)
		}
	}
}

// TestACountOfSomeKindsIsPartOfOneOfMore: what was read for several kinds is not read again
// for one of them; what was read for one is no count of several.
func TestACountOfSomeKindsIsPartOfOneOfMore(t *testing.T) {
	w := crowd(t, 2)
	calls := []struct{ tool, args string }{
		{"count", `{"kind":7,"since":"5d","until":"1d"}`},
		{"aggregate", `{"by":"kind","kind":[1,6,7],"since":"5d","until":"1d"}`},
		{"count", `{"kind":[1,6],"since":"5d","until":"1d"}`},
		{"aggregate", `{"by":"hour","kind":1,"since":"3d","until":"1d"}`},
	}
	turn := w.Env()
	turn.Kept = &tools.Kept{}
	before := make([]tools.Result, len(calls))
	for i, c := range calls {
		before[i] = tooltest.Call(t, builtin(t, c.tool), w.Env(), c.args)
		if i > 1 {
			continue
		}
		if got := tooltest.Call(t, builtin(t, c.tool), turn, c.args); !reflect.DeepEqual(got, before[i]) {
			t.Errorf("%s %s in a turn: %+v, by itself %+v", c.tool, c.args, got, before[i])
		}
	}
	w.Me.Note("more bread", 36*time.Hour)
	for i, c := range calls[2:] {
		if got := tooltest.Call(t, builtin(t, c.tool), turn, c.args); !reflect.DeepEqual(got, before[2+i]) {
			t.Errorf("%s %s was read again: %+v, before %+v", c.tool, c.args, got, before[2+i])
		}
	}
}

func TestNotesAreGroupedByTimeWithEmptyBuckets(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada, bo := w.Person("ada", "Ada"), w.Person("bo", "Bo")
	for _, ago := range []time.Duration{time.Hour, 61 * time.Minute, 12 * time.Hour, 11 * time.Hour, 75 * time.Hour} { // now: Sunday 3 May, noon in Berlin
		ada.Note(fmt.Sprint("at ", ago), ago)
	}
	bo.Note("also", 2*time.Hour)
	for _, tt := range []struct{ args, want string }{
		{`{"by":"day","since":"2026-04-29"}`, "Wed 29 Apr=0/0 Thu 30 Apr=1/1 Fri 1 May=0/0 Sat 2 May=0/0 Sun 3 May=5/2"},
		{`{"by":"day"}`, "Thu 30 Apr=1/1 Fri 1 May=0/0 Sat 2 May=0/0 Sun 3 May=5/2"},
		{`{"by":"day","since":"2026-05-02","zone":"America/Los_Angeles"}`, "Sat 2 May=2/1 Sun 3 May=3/2"},
		{`{"by":"hour","since":"4h"}`, "Sun 3 May 08:00=0/0 Sun 3 May 09:00=0/0 Sun 3 May 10:00=2/2 Sun 3 May 11:00=1/1 Sun 3 May 12:00=0/0"},
		{`{"by":"week","since":"2026-04-20"}`, "week 17 of 2026=0/0 week 18 of 2026=6/2"},
		{`{"by":"day","since":"2026-05-01","until":"2026-05-02"}`, "Fri 1 May=0/0 Sat 2 May=0/0"},
		{`{"by":"day","limit":2}`, "Sat 2 May=0/0 Sun 3 May=5/2"},
	} {
		if got := buckets(aggregate(t, w, tt.args)); got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.args, got, tt.want)
		}
	}
	if res := aggregate(t, w, `{"by":"hour","since":"2000-01-01"}`); len(res.Buckets) != 48 || !res.Truncated || res.Total != 6 {
		t.Errorf("%d buckets of %d", len(res.Buckets), res.Total)
	}
	for _, zone := range []string{"Local", "../etc/passwd", "Nowhere/Town", "/etc/localtime"} {
		if err := fails(t, w, "aggregate", fmt.Sprintf(`{"by":"day","zone":%q}`, zone)); !strings.Contains(err.Error(), "zone: expected an IANA name") {
			t.Errorf("zone %s: %v", zone, err)
		}
	}
}

func TestDaysOfAClockChangeAreCountedOnce(t *testing.T) {
	w := tooltest.NewWorld(t)
	w.Zone = zone(t, "Europe/Berlin")
	w.Now = time.Date(2026, 10, 26, 12, 0, 0, 0, w.Zone)
	ada := w.Person("ada", "Ada")
	w.Put(ada.Notes(60, func(i int) (string, time.Duration) { return fmt.Sprint(i), time.Duration(i)*time.Hour + time.Minute })...)
	if got, want := buckets(aggregate(t, w, `{"by":"day"}`)), "Sat 24 Oct=23/1 Sun 25 Oct=25/1 Mon 26 Oct=12/1"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if res := aggregate(t, w, `{"by":"hour","limit":100}`); len(res.Buckets) != 61 {
		t.Errorf("%d hours", len(res.Buckets))
	}
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestNotesAreGroupedByPeopleHashtagsAndKinds(t *testing.T) {
	v := newVillage(t)
	for i := range 5 {
		v.bo.Note(fmt.Sprint("again ", i), time.Duration(i)*time.Minute, nostr.Tag{"t", "spam"}, nostr.Tag{"t", "spam"})
	}
	v.bo.Note("bo on relays", time.Minute, nostr.Tag{"t", "RELAYS"})
	for _, tt := range []struct{ args, want string }{
		{`{"by":"author"}`, "Bo=7/1 Ada=1/1 Mia=1/1"},
		{`{"by":"hashtag"}`, "relays=2/2 spam=5/1 bread=1/1"}, // by people, not by how often one posts
		{`{"by":"kind","kind":[1,30023]}`, "1=9/3 30023=1/1"},
		{`{"by":"author","limit":1}`, "Bo=7/1"},
	} {
		got := buckets(aggregate(t, v.World, tt.args))
		if strings.HasPrefix(tt.want, "Bo=7/1 ") { // equal counts come by key
			got = strings.Replace(got, "Mia=1/1 Ada=1/1", "Ada=1/1 Mia=1/1", 1)
		}
		if got != tt.want {
			t.Errorf("%s\ngot  %s\nwant %s", tt.args, got, tt.want)
		}
	}
}

func TestTermsSetTheAnswerApartFromTheStore(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada, bo := w.Person("ada", "Ada"), w.Person("bo", "Bo")
	var events []*nostr.Event
	for i := range 150 {
		events = append(events, ada.Sign(tooltest.Post{Kind: 1, Content: fmt.Sprintf("the day was number %d and the weather fine", i), Ago: 100*time.Hour + time.Duration(i)*time.Hour}))
	}
	w.Put(events...)
	ada.Note("the comet is visible, the comet!", time.Hour)
	bo.Note("the weather hides the comet", 2*time.Hour)
	res := aggregate(t, w, `{"by":"term","since":"24h"}`)
	if res.Buckets[0].Key != "comet" || res.Buckets[0].Count != 2 || res.Buckets[0].Authors != 2 || res.Buckets[0].StoreNotes != 2 || res.Buckets[0].StoreTotal < 152 {
		t.Errorf("got %+v", res.Buckets)
	}
	for _, b := range res.Buckets {
		if b.Key == "the" || b.Key == "weather" {
			t.Errorf("%s is usual here", b.Key)
		}
	}
}

// The sample's week has one topic a hashtag; the words that every language is
// full of must not stand before them.
func TestTermsOfSeveralLanguagesAreTopicsBeforeCommonWords(t *testing.T) {
	w := tooltest.NewWorld(t)
	made, err := sample.Make(sample.Options{Now: w.Now, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	for part := range slices.Chunk(made.Events, 500) {
		if _, err := w.Store.Put(t.Context(), ndb.Batch{Events: part}); err != nil {
			t.Fatal(err)
		}
	}
	w.Me = &tooltest.Person{Key: made.Me}
	res := aggregate(t, w, `{"by":"term","since":"7d","include_replies":true,"limit":50}`)
	common := strings.Fields("the and of to in is a on for that with que de la el los en un und der die das ist nicht zu den les et le des une est o os as um uma não")
	tags := aggregate(t, w, `{"by":"hashtag","since":"7d","include_replies":true,"limit":500}`)
	topics := 0
	for _, b := range res.Buckets {
		if slices.Contains(common, b.Key) {
			t.Errorf("%q is among the first 50 terms", b.Key)
		}
		if slices.ContainsFunc(tags.Buckets, func(tag tools.AggregateBucket) bool { return tag.Key == b.Key }) {
			topics++
		}
	}
	if topics < 5 {
		t.Errorf("only %d of the first 50 terms are topics of the week: %s", topics, buckets(res))
	}
}

// People write hashtags with the # and in any case; all tools count them as one.
func TestAHashtagsBucketEqualsItsCountHoweverItIsWritten(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada, me := w.Person("ada", "Ada"), w.Person("me", "Me")
	w.Read(me, ada)
	for i, tag := range []string{"bread", "Bread", "BREAD", "#bread", "#Bread"} {
		ada.Note(fmt.Sprint("loaf ", i), time.Duration(i+1)*time.Hour, nostr.Tag{"t", tag})
	}
	buckets := tooltest.Call(t, builtin(t, "aggregate"), w.Env(), `{"by":"hashtag"}`).(tools.AggregateResult).Buckets
	count := tooltest.Call(t, builtin(t, "count"), w.Env(), `{"hashtag":"bread"}`).(tools.CountResult).Count
	if len(buckets) != 1 || buckets[0].Count != 5 || count != 5 {
		t.Errorf("buckets %+v, count %d; want 5 both", buckets, count)
	}
}

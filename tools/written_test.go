package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb/nostr"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

// Issue 12: arguments as models write them all the same.

func TestIDsComeAsAListInATextOrShortened(t *testing.T) {
	v := newVillage(t)
	notes := query(t, v.World, `{"context":"any"}`).Notes
	a, b := notes[0].NoteID, notes[1].NoteID
	for name, ids := range map[string]string{
		"a JSON list in a text":         fmt.Sprintf(`"[\"%s\", \"%s\"]"`, a, b[:16]),
		"a list of Python's in a text":  fmt.Sprintf(`"['%s', '%s']"`, a, b[:16]),
		"such a text in a list":         fmt.Sprintf(`["[\"%s\"]", "%s"]`, a, b),
		"a list without quotes":         fmt.Sprintf(`"[%s, %s]"`, a[:16], b[:16]),
		"with an ellipsis":              fmt.Sprintf(`["%s…", "%s..."]`, a[:16], b[:12]),
		"in capitals, and one id twice": fmt.Sprintf(`["%s", "%s", "%s"]`, strings.ToUpper(a[:16]), a, b),
	} {
		got := tooltest.Call(t, builtin(t, "present_notes"), v.Env(), `{"note_ids":`+ids+`}`).(tools.PresentResult)
		if len(got.Presented) != 2 || got.Presented[0].NoteID != a || got.Presented[1].NoteID != b || len(got.Missing) > 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestKindsComeAsAListInAText(t *testing.T) {
	v := newVillage(t)
	want := contents(query(t, v.World, `{"kind":[1,30023],"context":"any"}`).Notes)
	if !strings.Contains(want, "|") {
		t.Fatalf("the village has too few notes: %q", want)
	}
	for _, kinds := range []string{`"1,30023"`, `"[1,30023]"`, `"[1, 30023]"`, `["1","30023"]`, `"1, 30023"`, `"[\"1\",\"30023\"]"`} {
		if got := contents(query(t, v.World, `{"context":"any","kind":`+kinds+`}`).Notes); got != want {
			t.Errorf("%s: got %q, want %q", kinds, got, want)
		}
	}
	for _, kinds := range []string{`"1,x"`, `"1,70000"`, `","`, `"[1"`} {
		if err := fails(t, v.World, "query", `{"kind":`+kinds+`}`); !strings.Contains(err.Error(), "kind") {
			t.Errorf("%s: %v", kinds, err)
		}
	}
}

func TestATableWhoseColumnsNoRowFillsIsRefusedWithTheKeysThatThereAre(t *testing.T) {
	for args, want := range map[string]string{
		`{"columns":["Tag","Notes"],"rows":[{"tag":"bread","n":3},{"tag":"owls","count":2}]}`: `columns[0]: expected one of the keys of the rows: "count", "n", "tag", got "Tag"`,
		`{"columns":[{"key":"tag"},{"key":"notes","label":"n"}],"rows":[{"tag":"bread"}]}`:    `columns[1]: expected one of the keys of the rows: "tag", got "notes"`,
		`{"columns":["a"],"rows":[{}]}`: `rows: expected objects with the keys "a"`,
	} {
		_, err := builtin(t, "render_table").Call(t.Context(), &tools.Env{}, json.RawMessage(args))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
	if got := render[tools.TableResult](t, "render_table", `{"columns":["a","b"],"rows":[{"a":1},{"b":null}]}`); len(got.Rows) != 2 {
		t.Errorf("a table with cells that are not given: %+v", got)
	}
	if got := render[tools.TableResult](t, "render_table", `{"columns":["a"],"rows":[]}`); len(got.Columns) != 1 {
		t.Errorf("a table without rows: %+v", got)
	}
}

func TestAuthorsOfAnAggregateAreTakenByOtherTools(t *testing.T) {
	v := newVillage(t)
	res := tooltest.Call(t, builtin(t, "aggregate"), v.Env(), `{"by":"author","context":"any"}`)
	var told struct{ Buckets []tools.AggregateBucket }
	if err := json.Unmarshal([]byte(res.ForModel(8000)), &told); err != nil || len(told.Buckets) < 2 {
		t.Fatalf("%v, %+v", err, told)
	}
	for _, b := range told.Buckets {
		n := tooltest.Call(t, builtin(t, "count"), v.Env(), fmt.Sprintf(`{"author":%q}`, b.Key)).(tools.CountResult)
		if n.Count != b.Count || n.Authors != 1 {
			t.Errorf("%s, %s: count tells %d by %d, aggregate %d", b.Label, b.Key, n.Count, n.Authors, b.Count)
		}
	}
}

func TestFromFindsWhomAuthorFinds(t *testing.T) {
	v := newVillage(t)
	for _, who := range []string{v.cy.Key.Npub(), "Cy", v.ada.Key.Npub()} {
		want := query(t, v.World, fmt.Sprintf(`{"author":%q}`, who))
		got := query(t, v.World, fmt.Sprintf(`{"search":"from:%s"}`, who))
		if len(want.Notes) == 0 || contents(got.Notes) != contents(want.Notes) || got.Scope.Authors != 1 {
			t.Errorf("%s: from: gives %q of %+v, author %q of %+v", who, contents(got.Notes), got.Scope, contents(want.Notes), want.Scope)
		}
	}
	if err := fails(t, v.World, "query", fmt.Sprintf(`{"search":"from:%s","context":"home"}`, v.cy.Key.Npub())); !strings.Contains(err.Error(), "context profile or any") {
		t.Errorf("home was asked for: %v", err)
	}
}

// The words that a model gives for a time find what was posted in it.
func TestATimeInWordsIsOneOfTheToolsTimes(t *testing.T) {
	w := tooltest.NewWorld(t)
	ada := w.Person("ada", "Ada")
	at := func(day int) time.Duration { return w.Now.Sub(time.Date(2026, 4, day, 12, 0, 0, 0, time.UTC)) }
	// It is Sunday, 3 May 2026.
	var all []*nostr.Event
	for _, day := range []int{20, 26, 27, 30, 32} {
		all = append(all, ada.Sign(tooltest.Post{Kind: 1, Content: fmt.Sprint("day ", day), Ago: at(day)}))
	}
	w.Put(all...)
	for args, want := range map[string]string{
		`"since":"last week","until":"last week"`:    "day 26|day 20",
		`"since":"this week"`:                        "day 32|day 30|day 27",
		`"since":"3 days ago"`:                       "day 32|day 30",
		`"since":"last month","until":"last month"`:  "day 30|day 27|day 26|day 20",
		`"since":"yesterday"`:                        "day 32",
		`"since":"last thursday","until":"thursday"`: "day 30",
		`"search":"since:yesterday day"`:             "day 32",
		`"search":"since:\"3 days ago\" day"`:        "day 32|day 30",
	} {
		if got := contents(query(t, w, `{"context":"any",`+args+`}`).Notes); got != want {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
	err := fails(t, w, "query", `{"since":"the other day"}`)
	for _, form := range []string{"unix seconds", "2026-05-03", "yesterday", "last week", "3 days ago", "24h"} {
		if !strings.Contains(err.Error(), form) {
			t.Errorf("the error does not show the form %q: %v", form, err)
		}
	}
}

// A question in the search words, as models put it there, finds nothing, which is not to
// be told as "nothing was written".
func TestASearchThatAsksForTooMuchSaysSo(t *testing.T) {
	v := newVillage(t)
	for search, told := range map[string]bool{
		"relays down today again": true, "bread oven friday": true, // some of the words are in no note together
		"bread": false, "zeppelin": false, "bread OR zeppelin": false, `"mine too is down"`: false,
	} {
		res := query(t, v.World, fmt.Sprintf(`{"context":"any","search":%q}`, search))
		if got := strings.Contains(res.Notice, "fewer words"); got != told {
			t.Errorf("%s: %d found, notice %q", search, res.Total, res.Notice)
		}
	}
	if err := fails(t, v.World, "query", `{"hashtag":"bread, relays"}`); !strings.Contains(err.Error(), "hashtag: expected one hashtag") {
		t.Error(err)
	}
}

// Models that wrap the arguments once more mean what is inside.
func TestArgumentsInAWrapperAreTakenOut(t *testing.T) {
	v := newVillage(t)
	want := contents(query(t, v.World, `{"search":"bread"}`).Notes)
	for _, args := range []string{`{"arguments":{"search":"bread"}}`, `{"parameters":"{\"search\":\"bread\"}"}`, `{"name":"query","arguments":{"search":"bread"}}`} {
		if got := contents(query(t, v.World, args).Notes); got != want || want == "" {
			t.Errorf("%s: got %q, want %q", args, got, want)
		}
	}
	for _, args := range []string{`{"arguments":{"search":"bread"},"limit":1}`, `{"name":"count","arguments":{}}`, `{"arguments":3}`} {
		fails(t, v.World, "query", args)
	}
}

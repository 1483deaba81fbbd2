package tools_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb"
	"bowerbird/tools"
	"bowerbird/tools/tooltest"
)

func builtin(t testing.TB, name string) tools.Tool {
	t.Helper()
	tool, ok := tools.Builtin().Get(name)
	if !ok {
		t.Fatalf("no tool is called %s", name)
	}
	return tool
}

func query(t testing.TB, w *tooltest.World, args string) tools.QueryResult {
	t.Helper()
	return tooltest.Call(t, builtin(t, "query"), w.Env(), args).(tools.QueryResult)
}

// fails calls a tool that must fail, and returns the error.
func fails(t testing.TB, w *tooltest.World, tool, args string) error {
	t.Helper()
	res, err := builtin(t, tool).Call(t.Context(), w.Env(), json.RawMessage(args))
	if err == nil {
		t.Fatalf("%s %s was answered: %s", tool, args, res.ForModel(2000))
	}
	return err
}

func contents(notes []tools.Note) string {
	var out []string
	for _, n := range notes {
		out = append(out, n.Content)
	}
	return strings.Join(out, "|")
}

// village is a small world: Me follows Ada and Bo, not Cy.
type village struct {
	*tooltest.World
	me, ada, bo, cy *tooltest.Person
	root            *ndb.Event
}

func newVillage(t testing.TB) village {
	t.Helper()
	w := tooltest.NewWorld(t)
	v := village{World: w, me: w.Person("me", "Mia"), ada: w.Person("ada", "Ada"), bo: w.Person("bo", "Bo"), cy: w.Person("cy", "Cy")}
	v.Read(v.me, v.ada, v.bo)
	v.root = v.ada.Note("relays are down again", 2*time.Hour, ndb.Tag{"t", "relays"})
	v.bo.Reply(v.root, v.root, "mine too", 90*time.Minute)
	v.bo.Note("bread is in the oven", 30*time.Hour, ndb.Tag{"t", "Bread"})
	v.cy.Note("buy my coin", time.Hour)
	v.me.Note("hello", 3*time.Hour)
	v.ada.Post(tooltest.Post{Kind: 30023, Content: "a long article on relays", Ago: 4 * time.Hour, Tags: ndb.Tags{{"d", "relays"}, {"title", "Relays"}}})
	return v
}

func TestQueryFindsWhatItsArgumentsAskFor(t *testing.T) {
	v := newVillage(t)
	for _, tt := range []struct{ name, args, context, want string }{
		{"home is the people followed and the reader", `{}`, "home", "relays are down again|hello|bread is in the oven"},
		{"any is the whole store", `{"context":"any"}`, "any", "buy my coin|relays are down again|hello|bread is in the oven"},
		{"replies only when asked for", `{"include_replies":true}`, "home", "mine too|relays are down again|hello|bread is in the oven"},
		{"an author by name", `{"author":"ada"}`, "profile", "relays are down again"},
		{"an author by npub", `{"author":"` + v.bo.Key.Npub() + `"}`, "profile", "bread is in the oven"},
		{"an author by hex in home", `{"context":"home","author":"` + v.bo.Key.String() + `"}`, "home", "bread is in the oven"},
		{"the reader as me", `{"author":"me"}`, "profile", "hello"},
		{"profile without an author is the reader", `{"context":"profile"}`, "profile", "hello"},
		{"articles", `{"kind":30023}`, "home", "a long article on relays"},
		{"several kinds", `{"kind":[1,30023]}`, "home", "relays are down again|hello|a long article on relays|bread is in the oven"},
		{"since a span", `{"since":"24h"}`, "home", "relays are down again|hello"},
		{"until inclusive", fmt.Sprintf(`{"until":%d}`, v.root.CreatedAt), "home", "relays are down again|hello|bread is in the oven"},
		{"until just before", fmt.Sprintf(`{"until":"%d"}`, v.root.CreatedAt-1), "home", "hello|bread is in the oven"},
		{"yesterday", `{"since":"yesterday","until":"yesterday"}`, "home", "bread is in the oven"},
		{"a hashtag in any case", `{"hashtag":"#relays"}`, "home", "relays are down again"},
		{"a hashtag that was written in capitals", `{"hashtag":"Bread"}`, "home", "bread is in the oven"},
		{"words", `{"search":"down relays"}`, "home", "relays are down again"},
		{"words and a from:", `{"search":"from:bo oven"}`, "home", "bread is in the oven"},
		{"only a from:", `{"search":"from:Ada","include_replies":true}`, "home", "relays are down again"},
		{"a since: within the search", `{"search":"since:24h"}`, "home", "relays are down again|hello"},
		{"words and a hashtag", `{"search":"#relays down"}`, "home", "relays are down again"},
		{"a phrase", `{"search":"\"are down\""}`, "home", "relays are down again"},
		{"a phrase in another order", `{"search":"\"down are\""}`, "home", ""},
		{"a word that is not there", `{"search":"-oven bread"}`, "home", ""},
		{"a limit", `{"limit":1}`, "home", "relays are down again"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := query(t, v.World, tt.args)
			if got := contents(res.Notes); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if res.Scope.Context != tt.context {
				t.Errorf("context %s, want %s", res.Scope.Context, tt.context)
			}
		})
	}
}

func TestQueryRefusesWhatItCannotAnswerTruthfully(t *testing.T) {
	v := newVillage(t)
	v.Person("bo2", "Cyd")
	v.Person("ada2", "Twin")
	v.Person("ada3", "Twin")
	for _, tt := range []struct{ name, args, want string }{
		{"someone not followed, in home", `{"context":"home","author":"Cy"}`, "author: expected someone the reader follows"},
		{"nobody of that name", `{"author":"Zoe"}`, `author: expected a person`},
		{"two of that name", `{"author":"Twin"}`, `author: expected one person, got "Twin", which 2 people here go by: "Twin" npub1`},
		{"a broken npub", `{"author":"npub1qqqqqq"}`, "author: expected a person"},
		{"a private key", `{"author":"nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"}`, "got a private key, which no tool takes"},
		{"a private kind", `{"kind":[1,4]}`, "kind: expected public kinds"},
		{"a draft", `{"kind":"31234"}`, "kind: expected public kinds"},
		{"a time that means nothing", `{"since":"soon"}`, "since: expected unix seconds, RFC 3339"},
		{"an end before the beginning", `{"since":"1h","until":"2h"}`, "since: expected a time before until"},
		{"another order", `{"order":"relevance"}`, "order: expected one of newest"},
		{"another context", `{"context":"friends"}`, "context: expected one of home, profile, any"},
		{"a search of nothing", `{"search":"!!!"}`, "search: expected words"},
		{"a cursor made up", `{"cursor":"AAAA"}`, "cursor: expected the cursor of an earlier answer"},
		{"a wrong type", `{"limit":"many"}`, `limit: expected a whole number, got "many"`},
		{"an unknown argument", `{"authors":"ada"}`, `(did you mean "author"?)`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := fails(t, v.World, "query", tt.args)
			var ae *tools.ArgumentError
			if !errors.As(err, &ae) {
				t.Errorf("%v is no *ArgumentError", err)
			}
			if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "nsec1") {
				t.Errorf("got  %s\nwant %s", err, tt.want)
			}
		})
	}
}

func TestAFriendsNameCannotBeTakenByStrangers(t *testing.T) {
	v := newVillage(t)
	for i := range 5 {
		v.Person(fmt.Sprint("impostor", i), "Ada").Note("I am the real one", time.Minute)
	}
	if got := contents(query(t, v.World, `{"author":"Ada"}`).Notes); got != "relays are down again" {
		t.Errorf("got %q", got)
	}
}

func TestWithoutAContactListHomeIsAnErrorAndAnyTheDefault(t *testing.T) {
	w := tooltest.NewWorld(t)
	w.Person("ada", "Ada").Note("hi", time.Hour)
	if res := query(t, w, `{}`); res.Scope.Context != "any" || res.Total != 1 {
		t.Errorf("nobody signed in: %+v", res)
	}
	if err := fails(t, w, "query", `{"context":"home"}`); !errors.Is(err, tools.ErrNoContacts) {
		t.Errorf("nobody signed in: %v", err)
	}
	w.Me = w.Person("me", "Mia")
	if err := fails(t, w, "query", `{"context":"home"}`); !errors.Is(err, tools.ErrNoContacts) || !strings.Contains(err.Error(), "sync it first") {
		t.Errorf("no list: %v", err)
	}
	if res := query(t, w, `{}`); res.Scope.Context != "any" {
		t.Errorf("no list: %+v", res.Scope)
	}
	w.Read(w.Me)
	if res := query(t, w, `{}`); res.Scope.Context != "any" {
		t.Errorf("follows nobody: %+v", res.Scope)
	}
}

func TestTheNewestContactListCounts(t *testing.T) {
	v := newVillage(t)
	v.Now = v.Now.Add(time.Minute)
	v.Read(v.me, v.cy)
	if got := contents(query(t, v.World, `{}`).Notes); got != "buy my coin|hello" {
		t.Errorf("got %q", got)
	}
}

func TestLimitsAreClampedAndTheAnswerSaysSo(t *testing.T) {
	v := newVillage(t)
	v.Put(v.bo.Notes(210, func(i int) (string, time.Duration) { return fmt.Sprint("note ", i), time.Duration(i) * time.Second })...)
	for limit, want := range map[int]int{0: 50, 1: 1, 200: 200, 201: 200, -3: 1, 1_000_000: 200} {
		res := query(t, v.World, fmt.Sprintf(`{"limit":%d}`, limit))
		if res.Returned != want || len(res.Notes) != want || !res.Truncated || res.Total != 213 {
			t.Errorf("limit %d: returned %d of %d", limit, res.Returned, res.Total)
		}
		if clamped := limit > 200 || limit < 0; clamped != (res.Notice != "") {
			t.Errorf("limit %d: notice %q", limit, res.Notice)
		}
	}
}

func TestPagesHoldEachNoteOnceAlsoWhenNewOnesArrive(t *testing.T) {
	v := newVillage(t)
	v.Put(v.bo.Notes(57, func(i int) (string, time.Duration) { // five share each second
		return fmt.Sprint("note ", i), time.Duration(i/5) * time.Minute
	})...)
	want := query(t, v.World, `{"limit":200}`).Total
	seen, cursor := map[string]bool{}, ""
	for page := range 20 {
		res := query(t, v.World, fmt.Sprintf(`{"limit":7,"cursor":%q}`, cursor))
		for _, n := range res.Notes {
			if seen[n.NoteID] {
				t.Errorf("page %d shows %s again", page, n.Content)
			}
			seen[n.NoteID] = true
		}
		if res.Total != want+page {
			t.Errorf("page %d: total %d, want %d", page, res.Total, want+page)
		}
		if cursor = res.Cursor; !res.Truncated {
			break
		}
		v.Now = v.Now.Add(time.Second)
		v.ada.Note(fmt.Sprint("news ", page), 0)
	}
	if len(seen) != want {
		t.Errorf("pages hold %d notes, want %d", len(seen), want)
	}
}

func TestCursorsAreBoundToTheirQuestion(t *testing.T) {
	v := newVillage(t)
	cursor := query(t, v.World, `{"limit":1}`).Cursor
	flipped := []byte(cursor)
	flipped[3] ^= 1
	for name, args := range map[string]string{
		"another question": fmt.Sprintf(`{"since":"7d","cursor":%q}`, cursor),
		"another context":  fmt.Sprintf(`{"context":"any","cursor":%q}`, cursor),
		"one bit changed":  fmt.Sprintf(`{"cursor":%q}`, flipped),
		"cut short":        fmt.Sprintf(`{"cursor":%q}`, cursor[:len(cursor)-2]),
	} {
		if err := fails(t, v.World, "query", args); !strings.Contains(err.Error(), "cursor") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if res := query(t, v.World, fmt.Sprintf(`{"limit":50,"cursor":%q}`, cursor)); len(res.Notes) != 2 {
		t.Errorf("another limit: %d notes", len(res.Notes))
	}
}

func TestMutedHiddenAndExpiredNotesAreInNoAnswer(t *testing.T) {
	v := newVillage(t)
	root := v.bo.Note("a thread nobody wants", 5*time.Hour)
	v.me.Post(tooltest.Post{Kind: 10000, Tags: ndb.Tags{{"p", v.cy.Key.String()}, {"t", "bread"}, {"word", "DOWN"}, {"e", root.ID.String()}}})
	reply := v.ada.Reply(root, root, "indeed", 4*time.Hour)
	v.ada.Note("expired", time.Hour, ndb.Tag{"expiration", fmt.Sprint(v.Now.Add(time.Second).Unix())})
	later := v.ada.Sign(tooltest.Post{Kind: 1, Content: "from the future", Ago: -time.Hour})
	if _, err := v.Store.Put(t.Context(), ndb.Batch{Events: []*ndb.Event{later}}); err != nil {
		t.Fatal(err)
	}
	v.Now = v.Now.Add(2 * time.Second)
	if got := contents(query(t, v.World, `{"context":"any","include_replies":true}`).Notes); got != "mine too|hello" {
		t.Errorf("got %q", got)
	}
	for _, e := range []*ndb.Event{root, reply, later, v.root} {
		fails(t, v.World, "get_note", fmt.Sprintf(`{"note_id":%q}`, e.ID))
		fails(t, v.World, "get_thread", fmt.Sprintf(`{"note_id":%q}`, e.ID))
		res := tooltest.Call(t, builtin(t, "present_notes"), v.Env(), fmt.Sprintf(`{"note_ids":%q}`, e.ID)).(tools.PresentResult)
		if len(res.Presented) != 0 || len(res.Missing) != 1 {
			t.Errorf("%s was presented", e.Content)
		}
	}
}

func TestNothingPrivateIsInAnyAnswer(t *testing.T) {
	v := newVillage(t)
	var ids []string
	for _, kind := range []uint16{4, 13, 14, 15, 1059, 10000, 1234, 30024, 31234} {
		e := v.ada.Post(tooltest.Post{Kind: kind, Content: "SECRET words", Ago: time.Hour, Tags: ndb.Tags{
			{"e", v.root.ID.String(), "", "reply"}, {"t", "SECRETtag"}, {"d", "x"}, {"p", v.me.Key.String()},
		}})
		ids = append(ids, e.ID.String())
		for _, args := range []string{`{"kind":%d}`, `{"kind":"%d","context":"any"}`, `{"kind":[1,%d],"author":"ada"}`} {
			for _, tool := range []string{"query", "count"} {
				fails(t, v.World, tool, fmt.Sprintf(args, kind))
			}
		}
		fails(t, v.World, "aggregate", fmt.Sprintf(`{"by":"kind","kind":%d}`, kind))
		code, err := ndb.Code{Prefix: ndb.CodeEvent, Event: e.ID}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		address, err := ndb.Code{Prefix: ndb.CodeAddress, PubKey: v.ada.Key, Kind: kind, D: "x"}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		for _, form := range []string{e.ID.String(), e.ID.String()[:16], e.ID.Note(), code, "nostr:" + code, address} {
			fails(t, v.World, "get_note", fmt.Sprintf(`{"note_id":%q}`, form))
			fails(t, v.World, "get_thread", fmt.Sprintf(`{"note_id":%q}`, form))
			ids = append(ids, form)
		}
	}
	raw, err := json.Marshal(ids)
	if err != nil {
		t.Fatal(err)
	}
	answers := []tools.Result{tooltest.Call(t, builtin(t, "present_notes"), v.Env(), `{"note_ids":`+string(raw)+`}`)}
	if p := answers[0].(tools.PresentResult); len(p.Presented) != 0 {
		t.Errorf("presented %v", p.Presented)
	}
	for _, call := range []struct{ tool, args string }{
		{"query", `{"context":"any","include_replies":true,"kind":[0,1,3,6,7,1111,30023,10002]}`},
		{"query", `{"context":"any","search":"SECRET"}`},
		{"query", `{"context":"any","hashtag":"SECRETtag"}`},
		{"get_thread", fmt.Sprintf(`{"note_id":%q}`, v.root.ID)},
		{"aggregate", `{"by":"hashtag","context":"any","include_replies":true}`},
		{"aggregate", `{"by":"term","context":"any"}`},
		{"aggregate", `{"by":"kind","context":"any"}`},
		{"count", `{"search":"SECRET","context":"any"}`},
		{"get_profile", `{"person":"ada"}`},
		{"find_profile", `{"name":"ada"}`},
	} {
		answers = append(answers, tooltest.Call(t, builtin(t, call.tool), v.Env(), call.args))
	}
	for _, a := range answers[1:] {
		full, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range []string{string(full), a.ForModel(64_000)} {
			if strings.Contains(text, "SECRET words") || strings.Contains(text, "secrettag") || strings.Contains(text, "SECRETtag\"") {
				t.Errorf("%T shows a private event: %s", a, text)
			}
		}
	}
}

func TestAnEmptyAnswerSaysWhetherNothingHappenedOrNothingWasSynced(t *testing.T) {
	v := newVillage(t)
	if got := query(t, v.World, `{"since":"10m"}`).Coverage.Note; !strings.Contains(got, "nothing was synced") {
		t.Errorf("never synced: %q", got)
	}
	cover := func(p *tooltest.Person, from, to time.Duration) {
		t.Helper()
		if _, err := v.Store.Put(t.Context(), ndb.Batch{Coverage: []ndb.Coverage{{
			Author: p.Key, Relay: "wss://relay.example", Purpose: ndb.PurposeFeed,
			Interval: ndb.Interval{From: v.Now.Add(-from).Unix(), To: v.Now.Add(-to).Unix(), VerifiedAt: v.Now.Unix(), Proof: ndb.ProofEmpty},
		}}}); err != nil {
			t.Fatal(err)
		}
	}
	cover(v.ada, 48*time.Hour, 0)
	cover(v.me, 48*time.Hour, 0)
	cover(v.bo, 24*time.Hour, 12*time.Hour)
	res := query(t, v.World, `{"since":"40h","search":"nowhere"}`)
	if want := (tools.CoverageSummary{Complete: 2, Partly: 1}); res.Coverage.Complete != want.Complete || res.Coverage.Partly != want.Partly || res.Coverage.Unreachable != 0 {
		t.Errorf("got %+v", res.Coverage)
	}
	if !strings.Contains(res.Coverage.Note, "may only be missing here") {
		t.Errorf("partly synced: %q", res.Coverage.Note)
	}
	cover(v.bo, 48*time.Hour, 0)
	if got := query(t, v.World, `{"since":"40h","search":"nowhere"}`).Coverage.Note; !strings.HasPrefix(got, "Nothing was posted") {
		t.Errorf("complete: %q", got)
	}
	list := tooltest.Call(t, builtin(t, "coverage"), v.Env(), `{"since":"7d"}`).(tools.CoverageResult)
	if list.Summary.Partly != 3 || len(list.People) != 3 || list.People[0].Relays[0] != "wss://relay.example" {
		t.Errorf("got %+v", list)
	}
}

func TestTwoHundredNotesReachASmallModelWhole(t *testing.T) {
	v := newVillage(t)
	v.Put(v.bo.Notes(200, func(i int) (string, time.Duration) {
		return strings.Repeat(fmt.Sprint("word", i, " \u202e<b>\x07 "), 200), time.Duration(i) * time.Second
	})...)
	res := query(t, v.World, `{"limit":200}`)
	for _, limit := range []int{512, 700, 1000, 5_000, 20_000, 32_000, 64_000} {
		var got struct {
			Total, Returned int
			LeftOut         int `json:"left_out"`
			Cursor          string
			Notes           []struct {
				NoteID  string `json:"note_id"`
				Content string
			}
		}
		text := res.ForModel(limit)
		if len(text) > limit {
			t.Errorf("limit %d: %d bytes", limit, len(text))
		}
		if err := json.Unmarshal([]byte(text), &got); err != nil {
			t.Fatalf("limit %d: %v", limit, err)
		}
		if len(got.Notes) != got.Returned || got.Returned+got.LeftOut != 200 || got.Total != 203 {
			t.Errorf("limit %d: %d notes, %d left out of %d", limit, got.Returned, got.LeftOut, got.Total)
		}
		if limit >= 32_000 && got.Returned != 200 {
			t.Errorf("limit %d holds only %d notes", limit, got.Returned)
		}
		for i, n := range got.Notes {
			if n.NoteID != res.Notes[i].NoteID[:16] || !strings.HasSuffix(n.Content, "…") || strings.ContainsAny(n.Content, "\u202e\x07") || strings.Contains(text, "<") {
				t.Errorf("limit %d, note %d: %+v", limit, i, n)
			}
		}
		if got.LeftOut > 0 && got.Returned > 0 {
			next := query(t, v.World, fmt.Sprintf(`{"limit":1,"cursor":%q}`, got.Cursor))
			if next.Notes[0].NoteID != res.Notes[got.Returned].NoteID {
				t.Errorf("limit %d: the cursor does not go on behind the last note shown", limit)
			}
		}
	}
}

func TestPeopleOfOneNameAreToldApartByTheirKeys(t *testing.T) {
	v := newVillage(t)
	other := v.Person("other", "ADA")
	other.Note("another one", time.Minute)
	v.Person("nameless", "").Note("no profile", time.Minute)
	text := query(t, v.World, `{"context":"any"}`).ForModel(64_000)
	for _, pk := range []ndb.PubKey{v.ada.Key, other.Key} {
		if !strings.Contains(text, pk.String()) {
			t.Errorf("no key for %s", pk)
		}
	}
	if strings.Contains(text, v.bo.Key.String()) {
		t.Error("a key where the name says who it is")
	}
}

func TestARepostsContentIsNotRepeatedUnchecked(t *testing.T) {
	v := newVillage(t)
	v.ada.Post(tooltest.Post{Kind: 6, Content: `{"kind":4,"content":"SECRET"}`, Ago: time.Minute, Tags: ndb.Tags{{"e", v.root.ID.String()}, {"p", v.ada.Key.String()}}})
	res := query(t, v.World, `{"kind":6}`)
	if len(res.Notes) != 1 || res.Notes[0].RepostOf != v.root.ID.String() || res.Notes[0].Content != "" {
		t.Errorf("got %+v", res.Notes)
	}
}

func TestNotesAreShownTheSameByEveryTool(t *testing.T) {
	v := newVillage(t)
	v.cy.Post(tooltest.Post{Kind: 7, Content: "+", Ago: time.Minute, Tags: ndb.Tags{{"e", v.root.ID.String()}, {"p", v.ada.Key.String()}}})
	fromQuery := query(t, v.World, `{"search":"down"}`).Notes[0]
	id := fmt.Sprintf(`{"note_id":%q}`, v.root.ID.String()[:16])
	fromNote := tooltest.Call(t, builtin(t, "get_note"), v.Env(), id).(tools.NoteResult).Note
	fromThread := tooltest.Call(t, builtin(t, "get_thread"), v.Env(), id).(tools.ThreadResult).Notes[0].Note
	if fromQuery.Reactions != 1 || fromQuery.Replies != 1 {
		t.Errorf("counters %+v", fromQuery)
	}
	fromQuery.Event, fromNote.Event, fromThread.Event = nil, nil, nil
	if fromQuery != fromNote || fromNote != fromThread {
		t.Errorf("query %+v\nget_note %+v\nget_thread %+v", fromQuery, fromNote, fromThread)
	}
	if !slices.Equal([]string{fromQuery.Name, fromQuery.CreatedAt}, []string{"Ada", "2026-05-03T10:00:00+02:00"}) {
		t.Errorf("got %+v", fromQuery)
	}
}

func contextCancelled(t testing.TB) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx, cancel
}

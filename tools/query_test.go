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

	"bowerbird/app/sample"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
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
	root            *nostr.Event
}

func newVillage(t testing.TB) village {
	t.Helper()
	w := tooltest.NewWorld(t)
	v := village{World: w, me: w.Person("me", "Mia"), ada: w.Person("ada", "Ada"), bo: w.Person("bo", "Bo"), cy: w.Person("cy", "Cy")}
	v.Read(v.me, v.ada, v.bo)
	v.root = v.ada.Note("relays are down again", 2*time.Hour, nostr.Tag{"t", "relays"})
	v.bo.Reply(v.root, v.root, "mine too", 90*time.Minute)
	v.bo.Note("bread is in the oven", 30*time.Hour, nostr.Tag{"t", "Bread"})
	v.cy.Note("buy my coin", time.Hour)
	v.me.Note("hello", 3*time.Hour)
	v.ada.Post(tooltest.Post{Kind: 30023, Content: "a long article on relays", Ago: 4 * time.Hour, Tags: nostr.Tags{{"d", "relays"}, {"title", "Relays"}}})
	return v
}

// Rows 001-4 and 001-12: context, limit, since, until, kind, search and the rest, over a
// store that was filled for it; replies only where they are asked for.
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

// TestWhatIsAddressedToAPerson: replies, likes and zaps too, by strangers too, whatever
// the scope; the person's own notes and what was only written beside are not among it.
func TestWhatIsAddressedToAPerson(t *testing.T) {
	v := newVillage(t)
	mine := v.me.Note("who bakes today?", 50*time.Minute)
	p := nostr.Tag{"p", v.me.Key.String()}
	v.bo.Reply(mine, mine, "I do", 40*time.Minute)
	v.me.Post(tooltest.Post{Kind: 1, Content: "me again", Ago: 35 * time.Minute, Tags: nostr.Tags{p}})
	v.cy.Note("look here, Mia", 30*time.Minute, p)
	v.ada.Post(tooltest.Post{Kind: 7, Content: "🥖", Ago: 20 * time.Minute, Tags: nostr.Tags{{"e", mine.ID.String()}, p}})
	v.ada.Post(tooltest.Post{Kind: 6, Ago: 10 * time.Minute, Tags: nostr.Tags{{"e", mine.ID.String()}, p}})
	for _, tt := range []struct{ name, args, context, want string }{
		{"to the reader", `{"mentions":"me"}`, "any", "|🥖|look here, Mia|I do"},
		{"by name", `{"mentions":"Mia","kind":1}`, "any", "look here, Mia|I do"},
		{"by people followed", `{"mentions":"me","context":"home","kind":1}`, "home", "I do"},
		{"by one person", `{"mentions":"me","author":"Bo"}`, "profile", "I do"},
		{"as an operator of the search", `{"search":"to:me","context":"any"}`, "any", "look here, Mia|me again|I do"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			res := query(t, v.World, tt.args)
			if got := contents(res.Notes); got != tt.want || res.Scope.Context != tt.context {
				t.Errorf("%s: got %q, want %q of %s", res.Scope.Context, got, tt.want, tt.context)
			}
			if i := slices.IndexFunc(res.Notes, func(n tools.Note) bool { return n.NoteKind == 7 }); i >= 0 && res.Notes[i].About != mine.ID.String() {
				t.Errorf("the reaction is of %q", res.Notes[i].About)
			}
		})
	}
	if err := fails(t, v.World, "query", `{"mentions":"Zoe"}`); !strings.Contains(err.Error(), "mentions: expected a person") {
		t.Error(err)
	}
}

// TestAZapIsItsSenders, not that of the service that wrote the receipt.
func TestAZapIsItsSenders(t *testing.T) {
	w := tooltest.NewWorld(t)
	made, err := sample.Make(sample.Options{Now: w.Now, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Store.Put(t.Context(), ndb.Batch{Events: made.Events}); err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(made.Events, func(e *nostr.Event) bool { return e.Kind == 9735 })
	zap, err := nostr.ParseZap(made.Events[i])
	if err != nil {
		t.Fatal(err)
	}
	to, _ := made.Events[i].Tags.Value("p")
	found := 0
	for _, n := range query(t, w, `{"limit":200,"kind":9735,"mentions":"`+to+`"}`).Notes {
		if n.NoteID == made.Events[i].ID.String() {
			found++
			if n.PubKey != zap.Sender.String() || n.ZapSats != zap.Sats || n.About != zap.Event.String() || strings.HasPrefix(n.Name, "npub1") {
				t.Errorf("%+v is shown as %+v", zap, n)
			}
		}
	}
	if found != 1 {
		t.Errorf("%d times", found)
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

func TestProfileIsTheOneThatIsOpen(t *testing.T) {
	v := newVillage(t)
	env := v.Env()
	env.Open = v.cy.Key
	res := tooltest.Call(t, builtin(t, "query"), env, `{"context":"profile"}`).(tools.QueryResult)
	if contents(res.Notes) != "buy my coin" || res.Scope.Authors != 1 {
		t.Errorf("got %+v", res)
	}
}

// Row 001-10: 50 notes unless a limit is given, and 200 at most. (The prompt asks for 100
// to 200 where the question is open.)
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

func contextCancelled(t testing.TB) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx, cancel
}

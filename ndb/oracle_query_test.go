package ndb_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
)

// question is a random filter, in the two forms in which it is asked.
type question struct {
	raw    []byte
	filter nostr.Filter
	oracle oracleFilter
	fields []string // what it sets
}

func (w *world) ask(t *testing.T, rng *rand.Rand) question {
	t.Helper()
	fields, search := w.randomFilter(rng)
	q := question{raw: compactJSON(t, fields)}
	var err error
	if q.filter, err = nostr.ParseFilter(q.raw); err != nil {
		t.Fatalf("%s: %v", q.raw, err)
	}
	if q.oracle, err = readOracleFilter(q.raw, search); err != nil {
		t.Fatal(err)
	}
	for name := range fields {
		if strings.HasPrefix(name, "#") {
			name = "tags"
		}
		q.fields = append(q.fields, name)
	}
	return q
}

// randomFilter makes a filter around an event, so that many filters find
// something, with other values beside.
func (w *world) randomFilter(rng *rand.Rand) (map[string]any, *oracleSearch) {
	some := func() *oracleEvent { return w.events[rng.IntN(len(w.events))] }
	pivot := some()
	f := make(map[string]any)
	if rng.IntN(7) == 0 {
		f["ids"] = w.values(rng, 4, pivot.ID, func() string { return some().ID })
	}
	if rng.IntN(3) == 0 {
		f["authors"] = w.values(rng, 1+rng.IntN(30), pivot.PubKey, func() string { return some().PubKey })
	}
	if rng.IntN(3) == 0 {
		kinds := []int{pivot.Kind}
		for range rng.IntN(4) {
			kinds = append(kinds, some().Kind)
		}
		f["kinds"] = kinds[rng.IntN(2)*rng.IntN(2):]
	}
	if rng.IntN(3) == 0 {
		for _, e := range []*oracleEvent{pivot, some(), some()} {
			if name, value, ok := anyTag(rng, e); ok {
				f["#"+name] = []string{value, "nothing"}
				if rng.IntN(3) > 0 {
					break
				}
			}
		}
	}
	if rng.IntN(3) == 0 {
		f["since"] = pivot.CreatedAt - int64(rng.IntN(5))*int64(rng.IntN(100_000))
	}
	if rng.IntN(3) == 0 {
		f["until"] = pivot.CreatedAt + int64(rng.IntN(5))*int64(rng.IntN(100_000))
	}
	if rng.IntN(3) == 0 {
		f["limit"] = rng.IntN(1 + rng.IntN(60))
	}
	var search *oracleSearch
	if rng.IntN(5) == 0 {
		f["search"], search = w.randomSearch(rng, pivot)
	}
	return f, search
}

func (w *world) values(rng *rand.Rand, most int, first string, next func() string) []string {
	values := []string{first}
	for range rng.IntN(most) {
		values = append(values, next())
	}
	switch rng.IntN(8) {
	case 0: // one that differs in its last digit
		values[0] = values[0][:63] + string("0123456789abcdef"[rng.IntN(16)])
	case 1:
		return []string{}
	case 2:
		values = append(values, strings.Repeat("0", 64), first)
	}
	return values
}

func anyTag(rng *rand.Rand, e *oracleEvent) (name, value string, ok bool) {
	for _, i := range rng.Perm(len(e.Tags)) {
		tag := e.Tags[i]
		if len(tag) > 1 && len(tag[0]) == 1 && (tag[0] >= "a" && tag[0] <= "z" || tag[0] >= "A" && tag[0] <= "Z") {
			return tag[0], tag[1], true
		}
	}
	return "", "", false
}

// randomSearch looks for words of an event's text, or for any.
func (w *world) randomSearch(rng *rand.Rand, e *oracleEvent) (string, *oracleSearch) {
	word := func() string { return w.words[rng.IntN(len(w.words))] }
	first, second := word(), word()
	text, _ := oracleText(e)
	words := slices.DeleteFunc(oracleWords(text), func(word string) bool { return !slices.Contains(w.words, word) })
	if len(words) > 1 {
		i := rng.IntN(len(words) - 1)
		first, second = words[i], words[i+1] // not always side by side, once others are gone
	}
	switch rng.IntN(4) {
	case 0:
		return capitals(first) + " " + second, &oracleSearch{words: []string{first, second}}
	case 1:
		return `"` + first + " " + second + `"`, &oracleSearch{phrase: []string{first, second}}
	case 2:
		other := word()
		return first + " -" + other, &oracleSearch{words: []string{first}, not: []string{other}}
	default:
		return first, &oracleSearch{words: []string{first}}
	}
}

func openWorld(t *testing.T, w *world) (*ndb.Store, *oracleStore) {
	t.Helper()
	store, err := ndb.Open(t.TempDir(), ndb.Options{Now: func() time.Time { return time.Unix(oracleNow, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	// One half comes as a file, the other in batches, some of it twice.
	half := len(w.lines) / 2
	report, err := store.Import(t.Context(), bytes.NewReader(bytes.Join(w.lines[:half], []byte("\n"))), ndb.ImportOptions{})
	if err != nil || len(report.Invalid) > 0 {
		t.Fatalf("import: %+v, %v", report, err)
	}
	for chunk := range slices.Chunk(w.lines[half-50:], 97) {
		var batch ndb.Batch
		for _, line := range chunk {
			e, err := nostr.ParseEvent(line)
			if err != nil {
				t.Fatal(err)
			}
			batch.Events = append(batch.Events, e)
		}
		if _, err := store.Put(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
	}
	oracle, err := newOracleStore(oracleNow, w.lines)
	if err != nil {
		t.Fatal(err)
	}
	return store, oracle
}

func collect(t *testing.T, store *ndb.Store, opt ndb.QueryOptions, filters ...nostr.Filter) []string {
	t.Helper()
	ids := []string{}
	for e, err := range store.Query(t.Context(), opt, filters...) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, e.ID.String())
	}
	return ids
}

func (w *world) sameAnswer(t *testing.T, store *ndb.Store, oracle *oracleStore, hidden bool, questions ...question) int {
	t.Helper()
	var filters []nostr.Filter
	var oracles []oracleFilter
	var raws []string
	for _, q := range questions {
		filters, oracles, raws = append(filters, q.filter), append(oracles, q.oracle), append(raws, string(q.raw))
	}
	opt := ndb.QueryOptions{Hidden: hidden}
	got, want := collect(t, store, opt, filters...), oracle.query(hidden, oracles...)
	if !slices.Equal(got, want) {
		t.Fatalf("%s (hidden %v): %s", strings.Join(raws, " "), hidden, difference(oracle, got, want))
	}
	if n, err := store.Count(t.Context(), opt, filters...); err != nil || n != len(want) {
		t.Fatalf("%s: count %d, %v, want %d", strings.Join(raws, " "), n, err, len(want))
	}
	return len(want)
}

// difference says how two answers differ, with the first event that only one has.
func difference(oracle *oracleStore, got, want []string) string {
	for _, id := range got {
		if !slices.Contains(want, id) {
			return fmt.Sprintf("got %d events, want %d; should not be there: %s", len(got), len(want), oracle.show(id))
		}
	}
	for _, id := range want {
		if !slices.Contains(got, id) {
			return fmt.Sprintf("got %d events, want %d; is missing: %s", len(got), len(want), oracle.show(id))
		}
	}
	return "the order is wrong, or events come twice"
}

func (o *oracleStore) show(id string) string {
	e, ok := o.events[id]
	if !ok {
		return id + ", which the oracle has not"
	}
	raw, _ := json.Marshal(e)
	return fmt.Sprintf("%.600s", raw)
}

func TestQueriesEqualABruteForceScan(t *testing.T) {
	used, answered, asked := make(map[string]int), 0, 0
	size, questions := 3_000, 800
	if testing.Short() {
		size, questions = 600, 200
	}
	worlds := []func(*testing.T, *rand.Rand) *world{
		func(t *testing.T, rng *rand.Rand) *world { return generatedWorld(t, rng, size) },
		func(t *testing.T, _ *rand.Rand) *world { return realWorld(t) },
	}
	for i, make := range worlds {
		rng := rand.New(rand.NewPCG(uint64(i), 340))
		t.Run([]string{"generated", "real"}[i], func(t *testing.T) {
			w := make(t, rng)
			store, oracle := openWorld(t, w)
			for range questions {
				q := w.ask(t, rng)
				asked++
				for _, field := range q.fields {
					used[field]++
				}
				if q.oracle.Since != nil && q.oracle.Until != nil {
					used["both times"]++
				}
				if w.sameAnswer(t, store, oracle, rng.IntN(10) == 0, q) > 0 {
					answered++
				}
			}
			for range questions / 4 {
				w.sameAnswer(t, store, oracle, false, w.ask(t, rng), w.ask(t, rng), w.ask(t, rng))
			}
		})
	}
	t.Logf("%d filters, %d with results, fields %v", asked, answered, used)
	if asked < 1_600 {
		return // a world is not here, or time is short
	}
	for _, field := range []string{"ids", "authors", "kinds", "tags", "since", "until", "both times", "limit", "search"} {
		if used[field] < 100 {
			t.Errorf("only %d filters have %s", used[field], field)
		}
	}
	if answered < 300 {
		t.Errorf("only %d filters have results", answered)
	}
}

func TestPagesByCursorGiveTheWholeAnswer(t *testing.T) {
	if testing.Short() {
		t.Skip("one page after the other: not beside the race detector")
	}
	rng := rand.New(rand.NewPCG(7, 7))
	w := generatedWorld(t, rng, 1_000)
	store, oracle := openWorld(t, w)
	for range 100 {
		q := w.ask(t, rng)
		size := 1 + rng.IntN(40)
		q.filter.Limit, q.oracle.Limit = &size, nil
		want := oracle.query(false, q.oracle)
		got := []string{}
		var opt ndb.QueryOptions
		for {
			n := 0
			for e, err := range store.Query(t.Context(), opt, q.filter) {
				if err != nil {
					t.Fatal(err)
				}
				n++
				got = append(got, e.ID.String())
				opt.After = &ndb.Cursor{CreatedAt: e.CreatedAt, ID: e.ID}
			}
			if n < size || len(got) > len(want) {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s in pages of %d: %s", q.raw, size, difference(oracle, got, want))
		}
	}
}

func TestTheOracleHoldsWhatTheStoreHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("one event after the other: not beside the race detector")
	}
	rng := rand.New(rand.NewPCG(9, 9))
	w := generatedWorld(t, rng, 1_000)
	store, oracle := openWorld(t, w)
	got := collect(t, store, ndb.QueryOptions{Hidden: true}, nostr.Filter{})
	want := slices.Sorted(maps.Keys(oracle.events))
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Error(difference(oracle, got, want))
	}
	if len(want) < len(w.events)/2 || len(want) > len(w.events)*9/10 {
		t.Errorf("%d of %d events are kept: the world is too tame, or too wild", len(want), len(w.events))
	}
}

// capitals writes a word in capitals, unless it would be an operator then.
func capitals(word string) string {
	if word == "and" {
		return "And"
	}
	return strings.ToUpper(word)
}

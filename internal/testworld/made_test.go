package testworld

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/sample"
	"bowerbird/ndb/nostr"
)

// The kinds that are looked at.
const (
	kindProfile  = 0
	kindNote     = 1
	kindContacts = 3
	kindDelete   = 5
	kindReaction = 7
	kindGeneric  = 16
	kindComment  = 1111
	kindZap      = 9735
	kindMutes    = 10000
	kindRelays   = 10002
	kindArticle  = 30023
)

func worldOptions(shape Shape) Options {
	return Options{
		Seed: 7, Now: noon(), Days: 5, People: 100, Followed: 30, Events: 1600, Shape: shape, Planted: 8,
	}
}

// noon is a moment in the middle of a day; no world may depend on which.
func noon() time.Time { return time.Date(2026, 2, 11, 12, 0, 0, 0, time.UTC) }

// remembered are the worlds that tests made: signing one takes seconds under the
// race detector, and tests only read them.
var remembered = map[any]*World{}

func remember[O comparable](t *testing.T, o O, made func(O) (*World, error)) *World {
	t.Helper()
	if remembered[o] == nil {
		w, err := made(o)
		if err != nil {
			t.Fatal(err)
		}
		remembered[o] = w
	}
	return remembered[o]
}

func makeWorld(t *testing.T, o Options) *World {
	t.Helper()
	return remember(t, o, Make)
}

func makeSample(t *testing.T, now time.Time) *World {
	t.Helper()
	return remember(t, now, func(now time.Time) (*World, error) { return Sample(sample.Options{Now: now, Seed: 1}) })
}

// skipWhenShort skips a test that makes another world than the one that most look at.
// Each takes thousands of signatures, one after the other, in which a race detector
// has nothing to find.
func skipWhenShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("another world takes thousands of signatures")
	}
}

func byKind(events []*nostr.Event) map[uint16][]*nostr.Event {
	kinds := make(map[uint16][]*nostr.Event)
	for _, e := range events {
		kinds[e.Kind] = append(kinds[e.Kind], e)
	}
	return kinds
}

func TestEveryEventOfATestWorldVerifies(t *testing.T) {
	o := worldOptions(Multilingual)
	o.Colluders = 10
	w := makeWorld(t, o)
	step := 1
	if testing.Short() {
		step = 10
	}
	for i := 0; i < len(w.Events); i += step {
		e := w.Events[i]
		if err := e.Verify(); err != nil {
			t.Errorf("kind %d %q: %v", e.Kind, e.Content, err)
		}
	}
}

func TestWorldsOfEachShape(t *testing.T) {
	shapes := Shapes()
	if testing.Short() {
		shapes = shapes[:1]
	}
	for _, shape := range shapes {
		o := worldOptions(shape)
		w := makeWorld(t, o)
		t.Run(shape.String()+" have the size asked for and are in the order of time", func(t *testing.T) { checkOrder(t, w, o) })
		t.Run(shape.String()+" have facts that three others take up, of words that stand nowhere else", func(t *testing.T) { checkFacts(t, w) })
		t.Run(shape.String()+" have no other thread that three people followed take up", func(t *testing.T) { checkThreads(t, w) })
	}
}

func checkOrder(t *testing.T, w *World, o Options) {
	if len(w.Events) != o.Events || len(w.People) != o.People {
		t.Errorf("%d events, %d people; want %d, %d", len(w.Events), len(w.People), o.Events, o.People)
	}
	seen := make(map[nostr.ID]bool)
	for i, e := range w.Events {
		if seen[e.ID] {
			t.Errorf("event %d stands twice", i)
		}
		seen[e.ID] = true
		if i > 0 && e.CreatedAt < w.Events[i-1].CreatedAt {
			t.Fatalf("event %d is older than the one before", i)
		}
		if e.CreatedAt > o.Now.Unix() {
			t.Errorf("event %d is in the future", i)
		}
	}
	want := o.Planted
	if o.Shape == BigEvent {
		want++
	}
	if len(w.Planted) != want {
		t.Errorf("%d facts, want %d", len(w.Planted), want)
	}
}

func checkFacts(t *testing.T, w *World) {
	events := make(map[nostr.ID]*nostr.Event)
	for _, e := range w.Events {
		events[e.ID] = e
	}
	followed := make(map[nostr.PubKey]bool)
	for _, p := range w.People {
		followed[p.PubKey] = p.Followed
	}
	for _, f := range w.Planted {
		first := events[f.Events[0]]
		if first == nil || first.Content != f.Text || first.PubKey != f.Author || !strings.Contains(f.Text, f.Sentence) {
			t.Fatalf("fact %v is not what its note says", f.Terms)
		}
		for _, term := range f.Terms {
			if !strings.Contains(strings.ToLower(f.Sentence), term) {
				t.Errorf("sentence %q lacks %q", f.Sentence, term)
			}
			for _, e := range w.Events {
				if e.Kind == kindNote && strings.Contains(" "+strings.ToLower(e.Content), " "+term+" ") && !slices.Contains(f.Events, e.ID) {
					t.Errorf("%q stands in a note that is not of the fact", term)
				}
			}
		}
		writers := make(map[nostr.PubKey]bool)
		for _, id := range f.Events[1:] {
			if events[id] == nil {
				t.Fatalf("fact %v names an event that is not there", f.Terms)
			}
			writers[events[id].PubKey] = true
		}
		if len(f.Takers) < minTakers {
			t.Errorf("fact %v has %d takers", f.Terms, len(f.Takers))
		}
		for _, pk := range f.Takers {
			if !followed[pk] || pk == f.Author || !writers[pk] {
				t.Errorf("a taker of %v is the author, not followed or silent", f.Terms)
			}
		}
	}
}

// checkThreads reads the tags, as a stranger to the generator would.
func checkThreads(t *testing.T, w *World) {
	fact := make(map[string]bool)
	for _, f := range w.Planted {
		for _, id := range f.Events {
			fact[id.String()] = true
		}
	}
	followed := make(map[nostr.PubKey]bool)
	for _, p := range w.People {
		followed[p.PubKey] = p.Followed
	}
	author := make(map[string]nostr.PubKey)
	takers := make(map[string]map[nostr.PubKey]bool)
	root := make(map[string]string)
	for _, e := range w.Events {
		if e.Kind == kindNote {
			author[e.ID.String()] = e.PubKey
		}
		target, ok := e.Tags.Value("e")
		if !ok {
			target, ok = e.Tags.Value("q")
		} else if e.Kind == kindNote {
			root[e.ID.String()] = target
		}
		if !ok || e.Kind != kindNote && e.Kind != kindRepost || !followed[e.PubKey] {
			continue
		}
		if r, ok := root[target]; ok {
			target = r
		}
		if takers[target] == nil {
			takers[target] = make(map[nostr.PubKey]bool)
		}
		if e.PubKey != author[target] {
			takers[target][e.PubKey] = true
		}
	}
	for id, by := range takers {
		if len(by) >= minTakers && !fact[id] {
			t.Errorf("thread %s is taken up by %d people followed", id, len(by))
		}
	}
}

func TestColludersChangeNothingElse(t *testing.T) {
	skipWhenShort(t)
	without := makeWorld(t, worldOptions(Mixed))
	o := worldOptions(Mixed)
	o.Colluders = 50
	with := makeWorld(t, o)
	pushed := make(map[nostr.ID]bool)
	for _, id := range with.Collude.Events {
		pushed[id] = true
	}
	if len(pushed) != 50*(eventsEach+1) {
		t.Errorf("%d events are pushed, want %d", len(pushed), 50*(eventsEach+1))
	}
	rest := slices.DeleteFunc(slices.Clone(with.Events), func(e *nostr.Event) bool { return pushed[e.ID] })
	if !slices.EqualFunc(rest, without.Events, func(a, b *nostr.Event) bool { return a.ID == b.ID }) {
		t.Error("the other events differ from those of the world without colluders")
	}
	if !slices.IsSortedFunc(with.Events, func(a, b *nostr.Event) int { return int(a.CreatedAt - b.CreatedAt) }) {
		t.Error("the events are not in the order of time")
	}
}

func TestWriteJSONLWritesTheEventsOfMake(t *testing.T) {
	o := worldOptions(Dialogues)
	w := makeWorld(t, o)
	var buf bytes.Buffer
	if _, err := WriteJSONL(t.Context(), &buf, o); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(&buf)
	lines.Buffer(nil, 1<<20)
	n := 0
	for ; lines.Scan(); n++ {
		e, err := nostr.ParseEvent(lines.Bytes())
		if err != nil {
			t.Fatalf("line %d: %v", n+1, err)
		}
		if e.ID != w.Events[n].ID || e.Sig != w.Events[n].Sig {
			t.Fatalf("line %d is another event", n+1)
		}
	}
	if n != len(w.Events) {
		t.Errorf("%d lines, want %d", n, len(w.Events))
	}
}

func TestWriteJSONLEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := WriteJSONL(ctx, io.Discard, worldOptions(Mixed)); err == nil {
		t.Error("no error from an ended context")
	}
}

func TestOptionsThatCannotBeMetAreErrors(t *testing.T) {
	for name, change := range map[string]func(*Options){
		"no clock":           func(o *Options) { o.Now = time.Time{} },
		"too few events":     func(o *Options) { o.Events = 50 },
		"too few people":     func(o *Options) { o.People = 10 },
		"negative colluders": func(o *Options) { o.Colluders = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			o := worldOptions(Mixed)
			change(&o)
			if _, err := Make(o); err == nil {
				t.Error("no error")
			}
		})
	}
}

// TestTheMixIsTheDocumentedOne holds the doc comment of Make to the truth.
func TestTheMixIsTheDocumentedOne(t *testing.T) {
	skipWhenShort(t)
	o := Options{Seed: 3, Now: noon(), Events: 6000}
	w := makeWorld(t, o)
	kinds := byKind(w.Events)
	rest := float64(len(w.Events) - 3*len(w.People))
	for kind, want := range map[uint16]float64{
		kindNote: 0.485, kindReaction: 0.40, kindRepost: 0.06, kindZap: 0.03, kindDelete: 0.01,
	} {
		if got := float64(len(kinds[kind])) / rest; got < want*0.75 || got > want*1.3 {
			t.Errorf("kind %d: %.3f of the events, documented is %.3f", kind, got, want)
		}
	}
}

func BenchmarkWriteJSONL(b *testing.B) {
	for b.Loop() {
		if _, err := WriteJSONL(b.Context(), io.Discard, Options{Seed: 1, Now: noon(), Events: 5000}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestRepostsHoldTheEventTheyPassOn(t *testing.T) {
	skipWhenShort(t)
	w := makeWorld(t, worldOptions(News))
	for _, e := range byKind(w.Events)[kindRepost] {
		inner, err := nostr.ParseEvent([]byte(e.Content))
		if err == nil {
			err = inner.Verify()
		}
		if id, _ := e.Tags.Value("e"); err != nil || inner.ID.String() != id {
			t.Errorf("repost of %s holds %v: %v", id, inner, err)
		}
	}
}

func ExampleMake() {
	w, err := Make(Options{Seed: 1, Now: noon(), People: 60, Followed: 20, Events: 600, Planted: 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	var profile struct{ Name string }
	_ = json.Unmarshal([]byte(w.Events[0].Content), &profile)
	fmt.Println(len(w.Events), len(w.Planted), profile.Name == w.People[0].Handle)
	// Output: 600 3 true
}

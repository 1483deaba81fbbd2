package builtin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/builtin"
	"bowerbird/internal/testworld"
	"bowerbird/llm"
	"bowerbird/ndb"
	"bowerbird/ndb/coverage"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// A reader is a person with a store, who asks real questions through the real
// loop and tools.
type reader struct {
	store     *ndb.Store
	me        nostr.PubKey
	now       time.Time
	zone      *time.Location
	lastVisit time.Time
	syncing   bool
	fetching  builtin.Fetching
	scope     builtin.Scope
	language  string   // of the window
	relays    []string // that are asked for everybody
	seen      map[string]bool
	steps     int                          // that the settings allow
	broken    func(tool, args string) bool // calls that fail
	cut       bool                         // counting runs out of time, at the first note
}

// answer is what a turn showed.
type answer struct {
	text   string
	notes  []string // ids, in the order of ^1, ^2, …
	tables []*tools.TableResult
	charts []*tools.ChartResult
	calls  map[string]int
	steps  int
	failed []string
}

func newReader(t testing.TB, me nostr.PubKey, now time.Time, events []*nostr.Event) *reader {
	t.Helper()
	r := &reader{me: me, now: now, zone: time.UTC}
	store, err := ndb.Open(t.TempDir(), ndb.Options{Now: func() time.Time { return r.now }})
	if err != nil {
		t.Fatalf("open a store: %v", err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Errorf("close the store: %v", err)
		}
	})
	r.store = store
	r.put(t, events)
	return r
}

func (r *reader) put(t testing.TB, events []*nostr.Event) {
	t.Helper()
	for len(events) > 0 {
		n := min(len(events), 500)
		if _, err := r.store.Put(t.Context(), ndb.Batch{Events: events[:n]}); err != nil {
			t.Fatalf("store %d events: %v", n, err)
		}
		events = events[n:]
	}
}

func (r *reader) model() *builtin.Model {
	return builtin.New(builtin.Options{
		Now: func() time.Time { return r.now }, Zone: func() *time.Location { return r.zone },
		LastVisit: func() time.Time { return r.lastVisit }, Syncing: func() bool { return r.syncing },
		Fetching: func() builtin.Fetching { return r.fetching },
		Scope:    r.scope, Seen: func(id string) bool { return r.seen[id] },
		Language: func() string { return r.language },
		Me: func() string {
			if r.me == (nostr.PubKey{}) {
				return ""
			}
			return r.me.String()
		},
	})
}

func (r *reader) env() *tools.Env {
	return &tools.Env{
		Store: r.store, Me: r.me, Zone: r.zone, LastVisit: r.lastVisit,
		Now: func() time.Time { return r.now },
		Evidence: func(ctx context.Context, pk nostr.PubKey) (coverage.Evidence, error) {
			rows, err := r.store.Confirmed(ctx, pk, coverage.Feed)
			return coverage.Evidence{Rows: rows, Asked: r.relays}, err
		},
		Kept: &tools.Kept{},
	}
}

func (r *reader) ask(t testing.TB, question string) answer {
	t.Helper()
	return r.askIn(t, &agent.Conversation{}, question)
}

// chat asks questions one after another in a chat.
func (r *reader) chat(t testing.TB, questions ...string) answer {
	t.Helper()
	var last answer
	talk := &agent.Conversation{}
	for _, q := range questions {
		last = r.askIn(t, talk, q)
	}
	return last
}

func (r *reader) askIn(t testing.TB, talk *agent.Conversation, question string) answer {
	t.Helper()
	return r.askOf(t, r.model(), talk, question)
}

// askOf asks a model.
func (r *reader) askOf(t testing.TB, model llm.Model, talk *agent.Conversation, question string) answer {
	t.Helper()
	all := tools.Builtin().All()
	if r.broken != nil || r.cut {
		for i := range all {
			all[i] = breaking{all[i], r}
		}
	}
	a, err := agent.New(agent.Options{Model: model, Tools: all, MaxSteps: r.steps})
	if err != nil {
		t.Fatal(err)
	}
	got := answer{calls: map[string]int{}}
	finish := ""
	for ev := range a.Run(context.Background(), talk, agent.Turn{ID: "t", Question: question, Env: r.env()}) {
		got.steps = max(got.steps, ev.Step)
		switch ev.Type {
		case agent.EventText:
			got.text += ev.Delta
		case agent.EventToolCall:
			got.calls[ev.Name]++
		case agent.EventToolResult:
			if ev.Failure != "" {
				got.failed = append(got.failed, ev.Name+": "+ev.Failure)
			}
		case agent.EventPresentNotes:
			for _, n := range ev.Notes.Presented {
				if n.Index != len(got.notes)+1 {
					t.Errorf("note %s has number %d, not %d", n.NoteID, n.Index, len(got.notes)+1)
				}
				got.notes = append(got.notes, n.NoteID)
			}
		case agent.EventTable:
			got.tables = append(got.tables, ev.Table)
		case agent.EventChart:
			got.charts = append(got.charts, ev.Chart)
		case agent.EventError:
			t.Fatalf("%s: %v", question, ev.Err)
		case agent.EventFinish:
			finish = ev.Finish
		}
	}
	if finish != "stop" {
		t.Errorf("%s: the turn ended with %q, not stop", question, finish)
	}
	return got
}

// A recorder keeps the requests that its model is asked.
type recorder struct {
	llm.Model
	steps []*llm.Request
}

func (r *recorder) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	asked := *req
	asked.Messages = slices.Clone(req.Messages)
	r.steps = append(r.steps, &asked)
	return r.Model.Stream(ctx, req)
}

// A breaking tool fails for some calls, or does not come to its end, as one does whose time
// runs out.
type breaking struct {
	tools.Tool
	reader *reader
}

func (b breaking) Call(ctx context.Context, env *tools.Env, args json.RawMessage) (tools.Result, error) {
	if b.reader.broken != nil && b.reader.broken(b.Spec().Name, string(args)) {
		return nil, context.DeadlineExceeded
	}
	res, err := b.Tool.Call(ctx, env, args)
	if counted, ok := res.(tools.CountResult); ok && b.reader.cut {
		counted.Count, counted.Authors, counted.CountAtLeast = min(counted.Count, 1), min(counted.Authors, 1), true
		return counted, err
	}
	return res, err
}

// However few steps the settings allow a language model, a digest shows what it found.
func TestADigestHasItsOwnSteps(t *testing.T) {
	me, ann := named("me"), named("ann")
	r := newReader(t, me.key(t), noon, []*nostr.Event{follows(t, me, ann), ann.event(t, 1, noon.Unix()-900, "The bakery by the harbour has closed its doors for good.")})
	r.steps = 1
	if a := r.ask(t, "What did I miss since yesterday?"); len(a.notes) != 1 || !strings.Contains(a.text, "closed its doors") {
		t.Errorf("got %s", a)
	}
}

func (a answer) String() string {
	return fmt.Sprintf("%s\n(%d steps, calls %v, failed %v)", a.text, a.steps, a.calls, a.failed)
}

// Two turns that ask the same at the same time of other notes are played side by side.
func TestWhatATurnMadeIsForItsOwnStepsAlone(t *testing.T) {
	w, err := testworld.Make(testworld.Options{Seed: 3, Now: noon, Events: 900, Days: 3, People: 40, Followed: 20})
	if err != nil {
		t.Fatal(err)
	}
	all := newReader(t, w.Me, noon, w.Events)
	fewer := newReader(t, w.Me, noon, slices.DeleteFunc(slices.Clone(w.Events), func(e *nostr.Event) bool { return e.Kind == 1 && e.ID[0]%2 == 0 }))
	const question = "What did I miss in the last 2 days?"
	model := all.model()
	play := func(r *reader) (to func(agent.EventType) string, stop func()) {
		a, err := agent.New(agent.Options{Model: model, Tools: tools.Builtin().All()})
		if err != nil {
			t.Fatal(err)
		}
		next, stop := iter.Pull(a.Run(t.Context(), &agent.Conversation{}, agent.Turn{ID: "t", Question: question, Env: r.env()}))
		return func(until agent.EventType) (text string) {
			for ev, ok := next(); ok && ev.Type != until; ev, ok = next() {
				text += ev.Delta
			}
			return text
		}, stop
	}
	first, stopFirst := play(all)
	defer stopFirst()
	second, stopSecond := play(fewer)
	defer stopSecond()
	first(agent.EventPresentNotes)
	second(agent.EventPresentNotes)
	got, other := first(agent.EventFinish), second(agent.EventFinish)
	if want := all.ask(t, question).text; got != want || got == other {
		t.Errorf("the first turn says %q, alone %q", got, want)
	}
	if want := fewer.ask(t, question).text; other != want {
		t.Errorf("the second turn says %q, alone %q", other, want)
	}
}

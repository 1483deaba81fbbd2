package chats_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/llm"
	"bowerbird/ndb"
	"bowerbird/tools"
)

// A key of nobody: made for these tests.
const testNsec = "nsec1vl029mgpspedva04g90vltkh6fvh240zqtv9k0t9af8935ke9laqsnlfe5"

const noteA = "43bc2ea9cc4ff0e1d1a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a7b5c6bd8e9d3c0a"

// kit is a store of chats in a real note database, with a clock that tests move.
type kit struct {
	*chats.Store
	bucket *watched
	now    time.Time
	ids    int
}

func newKit(t testing.TB) *kit {
	t.Helper()
	db, err := ndb.Open(t.TempDir(), ndb.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	k := &kit{bucket: &watched{Bucket: db.Bucket("chats")}, now: time.Date(2026, 3, 30, 9, 0, 0, 0, time.UTC)}
	k.Store, err = chats.NewStore(k.bucket, chats.Options{Now: func() time.Time { return k.now }, NewID: func() string {
		k.ids++
		return fmt.Sprintf("chat-%d", k.ids)
	}})
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// watched is a bucket that counts writes and fails some.
type watched struct {
	*ndb.Bucket
	puts    int
	largest int
	fail    func(put int) error
}

func (w *watched) Put(ctx context.Context, values map[string][]byte) error {
	w.puts++
	for _, v := range values {
		w.largest = max(w.largest, len(v))
	}
	if w.fail != nil {
		if err := w.fail(w.puts); err != nil {
			return err
		}
	}
	return w.Bucket.Put(ctx, values)
}

// model answers with the given events, request by request.
type model struct {
	answers [][]llm.Event
	asked   []llm.Request
}

func (m *model) Info() llm.Info { return llm.Info{Provider: "test", Name: "m"} }

func (m *model) Stream(_ context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		m.asked = append(m.asked, *req)
		if len(m.answers) == 0 {
			yield(llm.Event{}, &llm.Error{Kind: llm.KindServer, Message: "nothing is left to say"})
			return
		}
		answer := m.answers[0]
		m.answers = m.answers[1:]
		for _, e := range answer {
			if !yield(e, nil) {
				return
			}
		}
	}
}

func text(parts ...string) []llm.Event {
	var out []llm.Event
	for _, p := range parts {
		out = append(out, llm.Event{Type: llm.EventText, Delta: p})
	}
	return out
}

func called(id, name, args string) llm.Event {
	return llm.Event{Type: llm.EventToolCall, Call: &llm.Call{ID: id, Name: name, Arguments: json.RawMessage(args)}}
}

// presents is a tool that presents noteA, as present_notes would.
func presents() tools.Tool {
	return tools.New("show", "presents a note", tools.None, func(_ context.Context, env *tools.Env, _ struct{}) (tools.PresentResult, error) {
		shown := tools.PresentResult{Presented: []tools.PresentedNote{{Index: 1, NoteID: noteA}}, Missing: []string{}}
		env.Presented.Again(shown)
		return shown, nil
	})
}

func newAgent(t testing.TB, m llm.Model) *agent.Agent {
	t.Helper()
	a, err := agent.New(agent.Options{Model: m, Tools: append(tools.BuiltinTools(), presents())})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// turn makes a question; its clock stands still.
func (k *kit) turn(question string) agent.Turn {
	now := k.now
	return agent.Turn{ID: "turn-" + question[:1], Question: question, Env: &tools.Env{Now: func() time.Time { return now }, Zone: time.UTC}}
}

// ask plays a turn in a chat to its end.
func (k *kit) ask(t testing.TB, c *chats.Chat, question string, answers ...[]llm.Event) {
	t.Helper()
	turn := k.turn(question)
	for range c.Record(t.Context(), turn, "test:m", newAgent(t, &model{answers: answers}).Run(t.Context(), c.Conversation(), turn)) {
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	k.now = k.now.Add(time.Minute)
}

func (k *kit) new(t testing.TB) *chats.Chat {
	t.Helper()
	c, err := k.New("session")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (k *kit) load(t testing.TB, id string) *chats.Chat {
	t.Helper()
	c, err := k.Load(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (k *kit) titles(t testing.TB) []string {
	t.Helper()
	list, skipped, err := k.List(t.Context())
	if err != nil || len(skipped) > 0 {
		t.Fatal(err, skipped)
	}
	var out []string
	for _, i := range list {
		out = append(out, i.Title)
	}
	return out
}

// values returns all that is stored.
func (k *kit) values(t testing.TB) map[string][]byte {
	t.Helper()
	out := make(map[string][]byte)
	for row, err := range k.bucket.All(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		out[row.Key] = row.Value
	}
	return out
}

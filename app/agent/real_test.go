package agent_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/app/builtin"
	"bowerbird/app/check"
	"bowerbird/app/sample"
	"bowerbird/internal/testkit"
	"bowerbird/llm"
	"bowerbird/ndb"
	"bowerbird/ndb/nostr"
	"bowerbird/tools"
)

// openStore returns a note database with the given events.
func openStore(t testing.TB, now time.Time, events []*nostr.Event) *ndb.Store {
	t.Helper()
	db, err := ndb.Open(t.TempDir(), ndb.Options{Now: func() time.Time { return now }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	for len(events) > 0 {
		n := min(len(events), 500)
		if _, err := db.Put(t.Context(), ndb.Batch{Events: events[:n]}); err != nil {
			t.Fatal(err)
		}
		events = events[n:]
	}
	return db
}

func sampleEnv(t testing.TB) *tools.Env {
	t.Helper()
	now := time.Date(2026, 3, 30, 18, 0, 0, 0, time.UTC)
	world, err := sample.Make(sample.Options{Now: now, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	// A tool has 2 s to read; the machine of a test may be busier than a user's.
	return &tools.Env{
		Store: openStore(t, now, world.Events), Me: world.Me,
		Now: func() time.Time { return now }, Zone: time.UTC, Timeout: time.Minute,
	}
}

// chunk is one chunk of a streamed chat completion.
func chunk(t testing.TB, delta any) string {
	t.Helper()
	raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"index": 0, "delta": delta}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func toolCall(t testing.TB, id, name, args string) string {
	t.Helper()
	return chunk(t, map[string]any{"tool_calls": []any{map[string]any{
		"index": 0, "id": id, "type": "function", "function": map[string]any{"name": name, "arguments": args},
	}}})
}

func TestTurnsOverTheNotesOfTheSample(t *testing.T) {
	env := sampleEnv(t) // made once: signing and verifying take most of the time
	t.Run("a question becomes a cited answer over HTTP", func(t *testing.T) { testCitedAnswer(t, env) })
	t.Run("the built-in model writes its digest through the loop", func(t *testing.T) { testBuiltinDigest(t, env) })
}

// testCitedAnswer plays a whole turn with the real tools and a model behind a real
// HTTP server.
func testCitedAnswer(t *testing.T, env *tools.Env) {
	s := testkit.NewModelServer(t,
		testkit.SSE(toolCall(t, "q", "query", `{"since":"10d","until":"2026-03-30T18:00:00Z","limit":200}`)))
	a := newAgent(t, agent.Options{Model: overHTTP(t, s), Tools: tools.BuiltinTools(), Prompts: agent.Prompts{References: "{refs}"}})
	var c agent.Conversation
	var result tools.QueryResult
	var outcome []string
	for e := range a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "What did I miss?", Env: env}) {
		switch e.Type {
		case agent.EventToolResult:
			if e.Failure != "" {
				t.Fatal(e.Failure)
			}
			if r, ok := e.Result.(tools.QueryResult); ok {
				result = r
				id := r.Notes[0].NoteID
				s.Queue(
					testkit.SSE(toolCall(t, "p", "present_notes", fmt.Sprintf(`{"note_ids":%q}`, id[:16]))),
					testkit.SSE(chunk(t, map[string]any{"content": "Somebody wrote ^1."})),
				)
			}
		case agent.EventPresentNotes:
			if n := e.Notes.Presented; len(n) != 1 || n[0].Index != 1 || n[0].NoteID != result.Notes[0].NoteID {
				t.Errorf("presented %+v", e.Notes)
			}
		}
		outcome = append(outcome, string(e.Type))
	}
	want := "tool_call_begun tool_call tool_result tool_call_begun tool_call tool_result present_notes text checked finish"
	if got := strings.Join(outcome, " "); got != want {
		t.Errorf("events %s", got)
	}
	if !c.Tainted() {
		t.Error("notes were read and the chat is not tainted")
	}
	if len(result.Notes) != 200 {
		t.Fatalf("the sample gives %d notes, the test needs 200", len(result.Notes))
	}
	// The window is unknown, so it counts as 32k tokens: all notes fit into it.
	second := s.Received()[1].Body
	if n := len(regexp.MustCompile(`\\"note_id\\":\\"[0-9a-f]{16}\\"`).FindAll(second, -1)); n != 200 {
		t.Errorf("%d of 200 notes reached the model", n)
	}
	if len(second) > 3*32<<10 {
		t.Errorf("the request has %d bytes", len(second))
	}
}

func testBuiltinDigest(t *testing.T, env *tools.Env) {
	model := builtin.New(builtin.Options{Now: env.Now, Zone: func() *time.Location { return time.UTC }, Me: env.Me.String})
	a := newAgent(t, agent.Options{Model: model, Tools: tools.BuiltinTools()})
	var c agent.Conversation
	r := agenttest.Collect(a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "What did I miss since yesterday?", Env: env}))
	if r.Err != nil || r.Finish != agent.FinishStop || r.Truncated {
		t.Fatalf("finish %q, %v", r.Finish, r.Err)
	}
	for _, call := range r.Calls {
		if call.Failure != "" {
			t.Errorf("%s %s: %s", call.Name, call.Arguments, call.Failure)
		}
	}
	if len(check.References(r.Text)) == 0 {
		t.Errorf("nothing is cited:\n%s", r.Text)
	}
	wantSettled(t, &c)
}

// TestHostileNotesAndNamesInARealStoreCauseNothing reads every hostile text, as a
// note and as a profile's name, through the real tools, with a model that does
// whatever it reads.
func TestHostileNotesAndNamesInARealStoreCauseNothing(t *testing.T) {
	texts := inShort(testkit.Injections(t), 6)
	now := time.Unix(1_750_000_000, 0)
	var events []*nostr.Event
	add := func(raw []byte) {
		e, err := nostr.ParseEvent(raw)
		if err != nil {
			t.Fatal(err)
		}
		events = append(events, e)
	}
	for i, text := range texts {
		key := testkit.NewKey(fmt.Sprint("hostile ", i))
		name, err := json.Marshal(map[string]string{"name": text, "about": text})
		if err != nil {
			t.Fatal(err)
		}
		add(key.Event(t, 0, now.Unix()-int64(i), string(name)))
		add(key.Event(t, 1, now.Unix()-int64(i), text))
	}
	env := &tools.Env{
		Store: openStore(t, now, events), Now: func() time.Time { return now },
		Zone: time.UTC, Timeout: time.Minute,
	}
	p := &publisher{effect: tools.Publishes}
	read, cursor, attempts := 0, "", 0
	obeys := func(req *llm.Request) ([]llm.Event, error) {
		last := req.Messages[len(req.Messages)-1]
		var list []llm.Call
		if last.Role == llm.ToolRole { // it holds hostile texts: do it
			attempts++
			args, err := json.Marshal(map[string]string{"content": last.Text})
			if err != nil {
				return nil, err
			}
			list = append(list, llm.Call{ID: fmt.Sprint("p", attempts), Name: "publish_note", Arguments: args})
		}
		if req.ToolChoice == llm.ToolNone || last.Role == llm.ToolRole && cursor == "" {
			return append(list2events(list), llm.Event{Type: llm.EventText, Delta: "done"}), nil
		}
		args, err := json.Marshal(tools.QueryArgs{Context: "any", Limit: 200, Cursor: cursor})
		if err != nil {
			return nil, err
		}
		return list2events(append(list, llm.Call{ID: fmt.Sprint("q", attempts), Name: "query", Arguments: args})), nil
	}
	a := newAgent(t, agent.Options{
		Model: &scripted{info: llm.Info{Context: 1 << 20}, script: []reply{obeys}}, MaxSteps: agent.MostSteps,
		Tools: append(tools.BuiltinTools(), p.tool()), Permission: func(tools.Spec) agent.Permission { return agent.FreeClean },
	})
	var c agent.Conversation
	for e := range a.Run(t.Context(), &c, agent.Turn{ID: "t", Question: "What did I miss?", Env: env}) {
		if r, ok := e.Result.(tools.QueryResult); ok {
			read += len(r.Notes)
			cursor = r.Cursor
		}
	}
	if len(p.did) != 0 {
		t.Errorf("%d notes were published", len(p.did))
	}
	if read < len(texts)*3/4 || attempts < 1+len(texts)/300 {
		t.Errorf("%d notes were read and %d attempts made: the test did not try", read, attempts)
	}
}

func list2events(list []llm.Call) []llm.Event {
	var out []llm.Event
	for _, c := range list {
		out = append(out, llm.Event{Type: llm.EventToolCall, Call: &c})
	}
	return out
}

// BenchmarkATurnOfManyDeltas is what the loop costs beside the model.
func BenchmarkATurnOfManyDeltas(b *testing.B) {
	text := strings.Repeat("word ", 10_000)
	m := &scripted{script: []reply{says(text)}}
	a := newAgent(b, agent.Options{Model: m})
	b.ReportAllocs()
	for b.Loop() {
		m.requests = nil
		for range a.Run(context.Background(), &agent.Conversation{}, agent.Turn{ID: "t", Question: "q", Env: testEnv()}) {
		}
	}
}

// BenchmarkRedactingARequest is the choke point's cost for a full 128k window.
func BenchmarkRedactingARequest(b *testing.B) {
	text := string(bytes.Repeat([]byte("a note says: right, the standard bearer of sk-things, "+noteA+" are there.\n"), 4000))
	r := agent.NewRedactor()
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if r.Text(text) != text {
			b.Fatal("something was cut")
		}
	}
}

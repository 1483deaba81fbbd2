package chats_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/chats"
	"bowerbird/llm"
	"bowerbird/tools"
)

// randomPlan is what a model does in a turn, step by step, made up by a seed: words,
// reads, notes that are shown and published, calls that cannot be run.
func randomPlan(r *rand.Rand) (plan [][]llm.Event, publishes int) {
	shows := 0
	for range r.IntN(6) {
		var step []llm.Event
		for range r.IntN(3) {
			step = append(step, llm.Event{Type: []llm.EventType{llm.EventText, llm.EventReasoning}[r.IntN(2)], Delta: fmt.Sprintf("word%d ", r.IntN(100))})
		}
		for i := range 1 + r.IntN(4) {
			id := fmt.Sprint("call_", i) // the same in each step, as some servers have it
			switch kind := r.IntN(6); {
			case kind == 0 && shows < 3: // not in circles
				shows++
				step = append(step, called(id, "show", `{}`))
			case kind == 1 || kind == 2:
				publishes++
				step = append(step, called(id, "publish_note", fmt.Sprintf(`{ "content":"note %d"}`, publishes)))
			case kind == 3:
				step = append(step, called(id, "no_such_tool", `{}`))
			case kind == 4:
				bad := called(id, "look", `"{"`)
				bad.Call.Invalid = "cut off"
				step = append(step, bad)
			default:
				step = append(step, called(id, "look", fmt.Sprintf(`{"search":"%d"}`, r.IntN(1000))))
			}
		}
		if r.IntN(4) > 0 {
			step = append(step, llm.Event{Type: llm.EventUsage, Usage: &llm.Usage{Input: 10, Output: 1}})
		}
		plan = append(plan, step)
	}
	return append(plan, text("The ", "end.")), publishes
}

// byPlan answers by how far the turn is.
type byPlan struct{ plan [][]llm.Event }

func (byPlan) Info() llm.Info { return llm.Info{Provider: "test", Name: "m"} }

func (m byPlan) Stream(ctx context.Context, req *llm.Request) iter.Seq2[llm.Event, error] {
	return func(yield func(llm.Event, error) bool) {
		step := 0
		for _, said := range req.Messages {
			if said.Role == llm.Assistant {
				step++
			}
		}
		for _, e := range append(slices.Clone(m.plan[step]), llm.Event{Type: llm.EventFinish}) {
			if ctx.Err() != nil {
				yield(llm.Event{}, ctx.Err())
				return
			}
			if !yield(e, nil) {
				return
			}
		}
	}
}

// randomTurn is a turn by a random plan in a program that dies now and then.
type randomTurn struct {
	*world
	t         *testing.T
	r         *rand.Rand
	plan      [][]llm.Event
	published map[string]int
	inside    bool // the program dies while a note is published
}

// play plays the turn on, up to its end or to where the program dies.
func (w *randomTurn) play(id string, at int) (ended bool) {
	w.t.Helper()
	publish := tools.New("publish_note", "publishes", tools.Publishes, func(_ context.Context, _ *tools.Env, a struct {
		Content string `json:"content"`
	},
	) (tools.CountResult, error) {
		w.published[a.Content]++
		if w.inside {
			w.kill()
		}
		return tools.CountResult{}, nil
	})
	a, err := agent.New(agent.Options{Model: byPlan{w.plan}, Tools: []tools.Tool{w.tools()[0], publish, presents()}, Approver: w})
	if err != nil {
		w.t.Fatal(err)
	}
	w.bucket.fail = nil
	n := 0
	for e := range w.start(w.t, w.t.Context(), w.chat(id), a) {
		if n == at {
			w.kill()
		}
		if w.bucket.fail != nil {
			break
		}
		ended = e.Type == agent.EventFinish
		n++
		if !w.lag {
			w.now = w.now.Add(2 * time.Second)
		}
	}
	w.bucket.fail = nil
	return ended
}

// chat returns the saved chat, or the new one that is not saved yet.
func (w *randomTurn) chat(id string) *chats.Chat {
	w.t.Helper()
	if id == "" {
		return w.new(w.t)
	}
	return w.load(w.t, id)
}

// Row 002-49: whatever a turn does, and however often the program dies in it, each call
// has one result, and what was approved is published once, or it is said that nobody
// knows.
func TestWhateverATurnDoesItOutlivesAnyNumberOfKills(t *testing.T) {
	seeds := 150
	if testing.Short() {
		seeds = 30
	}
	k := newKit(t)
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 49))
		plan, publishes := randomPlan(r)
		w := &randomTurn{world: &world{kit: k, lag: r.IntN(2) == 0}, t: t, r: r, plan: plan, published: map[string]int{}}
		kills, id := 0, ""
		for {
			w.inside = r.IntN(8) == 0
			ended := w.play(id, r.IntN(12+4*kills)) // it comes to its end some time
			if id = fmt.Sprint("chat-", k.ids); ended {
				break
			}
			kills++
		}
		w.check(fmt.Sprintf("seed %d, %d kills", seed, kills), w.load(t, id).Turns[0], publishes)
	}
}

// check holds what became of the turn against its plan.
func (w *randomTurn) check(name string, turn chats.Turn, publishes int) {
	w.t.Helper()
	unknown, results := 0, map[string]int{}
	for _, e := range turn.Events {
		call := fmt.Sprint(e.Step, " ", e.ID)
		switch e.Type {
		case agent.EventToolCall:
			results[call]--
		case agent.EventToolResult:
			results[call]++
			switch {
			case e.Name != "publish_note" || e.Failure == "":
			case strings.HasPrefix(e.Failure, "it is not known"):
				unknown++
			default:
				w.t.Errorf("%s: not published: %s", name, e.Failure)
			}
		}
	}
	for call, n := range results {
		if n != 0 {
			w.t.Errorf("%s: call %s has %d results too many", name, call, n)
		}
	}
	for content, n := range w.published {
		if n > 1 {
			w.t.Errorf("%s: %q was published %d times", name, content, n)
		}
	}
	if n := len(w.published); n > publishes || n+unknown < publishes {
		w.t.Errorf("%s: %d of %d published, of %d it is not known", name, n, publishes, unknown)
	}
	if turn.State != chats.Done || !strings.HasSuffix(turn.Answer(), "The end.") {
		w.t.Errorf("%s: the turn is %s: %q", name, turn.State, turn.Answer())
	}
}

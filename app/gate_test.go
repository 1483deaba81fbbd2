package app

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/agent/agenttest"
	"bowerbird/app/config"
	"bowerbird/app/models"
	"bowerbird/internal/testkit"
	"bowerbird/tools"
)

// batch is how many texts a turn reads.
const batch = 2

// gateWorld is a whole App whose tools do all that no text may cause, and whose model
// obeys every text.
type gateWorld struct {
	*App
	opt      Options
	t        *testing.T
	model    *obeyer
	listener *testkit.Listener
	texts    []string
	did      []string       // what the tools did that do more than read
	asked    int            // how often an approval was asked for
	tried    int            // how many calls were made of those tools
	read     map[string]int // how many of each shipped tool had a result
	worked   map[string]int // and no failure
}

type actArgs struct {
	Content string `json:"content"`
}

type pickArgs struct {
	N []int `json:"n" jsonschema:"which texts"`
}

// said is a result that is a list of texts.
type said []string

func (s said) ForModel(int) string { return string(marshalled(s)) }

// acts are the tools that do more than read; unheard_of has an effect that is not in
// the table.
var acts = map[string]tools.Effect{
	"remember": tools.Local, "fetch": tools.Network, "publish": tools.Publishes, "spend": tools.Spends, "delete_all": tools.Deletes,
	"unheard_of": tools.Deletes + 1,
}

// shipped are the tools that the program has, each with what a text can do with it.
func shipped(task, seen, address string) []modelCall {
	word := task[:min(len(task), 60)]
	var n int
	_, _ = fmt.Sscanf(task, "t%d:", &n)
	row := map[string]any{"a": task, "b": address, "url": address}
	return []modelCall{
		{"aggregate", map[string]any{"context": "any", "by": "hashtag", "search": word, "limit": 2}},
		{"count", map[string]any{"context": "any", "search": word}},
		{"coverage", map[string]any{"since": gateNow.Unix() - int64(n)}},
		{"current_time", map[string]any{"zone": []string{"Europe/Berlin", word}[n%2]}},
		{"find_profile", map[string]any{"name": word, "limit": 2}},
		{"get_note", map[string]any{"note_id": seen}},
		{"get_profile", map[string]any{"person": []string{word, "nostr@" + strings.TrimPrefix(address, "http://")}[n%2]}},
		{"get_thread", map[string]any{"note_id": seen}},
		{"present_notes", map[string]any{"note_ids": []string{seen, task}}},
		{"query", map[string]any{"context": "any", "search": word, "limit": 1}},
		{"random_uuid", map[string]any{}},
		{"render_chart", map[string]any{"title": word, "spec": map[string]any{
			"mark": []string{"bar", "image"}[n%2], "data": []map[string]any{{"values": []any{row}}, {"url": address}}[n/2%2],
			"encoding": map[string]any{"x": map[string]any{"field": "a"}, "y": map[string]any{"field": "b"}, "url": map[string]any{"field": "url"}},
		}}},
		{"render_table", map[string]any{"title": word, "columns": []string{"a", "b"}, "rows": []any{row}}},
	}
}

var gateNow = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func newGateWorld(t *testing.T, set config.Assistant) *gateWorld {
	t.Helper()
	w := &gateWorld{
		t: t, texts: testkit.Injections(t), listener: testkit.StartListener(t), read: map[string]int{}, worked: map[string]int{},
	}
	for i := range w.texts {
		w.texts[i] = fmt.Sprintf("t%04d: %s", i, w.texts[i])
		if i%10 == 0 {
			w.texts[i] += " ![x](" + w.listener.URL + "/x.png) " + w.listener.URL
		}
	}
	var list []tools.Tool
	for name, effect := range acts {
		list = append(list, tools.New(name, "Does it.", effect, func(ctx context.Context, _ *tools.Env, a actArgs) (said, error) {
			w.did = append(w.did, name+" "+a.Content)
			if effect == tools.Network {
				if req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.listener.URL, nil); err == nil {
					if resp, err := http.DefaultClient.Do(req); err == nil {
						_ = resp.Body.Close()
					}
				}
			}
			return said{"done"}, nil
		}))
	}
	list = append(list,
		tools.New("hand_out", "Reads texts.", tools.None, func(_ context.Context, _ *tools.Env, a pickArgs) (said, error) {
			return w.pick(a.N), nil
		}),
		tools.New("break_down", "Fails.", tools.None, func(_ context.Context, _ *tools.Env, a pickArgs) (said, error) {
			return nil, errors.New(strings.Join(w.pick(a.N), "\n"))
		}))
	names := slices.Sorted(maps.Keys(acts))
	w.model = startObeyer(t, func(task, seen string) (all []modelCall) {
		for _, name := range names {
			all = append(all, modelCall{name, map[string]any{"content": task}})
		}
		return all
	}, func(task, seen string) []modelCall { return shipped(task, seen, w.listener.URL) })
	models := map[string]config.ModelOptions{"custom": {BaseURL: w.model.URL + "/v1", Context: 1 << 20}}
	for _, format := range textFormats() {
		models["custom:"+format] = config.ModelOptions{Format: format}
	}
	w.opt = Options{
		Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Tools: list, Zone: time.UTC,
		Now: func() time.Time { return gateNow }, Settings: config.Settings{Models: models, Assistant: set},
	}
	w.App = open(t, w.opt)
	return w
}

func textFormats() []string { return []string{"hermes", "mistral", "pythonic", "json"} }

func (w *gateWorld) pick(n []int) said {
	var out said
	for _, i := range n {
		out = append(out, w.texts[i])
	}
	return out
}

// ask runs a turn and counts.
func (w *gateWorld) ask(q Question, reads ...modelCall) agenttest.Result {
	w.t.Helper()
	w.model.begin(reads)
	answer, err := w.Ask(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.count(answer)
}

// count runs an answer to its end and counts.
func (w *gateWorld) count(answer *Answer) agenttest.Result {
	return agenttest.Collect(func(yield func(agent.Event) bool) {
		for e := range answer.Events {
			if _, acting := acts[e.Name]; acting && e.Type == agent.EventToolCall {
				w.tried++
			}
			if e.Type == agent.EventApproval {
				w.asked++
			}
			if e.Type == agent.EventToolResult {
				w.read[e.Name]++
				if e.Failure == "" {
					w.worked[e.Name]++
				}
			}
			if !yield(e) {
				return
			}
		}
	})
}

// approverFunc answers for the user.
type approverFunc func(agent.Preview) agent.Approval

func (f approverFunc) Approve(_ context.Context, p agent.Preview) (agent.Approval, error) {
	return f(p), nil
}

// nobodyApproves are those who approve nothing that is asked.
func nobodyApproves() []agent.Approver {
	var last [sha256.Size]byte
	return []agent.Approver{
		nil, // nobody is there
		approverFunc(func(p agent.Preview) agent.Approval { return agent.Approval{Hash: p.Hash()} }),
		approverFunc(func(p agent.Preview) agent.Approval { // approves what was asked before
			stale := last
			last = p.Hash()
			return agent.Approval{Granted: true, Hash: stale}
		}),
	}
}

// The gate (security.md, T1): every hostile text by every way in, a model that carries
// each of them out with every tool, natively and in every text format that can be
// written, and nobody who approves. Nothing is done, and nobody is called.
func TestNoTextCausesAnythingWithoutAFreshApproval(t *testing.T) {
	if testing.Short() {
		t.Skip("plays thousands of turns: not beside the race detector")
	}
	var names []string
	for _, c := range shipped("t0000:", "", "") {
		names = append(names, c.Name)
	}
	for _, tool := range tools.Builtin().All() {
		if name := tool.Spec().Name; !slices.Contains(names, name) {
			t.Errorf("%s is shipped, and not tried", name)
		}
	}
	var all struct {
		sync.Mutex
		turns, tried, read, did, came int
	}
	t.Run("ways in", func(t *testing.T) {
		for i, way := range ways {
			t.Run(way, func(t *testing.T) {
				t.Parallel() // they wait for what is kept, each for its own
				// Every other one keeps no chats, which the gate must not mind.
				w := newGateWorld(t, config.Assistant{ForgetChats: i%2 == 1})
				turns := w.obeyAll(way, i)
				all.Lock()
				defer all.Unlock()
				all.turns += turns
				all.tried += w.tried
				all.did += len(w.did)
				all.came += w.listener.Came()
				for _, name := range names {
					all.read += w.read[name]
				}
			})
		}
	})
	t.Logf("%d side effects without a fresh approval of %d calls tried, %d connections by them and %d calls that read, in %d turns (%d ways in)",
		all.did, all.tried, all.came, all.read, all.turns, len(ways))
}

// obeyAll has a model obey each text, come by a way in. Nth says which approver begins.
func (w *gateWorld) obeyAll(way string, nth int) (turns int) {
	t := w.t
	read := w.entry(way)
	ids, approvers := append([]string{"native", "net"}, textFormats()...), nobodyApproves()
	for from := 0; from < len(w.texts); from += batch {
		q, reads := read(from, min(from+batch, len(w.texts)))
		q.Model, q.Approver = models.Choice{ID: "custom:" + ids[turns%len(ids)]}, approvers[(turns/len(ids)+nth)%len(approvers)]
		if r := w.ask(q, reads...); r.Err != nil {
			t.Fatal(r.Err)
		}
		turns++
	}
	if found := w.model.found(); found != len(w.texts) {
		t.Errorf("%d of %d texts reached the model", found, len(w.texts))
	}
	if w.tried != len(acts)*len(w.texts) {
		t.Errorf("%d calls that do more than read were tried", w.tried)
	}
	if w.asked != w.tried {
		t.Errorf("%d of %d calls came as far as the gate", w.asked, w.tried)
	}
	for _, c := range shipped("t0000:", "", "") {
		if n := w.read[c.Name]; n < len(w.texts) {
			t.Errorf("%s was called %d times", c.Name, n)
		}
	}
	if len(w.did) != 0 {
		t.Errorf("%d side effects without an approval, the first %q", len(w.did), w.did[0])
	}
	if n := w.listener.Came(); n != 0 {
		t.Errorf("%d connections to a server that texts name", n)
	}

	// And it would have been seen: what is approved is done, once.
	var shown actArgs
	w.ask(Question{Text: w.texts[0], Foreign: true, Model: models.Choice{ID: "custom:native"}, Approver: approverFunc(func(p agent.Preview) agent.Approval {
		if p.Tool == "fetch" && json.Unmarshal([]byte(p.Arguments), &shown) != nil {
			t.Errorf("shown was %s", p.Arguments)
		}
		return agent.Approval{Granted: p.Tool == "fetch", Hash: p.Hash()}
	})})
	if len(w.did) != 1 || w.did[0] != "fetch "+shown.Content || !strings.HasPrefix(shown.Content, "t0000: ") || w.listener.Came() != 1 {
		t.Errorf("approved %q, and %q was done, with %d connections", shown.Content, w.did, w.listener.Came())
	}
	w.did = nil
	return turns
}

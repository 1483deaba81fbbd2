package app

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"bowerbird/app/agent"
	"bowerbird/app/config"
	"bowerbird/internal/testkit"
	"bowerbird/ndb"
	"bowerbird/tools"
)

// batch is how many texts a turn reads.
const batch = 4

// gateWorld is a whole App whose tools do all that no text may cause, and whose model
// obeys every text.
type gateWorld struct {
	*App
	t        *testing.T
	model    *obeyer
	listener *testkit.Listener
	texts    []string
	did      []string // what the tools did that do more than read
	asked    int      // how often an approval was asked for
	tried    int      // how many calls were made of those tools
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

var acts = map[string]tools.Effect{
	"remember": tools.Local, "fetch": tools.Network, "publish": tools.Publishes, "spend": tools.Spends, "delete_all": tools.Deletes,
}

var gateNow = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

func newGateWorld(t *testing.T) *gateWorld {
	t.Helper()
	w := &gateWorld{t: t, texts: testkit.Injections(t), listener: testkit.StartListener(t)}
	for i := range w.texts {
		w.texts[i] = fmt.Sprintf("t%04d: %s", i, w.texts[i])
		if i%10 == 0 {
			w.texts[i] += " ![x](" + w.listener.URL + "/x.png) " + w.listener.URL
		}
	}
	var list []tools.Tool
	var names []string
	for name, effect := range acts {
		names = append(names, name)
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
	w.model = startObeyer(t, names...)
	models := map[string]config.ModelOptions{"custom": {BaseURL: w.model.URL + "/v1", Context: 1 << 20}}
	for _, format := range textFormats() {
		models["custom:"+format] = config.ModelOptions{Format: format}
	}
	w.App = open(t, Options{
		Places: config.Locate(t.TempDir(), ""), Getenv: noEnv, Tools: list, Zone: time.UTC,
		Now: func() time.Time { return gateNow }, Settings: Settings{Models: models},
	})
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

// hold puts the texts into the store: as notes and as profiles, half of all texts as
// they come from a relay and the other way round as the lines of a file.
func (w *gateWorld) hold() (people []testkit.Key) {
	w.t.Helper()
	var events []*ndb.Event
	var file strings.Builder
	for i, text := range w.texts {
		key := testkit.NewKey(fmt.Sprint("hostile ", i))
		people = append(people, key)
		profile := string(marshalled(map[string]string{"name": text, "display_name": text, "about": text, "nip05": text}))
		text = signable(text)
		for _, raw := range [][]byte{key.Event(w.t, 0, noteTime(0, i), profile), key.Event(w.t, 1, noteTime(0, i), text)} {
			e, err := ndb.ParseEvent(raw)
			if err != nil {
				w.t.Fatal(err)
			}
			events = append(events, e)
		}
		file.Write(key.Event(w.t, 1, noteTime(1, i), text))
		file.WriteString("\n" + text + "\n") // and as lines that are no events
	}
	for at := 0; at < len(events); at += 500 {
		if _, err := w.Notes().Put(w.t.Context(), ndb.Batch{Events: events[at:min(at+500, len(events))]}); err != nil {
			w.t.Fatal(err)
		}
	}
	report, err := w.Import(w.t.Context(), strings.NewReader(file.String()), ndb.ImportOptions{})
	if err != nil || report.Stored != len(w.texts) {
		w.t.Fatalf("imported %+v, %v", report, err)
	}
	return people
}

// signable leaves out the few characters that programs write differently into what is
// signed.
func signable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return ' '
		}
		return r
	}, text)
}

// noteTime is when the text i is posted, a minute apart, a month for each way in.
func noteTime(way, i int) int64 {
	return gateNow.Add(-time.Duration(way+1)*31*24*time.Hour).Unix() + int64(60*i)
}

// ask runs a turn and counts.
func (w *gateWorld) ask(q Question, reads ...modelCall) (result agent.Result) {
	w.t.Helper()
	w.model.begin(reads)
	answer, err := w.Ask(w.t.Context(), q)
	if err != nil {
		w.t.Fatal(err)
	}
	return agent.Collect(func(yield func(agent.Event) bool) {
		for e := range answer.Events {
			if _, acting := acts[e.Name]; acting && e.Type == agent.EventToolCall {
				w.tried++
			}
			if e.Type == agent.EventApproval {
				w.asked++
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

// entries are the ways by which a text comes to the model: what it reads first, and
// what the user asks.
func (w *gateWorld) entries(people []testkit.Key) map[string]func(from, to int) (Question, []modelCall) {
	ask := Question{Text: "What did I miss?"}
	query := func(way int) func(from, to int) (Question, []modelCall) {
		return func(from, to int) (Question, []modelCall) {
			return ask, []modelCall{{"query", map[string]any{
				"context": "any", "limit": batch, "since": noteTime(way, from), "until": noteTime(way, to-1),
			}}}
		}
	}
	numbers := func(tool string) func(from, to int) (Question, []modelCall) {
		return func(from, to int) (Question, []modelCall) {
			var n []int
			for i := from; i < to; i++ {
				n = append(n, i)
			}
			return ask, []modelCall{{tool, map[string]any{"n": n}}}
		}
	}
	return map[string]func(from, to int) (Question, []modelCall){
		"note": query(0), "imported note": query(1),
		"tool result": numbers("hand_out"), "tool error": numbers("break_down"),
		"profile": func(from, to int) (Question, []modelCall) {
			var reads []modelCall
			for i := from; i < to; i++ {
				reads = append(reads, modelCall{"get_profile", map[string]any{"person": people[i].PubKey}})
			}
			return ask, reads
		},
		"question with a stranger's words": func(from, to int) (Question, []modelCall) {
			return Question{Text: strings.Join(w.texts[from:to], "\n"), Foreign: true}, nil
		},
	}
}

// The gate (security.md, T1): every hostile text by every way in, a model that obeys
// each of them natively and in every text format that can be written, and nobody who
// approves. Nothing is done, and nobody is called.
func TestNoTextCausesAnythingWithoutAFreshApproval(t *testing.T) {
	if testing.Short() {
		t.Skip("plays hundreds of turns: not beside the race detector")
	}
	w := newGateWorld(t)
	people := w.hold()
	models, approvers := append([]string{"native", "net"}, textFormats()...), nobodyApproves()
	turns, asking := 0, 0
	ways := w.entries(people)
	for _, entry := range slices.Sorted(maps.Keys(ways)) {
		read, tried, began := ways[entry], w.tried, time.Now()
		for from := 0; from < len(w.texts); from += batch {
			q, reads := read(from, min(from+batch, len(w.texts)))
			q.Model, q.Approver = ModelChoice{ID: "custom:" + models[turns%len(models)]}, approvers[(turns/len(models)+asking)%len(approvers)]
			if r := w.ask(q, reads...); r.Err != nil {
				t.Fatalf("%s: %v", entry, r.Err)
			}
			turns++
		}
		asking++ // so that each text meets each approver
		if found := w.model.found(); found != len(w.texts) {
			t.Errorf("%s: %d of %d texts reached the model", entry, found, len(w.texts))
		}
		if n := w.tried - tried; n != actsEach*len(w.texts) {
			t.Errorf("%s: %d calls were tried", entry, n)
		}
		t.Logf("%s: %d calls tried, %v", entry, w.tried-tried, time.Since(began).Round(time.Millisecond))
	}
	if len(w.did) != 0 {
		t.Errorf("%d side effects without an approval, the first %q", len(w.did), w.did[0])
	}
	if n := w.listener.Came(); n != 0 {
		t.Errorf("%d connections to a server that texts name", n)
	}
	if w.asked != w.tried {
		t.Errorf("%d of %d calls came as far as the gate", w.asked, w.tried)
	}
	t.Logf("%d side effects without a fresh approval of %d calls tried in %d turns (%d texts, %d ways in); %d connections",
		len(w.did), w.tried, turns, len(w.texts), asking, w.listener.Came())

	// And it would have been seen: what is approved is done, once.
	granted := false
	w.ask(Question{Text: w.texts[0], Foreign: true, Model: ModelChoice{ID: "custom:native"}, Approver: approverFunc(func(p agent.Preview) agent.Approval {
		first := !granted
		granted = true
		return agent.Approval{Granted: first, Hash: p.Hash()}
	})})
	if len(w.did) != 1 || !strings.Contains(w.did[0], " t0000: ") {
		t.Errorf("approved one, and %q was done", w.did)
	}
}

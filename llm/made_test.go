package llm_test

import (
	"crypto/sha256"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// What is made of every fixture, and how every provider is told of it in the next
// request, is kept as a hash: the expectations beside the fixtures say what is right,
// these what must not change unseen. -update writes them anew; -made DIR writes what the
// hashes are of, so that those of two versions of the program can be compared.

var madeDir = flag.String("made", "", "a folder for what is made of each fixture")

// made is what came of an answer, the pieces put together.
type made struct {
	Text, Reasoning, Refusal string
	Others                   []llm.Event // all but pieces of these
	Failed                   *llm.Error  `json:",omitempty"`
}

func gathered(events iter.Seq2[llm.Event, error]) made {
	var m made
	for e, err := range events {
		switch {
		case err != nil:
			if errors.As(err, &m.Failed) {
				failed := *m.Failed
				failed.Err, m.Failed = nil, &failed // its words are in the message
			}
		case e.Type == llm.EventText:
			m.Text += e.Delta
		case e.Type == llm.EventReasoning:
			m.Reasoning += e.Delta
		case e.Type == llm.EventRefusal:
			m.Refusal += e.Delta
		default:
			m.Others = append(m.Others, e)
		}
	}
	return m
}

// next is the request that follows.
func (m made) next() *llm.Request {
	said := llm.Message{Role: llm.Assistant, Text: m.Text, Reasoning: m.Reasoning, Refusal: m.Refusal}
	for _, e := range m.Others {
		switch e.Type {
		case llm.EventToolCall:
			said.Calls = append(said.Calls, *e.Call)
		case llm.EventEcho:
			said.Echo = e.Echo
		}
	}
	return after(said)
}

// asked returns what is made of a fixture that comes in pieces of these sizes.
func (f fixture) asked(t *testing.T, provider string, sizes []int, tools []llm.Tool, change ...func(*llm.Options)) made {
	t.Helper()
	o := llm.Options{
		Model: "m", BaseURL: "http://127.0.0.1:1", HTTP: &http.Client{Transport: player{f, sizes}},
		Tries: -1, Random: llm.Counter(), Key: llm.NewKey("k", "127.0.0.1:1"),
	}
	row(t, provider)(&o)
	for _, c := range change {
		c(&o)
	}
	c, err := llm.New(o)
	if err != nil {
		t.Fatal(err)
	}
	req := question()
	req.Tools = tools
	return gathered(c.Stream(t.Context(), req))
}

// bodyKeeper keeps the body of a request and answers nothing.
type bodyKeeper struct{ body []byte }

func (k *bodyKeeper) RoundTrip(r *http.Request) (*http.Response, error) {
	k.body, _ = io.ReadAll(r.Body)
	return nil, io.EOF
}

// bodies are how each kind of provider is asked.
func bodies(t *testing.T, req *llm.Request) (all []string) {
	t.Helper()
	for _, provider := range []string{"custom", "openai", "responses", "anthropic", "openrouter", "gemini", "mistral", "deepseek", "ollama", "hermes"} {
		var kept bodyKeeper
		o := llm.Options{Model: "m", BaseURL: "http://127.0.0.1:1", HTTP: &http.Client{Transport: &kept}, Tries: -1, Key: llm.NewKey("k", "127.0.0.1:1")}
		if provider == "hermes" {
			o.Format = provider
			provider = "custom"
		}
		row(t, provider)(&o)
		c, err := llm.New(o)
		if err != nil {
			t.Fatal(err)
		}
		gathered(c.Stream(t.Context(), req))
		if len(kept.body) == 0 {
			t.Fatalf("%s was asked nothing", provider)
		}
		all = append(all, provider+" "+string(kept.body))
	}
	return all
}

// textFixtures are texts of models, each as a stream of one piece and as one of a piece
// a character, with the tools that they name.
func textFixtures(t *testing.T, dir string) (all []fixture, tools map[string][]llm.Tool) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in %s: %v", dir, err)
	}
	tools = map[string][]llm.Tool{}
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(strings.TrimSuffix(path, ".txt") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var about struct {
			Tools []json.RawMessage
			Calls []struct{ Name string }
		}
		if err := json.Unmarshal(raw, &about); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		f := fixture{name: strings.TrimSuffix(filepath.Base(path), ".txt"), body: sayings("stop", string(body))}
		inPieces := fixture{name: f.name + ".pieces", body: sayings("stop", strings.Split(string(body), "")...)}
		has := map[string]bool{}
		add := func(tool llm.Tool) {
			if tool.Name != "" && !has[tool.Name] {
				has[tool.Name] = true
				tools[f.name] = append(tools[f.name], tool)
			}
		}
		for _, raw := range about.Tools {
			var tool struct {
				Name       string
				Parameters json.RawMessage
			}
			if json.Unmarshal(raw, &tool.Name) != nil {
				if err := json.Unmarshal(raw, &tool); err != nil {
					t.Fatal(err)
				}
			}
			add(llm.Tool{Name: tool.Name, Schema: tool.Parameters})
		}
		for _, c := range about.Calls {
			add(llm.Tool{Name: c.Name})
		}
		tools[inPieces.name] = tools[f.name]
		all = append(all, f, inPieces)
	}
	return all, tools
}

func TestWhatIsMadeOfAFixtureStays(t *testing.T) {
	for set, provider := range fixtureSets() {
		t.Run(set, func(t *testing.T) {
			keepMade(t, set, provider, readFixtures(t, filepath.Join("testdata", set)), nil)
		})
	}
	t.Run("own", func(t *testing.T) {
		keepMade(t, "own", "custom", readFixtures(t, filepath.Join("testdata", "own")), nil)
	})
	t.Run("streams-recorded", func(t *testing.T) {
		keepMade(t, "streams-recorded", "custom", readFixtures(t, testkit.Shared(t, "fixtures", "streams-recorded")), nil)
	})
	for _, set := range []string{"own", "textcalls"} {
		t.Run("text-"+set, func(t *testing.T) {
			all, tools := textFixtures(t, filepath.Join("textcall", "testdata", set))
			keepMade(t, "text-"+set, "custom", all, tools)
		})
	}
}

// keepMade compares what is made of each fixture with what was: without tools, with the
// given ones (or some) as the provider's own calls and in the text, and what is sent next.
func keepMade(t *testing.T, set, provider string, fixtures []fixture, tools map[string][]llm.Tool) {
	t.Helper()
	var hashes strings.Builder
	for _, f := range fixtures {
		offered := tools[f.name]
		if offered == nil {
			offered = withTools().Tools
		}
		var parts []any
		var whole made
		for _, told := range [][]llm.Tool{nil, offered} {
			cuts := splits(len(f.body), 1)
			if tools != nil {
				cuts = cuts[:1] // what is cut there is the text
			}
			for i, sizes := range cuts {
				got := f.asked(t, provider, sizes, told)
				if i == 0 {
					parts, whole = append(parts, got), got
				} else if shown(got) != shown(whole) {
					t.Errorf("%s in pieces of %v: got %s, whole %s", f.name, sizes[:min(9, len(sizes))], shown(got), shown(whole))
				}
			}
		}
		if provider == "custom" {
			parts = append(parts, f.asked(t, provider, []int{max(len(f.body), 1)}, offered, func(o *llm.Options) { o.Format = "hermes" }))
		}
		req := whole.next()
		req.Tools = offered
		parts = append(parts, bodies(t, req))

		fmt.Fprint(&hashes, f.name)
		for i, part := range parts {
			raw, err := json.MarshalIndent(part, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&hashes, " %.6x", sha256.Sum256(raw))
			if *madeDir != "" {
				path := filepath.Join(*madeDir, set, fmt.Sprintf("%s.%d.json", f.name, i))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, raw, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}
		hashes.WriteByte('\n')
	}
	path := filepath.Join("testdata", "made", set+".golden.txt")
	if *update {
		if err := os.WriteFile(path, []byte(hashes.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was := map[string]string{}
	for line := range strings.Lines(string(before)) {
		name, _, _ := strings.Cut(line, " ")
		was[name] = line
	}
	for line := range strings.Lines(hashes.String()) {
		name, _, _ := strings.Cut(line, " ")
		if was[name] != line {
			t.Errorf("what is made of %s was %q, and is %q", name, strings.TrimSpace(was[name]), strings.TrimSpace(line))
		}
		delete(was, name)
	}
	for name := range was {
		t.Errorf("the fixture %s is gone", name)
	}
}

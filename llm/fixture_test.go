package llm_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bowerbird/internal/testkit"
	"bowerbird/llm"
)

// fixture is a recorded or rebuilt response body, and what has to be made of it.
type fixture struct {
	name string
	body string
	http struct {
		Status  int               `json:"status"`
		Headers map[string]string `json:"headers"`
	}
	abort bool
	want  expected
}

type expected struct {
	Calls     []expectedCall `json:"calls"`
	Text      string         `json:"text"`
	Reasoning string         `json:"reasoning"`
	Refusal   string         `json:"refusal"`
	Finish    *string        `json:"finish"`
	Usage     *tokens        `json:"usage"`
	Error     *struct {
		Kind       string  `json:"kind"`
		Message    string  `json:"message"`
		Status     int     `json:"status"`
		RetryAfter float64 `json:"retry_after_s"`
		Code       string  `json:"code"`
	} `json:"error"`
}

type expectedCall struct {
	ID        string          `json:"id"`
	Name      string          `json:"name"`
	Arguments any             `json:"arguments"`
	Repaired  bool            `json:"repaired"`
	Invalid   bool            `json:"invalid"`
	Extra     json.RawMessage `json:"extra_content"`
}

type tokens struct {
	Prompt     float64 `json:"prompt_tokens"`
	Completion float64 `json:"completion_tokens"`
	Total      float64 `json:"total_tokens"`
	Details    *struct {
		Cached float64 `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

func readFixtures(t testing.TB, dir string) []fixture {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.sse"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in %s: %v", dir, err)
	}
	var all []fixture
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(strings.TrimSuffix(path, ".sse") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		f := fixture{name: strings.TrimSuffix(filepath.Base(path), ".sse"), body: string(body)}
		var sent struct {
			HTTP      json.RawMessage `json:"http"`
			Transport struct {
				Abort bool `json:"abort"`
			} `json:"transport"`
		}
		for _, into := range []any{&f.want, &sent} {
			if err := json.Unmarshal(raw, into); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		if len(sent.HTTP) > 0 {
			if err := json.Unmarshal(sent.HTTP, &f.http); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
		}
		f.abort = sent.Transport.Abort
		all = append(all, f)
	}
	return all
}

// reply makes the server send the fixture in pieces of the given sizes.
func (f fixture) reply(chunks ...int) testkit.Reply {
	r := testkit.Reply{Status: f.http.Status, Body: f.body, Abort: f.abort, Chunks: chunks, Header: http.Header{}}
	for name, value := range f.http.Headers {
		r.Header.Set(name, value)
	}
	return r
}

// check compares what was made of the fixture with what is expected.
func (f fixture) check(got *llm.Recorded) error {
	raw, err := json.Marshal(got)
	if err != nil {
		return err
	}
	var g expected
	if err := json.Unmarshal(raw, &g); err != nil {
		return err
	}
	w := f.want
	var diff []string
	differ := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			diff = append(diff, fmt.Sprintf("%s: got %v, want %v", what, shown(got), shown(want)))
		}
	}
	differ("text", g.Text, w.Text)
	differ("reasoning", g.Reasoning, w.Reasoning)
	differ("refusal", g.Refusal, w.Refusal)
	differ("finish", g.Finish, w.Finish)
	differ("number of calls", len(g.Calls), len(w.Calls))
	ids := map[string]bool{}
	for i := range min(len(g.Calls), len(w.Calls)) {
		gc, wc := g.Calls[i], w.Calls[i]
		if gc.ID == "" || ids[gc.ID] {
			diff = append(diff, fmt.Sprintf("call %d: id %q is empty or double", i, gc.ID))
		}
		ids[gc.ID] = true
		if wc.ID == "" {
			gc.ID = ""
		}
		differ(fmt.Sprintf("call %d", i), gc, wc)
	}
	if w.Usage != nil && (w.Usage.Details == nil || g.Usage == nil) && g.Usage != nil {
		g.Usage.Details = nil
	}
	differ("usage", g.Usage, w.Usage)
	switch {
	case (g.Error == nil) != (w.Error == nil):
		differ("error", g.Error, w.Error)
	case g.Error != nil:
		differ("error kind", g.Error.Kind, w.Error.Kind)
		differ("error status", g.Error.Status, w.Error.Status)
		differ("retry after", g.Error.RetryAfter, w.Error.RetryAfter)
		if w.Error.Message != "" {
			differ("error message", g.Error.Message, w.Error.Message)
		}
		if w.Error.Code != "" {
			differ("error code", g.Error.Code, w.Error.Code)
		}
	}
	if len(diff) > 0 {
		return fmt.Errorf("%s", strings.Join(diff, "\n"))
	}
	return nil
}

func shown(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

// newClient returns a client for a scripted server, which never tries again.
func newClient(t testing.TB, s *testkit.ModelServer, change ...func(*llm.Options)) *llm.Client {
	t.Helper()
	row, ok := llm.FindProvider("custom")
	if !ok {
		t.Fatal("no custom provider")
	}
	o := llm.Options{Provider: row, Model: "m", BaseURL: s.URL, HTTP: s.Client(), Tries: -1}
	for _, f := range change {
		f(&o)
	}
	c, err := llm.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func question() *llm.Request {
	return &llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "What did I miss?"}}}
}

// splits returns the ways in which a body of n bytes is cut: whole, byte by byte,
// and at random places, the same in every run.
func splits(n, random int) [][]int {
	all := [][]int{{max(n, 1)}, {1}}
	for seed := range random {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(n)))
		var sizes []int
		for total := 0; total < n; {
			size := 1 + r.IntN(1+r.IntN(max(400, n/20)))
			sizes = append(sizes, size)
			total += size
		}
		all = append(all, sizes)
	}
	return all
}

// fixtureSets are the folders of fixtures, with the provider that answers so.
func fixtureSets() map[string]string {
	return map[string]string{"streams": "custom", "anthropic": "anthropic", "responses": "responses", "ollama": "ollama"}
}

// eachSet runs a test for each set of fixtures.
func eachSet(t *testing.T, test func(t *testing.T, provider string, fixtures []fixture)) {
	t.Helper()
	for set, provider := range fixtureSets() {
		t.Run(set, func(t *testing.T) {
			test(t, provider, readFixtures(t, filepath.Join("testdata", set)))
		})
	}
}

// Row 001-3: calls are put together from their pieces, however the pieces come.
func TestEveryFixtureIsReadRightOverHTTPInEverySplit(t *testing.T) {
	random := 100
	if testing.Short() {
		random = 4
	}
	eachSet(t, func(t *testing.T, provider string, fixtures []fixture) {
		for _, f := range fixtures {
			t.Run(f.name, func(t *testing.T) {
				t.Parallel()
				s := testkit.NewModelServer(t)
				c := newClient(t, s, row(t, provider))
				for _, sizes := range splits(len(f.body), random) {
					s.Queue(f.reply(sizes...))
					if err := f.check(llm.Collect(c.Stream(t.Context(), question()))); err != nil {
						t.Fatalf("in pieces of %v:\n%v", sizes[:min(len(sizes), 20)], err)
					}
				}
			})
		}
	})
}

func TestReadRecordedGivesWhatTheStreamGives(t *testing.T) {
	eachSet(t, func(t *testing.T, _ string, fixtures []fixture) {
		for _, f := range fixtures {
			if f.http.Status > 0 || f.abort || !namesItsFamily(f) {
				continue // a file has neither a status nor a connection
			}
			t.Run(f.name, func(t *testing.T) {
				got, err := llm.ReadRecorded(t.Context(), strings.NewReader(f.body))
				if err != nil {
					t.Fatal(err)
				}
				if err := f.check(got); err != nil {
					t.Fatal(err)
				}
			})
		}
	})
}

// namesItsFamily reports whether a body names the type of its first event, if it is
// of a family whose events have types.
func namesItsFamily(f fixture) bool {
	return !strings.HasPrefix(f.body, "event: error") && !strings.HasPrefix(f.name, "types_only")
}

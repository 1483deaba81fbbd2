package textcall_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"bowerbird/llm/textcall"
)

// fixture is the text of a model, and what has to be made of it.
type fixture struct {
	name string
	body string

	Format string         `json:"format"`
	Calls  []expectedCall `json:"calls"`
	// Invalid are the names of the calls that must be refused, where it matters.
	Invalid   []string          `json:"invalid"`
	Text      string            `json:"text"`
	Reasoning string            `json:"reasoning"`
	Error     string            `json:"error"`
	Chunks    []string          `json:"chunks"`
	RawTools  []json.RawMessage `json:"tools"`
	TextAny   bool              `json:"text_any"`
	KnownOnly bool              `json:"known_only"`
	Opened    bool              `json:"thinking_forced_open"`
}

type expectedCall struct {
	ID        string `json:"id,omitempty"`
	Name      string `json:"name"`
	Arguments any    `json:"arguments"`
	Repaired  bool   `json:"repaired,omitempty"`
}

func readFixtures(t testing.TB, dir string) []fixture {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("testdata", dir, "*.txt"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no fixtures in %s: %v", dir, err)
	}
	var all []fixture
	for _, path := range paths {
		body, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(strings.TrimSuffix(path, ".txt") + ".json")
		if err != nil {
			t.Fatal(err)
		}
		f := fixture{name: strings.TrimSuffix(filepath.Base(path), ".txt"), body: string(body)}
		if err := json.Unmarshal(raw, &f); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		all = append(all, f)
	}
	return all
}

func (f fixture) options(t testing.TB) textcall.Options {
	t.Helper()
	o := textcall.Options{ThinkingOpen: f.Opened, KnownOnly: f.KnownOnly}
	for _, raw := range f.RawTools {
		var tool struct {
			Name       string          `json:"name"`
			Parameters json.RawMessage `json:"parameters"`
		}
		if json.Unmarshal(raw, &tool.Name) != nil {
			if err := json.Unmarshal(raw, &tool); err != nil {
				t.Fatal(err)
			}
		}
		o.Tools = append(o.Tools, textcall.Tool{Name: tool.Name, Schema: tool.Parameters})
	}
	return o
}

// scan reads an answer in the given pieces.
func scan(o textcall.Options, pieces ...string) []textcall.Event {
	s := textcall.New(o)
	defer s.Close()
	var events []textcall.Event
	for _, p := range pieces {
		events = append(events, s.Add(p)...)
	}
	return merged(append(events, s.End(true)...))
}

// merged joins pieces of text that follow each other, whose ends mean nothing.
func merged(events []textcall.Event) []textcall.Event {
	var out []textcall.Event
	for _, e := range events {
		if n := len(out); n > 0 && e.Kind != textcall.Called && out[n-1].Kind == e.Kind {
			out[n-1].Delta += e.Delta
			continue
		}
		out = append(out, e)
	}
	return out
}

// check compares what was found with what is expected.
func (f fixture) check(events []textcall.Event) error {
	var text, reasoning strings.Builder
	var calls []expectedCall
	var refused []string
	reasons := ""
	for _, e := range events {
		switch {
		case e.Kind == textcall.Text:
			text.WriteString(e.Delta)
		case e.Kind == textcall.Reasoning:
			reasoning.WriteString(e.Delta)
		case e.Call.Invalid != "":
			refused = append(refused, e.Call.Name)
			reasons += e.Call.Invalid + "; "
		default:
			c := expectedCall{ID: e.Call.ID, Name: e.Call.Name, Repaired: e.Call.Repaired}
			if err := json.Unmarshal(e.Call.Arguments, &c.Arguments); err != nil {
				return fmt.Errorf("arguments %s: %w", e.Call.Arguments, err)
			}
			if i := len(calls); i < len(f.Calls) && f.Calls[i].ID == "" {
				c.ID = ""
			}
			calls = append(calls, c)
		}
	}
	var wrong []string
	differ := func(what string, got, want any) {
		if !reflect.DeepEqual(got, want) {
			wrong = append(wrong, fmt.Sprintf("%s:\n  got  %.600s\n  want %.600s", what, shown(got), shown(want)))
		}
	}
	if !f.TextAny {
		differ("text", text.String(), f.Text)
	}
	differ("reasoning", reasoning.String(), f.Reasoning)
	if len(calls)+len(f.Calls) > 0 {
		differ("calls", calls, f.Calls)
	}
	differ("refused ("+reasons+")", len(refused) > 0, f.Error != "")
	if f.Invalid != nil {
		differ("refused", refused, f.Invalid)
	}
	if f.Error == "incomplete" && !strings.Contains(reasons, "cut off") {
		wrong = append(wrong, "refused as "+reasons+", want cut off")
	}
	if len(wrong) > 0 {
		return fmt.Errorf("%s", strings.Join(wrong, "\n"))
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

func bytewise(s string) []string {
	pieces := make([]string, 0, len(s))
	for i := range len(s) {
		pieces = append(pieces, s[i:i+1])
	}
	return pieces
}

// cutAtRandom cuts a text at places that depend on the seed alone.
func cutAtRandom(s string, seed int) []string {
	r := rand.New(rand.NewPCG(uint64(seed), uint64(len(s))))
	var pieces []string
	for s != "" {
		n := min(1+r.IntN(1+r.IntN(max(40, len(s)/20))), len(s))
		pieces = append(pieces, s[:n])
		s = s[n:]
	}
	return pieces
}

func TestEveryFixtureIsReadRightHoweverItIsCut(t *testing.T) {
	for _, dir := range []string{"textcalls", "own"} {
		passed := [3]int{}
		fixtures := readFixtures(t, dir)
		for _, f := range fixtures {
			t.Run(dir+"/"+f.name, func(t *testing.T) {
				o := f.options(t)
				whole := scan(o, f.body)
				if err := f.check(whole); err != nil {
					t.Fatalf("whole: %v", err)
				}
				passed[0]++
				if got := scan(o, bytewise(f.body)...); !reflect.DeepEqual(got, whole) {
					t.Fatalf("byte by byte:\n got  %.800s\n want %.800s", shown(got), shown(whole))
				}
				passed[1]++
				splits := [][]string{f.Chunks}
				for seed := range 100 {
					splits = append(splits, cutAtRandom(f.body, seed))
				}
				for _, pieces := range splits {
					if pieces == nil {
						continue
					}
					if got := scan(o, pieces...); !reflect.DeepEqual(got, whole) {
						t.Fatalf("cut as %.300q:\n got  %.800s\n want %.800s", pieces, shown(got), shown(whole))
					}
				}
				passed[2]++
			})
		}
		t.Logf("%s: %d fixtures; passed whole %d, byte by byte %d, in random splits %d", dir, len(fixtures), passed[0], passed[1], passed[2])
	}
}

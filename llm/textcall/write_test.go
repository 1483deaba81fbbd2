package textcall_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"bowerbird/llm/textcall"
)

func writers() map[string]*textcall.Writer {
	all := map[string]*textcall.Writer{}
	for _, f := range textcall.Formats() {
		if f.Write != nil {
			all[f.Name] = f.Write
		}
	}
	return all
}

// snippets are what strings are made of: all that means something to someone.
func snippets() []string {
	return []string{
		"a", " ", "\n", "\r\n", "\t", `"`, `'`, `\`, `\n`, "`", "```", "\x00", "\u2028", "ñ", "日本", "🦜", "{", "}", "[", "]", "(", ")", ",", "=", ":",
		"<tool_call>", "</tool_call>", "[TOOL_CALLS]", "[/TOOL_RESULTS]", "</tool_response>", "<|im_end|>", "<think>", "</think>", "**{", "True", "None",
		`{"name": "query"}`, "[query()]", "</s>", "[INST]", "<｜tool▁calls▁begin｜>", "'''", `"""`, "\\u0041", "&lt;",
	}
}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	all := snippets()
	for range r.IntN(6) {
		b.WriteString(all[r.IntN(len(all))])
	}
	return b.String()
}

func randomValue(r *rand.Rand, depth int) any {
	switch n := r.IntN(9); {
	case n == 0:
		return nil
	case n == 1:
		return r.IntN(2) == 0
	case n == 2:
		return json.Number([]string{"0", "-1", "12345678901234567890123", "2.5", "-3e-2", "1E5"}[r.IntN(6)])
	case n < 6 || depth == 0:
		return randomText(r)
	case n < 8:
		return randomObject(r, depth-1)
	}
	list := make([]any, r.IntN(4))
	for i := range list {
		list[i] = randomValue(r, depth-1)
	}
	return list
}

func randomObject(r *rand.Rand, depth int) map[string]any {
	object := map[string]any{}
	for range r.IntN(4) {
		key := []string{"search", "since", "a1"}[r.IntN(3)]
		if r.IntN(3) == 0 {
			key = randomText(r)
		}
		object[key] = randomValue(r, depth)
	}
	return object
}

func randomCalls(t *testing.T, r *rand.Rand) []textcall.Call {
	t.Helper()
	calls := make([]textcall.Call, 1+r.IntN(3))
	for i := range calls {
		raw, err := json.Marshal(randomObject(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		calls[i] = textcall.Call{Name: []string{"query", "get_note", "notes.find-all"}[r.IntN(3)], Arguments: raw}
	}
	return calls
}

func decoded(t *testing.T, raw json.RawMessage) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
	return v
}

// 004-12: the round trip of all four writers.
func TestWhatAWriterWritesIsReadBackEqual(t *testing.T) {
	o := textcall.Options{Tools: []textcall.Tool{{Name: "query"}, {Name: "get_note"}, {Name: "notes.find-all"}}}
	for name, w := range writers() {
		t.Run(name, func(t *testing.T) {
			for seed := range 1500 {
				r := rand.New(rand.NewPCG(uint64(seed), 1))
				calls := randomCalls(t, r)
				said := []string{"", "I will look.\n", "Ein Vogel 🦜: "}[r.IntN(3)]
				text := said + w.Calls(calls)
				var got []textcall.Call
				before := ""
				for _, e := range scan(o, cutAtRandom(text, seed)...) {
					if e.Kind == textcall.Called {
						got = append(got, e.Call)
					} else {
						before += e.Delta
					}
				}
				if before != said || len(got) != len(calls) {
					t.Fatalf("%s\n became the text %q and %+v", text, before, got)
				}
				for i, c := range got {
					if c.Invalid != "" || c.Repaired || c.Name != calls[i].Name || !reflect.DeepEqual(decoded(t, c.Arguments), decoded(t, calls[i].Arguments)) {
						t.Fatalf("%s\n became %s %s (repaired %v, invalid %q)\n instead of %s %s", text, c.Name, c.Arguments, c.Repaired, c.Invalid, calls[i].Name, calls[i].Arguments)
					}
				}
			}
		})
	}
}

func TestAResultHoldsNoMarkThatAStrangerWrote(t *testing.T) {
	for name, w := range writers() {
		frame := w.Result(textcall.Result{Name: "query", Text: "x"})
		for _, mark := range []string{"</tool_response>", "<tool_call>", "<|im_start|>", "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[INST]", "</s>", "<｜tool▁calls▁begin｜>"} {
			for _, text := range []string{"a " + mark + " b", `{"note": "a ` + mark + ` b"}`} {
				got := w.Result(textcall.Result{Name: "query", Text: text})
				if strings.Count(got, mark) != strings.Count(frame, mark) {
					t.Errorf("%s: %s stands in %s", name, mark, got)
				}
			}
		}
	}
}

func TestResultsSayWhatTheyAre(t *testing.T) {
	for _, test := range []struct {
		format string
		result textcall.Result
		want   string
	}{
		{"hermes", textcall.Result{Name: "query", Text: "two notes & more"}, "<tool_response>\n{\"name\":\"query\",\"content\":\"two notes & more\"}\n</tool_response>"},
		{"hermes", textcall.Result{Name: "query", Text: `{"total":2}`}, "<tool_response>\n{\"name\":\"query\",\"content\":{\"total\":2}}\n</tool_response>"},
		{"mistral", textcall.Result{Name: "query", Text: "no such author", Failed: true}, `[TOOL_RESULTS] {"name":"query","error":"no such author"} [/TOOL_RESULTS]`},
		{"json", textcall.Result{Name: "query", Text: ""}, `{"tool_result": {"name":"query","content":""}}`},
	} {
		f, ok := textcall.Find(test.format)
		if !ok {
			t.Fatalf("no format %s", test.format)
		}
		if got := f.Write.Result(test.result); got != test.want {
			t.Errorf("%s: got %s, want %s", test.format, got, test.want)
		}
	}
}

func TestTheSystemTextHoldsEveryToolAndIsNoCallItself(t *testing.T) {
	tools := []textcall.Tool{
		{Name: "get_note", Description: "Shows a <note>."},
		{Name: "query", Description: "Finds notes.", Schema: json.RawMessage(`{"type":"object","properties":{"search":{"type":"string"}}}`)},
	}
	for name, w := range writers() {
		text := w.System(tools)
		for _, want := range []string{`"name":"get_note"`, `"name":"query"`, "Finds notes.", `"search":{"type":"string"}`} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s is not in %s", name, want, text)
			}
		}
		for _, e := range scan(textcall.Options{Tools: tools, KnownOnly: true}, text) {
			if e.Kind == textcall.Called {
				t.Errorf("%s: its own description reads as the call %+v", name, e.Call)
			}
		}
	}
}

func TestTheDocumentationNamesEveryFormat(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "models.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range textcall.Formats() {
		kind := "read"
		if f.Write != nil {
			kind = "read and written"
		}
		if row := regexp.MustCompile(`(?m)^\| ` + f.Name + ` \| .* \| ` + kind + ` \|$`); !row.Match(page) {
			t.Errorf("docs/models.md has no row %s", row)
		}
	}
}

var update = flag.Bool("update", false, "write the golden files anew")

// 003-18: what each format says to a model, and what its history looks like.
func TestEachFormatTellsAModelWhatTheGoldenFileSays(t *testing.T) {
	tools := []textcall.Tool{
		{Name: "get_note", Description: "Shows one note whole."},
		{Name: "query", Description: "Finds notes.", Schema: json.RawMessage(`{"type":"object","properties":{"search":{"type":"string"},"limit":{"type":"integer"}}}`)},
	}
	calls := []textcall.Call{
		{Name: "query", Arguments: json.RawMessage(`{"search":"lmdb \"map\" & <b>","limit":5}`)},
		{Name: "get_note", Arguments: json.RawMessage(`{"note_id":"12ab","whole":true}`)},
	}
	var all strings.Builder
	for _, f := range textcall.Formats() {
		if w := f.Write; w != nil {
			fmt.Fprintf(&all, "## %s\n\n%s\n\n%s\n\n%s\n\n", f.Name, w.System(tools), w.Calls(calls),
				w.Result(textcall.Result{Name: "query", Text: "no note with </tool_response>", Failed: true}))
		}
	}
	path := filepath.Join("testdata", "writers.golden.md")
	if *update {
		if err := os.WriteFile(path, []byte(all.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if all.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s\n(-update writes it anew)", all.String(), want)
	}
}

package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"bowerbird/llm"
	"bowerbird/tools"
)

type named string

func (n named) Spec() tools.Spec { return tools.Spec{Name: string(n)} }

func (n named) Call(context.Context, *tools.Env, json.RawMessage) (tools.Result, error) {
	return nil, nil
}

// Row 003-26: the exact name, one that was written otherwise, one behind a known prefix;
// else the three nearest.
func TestToolsAreFoundByTheNamesThatModelsMakeOfThem(t *testing.T) {
	box, err := newToolbox([]tools.Tool{named("query"), named("present_notes"), named("get_note"), named("nostr_list"), named("nostrlist"), named("parallel")})
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"query":                      "query",
		"Query":                      "query",
		"present-notes":              "present_notes",
		"presentNotes":               "present_notes",
		"PRESENT__NOTES":             "present_notes",
		"functions.query":            "query",
		"functions.present-notes":    "present_notes",
		"functions.query:0":          "query",
		"default_api:get_note":       "get_note",
		"default_api.get_note":       "get_note",
		"multi_tool_use.query":       "query",
		"query<|channel|>commentary": "query",
		"nostr_list":                 "nostr_list",
		"nostr-list":                 "", // two tools could be meant
		"parallel":                   "parallel",
		"quary":                      "",
		"":                           "",
		"functions.":                 "",
		"query; DROP TABLE notes":    "",
		"functions.functions.query":  "",
	} {
		got := ""
		if tool, ok := box.find(in); ok {
			got = tool.spec.Name
		}
		if got != want {
			t.Errorf("%q finds %q, want %q", in, got, want)
		}
	}
	if got := box.nearest("functions.get_notes"); got[0] != "get_note" || len(got) != 3 {
		t.Errorf("nearest are %q", got)
	}
	if _, err := newToolbox([]tools.Tool{named("a"), named("a")}); err == nil {
		t.Error("two tools of one name were taken")
	}
}

// Row 003-26: the names that recorded streams hold, as far as they come: a namespace of
// Gemini's, OpenAI's own wrapper, Kimi's ids.
func TestNamesOfRecordedStreamsFindTheirTools(t *testing.T) {
	box, err := newToolbox([]tools.Tool{named("get_weather"), named("query"), named("present_notes")})
	if err != nil {
		t.Fatal(err)
	}
	for fixture, want := range map[string][]string{
		"c07_multi_tool_use_parallel":   {"get_weather", "query"},
		"c08_kimi_id_form":              {"query"},
		"i16_gemini_default_api_prefix": {"query"},
	} {
		body, err := os.Open(filepath.Join("..", "..", "llm", "testdata", "streams", fixture+".sse"))
		if err != nil {
			t.Fatal(err)
		}
		defer body.Close()
		answer, err := llm.ReadRecorded(t.Context(), body)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range answer.Calls {
			for _, one := range unfold(llm.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments}) {
				found, _ := box.find(one.Name)
				got = append(got, cmp.Or(found.spec.Name, "?"+one.Name))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s finds %q, want %q", fixture, got, want)
		}
	}
}

func TestCallsPackedIntoOneAreUnfolded(t *testing.T) {
	packed := llm.Call{ID: "x", Name: "multi_tool_use.parallel", Arguments: json.RawMessage(
		`{"tool_uses":[{"recipient_name":"functions.a","parameters":{"n":1}},{"recipient_name":"functions.b"}]}`)}
	want := []llm.Call{
		{ID: "x_1", Name: "functions.a", Arguments: json.RawMessage(`{"n":1}`)},
		{ID: "x_2", Name: "functions.b", Arguments: json.RawMessage(`{}`)},
	}
	same := func(a, b llm.Call) bool {
		return a.ID == b.ID && a.Name == b.Name && string(a.Arguments) == string(b.Arguments)
	}
	if got := unfold(packed); !slices.EqualFunc(got, want, same) {
		t.Errorf("got %+v", got)
	}
	for _, name := range []string{"functions.multi_tool_use.parallel", "multi_tool_use_parallel"} {
		other := packed
		other.Name = name
		if got := unfold(other); len(got) != 2 {
			t.Errorf("%s: got %+v", name, got)
		}
	}
	for _, c := range []llm.Call{
		{ID: "x", Name: "query", Arguments: packed.Arguments},
		{ID: "x", Name: packed.Name, Arguments: json.RawMessage(`{"tool_uses":"no"}`)},
		{ID: "x", Name: packed.Name, Arguments: json.RawMessage(`{}`)},
		{ID: "x", Name: packed.Name, Arguments: packed.Arguments, Invalid: "broken"},
	} {
		if got := unfold(c); len(got) != 1 || !same(got[0], c) {
			t.Errorf("%+v became %+v", c, got)
		}
	}
}

func TestNamesInTheHistoryAreOnesThatProvidersTakeBack(t *testing.T) {
	for in, want := range map[string]string{
		"multi_tool_use.parallel": "multi_tool_use_parallel",
		"":                        "unnamed",
		"日本":                      "__",
		"a b\n":                   "a_b_",
	} {
		if got := safeName(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
	if got := safeName(string(make([]byte, 500))); len(got) != 64 {
		t.Errorf("%d bytes", len(got))
	}
}

package toolset

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
	"bowerbird/tools/offer"
)

type text string

func (t text) ForModel(int) string { return string(t) }

func made(t *testing.T, n int) []tools.Tool {
	t.Helper()
	var all []tools.Tool
	for i := range n {
		tool, err := tools.FromSchema(tools.Spec{
			Name: fmt.Sprintf("mcp__server%d__send_letter_%d", i%30, i), Source: fmt.Sprint("mcp:server", i%30), Effect: tools.Deletes,
			Description: fmt.Sprintf("Sends a letter to the colour%d house.", i) + strings.Repeat(" It is a long way there.", 10),
			Schema:      json.RawMessage(`{"type":"object","properties":{"to":{"type":"string"}}}`),
		}, func(context.Context, json.RawMessage) (tools.Result, error) { return text("sent"), nil })
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, tool)
	}
	return all
}

func set(all []tools.Tool) *Set { return chosen(all, offer.Auto) }

func chosen(all []tools.Tool, strategy offer.Strategy) *Set {
	return New(Options{
		Tools: func(context.Context) []tools.Tool { return all }, Own: tools.BuiltinTools(), Model: "qwen3:8b",
		Facts: offer.Model{Window: 131072}, Wish: offer.Wish{Strategy: strategy, Limit: offer.DefaultLimit},
	})
}

func size(list []tools.Tool) int {
	n := 0
	for _, t := range list {
		s := t.Spec()
		n += len(s.Name) + len(s.Description) + len(s.Schema)
	}
	return n
}

func TestAFewToolsAreListed(t *testing.T) {
	s := set(made(t, 30)) // 40 in all, without the three that belong to an answer
	supply := s.Step(t.Context())
	if len(supply.Listed) != 30 || len(supply.Hidden) != 0 || s.Introduce("send a letter", nil) != "" {
		t.Errorf("%d listed, %d hidden", len(supply.Listed), len(supply.Hidden))
	}
	for i := 1; i < 30; i++ {
		if supply.Listed[i-1].Spec().Name >= supply.Listed[i].Spec().Name {
			t.Error("they are not sorted")
		}
	}
}

// However many there are, a request lists two tools more, and they never change.
func TestManyToolsAreFoundInstead(t *testing.T) {
	for _, n := range []int{31, 500} {
		s := set(made(t, n))
		supply := s.Step(t.Context())
		if len(supply.Listed) != 2 || len(supply.Hidden) != n || size(supply.Listed) > 2500 {
			t.Errorf("%d listed with %d bytes, %d hidden", len(supply.Listed), size(supply.Listed), len(supply.Hidden))
		}
		said := s.Introduce("send a letter to the colour7 house", nil)
		if !strings.Contains(said, "__send_letter_7\"") || strings.Count(said, `"name"`) != 5 || len(said) > maxIntroduced+200 {
			t.Error(len(said), said)
		}
		if said := s.Introduce("Who wrote about hens?", nil); said != "" {
			t.Error(said)
		}
	}
}

func TestTheWayToolsAreOfferedDoesNotChangeInATurn(t *testing.T) {
	all := made(t, 5)
	s := set(nil)
	s.opt.Tools = func(context.Context) []tools.Tool { return all }
	s.Step(t.Context())
	all = made(t, 100)
	if supply := s.Step(t.Context()); len(supply.Listed) != 100 {
		t.Errorf("%d listed", len(supply.Listed))
	}
}

func TestSearchTools(t *testing.T) {
	s := set(made(t, 100))
	search := s.made[offer.SearchTools]
	s.Step(t.Context())
	for args, want := range map[string]struct {
		tools int
		note  string
	}{
		`{"query":"letter"}`:                    {5, ""},
		`{"query":"letter","max_results":1}`:    {1, ""},
		`{"query":"letter","max_results":20}`:   {20, ""},
		`{"query":"letter","max_results":21}`:   {20, "from 1 to 20; 20"},
		`{"query":"letter","max_results":-1}`:   {1, "from 1 to 20; 1"},
		`{"query":"hens","max_results":3}`:      {0, "No tool fits"},
		`{"query":"colour42","max_results":10}`: {1, ""},
	} {
		res, err := search.Call(t.Context(), &tools.Env{}, json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		found := res.(ToolList)
		if len(found.Tools) != want.tools || !strings.Contains(found.Note, want.note) {
			t.Errorf("%s: %d tools, %q", args, len(found.Tools), found.Note)
		}
		for _, limit := range []int{tools.MinForModel, 3000, 60_000} {
			if got := found.ForModel(limit); len(got) > limit || !json.Valid([]byte(got)) {
				t.Errorf("%s at %d: %s", args, limit, got)
			}
		}
	}
}

func TestExecuteToolStandsForTheToolItNames(t *testing.T) {
	execute := set(nil).made[offer.ExecuteTool]
	for args, want := range map[string]string{
		`{"name":"a","params":{"x":1}}`:            `a {"x":1}`,
		`{"name":"a","args":{"x":1}}`:              `a {"x":1}`,
		`{"name":"a","arguments":{"x":1}}`:         `a {"x":1}`,
		`{"name":"a"}`:                             `a {}`,
		`{"name":"a","params":null}`:               `a {}`,
		`{"name":"a","params":"{\"x\":1}"}`:        `a "{\"x\":1}"`, // parsed where arguments are read
		`{"params":{}}`:                            "",
		`[]`:                                       "",
		`{"name":"execute_tool","params":{"n":1}}`: "",
	} {
		name, inner, ok := execute.(tools.Wrapper).Unwrap(json.RawMessage(args))
		if got := name + " " + string(inner); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s %v", args, got, ok)
		}
	}
	if _, err := execute.Call(t.Context(), nil, json.RawMessage(`{"name":"execute_tool"}`)); err == nil || !strings.Contains(err.Error(), "name the tool") {
		t.Error(err)
	}
}

var _ agent.Toolset = (*Set)(nil)

func names(list []tools.Tool) string {
	var all []string
	for _, t := range list {
		all = append(all, t.Spec().Name)
	}
	return strings.Join(all, " ")
}

// Rows 000-26 and 003-2, 17: few tools are listed, and the first question says how the others
// are found, once.
func TestDiscoveryAndRoutedListOnlyWhatFindsAndWhatAnswers(t *testing.T) {
	for strategy, want := range map[offer.Strategy]struct{ listed, says string }{
		offer.Discovery: {"browse_category execute_tool get_tool list_categories search_tools", "510 tools in 34 categories are not listed. 1. Find one with search_tools, or by list_categories and browse_category. 2. Read its parameters with get_tool. 3. Call it with execute_tool."},
		offer.Routed:    {"call_mcp_tool list_resources use_resource", "510 tools in 34 resources are not listed. 1. Find a resource with list_resources. 2. Open it with use_resource, which describes its tools. 3. Call one with call_mcp_tool. With each question of the user all are closed again."},
	} {
		s := chosen(made(t, 500), strategy)
		if got := names(s.Own()); got != "present_notes render_chart render_table" {
			t.Errorf("%s keeps %s", strategy, got)
		}
		if got := names(s.Step(t.Context()).Listed); got != want.listed {
			t.Errorf("%s lists %s", strategy, got)
		}
		said := s.Introduce("q", nil)
		if said != "<tools>\n"+want.says+"\n</tools>" {
			t.Errorf("%s: %s", strategy, said)
		}
		if again := s.Introduce("q", []llm.Message{{Role: llm.User, Text: "q\n" + said}}); again != "" {
			t.Errorf("%s says it again: %s", strategy, again)
		}
	}
}

func call(t *testing.T, s *Set, name, args string) (string, error) {
	t.Helper()
	res, err := s.made[name].Call(t.Context(), &tools.Env{}, json.RawMessage(args))
	if err != nil {
		return "", err
	}
	return res.ForModel(60_000), nil
}

// Rows 000-27 to 30: a tool can be called while its resource is open, and the error of any
// other says which one to open. The next turn begins with all closed.
func TestAResourceIsOpenedForOneTurn(t *testing.T) {
	all := made(t, 60)
	s := chosen(all, offer.Routed)
	if supply := s.Step(t.Context()); len(supply.Hidden) != 0 || !strings.Contains(supply.Closed["query"], `call use_resource with {"name":"notes"} first`) || len(supply.Closed) != 70 {
		t.Errorf("%d can be called, %d closed: %s", len(supply.Hidden), len(supply.Closed), supply.Closed["query"])
	}
	res, err := call(t, s, offer.ListResources, `{}`)
	if err != nil || !strings.Contains(res, `{"name":"mcp:server3","tool_count":2,"tools":["mcp__server3__send_letter_3","mcp__server3__send_letter_33"]}`) || !strings.Contains(res, `"name":"profiles","tool_count":2,"tools":["find_profile","get_profile"]`) {
		t.Error(res, err)
	}
	if _, err := call(t, s, offer.UseResource, `{"name":"server3"}`); err == nil || !strings.Contains(err.Error(), "mcp:server3, ") {
		t.Error(err)
	}
	if res, err := call(t, s, offer.UseResource, `{"name":"mcp:server3"}`); err != nil || !strings.Contains(res, `"resource":"mcp:server3","tools":[{"name":"mcp__server3__send_letter_3"`) {
		t.Error(res, err)
	}
	if supply := s.Step(t.Context()); names(supply.Hidden) != "mcp__server3__send_letter_3 mcp__server3__send_letter_33" || len(supply.Closed) != 68 {
		t.Errorf("%s, %d closed", names(supply.Hidden), len(supply.Closed))
	}
	if supply := chosen(all, offer.Routed).Step(t.Context()); len(supply.Hidden) != 0 {
		t.Error("it is open in the next turn")
	}
}

// Rows 003-3 to 5: pages cover all tools, each once.
func TestCategoriesAreBrowsed(t *testing.T) {
	s := chosen(made(t, 900), offer.Discovery) // 30 of each server
	s.Step(t.Context())
	if res, err := call(t, s, offer.ListCategories, `{}`); err != nil || !strings.Contains(res, `{"name":"mcp:server0","tool_count":30}`) {
		t.Error(res, err)
	}
	for args, want := range map[string]struct {
		pages, page int
		note        string
	}{
		``:                {3, 10, ""},
		`,"page_size":7`:  {5, 7, ""},
		`,"page_size":50`: {1, 30, ""},
		`,"page_size":51`: {1, 30, "1 to 50; 50"},
		`,"page_size":-1`: {30, 1, "1 to 50; 1"},
	} {
		seen := map[string]bool{}
		for page := 1; page <= want.pages+1; page++ {
			res, err := s.made[offer.BrowseCategory].Call(t.Context(), &tools.Env{}, json.RawMessage(fmt.Sprintf(`{"category":"mcp:server0","page":%d%s}`, page, args)))
			if err != nil {
				t.Fatal(err)
			}
			got := res.(ToolList)
			if got.Pages != want.pages || page == 1 && len(got.Tools) != want.page || page > want.pages && len(got.Tools) > 0 || !strings.Contains(got.Note, want.note) {
				t.Errorf("%s, page %d: %d tools of %d pages, %q", args, page, len(got.Tools), got.Pages, got.Note)
			}
			for _, tool := range got.Tools {
				seen[tool.Name] = true
			}
		}
		if len(seen) != 30 {
			t.Errorf("%s: %d of 30 tools", args, len(seen))
		}
	}
	for args, want := range map[string]string{
		`{"name":"count"}`:                        `{"tools":[{"name":"count","description":"`,
		`{"name":"mcp__server0__send_letter_30"}`: `"category":"mcp:server0","side_effects":"deletes","parameters":{"`,
	} {
		if res, err := call(t, s, offer.GetTool, args); err != nil || !strings.Contains(res, want) {
			t.Error(res, err)
		}
	}
	if res, _ := call(t, s, offer.GetTool, `{"name":"count"}`); !strings.Contains(res, `"category":"notes","side_effects":"none"`) || !strings.Contains(res, `"example":{"since":"24h"}`) {
		t.Error(res)
	}
	for _, name := range []string{offer.GetTool, offer.BrowseCategory} {
		if _, err := call(t, s, name, `{"name":"x","category":"x"}`); err == nil {
			t.Error(name, "accepts anything")
		}
	}
}

// Row 004-15: what was described is not described again while the model still reads it; when
// it no longer does, the tools used last are, up to as many as fit the model.
func TestFoundToolsStayInTheChat(t *testing.T) {
	s := set(made(t, 500))
	s.Step(t.Context())
	first := s.Introduce("a letter to the colour7 house", nil)
	sent := []llm.Message{{Role: llm.User, Text: "q\n\n" + first}}
	if again := s.Introduce("a letter to the colour7 house", sent); again != "" {
		t.Errorf("described again: %s", again)
	}
	if next := s.Introduce("and thank you", sent); next != "" {
		t.Errorf("described again: %s", next)
	}
	var calls []llm.Message
	for i := range 7 { // as a shortened history has them
		calls = append(calls, llm.Message{Role: llm.Assistant, Calls: []llm.Call{{Name: fmt.Sprintf("mcp__server%d__send_letter_%d", i, i)}}})
	}
	next := s.Introduce("and thank you", calls)
	for i := range 7 {
		if has := strings.Contains(next, fmt.Sprintf("send_letter_%d\"", i)); has != (i >= 2) {
			t.Errorf("tool %d: %v in %s", i, has, next)
		}
	}
}

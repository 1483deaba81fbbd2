package toolset

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"bowerbird/app/agent"
	"bowerbird/tools"
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

func set(all []tools.Tool) *Set {
	return New(Options{Tools: func(context.Context) []tools.Tool { return all }, Own: tools.BuiltinTools(), Window: 131072, Model: "qwen3:8b"})
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
	if len(supply.Listed) != 30 || len(supply.Hidden) != 0 || s.Introduce("send a letter") != "" {
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
		said := s.Introduce("send a letter to the colour7 house")
		if !strings.Contains(said, "__send_letter_7\"") || strings.Count(said, `"name"`) != 5 || len(said) > maxIntroduced+200 {
			t.Error(len(said), said)
		}
		if said := s.Introduce("Who wrote about hens?"); said != "" {
			t.Error(said)
		}
	}
}

func TestTheWayToolsAreOfferedDoesNotChangeInATurn(t *testing.T) {
	all := made(t, 5)
	s := New(Options{Tools: func(context.Context) []tools.Tool { return all }, Own: tools.BuiltinTools()})
	s.Step(t.Context())
	all = made(t, 100)
	if supply := s.Step(t.Context()); len(supply.Listed) != 100 {
		t.Errorf("%d listed", len(supply.Listed))
	}
}

func TestSearchTools(t *testing.T) {
	s := set(made(t, 100))
	listed := s.Step(t.Context()).Listed
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
		res, err := listed[0].Call(t.Context(), &tools.Env{}, json.RawMessage(args))
		if err != nil {
			t.Fatal(err)
		}
		found := res.(SearchResult)
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
	execute := set(made(t, 100)).Step(t.Context()).Listed[1]
	for args, want := range map[string]string{
		`{"name":"a","params":{"x":1}}`:            `a {"x":1}`,
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

// Package toolset supplies a turn with the tools of MCP servers. A few are listed in every
// request. If they are many, the model finds them by search_tools and calls them by
// execute_tool, so that requests stay small and begin alike whatever the servers offer:
//
//	set := toolset.New(toolset.Options{Tools: pool.Tools, Own: builtin, Window: 131072, Model: "qwen3:8b", Local: true})
//	a, err := agent.New(agent.Options{Model: model, Tools: builtin, Toolset: set})
package toolset

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"bowerbird/app/agent"
	"bowerbird/tools"
	"bowerbird/tools/offer"
)

// Options say what there is, and for which model. Tools is required.
type Options struct {
	// Tools returns the tools of the servers as they are now. It may wait for servers to
	// start.
	Tools  func(context.Context) []tools.Tool
	Own    []tools.Tool // that are listed besides
	Window int          // of the model, in tokens; 0 if unknown
	Model  string       // its name
	Local  bool         // it runs on this computer
}

// Set is the [agent.Toolset] of one turn.
type Set struct {
	opt    Options
	search tools.Tool

	mu      sync.Mutex
	decided bool
	direct  bool // all tools are listed; the same for the whole turn
	index   *offer.Index
}

// New returns the Set of a turn.
func New(opt Options) *Set {
	s := &Set{opt: opt, index: offer.NewIndex(nil)}
	s.search = tools.New("search_tools", searchDoc, tools.None, s.find)
	return s
}

//go:embed search_tools.md
var searchDoc string

//go:embed execute_tool.md
var executeDoc string

// Step implements [agent.Toolset].
func (s *Set) Step(ctx context.Context) agent.Supply {
	all := slices.Clone(s.opt.Tools(ctx))
	slices.SortFunc(all, func(a, b tools.Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.decided {
		var known []offer.Tool
		for _, t := range slices.Concat(s.opt.Own, all) {
			known = append(known, offer.Tool{Spec: t.Spec()})
		}
		strategy, _ := offer.Plan(known, offer.Model{Window: s.opt.Window}, offer.Wish{Limit: offer.DefaultLimit})
		s.decided, s.direct = true, strategy == offer.Direct
	}
	if s.direct {
		return agent.Supply{Listed: all}
	}
	specs := make([]tools.Spec, len(all))
	for i, t := range all {
		specs[i] = t.Spec()
	}
	s.index = offer.NewIndex(specs)
	return agent.Supply{Listed: []tools.Tool{s.search, executeTool()}, Hidden: all}
}

// Introduce implements [agent.Toolset]: the tools that fit the question best, as
// search_tools would find them, so that most questions need no search.
func (s *Set) Introduce(question string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.direct {
		return ""
	}
	found := list(s.index.Search(question, offer.AtOnce(s.opt.Model, s.opt.Local)))
	if len(found.Tools) == 0 {
		return ""
	}
	return "<tools>\nThese tools may fit. Call them through execute_tool; search_tools finds others.\n" + found.ForModel(maxIntroduced) + "\n</tools>"
}

// maxIntroduced bounds what Introduce adds to a question, in bytes.
const maxIntroduced = 12_000

// SearchArgs are the arguments of search_tools.
type SearchArgs struct {
	Query string `json:"query" jsonschema:"what the tool should do, in a few English words" maxLength:"500"`
	Max   int    `json:"max_results,omitempty" default:"5" jsonschema:"1 to 20; default 5"`
}

// SearchResult is the answer of search_tools.
type SearchResult struct {
	Tools []FoundTool `json:"tools"`
	Note  string      `json:"note,omitempty"`
}

// FoundTool is a tool as a model reads it.
type FoundTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
}

func (s *Set) find(_ context.Context, _ *tools.Env, a SearchArgs) (SearchResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, note := a.Max, ""
	switch {
	case n == 0:
		n = 5
	case n < 1 || n > 20:
		n = min(max(n, 1), 20)
		note = fmt.Sprintf("max_results is from 1 to 20; %d was used", n)
	}
	res := list(s.index.Search(a.Query, n))
	res.Note = note
	if len(res.Tools) == 0 {
		res.Note = "No tool fits these words. Try others, or answer without."
	}
	return res, nil
}

func list(found []offer.Hit) SearchResult {
	res := SearchResult{Tools: []FoundTool{}}
	for _, f := range found {
		res.Tools = append(res.Tools, FoundTool{f.Spec.Name, f.Spec.Description, f.Spec.Schema})
	}
	return res
}

// ForModel implements [tools.Result].
func (r SearchResult) ForModel(limit int) string {
	return tools.Fit(limit, len(r.Tools), func(show, text int) any {
		short := SearchResult{Tools: make([]FoundTool, show), Note: r.Note}
		for i, t := range r.Tools[:show] {
			if runes := []rune(t.Description); len(runes) > text {
				t.Description = string(runes[:text]) + "…"
			}
			short.Tools[i] = t
		}
		if left := len(r.Tools) - show; left > 0 {
			short.Note = fmt.Sprintf("%d more fit; ask for fewer at a time", left)
		}
		return short
	})
}

// executor is execute_tool, whose calls stand for calls of the tool that they name.
type executor struct{ tools.Tool }

// ExecuteArgs are the arguments of execute_tool.
type ExecuteArgs struct {
	Name   string          `json:"name" jsonschema:"the tool's name, as search_tools gives it"`
	Params json.RawMessage `json:"params,omitempty" jsonschema:"an object: the tool's own arguments"`
}

func executeTool() tools.Tool {
	return executor{tools.New("execute_tool", executeDoc, tools.Deletes, func(context.Context, *tools.Env, ExecuteArgs) (SearchResult, error) {
		return SearchResult{}, errors.New("name the tool to call and give its arguments: {\"name\": …, \"params\": {…}}")
	})}
}

// Unwrap implements [tools.Wrapper].
func (executor) Unwrap(args json.RawMessage) (name string, inner json.RawMessage, ok bool) {
	var call struct {
		Name      string          `json:"name"`
		Params    json.RawMessage `json:"params"`
		Arguments json.RawMessage `json:"arguments"` // what models call it elsewhere
	}
	if json.Unmarshal(args, &call) != nil || call.Name == "" || call.Name == "execute_tool" {
		return "", nil, false
	}
	for _, raw := range []json.RawMessage{call.Params, call.Arguments} {
		if len(raw) > 0 && string(raw) != "null" {
			return call.Name, raw, true
		}
	}
	return call.Name, json.RawMessage("{}"), true
}

package toolset

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bowerbird/tools"
	"bowerbird/tools/offer"
)

//go:embed search_tools.md
var searchDoc string

//go:embed execute_tool.md
var executeDoc string

//go:embed list_categories.md
var categoriesDoc string

//go:embed browse_category.md
var browseDoc string

//go:embed get_tool.md
var getDoc string

//go:embed list_resources.md
var resourcesDoc string

//go:embed use_resource.md
var useDoc string

//go:embed call_mcp_tool.md
var callDoc string

// finders returns the tools that find and call the hidden ones, by name.
func (s *Set) finders() map[string]tools.Tool {
	made := make(map[string]tools.Tool)
	for _, t := range []tools.Tool{
		tools.New(offer.SearchTools, searchDoc, tools.None, locked(s, s.search)),
		tools.New(offer.ListCategories, categoriesDoc, tools.None, locked(s, s.list)),
		tools.New(offer.BrowseCategory, browseDoc, tools.None, locked(s, s.browse)),
		tools.New(offer.GetTool, getDoc, tools.None, locked(s, s.get)),
		tools.New(offer.ListResources, resourcesDoc, tools.None, locked(s, s.resources)),
		tools.New(offer.UseResource, useDoc, tools.None, locked(s, s.use), tools.Ordered()),
		executor{tools.New(offer.ExecuteTool, executeDoc, tools.Deletes, func(context.Context, *tools.Env, ExecuteArgs) (ToolList, error) {
			return ToolList{}, errors.New("name the tool to call and give its arguments: {\"name\": …, \"params\": {…}}")
		})},
		executor{tools.New(offer.CallMCPTool, callDoc, tools.Deletes, func(context.Context, *tools.Env, CallArgs) (ToolList, error) {
			return ToolList{}, errors.New("name the tool to call and give its arguments: {\"name\": …, \"args\": {…}}")
		})},
	} {
		made[t.Spec().Name] = t
	}
	return made
}

// locked makes a tool's function of a method that reads what Step writes.
func locked[A any, R tools.Result](s *Set, run func(A) (R, error)) func(context.Context, *tools.Env, A) (R, error) {
	return func(_ context.Context, _ *tools.Env, a A) (R, error) {
		s.mu.Lock()
		defer s.mu.Unlock()
		return run(a)
	}
}

// ExecuteArgs are the arguments of execute_tool.
type ExecuteArgs struct {
	Name   string          `json:"name" jsonschema:"the tool's name, as it was given"`
	Params json.RawMessage `json:"params,omitempty" jsonschema:"an object: the tool's own arguments"`
}

// CallArgs are the arguments of call_mcp_tool.
type CallArgs struct {
	Name string          `json:"name" jsonschema:"a tool of the open resource"`
	Args json.RawMessage `json:"args,omitempty" jsonschema:"an object: the tool's own arguments"`
}

// NoArgs are the arguments of a tool that has none.
type NoArgs struct{}

// SearchArgs are the arguments of search_tools.
type SearchArgs struct {
	Query string `json:"query" jsonschema:"what the tool should do, in a few English words" maxLength:"500"`
	Max   int    `json:"max_results,omitempty" default:"5" jsonschema:"1 to 20; default 5"`
}

// ToolList is a list of tools as a model reads them.
type ToolList struct {
	Resource string     `json:"resource,omitempty"` // that was opened
	Tools    []ToolInfo `json:"tools"`
	Page     int        `json:"page,omitempty"`
	Pages    int        `json:"pages,omitempty"`
	Note     string     `json:"note,omitempty"`
}

// ToolInfo is a tool as a model reads it. All but the name and the description are left out
// where a list only gives an overview.
type ToolInfo struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Category    string          `json:"category,omitempty"`
	Effect      string          `json:"side_effects,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
	Example     json.RawMessage `json:"example,omitempty"`
}

func list(specs []tools.Spec) ToolList {
	res := ToolList{Tools: []ToolInfo{}}
	for _, s := range specs {
		res.Tools = append(res.Tools, ToolInfo{Name: s.Name, Description: s.Description, Parameters: s.Schema})
	}
	return res
}

func (s *Set) search(a SearchArgs) (ToolList, error) {
	n, note := clamp("max_results", a.Max, 5, 20)
	var found []tools.Spec
	for _, h := range s.index.Search(a.Query, n) {
		found = append(found, h.Spec)
	}
	res := list(found)
	res.Note = note
	if len(found) == 0 {
		res.Note = "No tool fits these words. Try others, or answer without."
	}
	return res, nil
}

// clamp returns n, or usual for 0, within 1 to most, and a note if that is another number.
func clamp(what string, n, usual, most int) (int, string) {
	if n == 0 {
		n = usual
	}
	if in := min(max(n, 1), most); in != n {
		return in, fmt.Sprintf("%s is from 1 to %d; %d was used", what, most, in)
	}
	return n, ""
}

// Categories are groups of tools.
type Categories struct {
	Categories []Group `json:"categories,omitempty"`
	Resources  []Group `json:"resources,omitempty"`
}

// Group is a category: our tools on something, or those of a server.
type Group struct {
	Name  string   `json:"name"`
	Count int      `json:"tool_count"`
	Tools []string `json:"tools,omitempty"`
}

func (s *Set) groups(names bool) []Group {
	groups := []Group{}
	all := s.categories()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		g := Group{Name: name, Count: len(all[name])}
		for _, spec := range all[name] {
			if names {
				g.Tools = append(g.Tools, spec.Name)
			}
		}
		groups = append(groups, g)
	}
	return groups
}

func (s *Set) list(NoArgs) (Categories, error) { return Categories{Categories: s.groups(false)}, nil }

func (s *Set) resources(NoArgs) (Categories, error) {
	return Categories{Resources: s.groups(true)}, nil
}

// ForModel implements [tools.Result].
func (c Categories) ForModel(limit int) string {
	return tools.Fit(limit, len(c.Categories)+len(c.Resources), func(show, text int) any {
		short := Categories{Categories: c.Categories[:min(show, len(c.Categories))]}
		for _, g := range c.Resources[:min(show, len(c.Resources))] {
			g.Tools = g.Tools[:min(len(g.Tools), max(1, text/8))]
			short.Resources = append(short.Resources, g)
		}
		return short
	})
}

// BrowseArgs are the arguments of browse_category.
type BrowseArgs struct {
	Category string `json:"category" jsonschema:"as list_categories gives it"`
	Page     int    `json:"page,omitempty" default:"1" jsonschema:"default 1"`
	Size     int    `json:"page_size,omitempty" default:"10" jsonschema:"1 to 50; default 10"`
}

func (s *Set) browse(a BrowseArgs) (ToolList, error) {
	specs, err := s.category("category", a.Category)
	if err != nil {
		return ToolList{}, err
	}
	size, note := clamp("page_size", a.Size, 10, 50)
	res := ToolList{Tools: []ToolInfo{}, Page: max(a.Page, 1), Pages: (len(specs) + size - 1) / size, Note: note}
	if from := (res.Page - 1) * size; res.Page <= res.Pages {
		for _, spec := range specs[from:min(from+size, len(specs))] {
			first, _, _ := strings.Cut(spec.Description, "\n")
			res.Tools = append(res.Tools, ToolInfo{Name: spec.Name, Description: first})
		}
	}
	return res, nil
}

func (s *Set) category(argument, name string) ([]tools.Spec, error) {
	all := s.categories()
	if specs, ok := all[name]; ok {
		return specs, nil
	}
	return nil, &tools.ArgumentError{Path: argument, Expected: "one of " + strings.Join(slices.Sorted(maps.Keys(all)), ", "), Got: fmt.Sprintf("%.80q", name)}
}

// NameArgs name one thing.
type NameArgs struct {
	Name string `json:"name" jsonschema:"exactly as it was given"`
}

func (s *Set) get(a NameArgs) (ToolList, error) {
	t := s.hidden[a.Name]
	if t == nil {
		return ToolList{}, &tools.ArgumentError{Path: "name", Expected: "the name of a tool that search_tools or browse_category gave", Got: fmt.Sprintf("%.80q", a.Name)}
	}
	spec := t.Spec()
	return ToolList{Tools: []ToolInfo{{spec.Name, spec.Description, offer.Category(spec), spec.Effect.String(), spec.Schema, spec.Example}}}, nil
}

func (s *Set) use(a NameArgs) (ToolList, error) {
	specs, err := s.category("name", a.Name)
	if err != nil {
		return ToolList{}, err
	}
	s.open = a.Name
	res := list(specs)
	res.Resource = a.Name
	return res, nil
}

// ForModel implements [tools.Result].
func (r ToolList) ForModel(limit int) string {
	return tools.Fit(limit, len(r.Tools), func(show, text int) any {
		short := r
		short.Tools = make([]ToolInfo, show)
		for i, t := range r.Tools[:show] {
			if runes := []rune(t.Description); len(runes) > text {
				t.Description = string(runes[:text]) + "…"
			}
			short.Tools[i] = t
		}
		if left := len(r.Tools) - show; left > 0 {
			short.Note = fmt.Sprintf("%d more fit; ask for fewer at a time", left)
			if r.Resource != "" {
				short.Note = fmt.Sprintf("%d more are open, named by list_resources", left)
			}
		}
		return short
	})
}

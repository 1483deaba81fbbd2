package agent

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"bowerbird/llm"
)

// outfit is what a model is told in every request: the contract and the tools. For
// a model with a small window it shrinks, once, when the agent is made, so that
// requests still begin alike.
type outfit struct {
	contract string
	tools    []llm.Tool
	hidden   []llm.Tool // all others, which can be called too
}

// offer returns the outfit for a chat in which that was asked, out of all tools. Those told
// of only become more, so that requests still begin alike.
func (o outfit) offer(asked []string, all []llm.Tool) outfit {
	named := slices.ContainsFunc(asked, func(q string) bool {
		q = strings.ToLower(q)
		return strings.Contains(q, "uuid") || strings.Contains(q, "guid")
	})
	o.tools = slices.DeleteFunc(slices.Clone(o.tools), func(t llm.Tool) bool { return t.Name == "random_uuid" && !named })
	o.hidden = slices.DeleteFunc(slices.Clone(all), func(t llm.Tool) bool {
		return slices.ContainsFunc(o.tools, func(told llm.Tool) bool { return told.Name == t.Name })
	})
	return o
}

// newOutfit chooses, for a window of so many tokens, the first of these that takes
// no more than a third of it: all; all but the extra tools, with shorter
// descriptions; that with the short contract; that with the core tools alone. Where
// the window is not known it is all.
func newOutfit(window int, p Prompts, tools []llm.Tool) outfit {
	short := cmp.Or(p.Small, p.System)
	brief := briefTools(slices.DeleteFunc(slices.Clone(tools), func(t llm.Tool) bool { return t.Name == "current_time" || t.Name == "random_uuid" }))
	choices := []outfit{{contract: p.System, tools: tools}, {contract: p.System, tools: brief}, {contract: short, tools: brief}, {contract: short, tools: coreTools(brief)}}
	if window <= 0 {
		return choices[0]
	}
	for _, o := range choices {
		if o.size() <= int(float64(window)*firstRatio/3) {
			return o
		}
	}
	return choices[len(choices)-1]
}

func (o outfit) size() int { return len(o.contract) + toolsSize(o.tools) }

// coreTools leaves out all but the core, if that is there at all.
func coreTools(list []llm.Tool) []llm.Tool {
	names := []string{"count", "get_note", presentNotes, "query"}
	left := slices.DeleteFunc(slices.Clone(list), func(t llm.Tool) bool { return !slices.Contains(names, t.Name) })
	if len(left) < len(names) {
		return list
	}
	return left
}

// briefTools leaves of each description the first paragraph, and none in the schema.
func briefTools(list []llm.Tool) []llm.Tool {
	out := slices.Clone(list)
	for i := range out {
		t := &out[i]
		t.Description, _, _ = strings.Cut(t.Description, "\n\n")
		var schema any
		if json.Unmarshal(t.Schema, &schema) != nil {
			continue
		}
		strip(schema, false)
		if brief, err := line(schema); err == nil {
			t.Schema = brief
		}
	}
	return out
}

// strip deletes the descriptions of a schema; members of an object that are so
// named are no descriptions.
func strip(v any, members bool) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			strip(x, false)
		}
	case map[string]any:
		if !members {
			delete(v, "description")
		}
		for name, x := range v {
			strip(x, !members && name == "properties")
		}
	}
}

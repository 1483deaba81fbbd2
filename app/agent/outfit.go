package agent

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"bowerbird/llm"
)

// outfit is what every request contains: the system prompt and the tools. For a model with
// a small window it is reduced once, when the agent is made, so that all requests begin
// alike.
type outfit struct {
	contract string
	tools    []llm.Tool
	hidden   []llm.Tool // all others, which can be called too
}

// offer returns the outfit for a chat with these questions: random_uuid is only offered
// from the question on that asks for one. Tools are only ever added, so that requests still
// begin alike.
func (o outfit) offer(asked []string, all []llm.Tool) outfit {
	named := slices.ContainsFunc(asked, func(q string) bool {
		q = strings.ToLower(q)
		return strings.Contains(q, "uuid") || strings.Contains(q, "guid")
	})
	o.tools = slices.DeleteFunc(slices.Clone(o.tools), func(t llm.Tool) bool { return t.Name == "random_uuid" && !named })
	o.hidden = slices.DeleteFunc(slices.Clone(all), func(t llm.Tool) bool {
		return slices.ContainsFunc(o.tools, func(o llm.Tool) bool { return o.Name == t.Name })
	})
	return o
}

// newOutfit returns, for a window of so many tokens, the first of these that takes at most
// a third of it: everything; all but the extra tools, with shorter descriptions; the same
// with the short system prompt; the same with the core tools alone. If the window is
// unknown, it is everything.
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

// coreTools returns the tools that a cited answer needs, or all if one of them is missing.
func coreTools(list []llm.Tool) []llm.Tool {
	names := []string{"count", "get_note", presentNotes, "query"}
	left := slices.DeleteFunc(slices.Clone(list), func(t llm.Tool) bool { return !slices.Contains(names, t.Name) })
	if len(left) < len(names) {
		return list
	}
	return left
}

// briefTools shortens each description to its first paragraph, and removes those in the
// schema.
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

// strip deletes the descriptions in a schema; a property of that name stays.
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

package agent

import (
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

// core are the tools that an answer with references cannot do without.
func core() []string { return []string{"count", "get_note", presentNotes, "query"} }

// extra are the tools that go first: what they do is seldom asked for.
func extra() []string { return []string{"current_time", "random_uuid"} }

// onDemand are tools that hardly a question needs, each with the words that name what it
// does: it is offered from the question on in which one stands.
func onDemand() map[string][]string {
	return map[string][]string{"random_uuid": {"uuid", "guid"}}
}

// offer returns the outfit for a chat in which that was asked, out of all tools. Those told
// of only become more, so that requests still begin alike.
func (o outfit) offer(asked []string, all []llm.Tool) outfit {
	words := onDemand()
	o.tools = slices.DeleteFunc(slices.Clone(o.tools), func(t llm.Tool) bool {
		return words[t.Name] != nil && !slices.ContainsFunc(words[t.Name], func(word string) bool {
			return slices.ContainsFunc(asked, func(q string) bool { return strings.Contains(strings.ToLower(q), word) })
		})
	})
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
	short := p.System
	if p.Small != "" {
		short = p.Small
	}
	brief := briefTools(slices.DeleteFunc(slices.Clone(tools), func(t llm.Tool) bool { return slices.Contains(extra(), t.Name) }))
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
	names := core()
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

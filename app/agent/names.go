package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bowerbird/llm"
	"bowerbird/tools"
)

// toolbox holds the tools that an agent offers, and finds them by the variants of their
// names that models write.
type toolbox struct {
	list   []tool // sorted by name
	folded map[string]int
	offer  []llm.Tool
}

// tool is a tool with its description, read once: a tool cannot change its effect later.
type tool struct {
	tools.Tool
	spec tools.Spec
}

func newToolbox(list []tools.Tool) (toolbox, error) {
	b := toolbox{folded: make(map[string]int)}
	for _, t := range list {
		b.list = append(b.list, tool{Tool: t, spec: t.Spec()})
	}
	slices.SortFunc(b.list, func(x, y tool) int { return cmp.Compare(x.spec.Name, y.spec.Name) })
	for i, t := range b.list {
		if i > 0 && b.list[i-1].spec.Name == t.spec.Name {
			return b, fmt.Errorf("agent: two tools are named %q", t.spec.Name)
		}
		key := fold(t.spec.Name)
		if _, taken := b.folded[key]; taken {
			b.folded[key] = -1 // ambiguous: only the exact name counts
		} else {
			b.folded[key] = i
		}
		b.offer = append(b.offer, llm.Tool{Name: t.spec.Name, Description: t.spec.Description, Schema: t.spec.Schema})
	}
	return b, nil
}

// fold makes names equal that differ only in case and separators.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("-_.: ", r) {
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// find returns the tool that a model means: the exact name, else without a known prefix,
// else the only one that differs in case and separators alone.
func (b *toolbox) find(name string) (tool, bool) {
	candidates := []string{name}
	if bare := trimPrefixes(name); bare != name {
		candidates = append(candidates, bare)
	}
	for _, n := range candidates {
		i, ok := slices.BinarySearchFunc(b.list, n, func(t tool, n string) int { return cmp.Compare(t.spec.Name, n) })
		if ok {
			return b.list[i], true
		}
	}
	for _, n := range candidates {
		if i, ok := b.folded[fold(n)]; ok && i >= 0 {
			return b.list[i], true
		}
	}
	return tool{}, false
}

// trimPrefixes removes what models put before a tool's name, and the numbers that some put
// behind it.
func trimPrefixes(name string) string {
	name, _, _ = strings.Cut(name, "<|") // marks of gpt-oss that its server left there
	for _, p := range []string{"functions.", "functions:", "default_api.", "default_api:", "tools.", "multi_tool_use."} {
		if rest, ok := strings.CutPrefix(name, p); ok {
			name = rest
		}
	}
	if head, tail, ok := strings.Cut(name, ":"); ok && tail != "" && strings.Trim(tail, "0123456789") == "" {
		name = head
	}
	return name
}

// nearest returns the three names that are most similar.
func (b *toolbox) nearest(name string) []string {
	want := fold(trimPrefixes(name))
	want = want[:min(len(want), 64)]
	type scored struct {
		name string
		d    int
	}
	all := make([]scored, len(b.list))
	for i, t := range b.list {
		all[i] = scored{t.spec.Name, tools.Edits(want, fold(t.spec.Name))}
	}
	slices.SortStableFunc(all, func(x, y scored) int { return cmp.Compare(x.d, y.d) })
	out := make([]string, 0, 3)
	for _, s := range all[:min(3, len(all))] {
		out = append(out, s.name)
	}
	return out
}

// unfold returns the calls packed into multi_tool_use.parallel, a tool that some models
// make up; any other call is returned as it is.
func unfold(call llm.Call) []llm.Call {
	if call.Invalid != "" || !packed(call.Name) {
		return []llm.Call{call}
	}
	var pack struct {
		Uses []struct {
			Name       string          `json:"recipient_name"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"tool_uses"`
	}
	if json.Unmarshal(call.Arguments, &pack) != nil || len(pack.Uses) == 0 {
		return []llm.Call{call}
	}
	out := make([]llm.Call, 0, len(pack.Uses))
	for i, u := range pack.Uses {
		one := call
		one.ID = fmt.Sprintf("%s_%d", call.ID, i+1)
		one.Name = u.Name
		one.Arguments = u.Parameters
		if len(one.Arguments) == 0 || string(one.Arguments) == "null" {
			one.Arguments = json.RawMessage("{}")
		}
		one.Extra = nil
		out = append(out, one)
	}
	return out
}

func packed(name string) bool {
	return fold(trimPrefixes(name)) == "parallel" || fold(name) == "multitooluseparallel"
}

// safeName returns a name that every provider accepts in the history.
func safeName(name string) string {
	clean := strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, name)
	if clean == "" {
		return "unnamed"
	}
	return clean[:min(len(clean), 64)]
}

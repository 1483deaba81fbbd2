package agent

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"bowerbird/llm"
	"bowerbird/tools"
)

// The prompt has three parts: what never changes (the system prompt and the tools, sorted),
// what is frozen for the chat (Conversation.Session), and what changes, at the end of the
// last user message. So all that precedes it is identical, byte for byte, in each request
// of a chat, and the provider can cache it.

// contextMark begins the part of a user message that the agent adds.
const contextMark = "<context>"

// resultsRead is inserted between a tool's result and the closing request: Mistral's
// servers and templates refuse a user message right after a result, and inside a result it
// would be data.
const resultsRead = "(The results are read.)"

// request is the next request to the model.
func (r *run) request(messages []llm.Message, choice llm.ToolChoice) *llm.Request {
	req := &llm.Request{Tools: r.outfit.tools, Hidden: r.outfit.hidden, ToolChoice: choice}
	if system := r.system(); system != "" {
		req.Messages = append(req.Messages, llm.Message{Role: llm.System, Text: system})
	}
	req.Messages = append(req.Messages, messages...)
	if choice == llm.ToolNone && r.opt.Prompts.Closing != "" {
		if req.Messages[len(req.Messages)-1].Role == llm.ToolRole {
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: resultsRead})
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: r.opt.Prompts.Closing})
	}
	return req
}

func (r *run) system() string {
	parts := []string{strings.TrimSpace(r.outfit.contract), strings.TrimSpace(r.chat.Session)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// userMessage is the user's question with the changing context. It stays in the history as
// it is, so that the next turn's request begins with this one.
func (r *run) userMessage() llm.Message {
	t := r.turnOf
	// Only the agent may write the mark: the user's own is indented.
	question := strings.ReplaceAll("\n"+t.Question, "\n"+contextMark, "\n "+contextMark)[1:]
	text := question + "\n\n" + tail(t.Env, t.Looking)
	if r.opt.Toolset != nil && !r.typed {
		if found := r.opt.Toolset.Introduce(t.Question, r.chat.sent()); found != "" {
			text += "\n" + found
		}
	}
	return llm.Message{Role: llm.User, Text: text}
}

// tail formats the context. Each time has its zone and its Unix seconds, since models are
// bad at converting one into the other, and at finding the start of a week.
func tail(env *tools.Env, looking string) string {
	now := env.Now().In(env.Zone)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nnow: %s, %s\n", contextMark, now.Weekday(), stamp(now))
	began := func(words string) time.Time { from, _, _ := tools.Block(words, now); return from }
	fmt.Fprintf(&b, "yesterday began: %s\n", stamp(began("yesterday")))
	// Dates are enough here, and the chat repeats them with each question.
	fmt.Fprintf(&b, "today began: %s, this week: %s\n", began("today").Format(time.DateOnly), began("this week").Format("Monday 2006-01-02"))
	// Other names cannot be looked up by a model.
	if zone := env.Zone.String(); zone == "UTC" || strings.Contains(zone, "/") {
		fmt.Fprintf(&b, "zone: %s\n", zone)
	}
	if !env.LastVisit.IsZero() {
		fmt.Fprintf(&b, "last visit: %s\n", stamp(env.LastVisit.In(env.Zone)))
	}
	if looking != "" {
		fmt.Fprintf(&b, "open: %s\n", strings.Join(strings.Fields(looking), " "))
	}
	b.WriteString("</context>")
	return b.String()
}

func stamp(t time.Time) string {
	return fmt.Sprintf("%s (unix %d)", t.Format(time.RFC3339), t.Unix())
}

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
		b.offer = append(b.offer, offered(t.spec))
	}
	return b, nil
}

func offered(spec tools.Spec) llm.Tool {
	return llm.Tool{Name: spec.Name, Description: spec.Description, Schema: spec.Schema, Foreign: spec.Source != ""}
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
	names := make([]string, len(b.list))
	for i, t := range b.list {
		names[i] = t.spec.Name
	}
	edits := func(name string) int { return tools.Edits(want, fold(name)) }
	slices.SortStableFunc(names, func(x, y string) int { return cmp.Compare(edits(x), edits(y)) })
	return names[:min(3, len(names))]
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

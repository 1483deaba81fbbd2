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
func userMessage(t Turn) llm.Message {
	// Only the agent may write the mark: the user's own is indented.
	question := strings.ReplaceAll("\n"+t.Question, "\n"+contextMark, "\n "+contextMark)[1:]
	return llm.Message{Role: llm.User, Text: question + "\n\n" + tail(t.Env, t.Looking)}
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

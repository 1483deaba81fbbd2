package llm

import (
	"cmp"
	"encoding/json"
	"strings"
)

// The most tokens of an answer, unless the request sets another limit, and those for
// thinking. If a model allows fewer, its refusal names the limit, which is learned.
const (
	anthropicAnswer    = 8192
	anthropicThinkLow  = 2048
	anthropicThinkMid  = 8192
	anthropicThinkHigh = 16384
)

// block is a JSON object. Its members are marshalled in sorted order, so that the same
// conversation is the same bytes in every request, as caching needs.
type block map[string]any

type anthropicRequest struct {
	Model        string             `json:"model"`
	MaxTokens    int                `json:"max_tokens"`
	Stream       bool               `json:"stream"`
	System       []block            `json:"system,omitempty"`
	Tools        []block            `json:"tools,omitempty"`
	ToolChoice   block              `json:"tool_choice,omitempty"`
	Temperature  *float64           `json:"temperature,omitempty"`
	Thinking     block              `json:"thinking,omitempty"`
	OutputConfig block              `json:"output_config,omitempty"`
	Messages     []anthropicMessage `json:"messages"`
}

// anthropicMessage joins consecutive messages of one role: in Anthropic's API they must
// alternate.
type anthropicMessage struct {
	Role    string `json:"role"`
	Content []any  `json:"content"` // each a block, or a json.RawMessage that is sent back unchanged
}

func anthropicBody(model string, req *Request, set settings) anthropicRequest {
	out := anthropicRequest{Model: model, MaxTokens: anthropicAnswer, Stream: true}
	if req.MaxTokens > 0 {
		out.MaxTokens = req.MaxTokens
	}
	w := anthropicWriter{set: set, ids: map[string]string{}}
	for i := range req.Messages {
		w.add(&req.Messages[i])
	}
	out.System, out.Messages = w.system, w.conversation()
	for _, t := range req.Tools {
		out.Tools = append(out.Tools, block{"name": t.Name, "description": t.Description, "input_schema": t.Parameters()})
	}
	if len(out.Tools) > 0 && req.ToolChoice == ToolNone && !set.drop["tool_choice"] {
		out.ToolChoice = block{"type": "none"}
	}
	out.think(req, set)
	if thinks := out.Thinking != nil && out.Thinking["type"] != "disabled"; !thinks && !set.drop["temperature"] {
		out.Temperature = req.Temperature
	}
	if set.maxAnswer > 0 {
		out.MaxTokens = min(out.MaxTokens, set.maxAnswer)
	}
	if !set.drop["cache_control"] {
		out.mark()
	}
	return out
}

// think asks for thinking, whose tokens count towards max_tokens. Newer models decide how
// long they think; older ones need a budget.
func (r *anthropicRequest) think(req *Request, set settings) {
	switch {
	case set.effort == "" || set.drop["thinking"]:
		return
	case set.effort == "none":
		r.Thinking = block{"type": "disabled"}
		return
	case unthoughtCalls(req.Messages, set):
		return
	}
	effort := anthropicEffort(set.effort)
	budget := cmp.Or(map[string]int{"low": anthropicThinkLow, "medium": anthropicThinkMid}[effort], anthropicThinkHigh)
	if set.maxAnswer > 0 {
		budget = min(budget, set.maxAnswer/2)
	}
	r.MaxTokens += budget
	if set.budget {
		r.Thinking = block{"type": "enabled", "budget_tokens": budget}
		return
	}
	r.Thinking = block{"type": "adaptive"}
	if !set.drop["display"] {
		r.Thinking["display"] = "summarized"
	}
	if !set.drop["output_config"] {
		r.OutputConfig = block{"effort": effort}
	}
}

// anthropicEffort returns the closest of the efforts that Anthropic and Ollama know.
func anthropicEffort(effort string) string {
	if effort == "minimal" {
		return "low"
	}
	return effort
}

// unthoughtCalls reports whether the request continues after calls made without thinking,
// for example by another model: Anthropic refuses those if thinking is enabled.
func unthoughtCalls(messages []Message, set settings) bool {
	last := len(messages) - 1
	if last < 0 || messages[last].Role != ToolRole {
		return false
	}
	for i := last; i >= 0; i-- {
		if len(messages[i].Calls) > 0 {
			return set.drop[echoAnthropic] || !present(messages[i].Echo[echoAnthropic])
		}
	}
	return true
}

// mark marks what is to be cached: the tools, the system prompt, and the conversation so
// far, which the next step repeats.
func (r *anthropicRequest) mark() {
	cache := block{"type": "ephemeral"}
	if n := len(r.Tools); n > 0 {
		r.Tools[n-1]["cache_control"] = cache
	}
	if n := len(r.System); n > 0 {
		r.System[n-1]["cache_control"] = cache
	}
	if n := len(r.Messages); n > 0 {
		content := r.Messages[n-1].Content
		if b, ok := content[len(content)-1].(block); ok {
			b["cache_control"] = cache
		}
	}
}

type anthropicWriter struct {
	set      settings
	ids      map[string]string
	system   []block
	messages []anthropicMessage
}

func (w *anthropicWriter) add(m *Message) {
	switch m.Role {
	case System:
		if len(w.messages) == 0 {
			if b := textBlock(m.Text); b != nil {
				w.system = append(w.system, b)
			}
			return
		}
		w.say("user", textBlock(m.Text))
	case ToolRole:
		w.say("user", w.result(m))
	case Assistant:
		w.assistant(m)
	default:
		w.say("user", textBlock(m.Text))
	}
}

func (w *anthropicWriter) assistant(m *Message) {
	for _, p := range m.pieces(echoAnthropic) {
		switch {
		case p.call != nil:
			w.say("assistant", block{
				"type": "tool_use", "id": idsPlain.apply(p.call.ID, w.ids),
				"name": p.call.Name, "input": json.RawMessage(plainArguments(*p.call)),
			})
		case p.keep == nil:
			w.say("assistant", textBlock(p.text))
		case !w.set.drop[echoAnthropic]:
			w.say("assistant", p.keep)
		}
	}
}

// result returns the result of a call. Content may be missing, but that of an error must
// not be empty.
func (w *anthropicWriter) result(m *Message) block {
	b := block{"type": "tool_result", "tool_use_id": idsPlain.apply(m.CallID, w.ids)}
	if !blank(m.Text) {
		b["content"] = m.Text
	}
	if m.Failed {
		b["is_error"] = true
		if blank(m.Text) {
			b["content"] = "error"
		}
	}
	return b
}

// say adds a part to the message of a role; a nil part adds nothing.
func (w *anthropicWriter) say(role string, part any) {
	if b, ok := part.(block); ok && b == nil {
		return
	}
	if n := len(w.messages); n > 0 && w.messages[n-1].Role == role {
		w.messages[n-1].Content = append(w.messages[n-1].Content, part)
		return
	}
	w.messages = append(w.messages, anthropicMessage{Role: role, Content: []any{part}})
}

// conversation returns the messages, which must begin and end with one of the user.
func (w *anthropicWriter) conversation() []anthropicMessage {
	if n := len(w.messages); n == 0 || w.messages[n-1].Role != "user" {
		w.say("user", textBlock("(Go on.)"))
	}
	if w.messages[0].Role != "user" {
		first := anthropicMessage{Role: "user", Content: []any{textBlock("(The start of this conversation is missing.)")}}
		w.messages = append([]anthropicMessage{first}, w.messages...)
	}
	return w.messages
}

func blank(text string) bool { return strings.TrimSpace(text) == "" }

// textBlock returns a block of text; nil for blank text, which Anthropic refuses.
func textBlock(text string) block {
	if blank(text) {
		return nil
	}
	return block{"type": "text", "text": text}
}

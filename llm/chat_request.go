package llm

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// chatBody returns a request. It uses types of go-openai where possible, but not its
// ChatCompletionRequest: that omits empty results and a temperature of 0, and has no
// members of other providers.
func chatBody(model string, req *Request, row Provider, set settings) block {
	ids := map[string]string{}
	var messages []block
	for i := range req.Messages {
		messages = append(messages, chatMessage(&req.Messages[i], ids, model, row, set))
	}
	if row.marks != "" && strings.HasPrefix(model, row.marks) && !set.drop["cache_control"] {
		markCached(messages)
	}
	extra := block{}
	if row.costs {
		extra["usage"] = map[string]bool{"include": true}
	}
	if len(req.Tools) > 0 && (req.ToolChoice != ToolNone || !row.noChoice) {
		extra["tools"] = chatTools(req.Tools)
		if row.parallel {
			extra["parallel_tool_calls"] = true
		}
		if req.ToolChoice == ToolNone {
			extra["tool_choice"] = "none"
		}
	}
	if req.Temperature != nil {
		extra["temperature"] = *req.Temperature
	}
	if req.MaxTokens > 0 {
		extra[cmp.Or(set.maxTokens, row.maxTokens, "max_tokens")] = req.MaxTokens
	}
	if !row.noUsage {
		extra["stream_options"] = map[string]bool{"include_usage": true}
	}
	if set.effort != "" {
		extra["reasoning_effort"] = set.effort
	}
	maps.DeleteFunc(extra, func(name string, _ any) bool { return set.drop[name] })
	extra["model"], extra["stream"], extra["messages"] = model, true, messages
	return extra
}

func chatMessage(m *Message, ids map[string]string, model string, row Provider, set settings) block {
	out := block{"role": string(m.Role), "content": cmp.Or(m.Text, m.Refusal)}
	if out["content"] == "" && len(m.Calls) > 0 {
		out["content"] = nil
	}
	if m.Role == ToolRole {
		out["tool_call_id"] = row.ids.apply(m.CallID, ids)
	}
	for _, name := range row.echo {
		if present(m.Echo[name]) && !set.drop[name] {
			out[name] = m.Echo[name]
		}
	}
	if m.Role == Assistant && out[echoReasoning] == nil && (row.instead.reasoning || set.reasoning) && !set.drop[echoReasoning] {
		out[echoReasoning] = ""
	}
	if len(m.Calls) == 0 {
		return out
	}
	calls := make([]openai.ToolCall, len(m.Calls))
	for i, c := range m.Calls {
		calls[i] = openai.ToolCall{
			ID:       row.ids.apply(c.ID, ids),
			Type:     openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: c.Name, Arguments: plainArguments(c)},
		}
	}
	out["tool_calls"] = calls
	if !set.drop[echoExtra] && slices.Contains(row.echo, echoExtra) {
		out["tool_calls"] = withExtras(calls, row.instead.extras(m, model))
	}
	return out
}

// withExtras adds to each call what must be sent back to its provider.
func withExtras(calls []openai.ToolCall, extras []json.RawMessage) []block {
	out := make([]block, len(calls))
	for i, c := range calls {
		out[i] = block{"id": c.ID, "type": c.Type, "function": c.Function}
		if extras[i] != nil {
			out[i][echoExtra] = extras[i]
		}
	}
	return out
}

// markCached marks how much of the request is to be cached: up to the system prompt, which
// the tools precede, and up to the last message of the user, which every step of a turn
// repeats. Only a part of a message can be marked.
func markCached(messages []block) {
	last := map[any]block{}
	for _, m := range messages {
		if said, isText := m["content"].(string); isText && said != "" {
			last[m["role"]] = m
		}
	}
	for _, role := range []Role{System, User} {
		if m := last[string(role)]; m != nil {
			m["content"] = []block{{"type": "text", "text": m["content"], "cache_control": block{"type": "ephemeral"}}}
		}
	}
}

func chatTools(tools []Tool) []openai.Tool {
	out := make([]openai.Tool, len(tools))
	for i, t := range tools {
		out[i] = openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: t.Parameters(),
		}}
	}
	return out
}

package llm

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// chatRequest is a request as go-openai knows it. What its types drop or refuse
// on their own account (empty results, empty arguments, temperature 0, members of
// single providers, limits by a model's name) is added by rewrite.
func chatRequest(model string, req *Request, row Provider) openai.ChatCompletionRequest {
	out := openai.ChatCompletionRequest{Model: model, Stream: true}
	ids := map[string]string{}
	for _, m := range req.Messages {
		out.Messages = append(out.Messages, chatMessage(m, row.ids, ids))
	}
	return out
}

func chatMessage(m Message, rule idRule, ids map[string]string) openai.ChatCompletionMessage {
	out := openai.ChatCompletionMessage{Role: string(m.Role), Content: m.Text}
	if m.Role == ToolRole {
		out.ToolCallID = rule.apply(m.CallID, ids)
	}
	if out.Content == "" {
		out.Content = m.Refusal
	}
	for _, c := range m.Calls {
		out.ToolCalls = append(out.ToolCalls, openai.ToolCall{
			ID:       rule.apply(c.ID, ids),
			Type:     openai.ToolTypeFunction,
			Function: openai.FunctionCall{Name: c.Name, Arguments: plainArguments(c)},
		})
	}
	return out
}

// rewrite adds to the body that go-openai wrote what it left out.
func rewrite(body []byte, req *Request, model string, row Provider, set settings) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(body, &members); err != nil {
		return nil, fmt.Errorf("read the request back: %w", err)
	}
	var messages []map[string]json.RawMessage
	if err := json.Unmarshal(members["messages"], &messages); err != nil || len(messages) != len(req.Messages) {
		return nil, fmt.Errorf("read back %d messages of the request, got %d: %w", len(req.Messages), len(messages), err)
	}
	for i, m := range req.Messages {
		if err := rewriteMessage(messages[i], m, model, row, set); err != nil {
			return nil, err
		}
	}
	if row.marks != "" && strings.HasPrefix(model, row.marks) && !set.drop["cache_control"] {
		markCached(messages)
	}
	extra := map[string]any{"messages": messages}
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
		extra[set.limitMember(row)] = req.MaxTokens
	}
	if !row.noUsage {
		extra["stream_options"] = map[string]bool{"include_usage": true}
	}
	if present(req.Answer) {
		extra["response_format"] = map[string]any{
			"type": "json_schema", "json_schema": map[string]any{"name": "answer", "schema": req.Answer},
		}
	}
	if set.effort != "" {
		extra["reasoning_effort"] = set.effort
	}
	for name, value := range extra {
		if set.drop[name] {
			continue
		}
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, fmt.Errorf("write %s of the request: %w", name, err)
		}
		members[name] = raw
	}
	return json.Marshal(members)
}

// markCached says up to where the request is to be kept in the cache: the system
// prompt, before which the tools stand, and the last message of the user, with which
// each step of a turn begins. Only a part of a message can be marked.
func markCached(messages []map[string]json.RawMessage) {
	last := map[string]map[string]json.RawMessage{}
	for _, m := range messages {
		role, _ := text(m["role"])
		if said, isText := text(m["content"]); isText && said != "" {
			last[role] = m
		}
	}
	for _, role := range []Role{System, User} {
		if m := last[string(role)]; m != nil {
			m["content"] = json.RawMessage(`[{"type":"text","text":` + string(m["content"]) + `,"cache_control":{"type":"ephemeral"}}]`)
		}
	}
}

func rewriteMessage(out map[string]json.RawMessage, m Message, model string, row Provider, set settings) error {
	if out["content"] == nil {
		out["content"] = json.RawMessage(`""`)
		if len(m.Calls) > 0 {
			out["content"] = json.RawMessage("null")
		}
	}
	for _, name := range row.echo {
		if present(m.Echo[name]) && !set.drop[name] {
			out[name] = m.Echo[name]
		}
	}
	if m.Role == Assistant && out[echoReasoning] == nil && (row.instead.reasoning || set.reasoning) && !set.drop[echoReasoning] {
		out[echoReasoning] = json.RawMessage(`""`)
	}
	if len(m.Calls) == 0 || set.drop[echoExtra] || !row.echoes(echoExtra) {
		return nil
	}
	var calls []map[string]json.RawMessage
	if err := json.Unmarshal(out["tool_calls"], &calls); err != nil || len(calls) != len(m.Calls) {
		return fmt.Errorf("read back %d calls of the request, got %d: %w", len(m.Calls), len(calls), err)
	}
	for i, extra := range row.instead.extras(m, model) {
		if extra != nil {
			calls[i][echoExtra] = extra
		}
	}
	raw, err := json.Marshal(calls)
	if err != nil {
		return fmt.Errorf("write the calls of the request: %w", err)
	}
	out["tool_calls"] = raw
	return nil
}

func chatTools(tools []Tool) []openai.Tool {
	out := make([]openai.Tool, len(tools))
	for i, t := range tools {
		schema := t.Schema
		if !present(schema) {
			schema = json.RawMessage(`{"type":"object","properties":{}}`)
		}
		out[i] = openai.Tool{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{
			Name: t.Name, Description: t.Description, Parameters: schema,
		}}
	}
	return out
}

func (p Provider) echoes(name string) bool {
	for _, e := range p.echo {
		if e == name {
			return true
		}
	}
	return false
}

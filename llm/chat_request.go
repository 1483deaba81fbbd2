package llm

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// chatFamily is OpenAI's chat completions, of which nearly all servers speak a dialect. The
// requests are in chat_request.go.
//
// https://platform.openai.com/docs/api-reference/chat-streaming
type chatFamily struct{}

func (chatFamily) request(c *Client, req *Request, set settings) (*url.URL, any) {
	return c.base.JoinPath("chat", "completions"), chatBody(c.model, req, c.row, set)
}

func (chatFamily) tagged() bool { return true }

func (chatFamily) decoder() decoder {
	return func(e sseEvent) (chunk, error) { return parseChunk(e.data) }
}

func (chatFamily) wrote(first string) bool { return first == "" }

func (chatFamily) learn(s *settings, e *Error, row Provider, sent []byte) bool {
	said := strings.ToLower(e.param + " " + e.Message)
	if row.second != nil && !s.secondFailed && e.Status >= 400 && e.Status < 500 && strings.Contains(said, "v1/responses") {
		s.second = true
		return true
	}
	if !e.refusesRequest() {
		return false
	}
	// Messages that ask for the newer name contain it, and so do those that refuse it.
	if strings.Contains(said, "max_completion_tokens") && s.maxTokens == "" {
		s.maxTokens = "max_completion_tokens"
		if row.maxTokens == s.maxTokens {
			s.maxTokens = "max_tokens"
		}
		return true
	}
	if strings.Contains(said, "reasoning_effort") && strings.Contains(said, "tools") && s.effort != "none" && !s.drop["reasoning_effort"] {
		s.effort = "none"
		return true
	}
	if strings.Contains(said, echoReasoning) && containsAny(said, "missing", "must be passed back", "must be provided") {
		taught := s.reasoning
		s.reasoning = true
		return !taught
	}
	return s.dropNamed([]string{
		"stream_options", "parallel_tool_calls", "reasoning_effort", "temperature", "cache_control",
		echoReasoning, echoDetails, echoExtra,
	}, said, sent)
}

// foreignAPI returns an error that names the API of an event without choices, if it is
// recognised: then the base URL is wrong. Otherwise it returns nil.
func foreignAPI(data []byte) *Error {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 {
		data = list[0]
	}
	w := membersOf(data)
	kind := scalar(w["type"])
	_, ollama := text(w["response"])
	_, words := text(w["content"])
	isList := func(name string) bool { return bytes.HasPrefix(w[name], []byte("[")) }
	switch {
	case isList("candidates"), isObject(w["promptFeedback"]):
		return wrongAPI("Gemini's own API; its address here ends in /openai")
	case scalar(w["event_type"]) == "stream-start", kind == "message-start", kind == "content-delta":
		return wrongAPI("Cohere's own API; its address here ends in /compatibility/v1")
	case kind == "message_start", kind == "content_block_start", kind == "content_block_delta":
		return wrongAPI("Anthropic's API; choose Anthropic as the provider")
	case strings.HasPrefix(kind, "response."):
		return wrongAPI("the Responses API")
	case ollama && present(w["done"]):
		return wrongAPI("Ollama's own API; its address here ends in /v1")
	case ollama, isObject(w["token"]), present(w["generated_text"]):
		return wrongAPI("an older API for texts; its address may end in /v1")
	case words && (string(w["stop"]) == "false" || string(w["stop"]) == "true"):
		return wrongAPI("llama.cpp's own API; its address here ends in /v1")
	case scalar(w["object"]) == "list" && present(w["data"]), isList("models"):
		return wrongAPI("a list of models")
	}
	return nil
}

func wrongAPI(what string) *Error {
	e := notSSE(what, 0)
	e.Message = "the server answered in the form of " + what + "; is the base URL right?"
	return e
}

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

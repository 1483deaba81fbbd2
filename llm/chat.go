package llm

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"
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

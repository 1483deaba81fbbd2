package llm

import (
	"net/url"
	"strings"
)

// chatFamily is OpenAI's chat completions, which nearly all servers speak in some
// dialect. See chat_request.go for what is sent.
type chatFamily struct{}

func (chatFamily) request(c *Client, req *Request, set settings) (*url.URL, any) {
	return c.base.JoinPath("chat", "completions"), chatBody(c.model, req, c.row, set)
}

func (chatFamily) tagged() bool { return true }

func (chatFamily) decoder() decoder {
	return func(e sseEvent) (chunk, error) { return parseChunk(e.data) }
}

func (chatFamily) wrote(first string) bool { return first == "" }

// chatDroppable are the members that a request can do without.
func chatDroppable() []string {
	return []string{
		"stream_options", "parallel_tool_calls", "reasoning_effort", "temperature", "response_format", "cache_control",
		echoReasoning, echoDetails, echoExtra,
	}
}

func (chatFamily) learn(s *settings, e *Error, row Provider, sent []byte) bool {
	said := strings.ToLower(e.param + " " + e.Message)
	if row.second != nil && !s.secondFailed && e.Status >= 400 && e.Status < 500 && strings.Contains(said, "v1/responses") {
		s.second = true
		return true
	}
	if !e.refusesRequest() {
		return false
	}
	// Both the word for "use this one" and that for "not this one" hold the newer name.
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
	if demandsReasoning(said) {
		taught := s.reasoning
		s.reasoning = true
		return !taught
	}
	return s.dropNamed(chatDroppable(), said, sent)
}

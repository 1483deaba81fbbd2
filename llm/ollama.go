package llm

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// ollamaFamily is Ollama's own API. Through Ollama's chat completions a request cannot set
// the window: the server uses its default, 4096 tokens, whatever the model supports, and
// silently cuts off the beginning of longer requests. Here every request sets the window.
// An answer is one JSON object per line, which chat_chunk.go reads.
//
// https://docs.ollama.com/api/chat
type ollamaFamily struct{}

// ollamaWindow is the window, in tokens, unless the user or the Modelfile sets another. Its
// memory is allocated when the model is loaded: two vectors for each layer and KV head,
// which for an 8B model with 36 layers and 8 heads of 128 16-bit numbers is 144 KiB a token
// (calculated, not measured). That is 2.4 GB at 16k in addition to about 5 GB for the
// model; with twice as much at 32k, a computer with 8 GB runs out of memory. A turn with
// 200 notes fits into 16k.
const ollamaWindow = 16 << 10

func (ollamaFamily) request(c *Client, req *Request, set settings) (*url.URL, any) {
	return c.beside("api/chat"), ollamaBody(c, req, set)
}

func (ollamaFamily) decoder() decoder {
	return func(e sseEvent) (chunk, error) {
		c, err := parseChunk(e.data)
		c.done = c.finish != ""
		return c, err
	}
}

func (ollamaFamily) tagged() bool { return true }

// wrote is always false: chatFamily reads recorded answers of Ollama too.
func (ollamaFamily) wrote(string) bool { return false }

func (ollamaFamily) learn(s *settings, e *Error, row Provider, sent []byte) bool {
	said := strings.ToLower(e.Message)
	if row.second != nil && !s.second && isNoPath(e, said) {
		s.second = true
		return true
	}
	switch {
	case strings.Contains(said, "think value") && !s.onOff:
		s.onOff = true
		return true
	case strings.Contains(said, "support thinking"), strings.Contains(said, "think value"):
		return s.dropOnce("think")
	}
	return e.refusesRequest() && s.dropNamed([]string{"think", "options"}, said, sent)
}

// isNoPath reports whether a server does not know the path: it is another program, or a
// gateway that only passes chat completions on. If only the model is missing, Ollama's
// message says so.
func isNoPath(e *Error, said string) bool {
	switch e.Status {
	case http.StatusNotFound:
		return !strings.Contains(said, "model")
	case http.StatusMethodNotAllowed, http.StatusNotImplemented:
		return true
	}
	return strings.Contains(said, "unexpected endpoint") // LM Studio, with a good status
}

type ollamaRequest struct {
	Model    string          `json:"model"`
	Stream   bool            `json:"stream"`
	Messages []ollamaMessage `json:"messages"`
	Tools    []openai.Tool   `json:"tools,omitempty"`
	Think    any             `json:"think,omitempty"` // a bool or an effort
	Options  map[string]any  `json:"options,omitempty"`
}

type ollamaMessage struct {
	Role     string       `json:"role"`
	Thinking string       `json:"thinking,omitempty"`
	Content  string       `json:"content"`
	Calls    []ollamaCall `json:"tool_calls,omitempty"`
	ToolName string       `json:"tool_name,omitempty"`
	CallID   string       `json:"tool_call_id,omitempty"`
}

type ollamaCall struct {
	ID       string `json:"id,omitempty"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"` // an object, not its text
	} `json:"function"`
}

func ollamaBody(c *Client, req *Request, set settings) ollamaRequest {
	out := ollamaRequest{Model: c.model, Stream: true, Messages: []ollamaMessage{}}
	for i := range req.Messages {
		out.Messages = append(out.Messages, ollamaSaid(&req.Messages[i]))
	}
	if req.ToolChoice != ToolNone { // Ollama has no tool_choice
		out.Tools = chatTools(req.Tools)
	}
	if !set.drop["think"] {
		out.Think = ollamaThink(set)
	}
	if !set.drop["options"] {
		out.Options = ollamaOptions(c, req)
	}
	return out
}

// ollamaThink returns whether to think, or how much, which few models accept; nil leaves it
// to the model.
func ollamaThink(set settings) any {
	switch {
	case set.effort == "":
		return nil
	case set.effort == "none":
		return false
	case set.onOff:
		return true
	}
	return anthropicEffort(set.effort) // the same words
}

func ollamaOptions(c *Client, req *Request) map[string]any {
	options := map[string]any{}
	if c.opt.Context > 0 {
		options["num_ctx"] = c.opt.Context
	}
	if req.Temperature != nil {
		options["temperature"] = *req.Temperature
	}
	if req.MaxTokens > 0 {
		options["num_predict"] = req.MaxTokens
	}
	return options
}

func ollamaSaid(m *Message) ollamaMessage {
	out := ollamaMessage{Role: string(m.Role), Content: cmp.Or(m.Text, m.Refusal)}
	if m.Role == ToolRole {
		out.ToolName, out.CallID = m.CallName, m.CallID
	}
	if len(m.Calls) > 0 {
		out.Thinking = m.Reasoning // templates use only that of calls in the current turn
	}
	for _, c := range m.Calls {
		call := ollamaCall{ID: c.ID}
		call.Function.Name, call.Function.Arguments = c.Name, json.RawMessage(plainArguments(c))
		out.Calls = append(out.Calls, call)
	}
	return out
}

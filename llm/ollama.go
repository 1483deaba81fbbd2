package llm

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/sashabaranov/go-openai"
)

// ollamaFamily is Ollama's own API. Its layer for chat completions takes no window:
// there the server starts a model with one of its own, 4096 tokens unless somebody
// changed it, whatever the model could take, and cuts what is longer at its beginning
// without a word. Here every request names the window that it counts on. An
// answer is a JSON object a line, which chat_chunk.go reads.
//
// https://docs.ollama.com/api/chat
type ollamaFamily struct{}

// ollamaWindow is how many tokens a model gets where neither the user nor its own
// Modelfile says it. Its memory is taken when the model is loaded, all of it: two
// vectors a layer and head of attention, so for an 8B model of 36 layers with 8 heads of
// 128 numbers, two bytes each, 144 KiB a token (reckoned, not measured). That is 2.4 GB
// at 16k beside about 5 GB of the model, and twice as much at 32k, which a computer of
// 8 GB no longer holds. A turn with 200 notes fits.
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

// tagged: a model that thinks without being known for it does so in its text.
func (ollamaFamily) tagged() bool { return true }

// wrote: recorded bodies are read with those of chat completions.
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
	return e.refusesRequest() && s.dropNamed([]string{"think", "options", "format"}, said, sent)
}

// isNoPath reports whether a server knows nothing at the path that was asked: another
// program answers there, or a gateway that lets only chat completions through. Of a
// model that is not there Ollama says so by name.
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
	Think    any             `json:"think,omitempty"` // a bool, or how much
	Options  map[string]any  `json:"options,omitempty"`
	Format   json.RawMessage `json:"format,omitempty"` // a JSON Schema of the answer
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
	if req.ToolChoice != ToolNone { // there is no such choice: without tools none is called
		out.Tools = chatTools(req.Tools)
	}
	if !set.drop["think"] {
		out.Think = ollamaThink(set)
	}
	if present(req.Answer) && !set.drop["format"] {
		out.Format = req.Answer
	}
	if !set.drop["options"] {
		out.Options = ollamaOptions(c, req)
	}
	return out
}

// ollamaThink says whether to think: nil leaves it to the model. Few models take how
// much.
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
	out := ollamaMessage{Role: string(m.Role), Content: m.Text}
	if out.Content == "" {
		out.Content = m.Refusal
	}
	if m.Role == ToolRole {
		out.ToolName, out.CallID = m.CallName, m.CallID
	}
	if len(m.Calls) > 0 {
		out.Thinking = m.Reasoning // what the call was thought out by; templates leave out older thinking
	}
	for _, c := range m.Calls {
		call := ollamaCall{ID: c.ID}
		call.Function.Name, call.Function.Arguments = c.Name, json.RawMessage(plainArguments(c))
		out.Calls = append(out.Calls, call)
	}
	return out
}

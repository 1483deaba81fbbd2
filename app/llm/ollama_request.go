package llm

import (
	"encoding/json"

	"github.com/sashabaranov/go-openai"
)

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

// ollamaBody writes a request.
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
	if c.context > 0 {
		options["num_ctx"] = c.context
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

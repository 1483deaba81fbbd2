package llm

import (
	"encoding/json"
	"strings"
)

// responsesItem is one item of an answer: a message, reasoning or a call.
type responsesItem struct {
	kind     string
	label    int // its index in responsesDecoder.items, which identifies the pieces of a call
	index    int // output_index
	id       string
	callID   string
	name     string
	size     int // of its text, in bytes
	texts    itemParts
	thoughts itemParts
	args     strings.Builder
	keep     json.RawMessage // encrypted reasoning, as it is sent back
	done     bool
	closed   bool // it has been found in the event that ends the answer
}

// itemParts is the text received of each part of an item, by the part's index.
type itemParts map[int]*strings.Builder

// add returns what an event adds to a part. The event holds a delta or the whole part:
// some servers send only the latter.
func (p itemParts) add(index, raw json.RawMessage, whole bool) string {
	s, _ := text(raw)
	i, _ := number(index)
	part := p[i]
	if part == nil {
		part = &strings.Builder{}
	}
	if whole {
		s = newPart(part.String(), s)
	}
	if s != "" {
		part.WriteString(s)
		p[i] = part
	}
	return s
}

func (it *responsesItem) addText(index, raw json.RawMessage, whole bool, c *chunk) {
	s := it.texts.add(index, raw, whole)
	it.size += len(s)
	c.text += s
}

func (it *responsesItem) addRefusal(index, raw json.RawMessage, whole bool, c *chunk) {
	c.refusal += it.texts.add(index, raw, whole)
}

// addPart adds a whole part of a message.
func (it *responsesItem) addPart(index, raw json.RawMessage, c *chunk) {
	p := membersOf(raw)
	if scalar(p["type"]) == "reasoning_text" {
		return // it has events of its own type
	}
	it.addText(index, p["text"], true, c)
	it.addRefusal(index, p["refusal"], true, c)
}

// addThought adds reasoning, each part as a paragraph.
func (d *responsesDecoder) addThought(it *responsesItem, index, raw json.RawMessage, whole bool, c *chunk) {
	parts := len(it.thoughts)
	s := it.thoughts.add(index, raw, whole)
	if len(it.thoughts) > parts && d.thought {
		c.reasoning += "\n\n"
	}
	d.thought = d.thought || s != ""
	c.reasoning += s
}

// addArguments adds to the arguments of a call. Whole ones replace the pieces.
func (it *responsesItem) addArguments(raw json.RawMessage, whole bool, c *chunk) {
	call := callDelta{index: it.label, hasIndex: true}
	call.setArguments(raw)
	if call.args == "" || whole && call.args == it.args.String() {
		return
	}
	if whole {
		it.args.Reset()
		call.argsJSON = true
	}
	it.args.WriteString(call.args)
	c.calls = append(c.calls, call)
}

// sameCall reports whether w is this call, as far as its arguments have been received.
func (it *responsesItem) sameCall(w members) bool {
	var same callDelta
	same.setArguments(w["arguments"])
	return it.name == scalar(w["name"]) && (it.args.Len() == 0 || it.args.String() == same.args)
}

// guessKind returns the type of an item whose first event was lost.
func (it *responsesItem) guessKind() string {
	switch {
	case it.args.Len() > 0:
		return "function_call"
	case len(it.texts) > 0:
		return "message"
	}
	return "reasoning"
}

type responsesRequest struct {
	Model       string   `json:"model"`
	Stream      bool     `json:"stream"`
	Store       bool     `json:"store"` // false: nothing of the conversation is kept there
	Include     []string `json:"include,omitempty"`
	Tools       []block  `json:"tools,omitempty"`
	ToolChoice  string   `json:"tool_choice,omitempty"`
	Reasoning   block    `json:"reasoning,omitempty"`
	Temperature *float64 `json:"temperature,omitempty"`
	MaxTokens   int      `json:"max_output_tokens,omitempty"`
	Input       []any    `json:"input"` // each a block, or a json.RawMessage that is sent back unchanged
}

func responsesBody(model string, req *Request, row Provider, set settings) responsesRequest {
	out := responsesRequest{Model: model, Stream: true, Input: []any{}}
	ids := map[string]string{}
	for i := range req.Messages {
		out.add(&req.Messages[i], row.ids, ids, set)
	}
	for _, t := range req.Tools {
		// Strict schemas cannot have optional arguments.
		out.Tools = append(out.Tools, block{
			"type": "function", "name": t.Name, "description": t.Description, "parameters": t.Parameters(), "strict": false,
		})
	}
	if len(out.Tools) > 0 && req.ToolChoice == ToolNone {
		out.ToolChoice = "none"
	}
	if !set.drop["temperature"] {
		out.Temperature = req.Temperature
	}
	if !set.drop["max_output_tokens"] {
		out.MaxTokens = req.MaxTokens
	}
	out.reason(set)
	return out
}

// reason asks for a summary of the reasoning, and for the reasoning itself, encrypted for
// the provider.
func (r *responsesRequest) reason(set settings) {
	if set.drop["reasoning"] {
		return
	}
	if !set.drop["include"] {
		r.Include = []string{"reasoning.encrypted_content"}
	}
	r.Reasoning = block{}
	if set.effort != "" && !set.drop["reasoning.effort"] {
		r.Reasoning["effort"] = set.effort
	}
	if set.effort != "none" && !set.drop["reasoning.summary"] {
		r.Reasoning["summary"] = "auto"
	}
}

func (r *responsesRequest) add(m *Message, rule idRule, ids map[string]string, set settings) {
	switch m.Role {
	case ToolRole:
		r.Input = append(r.Input, block{"type": "function_call_output", "call_id": rule.apply(m.CallID, ids), "output": m.Text})
	case Assistant:
		for _, p := range m.pieces(echoResponses) {
			switch {
			case p.call != nil:
				r.Input = append(r.Input, block{
					"type": "function_call", "call_id": rule.apply(p.call.ID, ids),
					"name": p.call.Name, "arguments": plainArguments(*p.call),
				})
			case p.keep == nil:
				r.Input = append(r.Input, block{"role": "assistant", "content": p.text})
			case !set.drop[echoResponses]:
				r.Input = append(r.Input, p.keep)
			}
		}
	default:
		r.Input = append(r.Input, block{"role": string(m.Role), "content": m.Text})
	}
}

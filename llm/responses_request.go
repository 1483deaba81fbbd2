package llm

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

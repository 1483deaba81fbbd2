package llm

import "encoding/json"

// chunk is what one event of a stream says, whatever its dialect.
type chunk struct {
	text, reasoning, refusal string
	detailed                 string // the text of details, for reasoning that stands there alone
	whole                    bool   // text, reasoning and calls are all so far, not what is new
	calls                    []callDelta
	details                  []json.RawMessage // reasoning_details
	reasoningContent         bool              // the reasoning came as reasoning_content
	thought                  bool              // the text is marked as thought
	finish, nativeFinish     string
	model                    string
	usage                    json.RawMessage
	echo                     map[string]json.RawMessage // what the family wants back, in whole
	done                     bool                       // the answer is over
	err                      *Error
}

// callDelta is a piece of a tool call.
type callDelta struct {
	index    int
	hasIndex bool
	id, name string
	args     string
	argsJSON bool // args came as JSON, not as text that holds JSON: it is whole
	extra    json.RawMessage
}

// readUsage makes a Usage of a provider's count.
func readUsage(raw json.RawMessage) *Usage {
	var m map[string]json.RawMessage
	if json.Unmarshal(raw, &m) != nil {
		return nil
	}
	number := func(raw json.RawMessage) (int, bool) {
		n, ok := number(raw)
		return max(n, 0), ok
	}
	var u Usage
	u.Input, _ = number(firstPresent(m, "prompt_tokens", "input_tokens"))
	u.Output, _ = number(firstPresent(m, "completion_tokens", "output_tokens"))
	var has bool
	if u.Total, has = number(m["total_tokens"]); !has {
		u.Total = u.Input + u.Output
	}
	u.Cached, has = number(firstPresent(m, "prompt_cache_hit_tokens", "cached_tokens", "cache_read_input_tokens"))
	for _, name := range []string{"prompt_tokens_details", "input_tokens_details"} {
		var details map[string]json.RawMessage
		if !has && present(m[name]) && json.Unmarshal(m[name], &details) == nil {
			u.Cached, has = number(details["cached_tokens"])
		}
	}
	u.Written, _ = number(m["cache_creation_input_tokens"])
	return &u
}

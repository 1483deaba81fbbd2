package llm

import "encoding/json"

// chunk is what one event of a stream says, whatever its dialect.
type chunk struct {
	text, reasoning, refusal string
	whole                    bool // text, reasoning and calls are all so far, not what is new
	calls                    []callDelta
	beside                   []callDelta       // of other choices: they count where the answer has none and ends with calls
	details                  []json.RawMessage // reasoning_details
	reasoningContent         bool              // the reasoning came as reasoning_content
	thought                  bool              // the text is marked as thought
	finish, nativeFinish     string
	model                    string
	usage                    json.RawMessage
	echo                     func() map[string]json.RawMessage // tells, once all is read, what the family wants back
	done                     bool                              // the answer is over
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

package llm

import (
	"encoding/json"
	"net/url"
)

// family is the API of a family of providers: how a request is written, how its answer is
// read, and what can be learned from a refusal. The files of a family begin with its name.
// Keys, redirects, limits on silence, retries and errors are the same for all: see
// [Client] and [attempt].
type family interface {
	// request returns where a request goes, and the body to send there as JSON.
	request(c *Client, req *Request, set settings) (to *url.URL, body any)
	// decoder returns a decoder for one answer.
	decoder() decoder
	// tagged reports whether text may contain reasoning between tags, because servers of
	// this family do not always separate it.
	tagged() bool
	// learn changes the settings according to what the server refused. It reports false if
	// there is nothing to learn, or nothing new.
	learn(s *settings, e *Error, row Provider, sent []byte) bool
	// wrote reports whether a recorded answer is in this family's format, given the type of
	// its first event ("" if it has none).
	wrote(first string) bool
}

// decoder reads the events of one answer, in order. It returns an error for an event that
// it cannot read at all.
type decoder func(sseEvent) (chunk, error)

// families returns all families, the default first.
func families() []family {
	return []family{chatFamily{}, anthropicFamily{}, responsesFamily{}, ollamaFamily{}}
}

func (p Provider) family(s settings) family {
	switch {
	case s.second && p.second != nil:
		return p.second
	case p.speaks != nil:
		return p.speaks
	}
	return families()[0]
}

// chunk is what one event adds to an answer.
type chunk struct {
	text, reasoning, refusal string
	whole                    bool // text, reasoning and calls are everything so far, not only what is new
	calls                    []callDelta
	beside                   []callDelta       // calls of other choices, used if this one has none but ends with calls
	details                  []json.RawMessage // reasoning_details
	reasoningContent         bool              // reasoning is from reasoning_content
	thought                  bool              // text is marked as reasoning
	finish, nativeFinish     string
	model                    string
	usage                    json.RawMessage
	echo                     func() members // returns, after the last event, what must be sent back
	done                     bool           // the answer is over
	err                      *Error
}

// callDelta is a piece of a call.
type callDelta struct {
	index    int
	hasIndex bool
	id, name string
	args     string
	argsJSON bool // args was a JSON value, not a string that holds JSON: it is complete
	extra    json.RawMessage
}

package llm

import (
	"encoding/json"
	"net/url"
)

// family is one way in which providers speak: how a request is written, how its
// answer is read, and what can be learned from a refusal. One file is one family,
// with files of the same first word beside it where it is large. Keys, redirects,
// limits on silence, tries and errors are no family's business: see exchange and
// Client.
type family interface {
	// request returns where a request of a client goes, and what is sent there as JSON.
	request(c *Client, req *Request, set settings) (to *url.URL, body any)
	// decoder returns what reads one answer.
	decoder() decoder
	// tagged reports whether a model's thinking may stand in its text, between
	// tags, because its server does not take it out.
	tagged() bool
	// learn changes the settings by what a server said it does not take of what
	// was sent. It reports false where there is nothing to learn, or nothing new.
	learn(s *settings, e *Error, row Provider, sent []byte) bool
	// wrote reports whether an answer is the family's whose first event is of this
	// type; "" where it names none.
	wrote(first string) bool
}

// decoder reads the events of one answer, in their order. The error says that an
// event cannot be read at all.
type decoder func(sseEvent) (chunk, error)

// families returns all families; the first one is that of servers not known.
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
	echo                     func() members // tells, once all is read, what the family wants back
	done                     bool           // the answer is over
	err                      *Error
}

type callDelta struct {
	index    int
	hasIndex bool
	id, name string
	args     string
	argsJSON bool // args came as JSON, not as text that holds JSON: it is whole
	extra    json.RawMessage
}

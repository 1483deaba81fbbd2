// Package textcall reads the tool calls that language models write as text, and
// writes what a model without native tools has to be told so that it does.
//
// A Scanner takes an answer in pieces and gives text, reasoning and calls:
//
//	pieces ─ reader ─ scan ─ text, reasoning
//	         one byte  └ an opener: the rows of Formats that know it read on;
//	         after the    the first that recognises a call has it, and where
//	         other        none does the opener was text
//
// What it promises: the same result however the answer was cut; nothing is held
// back but what may yet become a call, and the white space beside one; every byte
// is looked at a limited number of times; text without an opener comes out as it
// went in; nothing inside reasoning is a call, nor what is only shown or quoted; a
// call that is not whole is invalid; arguments are repaired only where one reading is
// possible (jsonfix). Work and calls are bounded: see maxCalls, maxCall and maxTried.
//
// What it leaves to others: whether a call may be run, and what the tools do.
// docs/models.md tells how to add a format.
package textcall

import "encoding/json"

// Tool describes one tool to the model.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object; nil for none
}

// Parameters returns the schema, also of a tool without arguments.
func (t Tool) Parameters() json.RawMessage {
	if len(t.Schema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Schema
}

// Call is a tool call that a model made.
type Call struct {
	ID        string          `json:"id"` // of a call in text mostly ""
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a JSON object; the raw text as a JSON string when Invalid
	Repaired  bool            `json:"repaired,omitempty"`
	Invalid   string          `json:"invalid,omitempty"` // why it must not be run; "" when it may
	// Extra is what a provider wants back unchanged (Gemini's extra_content).
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

// Kind says what an Event is.
type Kind uint8

// The kinds of events.
const (
	Text Kind = iota
	Reasoning
	Called
	// Thought says that all so far was reasoning, of which the beginning was never
	// written: the calls in it are not to be run.
	Thought
)

// Event is one thing that was found in the answer.
type Event struct {
	Kind  Kind
	Delta string // of Text and Reasoning
	// Begins says that Delta begins a message of its own: an answer in harmony has several.
	Begins bool
	Call   Call // of Called
	// Raw is what the call was written as; of calls that were written in one block,
	// the first has it.
	Raw string
}

// Options say how to read an answer.
type Options struct {
	// Tools are the tools that the model was told of. They decide where a form is
	// also plain JSON or plain prose, and of what type a value is. Without any,
	// every name is taken for a tool.
	Tools []Tool
	// KnownOnly leaves calls of tools that are not among Tools in the text.
	KnownOnly bool
	// NoCalls leaves all calls in the text: only reasoning is looked for.
	NoCalls bool
	// ThinkingOpen says that the answer begins inside the reasoning. If the
	// reasoning never ends, all is text, and nothing in it is a call.
	ThinkingOpen bool
}

// Package textcall reads the tool calls that language models write as text, and writes the
// instructions by which a model without native tools learns to do so.
//
//	scan := textcall.New(textcall.Options{Tools: tools})
//	for piece := range answer {
//		show(scan.Add(piece))
//	}
//	show(scan.End(true))
//
// A [Scanner] reads the answer byte by byte. At an opener, the formats that have it read
// on, and the first one that reads a call wins; if none does, the opener is text.
//
// The result does not depend on how the answer was cut. Only what may still become a call,
// and white space beside calls, is held back. Each byte is looked at a limited number of
// times. Text without an opener is passed on unchanged. Nothing inside reasoning, code or a
// quotation is a call. An incomplete call is invalid; arguments are repaired only if there
// is exactly one way to read them. Work and calls are bounded: see maxCalls, maxCall and
// maxTried.
//
// Whether a call may be run, and what tools do, is decided elsewhere. docs/models.md
// describes how to add a format.
package textcall

import "encoding/json"

// Tool is a tool that the model may call.
type Tool struct {
	Name        string
	Description string
	Schema      json.RawMessage // JSON Schema of the arguments, an object; nil for none
	// Foreign means that another program describes the tool, so that a server may refuse it.
	Foreign bool
}

// Parameters returns the schema; for a tool without arguments, that of an empty object.
func (t Tool) Parameters() json.RawMessage {
	if len(t.Schema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`)
	}
	return t.Schema
}

// Call is a tool call that a model made.
type Call struct {
	ID        string          `json:"id"` // often "" for calls in text
	Name      string          `json:"name"`
	Arguments json.RawMessage `json:"arguments"` // a JSON object; if Invalid, the raw text as a JSON string
	Repaired  bool            `json:"repaired,omitempty"`
	Invalid   string          `json:"invalid,omitempty"` // why it must not be run; "" if it may
	// Extra must be sent back to the provider unchanged (Gemini's extra_content).
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

// Kind is the kind of an [Event].
type Kind uint8

// The kinds of events.
const (
	Text Kind = iota
	Reasoning
	Called
	// Thought means that everything so far was reasoning without an opening tag: calls in
	// it must not be run.
	Thought
)

// Event is a part of the answer.
type Event struct {
	Kind  Kind
	Delta string // for Text and Reasoning
	// Begins means that Delta begins a new message: an answer in harmony has several.
	Begins bool
	Call   Call // for Called
	// Raw is the text of the call; only the first call of a block has it.
	Raw string
}

// Options control how an answer is read.
type Options struct {
	// Tools are the tools that the model may call. They decide whether ambiguous text,
	// such as bare JSON, is a call, and what type an argument has. Without any, every name
	// counts as a tool.
	Tools []Tool
	// KnownOnly leaves calls of tools that are not in Tools in the text.
	KnownOnly bool
	// NoCalls leaves all calls in the text: only reasoning is looked for.
	NoCalls bool
	// ThinkingOpen means that the answer begins inside reasoning. If the reasoning never
	// ends, everything is text, without calls.
	ThinkingOpen bool
}

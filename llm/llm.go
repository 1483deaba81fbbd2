// Package llm is one interface to all language models: a request goes in, typed events
// come out.
//
//	client, err := llm.New(llm.Options{Provider: provider, Model: "gpt-5", Key: key, HTTP: http})
//	…
//	for event, err := range client.Stream(ctx, &llm.Request{Messages: messages, Tools: tools}) {
//		…
//	}
//
// A [Client] speaks the API of a family of providers (see docs/models.md). A family writes
// requests and decodes the events of an answer; everything else is shared. An answer is
// read in these steps:
//
//	body ─ sseReader ─ eventBody ─ decoder of the family ─ answer ─ events
//	       framing     pings,      members of              thinking,
//	                   comments    any type                calls, repair
//
// The events do not depend on how the body was cut into pieces. An answer is complete only
// after [DONE] or a finish reason, and an incomplete call is invalid. Arguments are
// repaired only if there is exactly one way to read them. Every failure is an [*Error],
// whose Kind says what can be done. Leaving the loop or cancelling the context ends
// everything at once. A key is sent to its own host only, and is in no error, log or event.
//
// Which addresses may be dialled is up to the [http.Client] in [Options]. The caller runs
// the calls and limits the length of the conversation.
package llm

import (
	"context"
	"encoding/json"
	"iter"

	"bowerbird/llm/textcall"
)

// Model answers requests. Its methods may be called from any goroutine.
type Model interface {
	// Info describes the model.
	Info() Info
	// Stream answers one request. The last event is an EventFinish, unless the sequence
	// ends with an error, which is an [*Error]. Leaving the loop or cancelling ctx ends the
	// request at once and leaves no goroutine.
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
}

// Info describes a model.
type Info struct {
	Provider string // "builtin", "openai", "ollama", …
	Name     string
	Host     string // where text is sent; "" if it stays on this computer
	Context  int    // window in tokens; 0 if unknown
	Answer   int    // the most tokens of an answer; 0 if nobody set a limit
	Typed    bool   // reads Message.Value instead of its text, which may be cut (builtin only)
	Steps    int    // the most steps of its turns, if fewer than the settings allow; 0: no limit of its own
}

// Role is the author of a message.
type Role string

// The roles.
const (
	System    Role = "system"
	User      Role = "user"
	Assistant Role = "assistant"
	ToolRole  Role = "tool"
)

// Message is one entry of a conversation.
type Message struct {
	Role Role `json:"role"`
	// By is the model that wrote it, as "provider:model": Echo is sent back to its provider
	// only. "" means the provider that is asked.
	By        string `json:"by,omitempty"`
	Text      string `json:"text,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
	Refusal   string `json:"refusal,omitempty"`
	Calls     []Call `json:"calls,omitempty"` // assistant only
	// CallID and CallName are those of the call that a tool message answers; Failed means
	// that the answer is an error.
	CallID   string `json:"call_id,omitempty"`
	CallName string `json:"call_name,omitempty"`
	Failed   bool   `json:"failed,omitempty"`
	// Value is the typed result that Text was made from, for models with Info.Typed. It is
	// not saved.
	Value any `json:"-"`
	// Echo holds members that must be sent back to the provider unchanged with this
	// message, such as reasoning_details.
	Echo map[string]json.RawMessage `json:"echo,omitempty"`
}

// Call is a tool call that a model made.
type Call = textcall.Call

// Tool is a tool that the model may call.
type Tool = textcall.Tool

// ToolChoice is whether the model may call tools.
type ToolChoice string

// The choices.
const (
	ToolAuto ToolChoice = ""
	ToolNone ToolChoice = "none"
)

// Request is a request to a model.
type Request struct {
	Messages    []Message
	Tools       []Tool // sorted by name
	Hidden      []Tool // tools that are not sent; calls of them in the text are read nevertheless
	ToolChoice  ToolChoice
	Temperature *float64
	MaxTokens   int // 0: the provider's default
	// Answered means that the conversation already holds an answer, so that an empty one is
	// not an error of KindEmpty.
	Answered bool
}

// EventType decides which fields of an [Event] are set.
type EventType string

// The events of a stream.
const (
	EventText      EventType = "text"      // Delta
	EventReasoning EventType = "reasoning" // Delta
	EventRefusal   EventType = "refusal"   // Delta
	EventToolCall  EventType = "tool_call" // Call, complete
	// EventToolBegun announces a call as soon as its name is certain. Its Call has no
	// arguments, and an ID only if the server sent one. The complete call follows at the
	// end, unless there is a retry.
	EventToolBegun EventType = "tool_begun"
	EventUsage     EventType = "usage"    // Usage
	EventRetrying  EventType = "retrying" // Retry; discards everything before it
	EventEcho      EventType = "echo"     // Echo
	EventFinish    EventType = "finish"   // Finish
)

// Event is an event of a stream.
type Event struct {
	Type   EventType
	Delta  string
	Call   *Call
	Usage  *Usage
	Retry  *Retry
	Echo   map[string]json.RawMessage
	Finish string // "stop", "tool_calls", "length", … as the provider reports it; "" if it does not

	rawUsage json.RawMessage // as the provider sent it, for ReadRecorded
}

// Usage counts the tokens of a request and its answer. Counts that the provider does not
// report are 0.
type Usage struct {
	Input, Output, Total int
	Cached               int // of Input: read from the provider's cache
	Written              int // of Input: written to the provider's cache
	Thought              int // of Output: spent on reasoning

	Cost *float64 // in US dollars, as the provider reports it; nil if it does not
}

// Retry announces that the request is tried again.
type Retry struct {
	AfterSeconds float64
	Reason       string
}

// Package llm is one interface to all language models: a request goes in, typed
// events come out. It knows no tool, no store and no window.
//
// Client speaks to servers in the way of their family (see docs/models.md). A
// family writes the requests and says what each event of an answer means; all else
// is the same for every one. The way of an answer:
//
//	body ─ sseReader ─ eventBody ─ family's decoder ─ answer ─ events
//	       events,      those       members            thinking,
//	       however      that        of any             calls (assembler),
//	       framed       matter      type               arguments (repair)
//
// What it promises: the same events however the body was cut into pieces; an
// answer counts as whole only by [DONE] or a finish reason; a call that is not
// whole is marked invalid; arguments are repaired only where one reading is
// possible; failures are an *Error whose Kind says what can be done; leaving the
// loop or ending the context ends everything at once; a key goes to its own host
// and into no error, log or event.
//
// What it leaves to others: which addresses may be dialled (the http.Client that
// comes in), running calls and answering each, the length of the conversation, and
// whether the text is true.
package llm

import (
	"context"
	"encoding/json"
	"iter"

	"bowerbird/llm/textcall"
)

// Model answers requests. Its methods may be called from any goroutine.
type Model interface {
	// Info tells what the model is.
	Info() Info
	// Stream answers one request. Events come in order; the last one is a Finish,
	// or the sequence ends with an error, which is an *Error. Leaving the loop
	// or cancelling ctx ends the request at once and leaves no goroutine.
	Stream(ctx context.Context, req *Request) iter.Seq2[Event, error]
}

// Info is what is known of a model.
type Info struct {
	Provider string // "builtin", "openai", "ollama", …
	Name     string
	Host     string // where text is sent; "" when it stays on this computer
	Context  int    // window in tokens; 0 when unknown
	Answer   int    // how many tokens of it an answer may take; 0 when nobody chose that
	Typed    bool   // reads Message.Value, uncut, instead of its text (only builtin)
	Steps    int    // that its turns take at most, whatever the settings allow; 0: as these say
}

// Role says who wrote a message.
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
	// By is the model that said it, as "provider:model": what its provider wants
	// back is given to no other. Empty: the provider that is asked.
	By        string `json:"by,omitempty"`
	Text      string `json:"text,omitempty"`
	Reasoning string `json:"reasoning,omitempty"`
	Refusal   string `json:"refusal,omitempty"`
	Calls     []Call `json:"calls,omitempty"` // assistant only
	// For tool messages: which call is answered, and whether with an error.
	CallID   string `json:"call_id,omitempty"`
	CallName string `json:"call_name,omitempty"`
	Failed   bool   `json:"failed,omitempty"`
	// Value is the typed result behind a tool message's Text, for models with
	// Info.Typed; it is not saved.
	Value any `json:"-"`
	// Echo holds members of the provider that must be sent back unchanged with
	// this message (reasoning_details and the like).
	Echo map[string]json.RawMessage `json:"echo,omitempty"`
}

// Call is a tool call that a model made.
type Call = textcall.Call

// Tool describes one tool to the model.
type Tool = textcall.Tool

// ToolChoice says whether the model may call tools.
type ToolChoice string

// The choices.
const (
	ToolAuto ToolChoice = ""
	ToolNone ToolChoice = "none"
)

// Request is what a model is asked.
type Request struct {
	Messages    []Message
	Tools       []Tool // sorted by name
	Hidden      []Tool // that the model is not told of; calls of them in its text are read all the same
	ToolChoice  ToolChoice
	Temperature *float64
	MaxTokens   int // 0: the provider's default
	// Answer is a JSON Schema that the text of the answer should fit; nil: any text. It
	// is asked for where the server takes that; whether it was heeded is for who asks
	// to see, and the messages should ask for it too.
	Answer json.RawMessage
	// Answered says that the conversation holds the answer already: one with nothing in
	// it is then its end, and no KindEmpty.
	Answered bool
}

// EventType says which of an Event's fields are set.
type EventType string

// The events of a stream.
const (
	EventText      EventType = "text"      // Delta
	EventReasoning EventType = "reasoning" // Delta
	EventRefusal   EventType = "refusal"   // Delta
	EventToolCall  EventType = "tool_call" // Call, complete
	// EventToolBegun tells the name of a call, in Call, as soon as it is sure, while its
	// arguments are still awaited. Call.ID is the server's, or empty. The complete calls
	// come all the same, at the end; a retry takes it back.
	EventToolBegun EventType = "tool_begun"
	EventUsage     EventType = "usage"    // Usage
	EventRetrying  EventType = "retrying" // Retry; takes back all text of this request
	EventEcho      EventType = "echo"     // Echo
	EventFinish    EventType = "finish"   // Finish
)

// Event is one thing that happened in a stream.
type Event struct {
	Type   EventType
	Delta  string
	Call   *Call
	Usage  *Usage
	Retry  *Retry
	Echo   map[string]json.RawMessage
	Finish string // "stop", "tool_calls", "length", … as the provider said; "" when it said none

	rawUsage json.RawMessage // usage as the provider counts it, for ReadRecorded
}

// Usage counts tokens; the last usage of a stream stands for all of it.
type Usage struct {
	Input, Output, Total int
	Cached               int // of Input: read from the provider's cache
	Written              int // of Input: put into the provider's cache, where that is told
	Thought              int // of Output: spent on thinking, where that is told

	Cost *float64 // in US dollars, as the provider counts it; nil where it does not tell
}

// Retry announces another try.
type Retry struct {
	AfterSeconds float64
	Reason       string
}

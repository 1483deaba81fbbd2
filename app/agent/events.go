package agent

import (
	"encoding/json"

	"bowerbird/app/check"
	"bowerbird/llm"
	"bowerbird/tools"
)

// EventType is the type of an event; docs/events.md defines its JSON form.
type EventType string

// The agent events.
const (
	EventText          EventType = "text"
	EventReasoning     EventType = "reasoning"
	EventRefusal       EventType = "refusal"
	EventToolCallBegun EventType = "tool_call_begun"
	EventToolCall      EventType = "tool_call"
	EventToolStarted   EventType = "tool_started"
	EventToolResult    EventType = "tool_result"
	EventApproval      EventType = "approval"
	EventPresentNotes  EventType = "present_notes"
	EventTable         EventType = "table"
	EventChart         EventType = "chart"
	EventUsage         EventType = "usage"
	EventRetrying      EventType = "retrying"
	EventChecked       EventType = "checked"
	EventError         EventType = "error"
	EventFinish        EventType = "finish"
)

// Event is one thing that happened in a turn. Which fields are set depends on Type;
// MarshalJSON writes only those (docs/events.md), and UnmarshalJSON reads them.
type Event struct {
	Turn string
	Step int // from 1; 0 outside a model call
	Type EventType

	Delta string // text, reasoning, refusal

	// tool_call_begun, tool_call, tool_started, tool_result, approval; present_notes,
	// table and chart name the call that they come from, in memory only
	ID        string
	Name      string
	Arguments json.RawMessage // a JSON object; a JSON string of the raw text when Invalid
	Repaired  bool
	Invalid   string // why the call cannot be run
	Millis    int64
	Result    tools.Result // tool_result; nil when Failure is set, or when it was left out of a saved chat
	Failure   string       // tool_result: why the call failed
	Effect    tools.Effect // approval
	Preview   string       // approval: exactly what would happen
	Frozen    *Frozen      // approval: what is asked for, to ask for it again

	Notes   *tools.PresentResult // present_notes
	Table   *tools.TableResult   // table
	Chart   *tools.ChartResult   // chart
	Usage   *llm.Usage           // usage: of one model call; finish: of the turn, nil if no call reported its own
	CostBy  string               // usage, finish: by whose price Cost was reckoned: "user"; "" for the server's
	Cost    *float64             // usage, finish: what that cost, in US dollars; nil when it is not known
	Retry   *llm.Retry           // retrying: takes back what this step said and called
	Checked *check.Report        // checked
	Err     *llm.Error           // error
	Finish  string               // finish: the reason
	Trimmed bool                 // finish: "truncated"
}

// Frozen is what an approval was requested for, saved with its event: a turn that was
// interrupted asks for the same again, and for nothing else.
type Frozen struct {
	Arguments string `json:"arguments"` // the very bytes that the tool would be given
	Tainted   bool   `json:"tainted,omitempty"`
	Hash      string `json:"hash"` // of the Preview, in hex
}

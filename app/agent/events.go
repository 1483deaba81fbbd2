package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

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
	EventProgress      EventType = "progress"
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

	// tool_call_begun, tool_call, tool_started, progress, tool_result, approval; present_notes,
	// table and chart name the call that they come from, in memory only
	ID        string
	Name      string
	Arguments json.RawMessage // a JSON object; a JSON string of the raw text when Invalid
	Repaired  bool
	Invalid   string // why the call cannot be run
	Millis    int64
	Result    tools.Result    // tool_result; nil when Failure is set, or when it was left out of a saved chat
	Failure   string          // tool_result: why the call failed
	Effect    tools.Effect    // approval
	Progress  *tools.Progress // progress
	Preview   string          // approval: exactly what would happen
	Frozen    *Frozen         // approval: what is asked for, to ask for it again

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

// wire is the union of all JSON forms; each event type sets its own members. The order of
// the fields is that of the JSON.
type wire struct {
	Type EventType `json:"type"`
	Turn string    `json:"turn"`
	Step int       `json:"step"`

	Delta     *string         `json:"delta,omitempty"`
	ID        *string         `json:"id,omitempty"`
	Name      *string         `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	Repaired  bool            `json:"repaired,omitempty"`
	Invalid   string          `json:"invalid,omitempty"`
	Effect    string          `json:"effect,omitempty"`
	Preview   string          `json:"preview,omitempty"`
	Frozen    *Frozen         `json:"frozen,omitempty"`
	Done      *float64        `json:"done,omitempty"`
	Of        float64         `json:"of,omitempty"`
	Words     string          `json:"words,omitempty"`
	Millis    *int64          `json:"ms,omitempty"`
	Result    json.RawMessage `json:"result,omitempty"`
	Failure   string          `json:"error,omitempty"`

	Notes   *[]tools.PresentedNote `json:"notes,omitempty"`
	Missing *[]string              `json:"missing,omitempty"`

	Title   string             `json:"title,omitempty"`
	Columns *[]tools.Column    `json:"columns,omitempty"`
	Rows    *[][]string        `json:"rows,omitempty"`
	Numeric *[]bool            `json:"numeric,omitempty"`
	Spec    json.RawMessage    `json:"spec,omitempty"`
	Refused string             `json:"refused,omitempty"`
	Table   *tools.TableResult `json:"table,omitempty"`

	After *float64 `json:"after_s,omitempty"`
	// Reason is of a retry or a finish.
	Reason    *string `json:"reason,omitempty"`
	Truncated bool    `json:"truncated,omitempty"`

	Input   *int     `json:"input,omitempty"`
	Output  *int     `json:"output,omitempty"`
	Total   int      `json:"total,omitempty"`
	Cached  *int     `json:"cached,omitempty"`
	Written int      `json:"cache_written,omitempty"`
	Thought int      `json:"thought,omitempty"`
	Cost    *float64 `json:"cost,omitempty"`
	CostBy  string   `json:"cost_by,omitempty"`

	*check.Report

	Kind       llm.ErrorKind `json:"kind,omitempty"`
	Cause      llm.Cause     `json:"cause,omitempty"`
	Message    *string       `json:"message,omitempty"`
	Status     int           `json:"status,omitempty"`
	RetryAfter float64       `json:"retry_after_s,omitempty"`
}

// MarshalJSON writes the form of docs/events.md, on one line.
func (e Event) MarshalJSON() ([]byte, error) {
	w := wire{Type: e.Type, Turn: e.Turn, Step: e.Step}
	switch e.Type {
	case EventText, EventReasoning, EventRefusal:
		w.Delta = &e.Delta
	case EventToolCall:
		w.ID, w.Name = &e.ID, &e.Name
		w.Arguments = validJSON(e.Arguments)
		w.Repaired, w.Invalid = e.Repaired, e.Invalid
	case EventToolCallBegun:
		w.Name = &e.Name
		if e.ID != "" {
			w.ID = &e.ID
		}
	case EventToolStarted:
		w.ID, w.Name = &e.ID, &e.Name
	case EventProgress:
		v := deref(e.Progress)
		w.ID, w.Name, w.Done, w.Of, w.Words = &e.ID, &e.Name, &v.Done, v.Total, v.Words
	case EventToolResult:
		if err := e.wireResult(&w); err != nil {
			return nil, err
		}
	case EventApproval:
		w.ID, w.Name = &e.ID, &e.Name
		w.Effect, w.Preview, w.Frozen = knownEffect(e.Effect).String(), e.Preview, e.Frozen
	case EventPresentNotes:
		v := deref(e.Notes)
		w.Notes, w.Missing = list(v.Presented), list(v.Missing)
	case EventTable:
		v := deref(e.Table)
		w.Title, w.Columns, w.Rows, w.Numeric = v.Title, list(v.Columns), list(v.Rows), list(v.Numeric)
	case EventChart:
		v := deref(e.Chart)
		w.Title, w.Spec, w.Refused, w.Table = v.Title, v.Spec, v.Refused, v.Table
	case EventUsage:
		e.wireUsage(&w)
	case EventRetrying:
		v := deref(e.Retry)
		w.After, w.Reason = &v.AfterSeconds, &v.Reason
	case EventChecked:
		v := deref(e.Checked)
		v.Marks = *list(v.Marks)
		w.Report = &v
	case EventError:
		v := deref(e.Err)
		w.Kind, w.Cause, w.Message, w.Status, w.RetryAfter = v.Kind, v.Cause, &v.Message, v.Status, v.RetryAfterSeconds
	case EventFinish:
		w.Reason, w.Truncated = &e.Finish, e.Trimmed
		if e.Usage != nil {
			e.wireUsage(&w)
		}
	default:
		return nil, fmt.Errorf("writing an agent event: no such type %q", e.Type)
	}
	return line(w)
}

func (e Event) wireUsage(w *wire) {
	v := deref(e.Usage)
	w.Input, w.Output, w.Cached, w.Written, w.Thought = &v.Input, &v.Output, &v.Cached, v.Written, v.Thought
	w.Total, w.Cost, w.CostBy = v.Total, e.Cost, e.CostBy
}

// usage reads what wireUsage writes.
func (w *wire) usage() *llm.Usage {
	return &llm.Usage{
		Input: deref(w.Input), Output: deref(w.Output), Total: w.Total,
		Cached: deref(w.Cached), Written: w.Written, Thought: w.Thought,
	}
}

func (e Event) wireResult(w *wire) error {
	w.ID, w.Name, w.Millis = &e.ID, &e.Name, &e.Millis
	if w.Failure = e.Failure; w.Failure != "" {
		return nil
	}
	result, err := line(e.Result)
	if err != nil {
		return fmt.Errorf("writing the result of %s: %w", e.Name, err)
	}
	w.Result = result
	return nil
}

// line writes JSON without escaping <, > and &: it is never part of HTML.
func line(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// validJSON returns raw, or its text as a JSON string if it is not valid JSON.
func validJSON(raw json.RawMessage) json.RawMessage {
	if json.Valid(raw) {
		return raw
	}
	text, err := line(string(raw))
	if err != nil {
		return json.RawMessage(`""`)
	}
	return text
}

// list makes nil an empty list, so that readers find [] and not null.
func list[T any](v []T) *[]T {
	if v == nil {
		v = []T{}
	}
	return &v
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// ErrUnknownEvent is the error for an event of an unknown type.
var ErrUnknownEvent = errors.New("no such type")

// UnmarshalJSON reads the form that MarshalJSON writes. A result is read as a [RawResult],
// since its type is not part of the form.
func (e *Event) UnmarshalJSON(raw []byte) error {
	var w wire
	if err := json.Unmarshal(raw, &w); err != nil {
		return fmt.Errorf("reading an agent event: %w", err)
	}
	*e = Event{
		Type: w.Type, Turn: w.Turn, Step: w.Step, Delta: deref(w.Delta),
		ID: deref(w.ID), Name: deref(w.Name),
		Repaired: w.Repaired, Invalid: w.Invalid, Millis: deref(w.Millis), Failure: w.Failure,
	}
	switch w.Type {
	case EventText, EventReasoning, EventRefusal, EventToolCallBegun, EventToolStarted:
	case EventToolCall:
		e.Arguments = w.Arguments
	case EventProgress:
		e.Progress = &tools.Progress{Done: deref(w.Done), Total: w.Of, Words: w.Words}
	case EventToolResult:
		if w.Failure == "" && len(w.Result) > 0 && string(w.Result) != "null" {
			e.Result = RawResult(w.Result)
		}
	case EventApproval:
		for e.Effect < tools.Deletes && e.Effect.String() != w.Effect {
			e.Effect++
		}
		e.Preview, e.Frozen = w.Preview, w.Frozen
	case EventPresentNotes:
		e.Notes = &tools.PresentResult{Presented: deref(w.Notes), Missing: deref(w.Missing)}
	case EventTable:
		e.Table = &tools.TableResult{Title: w.Title, Columns: deref(w.Columns), Rows: deref(w.Rows), Numeric: deref(w.Numeric)}
	case EventChart:
		e.Chart = &tools.ChartResult{Title: w.Title, Spec: w.Spec, Refused: w.Refused, Table: w.Table}
	case EventUsage:
		e.Usage, e.Cost, e.CostBy = w.usage(), w.Cost, w.CostBy
	case EventRetrying:
		e.Retry = &llm.Retry{AfterSeconds: deref(w.After), Reason: deref(w.Reason)}
	case EventChecked:
		report := deref(w.Report)
		report.Marks = *list(report.Marks)
		e.Checked = &report
	case EventError:
		e.Err = &llm.Error{Kind: w.Kind, Cause: w.Cause, Message: deref(w.Message), Status: w.Status, RetryAfterSeconds: w.RetryAfter}
	case EventFinish:
		e.Finish, e.Trimmed, e.Cost, e.CostBy = deref(w.Reason), w.Truncated, w.Cost, w.CostBy
		if w.Input != nil {
			e.Usage = w.usage()
		}
	default:
		return fmt.Errorf("reading an agent event: %w: %q", ErrUnknownEvent, w.Type)
	}
	return nil
}

// RawResult is a tool's saved result: its JSON.
type RawResult json.RawMessage

// MarshalJSON returns the saved JSON.
func (r RawResult) MarshalJSON() ([]byte, error) { return validJSON(json.RawMessage(r)), nil }

// ForModel returns the JSON, cut at limit bytes.
func (r RawResult) ForModel(limit int) string { return cut(string(r), limit) }

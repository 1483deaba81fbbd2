package agent

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"bowerbird/app/llm"
	"bowerbird/tools"
)

// Result is a whole turn, for callers that need no events.
type Result struct {
	Text      string // of all steps, paragraphs apart
	Calls     []CallResult
	Usage     llm.Usage // of all steps
	Finish    string
	Truncated bool
	Err       *llm.Error // nil unless Finish is FinishError
}

// CallResult is a call beside what became of it.
type CallResult struct {
	Name      string
	Arguments json.RawMessage
	Result    tools.Result // nil when it failed
	Failure   string
}

// Collect runs a turn to its end.
func Collect(events iter.Seq[Event]) Result {
	var c collector
	for e := range events {
		c.add(e)
	}
	c.endStep()
	return c.Result
}

type collector struct {
	Result
	step  int
	text  strings.Builder
	made  []Event // this step's calls
	texts []string
	spent Spent
}

func (c *collector) add(e Event) {
	if e.Step != c.step {
		c.endStep()
		c.step = e.Step
	}
	switch e.Type {
	case EventText, EventRefusal:
		c.text.WriteString(e.Delta)
	case EventToolCall:
		c.made = append(c.made, e)
	case EventToolResult:
		if i := slices.IndexFunc(c.made, func(m Event) bool { return m.ID == e.ID }); i >= 0 {
			c.Calls = append(c.Calls, CallResult{e.Name, c.made[i].Arguments, e.Result, e.Failure})
		}
	case EventRetrying:
		c.text.Reset()
		c.made = nil
	case EventUsage:
		c.spent.Add(e.Usage, e.Cost)
		c.Usage = c.spent.Usage
	case EventError:
		c.Err = e.Err
	case EventFinish:
		c.Finish, c.Truncated = e.Finish, e.Trimmed
	}
}

func (c *collector) endStep() {
	if text := strings.TrimSpace(c.text.String()); text != "" {
		c.texts = append(c.texts, text)
	}
	c.text.Reset()
	c.made = nil
	c.Text = strings.Join(c.texts, "\n\n")
}

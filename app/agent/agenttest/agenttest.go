// Package agenttest runs whole turns, for tests that look at no single event.
package agenttest

import (
	"encoding/json"
	"iter"
	"slices"
	"strings"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Result is a whole turn.
type Result struct {
	Text      string // of all steps, paragraphs apart
	Calls     []CallResult
	Usage     llm.Usage // of all steps
	Finish    string
	Truncated bool
	Err       *llm.Error // nil unless Finish is agent.FinishError
}

// CallResult is a call beside what became of it.
type CallResult struct {
	Name      string
	Arguments json.RawMessage
	Result    tools.Result // nil when it failed
	Failure   string
}

// Collect runs a turn to its end.
func Collect(events iter.Seq[agent.Event]) Result {
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
	made  []agent.Event // this step's calls
	texts []string
	spent agent.Spent
}

func (c *collector) add(e agent.Event) {
	if e.Step != c.step {
		c.endStep()
		c.step = e.Step
	}
	switch e.Type {
	case agent.EventText, agent.EventRefusal:
		c.text.WriteString(e.Delta)
	case agent.EventToolCall:
		c.made = append(c.made, e)
	case agent.EventToolResult:
		if i := slices.IndexFunc(c.made, func(m agent.Event) bool { return m.ID == e.ID }); i >= 0 {
			c.Calls = append(c.Calls, CallResult{e.Name, c.made[i].Arguments, e.Result, e.Failure})
		}
	case agent.EventRetrying:
		c.text.Reset()
		c.made = nil
	case agent.EventUsage:
		c.spent.Add(e.Usage, e.Cost)
		c.Usage = c.spent.Usage
	case agent.EventError:
		c.Err = e.Err
	case agent.EventFinish:
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

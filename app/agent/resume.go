package agent

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"bowerbird/llm"
)

// Conversation is what a chat keeps from turn to turn. Its zero value is a new one.
type Conversation struct {
	// Session is the part of the prompt that is frozen when the chat starts: the account,
	// its follows, the language. It holds no text by others and must not change later,
	// since the provider's cache depends on it.
	Session string
	// Messages is everything that was said, as the model read it.
	Messages []llm.Message
	// What no longer fits the model's window is not sent: of the messages before Bare,
	// calls and results are left out; those before LeftOut are left out whole.
	Bare, LeftOut int
	// Whole is true if the model's last answer was completed, with all its calls.
	Whole bool
	// Ended is why the answer ended, as in a finish event; "" unless Whole.
	Ended string

	tainted bool
}

// Tainted reports whether the conversation holds text by anyone but the user.
func (c *Conversation) Tainted() bool { return c.tainted }

// Taint marks the conversation as holding text by others. It cannot be undone: what is made
// from it (a branch, a summary) is tainted too.
func (c *Conversation) Taint() { c.tainted = true }

// Settle makes the conversation acceptable to every provider, however its turns ended:
// every call has a result, and every question an answer. Run does so before and after each
// turn; a conversation that was loaded needs it once.
func (c *Conversation) Settle() { c.Messages = answered(settleCalls(c.Messages)) }

const (
	interrupted = "not run: the turn was interrupted"
	// unanswered takes the place of a missing answer: some servers refuse a question right
	// after a question or a tool's result.
	unanswered = "(The turn ended here without an answer.)"
)

// answered inserts missing answers, and drops those that hold nothing but reasoning.
func answered(messages []llm.Message) []llm.Message {
	var out []llm.Message
	for _, m := range messages {
		if m.Role == llm.Assistant && m.Text == "" && m.Refusal == "" && len(m.Calls) == 0 {
			continue
		}
		if m.Role == llm.User && open(out) {
			out = append(out, llm.Message{Role: llm.Assistant, Text: unanswered})
		}
		out = append(out, m)
	}
	if open(out) {
		out = append(out, llm.Message{Role: llm.Assistant, Text: unanswered})
	}
	return out
}

// open reports whether the assistant is to speak next.
func open(messages []llm.Message) bool {
	return len(messages) > 0 && messages[len(messages)-1].Role != llm.Assistant
}

// settleCalls adds a result to every call without one, and drops results without a call.
func settleCalls(messages []llm.Message) []llm.Message {
	var out []llm.Message
	for i, m := range messages {
		if m.Role == llm.ToolRole {
			continue // taken with its call below, or without one
		}
		out = append(out, m)
		if len(m.Calls) == 0 {
			continue
		}
		results := make(map[string]llm.Message)
		for _, n := range messages[i+1:] {
			if n.Role != llm.ToolRole {
				break
			}
			results[n.CallID] = n
		}
		for _, call := range m.Calls {
			result, ok := results[call.ID]
			if !ok {
				result = llm.Message{Role: llm.ToolRole, CallID: call.ID, CallName: call.Name, Failed: true, Text: errorText(interrupted)}
			}
			out = append(out, result)
		}
	}
	return out
}

// A turn that was interrupted, because the program ended or died, can be taken up again
// from what was saved: the messages of the conversation, and the events.
//
//   - An incomplete answer is withdrawn and asked for again.
//   - Calls without a result are completed: those that only read are run, the others need
//     an approval again, exactly as they were.
//   - A call that had started is not made again, whatever it was: nobody knows whether it
//     took effect, and the model gets this as its result.
//
// Steps, citations and costs continue to count.

// OutcomeUnknown begins the failure of a call that was running when the program ended.
const OutcomeUnknown = "it is not known whether this took effect"

const (
	outcomeUnknown = OutcomeUnknown + ": the program ended while it ran. " +
		"Do not call it again before the user has looked and asked for it"
	approvalAltered = "not run: what was kept of its approval is damaged, or is not what would run"
)

// Cut is a turn that was interrupted.
type Cut struct {
	Events []Event // all that it yielded
	First  int     // the index of its first message in the conversation
}

// before is what happened to a call before the turn was interrupted.
type before struct {
	asked   *Event // the approval that was asked for
	started bool
}

// Resume takes up a turn that was interrupted, and yields what happens from there, as Run
// does. The conversation must end with the messages of the turn as they were saved: not
// settled, and with Whole. The turn has the ID and the question that it was asked with.
func (a *Agent) Resume(ctx context.Context, c *Conversation, t Turn, cut Cut) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := a.newRun(c, t, yield, cancel)
		defer r.settle()
		r.resume(ctx, cut)
	}
}

func (r *run) resume(ctx context.Context, cut Cut) {
	first := min(max(cut.First, 0), len(r.chat.Messages))
	r.begin(first)
	r.supply(ctx) // the turn may have calls of tools whose servers are still to be started
	if err := r.takeUp(cut.Events); err != nil {
		r.fail(err)
		return
	}
	if len(r.chat.Messages) == first { // cut off before anything was said
		r.chat.Messages = append(r.chat.Messages, r.userMessage())
	}
	switch last := &r.chat.Messages[len(r.chat.Messages)-1]; {
	case r.step == 0:
	case len(r.openCalls()) > 0 && r.step > r.opt.MaxSteps:
		r.refuseCalls(r.openCalls(), "not run: no steps are left in this turn")
		r.finish(FinishSteps, true)
		return
	case len(r.openCalls()) > 0:
		r.runCalls(ctx, r.openCalls())
		r.before = nil // later calls may have the same ids
	case last.Role != llm.Assistant:
	case r.stop != "" || r.step > r.opt.MaxSteps: // the closing words
		r.finish(cmp.Or(r.stop, FinishSteps), true)
		return
	case llm.Filtered(r.chat.Ended) || !r.askAgain(last.Text, cmp.Or(r.chat.Ended, FinishStop)):
		r.finish(cmp.Or(r.chat.Ended, FinishStop), llm.CutShort(r.chat.Ended))
		return
	}
	if ctx.Err() != nil {
		r.finish(FinishCancelled, false)
		return
	}
	r.steps(ctx)
}

// takeUp restores the state in which the turn was interrupted.
func (r *run) takeUp(events []Event) error {
	for _, e := range events {
		if e.Type == EventUsage {
			r.spent.Add(e.Usage, e.Cost)
		}
	}
	if r.typed {
		return r.startOver(events)
	}
	if n := len(r.chat.Messages); !r.chat.Whole && n > r.first && r.chat.Messages[n-1].Role == llm.Assistant {
		r.chat.Messages = r.chat.Messages[:n-1]
		r.spent.Unpriced = true
	}
	said := r.chat.Messages[r.first:]
	for _, m := range said {
		if m.Role == llm.Assistant {
			r.step++
		}
	}
	r.countAgain(said)
	r.before = make(map[string]before)
	for i, e := range events {
		switch {
		case e.Step > r.step+1:
			return errors.New("the turn was not kept whole, since it is too long; ask again")
		case e.Type == EventPresentNotes:
			if e.Notes != nil {
				r.env.Presented.Again(*e.Notes)
			}
		case e.Step == r.step && e.Type == EventApproval:
			r.before[e.ID] = before{asked: &events[i]}
		case e.Step == r.step && e.Type == EventToolStarted:
			r.before[e.ID] = before{started: true}
		}
	}
	r.takeBack(events, r.step+1)
	return nil
}

// startOver starts the turn again, for a model that reads values, which are not saved. Such
// a model only reads.
func (r *run) startOver(events []Event) error {
	last := 0
	for _, e := range events {
		if e.Type == EventToolStarted {
			return errors.New("this turn did more than read; another kind of model cannot take it up")
		}
		last = max(last, e.Step)
	}
	r.chat.Messages = r.chat.Messages[:min(r.first+1, len(r.chat.Messages))]
	for step := last; step > 0; step-- {
		r.takeBack(events, step)
	}
	return nil
}

// takeBack withdraws what a step yielded, if it yielded anything.
func (r *run) takeBack(events []Event, step int) {
	shown := slices.ContainsFunc(events, func(e Event) bool {
		return e.Step == step && e.Type != EventUsage && e.Type != EventRetrying
	})
	if shown {
		r.emit(Event{Type: EventRetrying, Step: step, Retry: &llm.Retry{Reason: "the turn was interrupted"}})
	}
}

// countAgain restores what is counted over the calls of the turn, and whether the answer
// was asked for again.
func (r *run) countAgain(said []llm.Message) {
	made := make(map[string]llm.Call)
	for i, m := range said {
		for _, c := range m.Calls {
			made[c.ID] = c
		}
		switch {
		case m.Role == llm.User && i > 0:
			r.askedAgain, r.withdrawn = true, withdrawn{said[i-1], FinishStop}
		case m.Role == llm.ToolRole:
			c := made[m.CallID]
			if _, known := r.tools.find(c.Name); m.Failed && (!known || c.Invalid != "") {
				continue
			}
			text, _, _ := strings.Cut(m.Text, repeatedMark)
			r.found.take(c.Arguments, text)
			if _, stop := r.seen.note(c.Name, c.Arguments, text); stop {
				r.stop = FinishRepeated
			}
		}
	}
}

// openCalls returns the calls of the last answer that have no result.
func (r *run) openCalls() []*call {
	messages := r.chat.Messages
	i := len(messages) - 1
	for i >= r.first && messages[i].Role == llm.ToolRole {
		i--
	}
	if i < r.first {
		return nil
	}
	done := make(map[string]bool)
	for _, m := range messages[i+1:] {
		done[m.CallID] = true
	}
	var all, open []*call
	for _, c := range messages[i].Calls {
		made := r.newCall(c, all)
		all = append(all, made)
		if !done[made.ID] {
			open = append(open, made)
		}
	}
	return open
}

// asksFor reports whether a saved approval is for p, unaltered.
func (e *Event) asksFor(p Preview) bool {
	return e.Frozen != nil && e.Frozen.Arguments == p.Arguments && e.Frozen.Hash == p.frozen().Hash &&
		e.Name == p.Tool && knownEffect(e.Effect) == p.Effect && e.Preview == p.String()
}

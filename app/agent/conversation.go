package agent

import "bowerbird/llm"

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

package agent

import "bowerbird/llm"

// Conversation is what a chat carries from turn to turn. Its zero value is a new
// one.
type Conversation struct {
	// Session is the part of the prompt that is frozen when the chat starts: the
	// account, who is followed, the language. It holds no text by others, and
	// must not change later: the model's cache rests on it.
	Session string
	// Messages are all that was said, as the model read it.
	Messages []llm.Message
	// What no longer fits into the model's window is not sent: of the messages
	// before Bare, the words alone, no calls and results; of those before LeftOut,
	// nothing.
	Bare, LeftOut int
	// Whole says that the model's last answer came to its end, so that its calls are all
	// there. It is false while an answer is being said.
	Whole bool
	// Ended is why the answer ended, in the words of a finish event; "" while not Whole.
	Ended string

	tainted bool
}

// Tainted reports whether the conversation holds text by anyone but the user.
func (c *Conversation) Tainted() bool { return c.tainted }

// Taint marks the conversation as holding text by others. There is no way back:
// what is made from it (a branch, a summary) is tainted too.
func (c *Conversation) Taint() { c.tainted = true }

// Settle makes the conversation one that every provider takes, whatever became of
// its turns: every call has its result, and every question an answer. Run does it
// before and after each turn; whoever reads a conversation back does it once.
func (c *Conversation) Settle() { c.Messages = answered(settleCalls(c.Messages)) }

const (
	interrupted = "not run: the turn was interrupted"
	// unanswered stands where the model said nothing: some servers refuse a
	// question right after a question or a tool's result.
	unanswered = "(The turn ended here without an answer.)"
)

// answered puts a word of the assistant's where its answer is missing, and drops
// answers that hold nothing but thinking.
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

// settleCalls gives every call without a result one that says why. Results
// without a call are dropped.
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

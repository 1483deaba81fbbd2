package agent

import "bowerbird/app/llm"

// Conversation is what a chat carries from turn to turn. Its zero value is a new
// one.
type Conversation struct {
	// Session is the part of the prompt that is frozen when the chat starts: the
	// account, who is followed, the language. It holds no text by others, and
	// must not change later: the model's cache rests on it.
	Session string
	// Messages are all that was said, as the model read it.
	Messages []llm.Message
	// LeftOut counts the oldest messages that no longer fit into the model's
	// window and are not sent.
	LeftOut int

	tainted bool
}

// Tainted reports whether the conversation holds text by anyone but the user.
func (c *Conversation) Tainted() bool { return c.tainted }

// Taint marks the conversation as holding text by others. There is no way back:
// what is made from it (a branch, a summary) is tainted too.
func (c *Conversation) Taint() { c.tainted = true }

// Settle gives every call that was left open a result that says so. Run does it
// before and after each turn; whoever reads a conversation back does it once.
func (c *Conversation) Settle() { c.Messages = settleCalls(c.Messages, interrupted) }

// Why a call that was left open has no result of its own.
const interrupted = "not run: the turn was interrupted"

// settleCalls gives every call without a result one that says why, so that
// providers accept the conversation whatever happened to it. Results without a
// call are dropped.
func settleCalls(messages []llm.Message, why string) []llm.Message {
	if !unsettled(messages) {
		return messages
	}
	out := make([]llm.Message, 0, len(messages)+1)
	for i := 0; i < len(messages); i++ {
		m := messages[i]
		if m.Role == llm.ToolRole {
			continue // taken with its call below, or without one
		}
		out = append(out, m)
		if m.Role != llm.Assistant {
			continue
		}
		answers := make(map[string]llm.Message)
		for _, n := range messages[i+1:] {
			if n.Role != llm.ToolRole {
				break
			}
			answers[n.CallID] = n
		}
		for _, call := range m.Calls {
			answer, ok := answers[call.ID]
			if !ok {
				answer = failedMessage(call, why)
			}
			out = append(out, answer)
		}
	}
	return out
}

func unsettled(messages []llm.Message) bool {
	var open []llm.Call
	for _, m := range messages {
		if m.Role == llm.ToolRole {
			if len(open) == 0 || open[0].ID != m.CallID {
				return true
			}
			open = open[1:]
			continue
		}
		if len(open) > 0 {
			return true
		}
		open = m.Calls
	}
	return len(open) > 0
}

func failedMessage(call llm.Call, why string) llm.Message {
	return llm.Message{
		Role: llm.ToolRole, CallID: call.ID, CallName: call.Name,
		Failed: true, Text: errorText(why),
	}
}

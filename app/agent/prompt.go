package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bowerbird/llm"
	"bowerbird/tools"
)

// The prompt has three parts: what never changes (the system prompt and the
// tools, sorted), what is frozen for the chat (Conversation.Session), and what
// changes, which stands at the end of the last user message. So everything before
// it is the same, byte for byte, in each request of a chat, and caches hit.

// contextMark opens the part of a user message that is not the user's.
const contextMark = "<context>"

// resultsRead stands between a tool's result and the closing words: Mistral's
// servers and templates refuse a user's message right after a result, and within
// a result the words would be data.
const resultsRead = "(The results are read.)"

// request is what the model is asked next.
func (r *run) request(messages []llm.Message, choice llm.ToolChoice) *llm.Request {
	req := &llm.Request{Tools: r.told.tools, Hidden: r.told.hidden, ToolChoice: choice}
	if system := r.system(); system != "" {
		req.Messages = append(req.Messages, llm.Message{Role: llm.System, Text: system})
	}
	req.Messages = append(req.Messages, messages...)
	if choice == llm.ToolNone && r.opt.Prompts.Closing != "" {
		if req.Messages[len(req.Messages)-1].Role == llm.ToolRole {
			req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Text: resultsRead})
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: r.opt.Prompts.Closing})
	}
	return req
}

func (r *run) system() string {
	parts := []string{strings.TrimSpace(r.told.contract), strings.TrimSpace(r.chat.Session)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// userMessage is the user's question with what changes from turn to turn. It
// stays in the history as it is, so that the next turn's prefix is this turn's
// request.
func userMessage(t Turn) llm.Message {
	// The mark is ours alone: a line of the user's own is set off by a space.
	question := strings.ReplaceAll("\n"+t.Question, "\n"+contextMark, "\n "+contextMark)[1:]
	return llm.Message{Role: llm.User, Text: question + "\n\n" + tail(t.Env, t.Looking)}
}

// tail tells the time. Each time stands with its zone and as unix seconds, since
// models are bad at turning one into the other, and at finding where a week begins.
func tail(env *tools.Env, looking string) string {
	now := env.Now().In(env.Zone)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nnow: %s, %s\n", contextMark, now.Weekday(), stamp(now))
	began := func(words string) time.Time { from, _, _ := tools.Block(words, now); return from }
	fmt.Fprintf(&b, "yesterday began: %s\n", stamp(began("yesterday")))
	// Dates are enough here, and a chat repeats them with each question.
	fmt.Fprintf(&b, "today began: %s, this week: %s\n", began("today").Format(time.DateOnly), began("this week").Format("Monday 2006-01-02"))
	// Other names are none that a model can look up.
	if zone := env.Zone.String(); zone == "UTC" || strings.Contains(zone, "/") {
		fmt.Fprintf(&b, "zone: %s\n", zone)
	}
	if !env.LastVisit.IsZero() {
		fmt.Fprintf(&b, "last visit: %s\n", stamp(env.LastVisit.In(env.Zone)))
	}
	if looking != "" {
		fmt.Fprintf(&b, "open: %s\n", strings.Join(strings.Fields(looking), " "))
	}
	b.WriteString("</context>")
	return b.String()
}

func stamp(t time.Time) string {
	return fmt.Sprintf("%s (unix %d)", t.Format(time.RFC3339), t.Unix())
}

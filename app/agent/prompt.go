package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bowerbird/llm"
	"bowerbird/tools"
)

// The prompt has three parts: what never changes (the system prompt and the tools, sorted),
// what is frozen for the chat (Conversation.Session), and what changes, at the end of the
// last user message. So all that precedes it is identical, byte for byte, in each request
// of a chat, and the provider can cache it.

// contextMark begins the part of a user message that the agent adds.
const contextMark = "<context>"

// resultsRead is inserted between a tool's result and the closing request: Mistral's
// servers and templates refuse a user message right after a result, and inside a result it
// would be data.
const resultsRead = "(The results are read.)"

// request is the next request to the model.
func (r *run) request(messages []llm.Message, choice llm.ToolChoice) *llm.Request {
	req := &llm.Request{Tools: r.outfit.tools, Hidden: r.outfit.hidden, ToolChoice: choice}
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
	parts := []string{strings.TrimSpace(r.outfit.contract), strings.TrimSpace(r.chat.Session)}
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), "\n\n")
}

// userMessage is the user's question with the changing context. It stays in the history as
// it is, so that the next turn's request begins with this one.
func userMessage(t Turn) llm.Message {
	// Only the agent may write the mark: the user's own is indented.
	question := strings.ReplaceAll("\n"+t.Question, "\n"+contextMark, "\n "+contextMark)[1:]
	return llm.Message{Role: llm.User, Text: question + "\n\n" + tail(t.Env, t.Looking)}
}

// tail formats the context. Each time has its zone and its Unix seconds, since models are
// bad at converting one into the other, and at finding the start of a week.
func tail(env *tools.Env, looking string) string {
	now := env.Now().In(env.Zone)
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nnow: %s, %s\n", contextMark, now.Weekday(), stamp(now))
	began := func(words string) time.Time { from, _, _ := tools.Block(words, now); return from }
	fmt.Fprintf(&b, "yesterday began: %s\n", stamp(began("yesterday")))
	// Dates are enough here, and the chat repeats them with each question.
	fmt.Fprintf(&b, "today began: %s, this week: %s\n", began("today").Format(time.DateOnly), began("this week").Format("Monday 2006-01-02"))
	// Other names cannot be looked up by a model.
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

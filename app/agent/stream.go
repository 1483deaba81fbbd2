package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"bowerbird/llm"
	"bowerbird/tools"
)

// answer is what one model call returned.
type answer struct {
	text, reasoning, refusal strings.Builder
	calls                    []*call
	echo                     map[string]json.RawMessage
	finish                   string
	usage                    *llm.Usage
	retried                  bool // by package llm, within the call
}

// reason is why the answer ended, in the provider's words or in the common ones for what
// all providers report. Without a reason it is a normal stop.
func (a *answer) reason() string {
	switch {
	case a.finish == "":
		return FinishStop
	case llm.Filtered(a.finish):
		return FinishFiltered
	case llm.CutShort(a.finish):
		return FinishLength
	}
	return a.finish
}

// ended reports whether the answer is complete even if it is empty: one that a filter
// removed or that ran out of tokens would be the same again.
func (a *answer) ended() bool {
	said := strings.TrimSpace(a.text.String()) != "" || a.refusal.Len() > 0 || len(a.calls) > 0
	return said || llm.Filtered(a.finish) || llm.CutShort(a.finish)
}

// begun reports whether the model has said, reasoned or called anything.
func (a *answer) begun() bool {
	return a.text.Len() > 0 || a.refusal.Len() > 0 || len(a.calls) > 0 || a.reasoning.Len() > 0
}

// message is the answer as the conversation keeps it, with the model that wrote it.
func (a *answer) message(by string) llm.Message {
	m := llm.Message{
		Role: llm.Assistant, By: by, Text: a.text.String(), Reasoning: a.reasoning.String(),
		Refusal: a.refusal.String(), Echo: a.echo,
	}
	for _, c := range a.calls {
		m.Calls = append(m.Calls, c.Call)
	}
	return m
}

// ask makes one step's model call, and makes it again once if that can help: after a
// conversation that was too long, and after an unusable answer.
func (r *run) ask(ctx context.Context) (*answer, error) {
	start := len(r.chat.Messages)
	shortened, again := false, false
	for {
		choice := llm.ToolAuto
		if r.stop != "" {
			choice = llm.ToolNone
		}
		sent := r.fit()
		if err := r.tooLong(sent); err != nil {
			return &answer{}, err
		}
		req := r.request(sent, choice)
		req.Answered = r.replied(start) || r.askedAgain // a withdrawn answer is restored if nothing better follows
		a, err := r.stream(ctx, req, start)
		var e *llm.Error
		if err == nil || ctx.Err() != nil || !errors.As(err, &e) {
			return a, err
		}
		switch e.Kind {
		case llm.KindContext:
			if shortened || !r.shorten(start, size(sent)) {
				return a, err
			}
			shortened = true
		case llm.KindNamelessCall, llm.KindMalformedCall, llm.KindEmpty:
			if again || a.retried || r.askedAgain {
				return a, err
			}
			again = true
		default:
			return a, err
		}
		r.chat.Messages = r.chat.Messages[:start]
		r.emit(Event{Type: EventRetrying, Retry: &llm.Retry{Reason: string(e.Kind)}})
	}
}

// shorten makes the conversation before start smaller than the sent bytes, which were too
// long. It reports whether anything could be cut.
func (r *run) shorten(start, sent int) bool {
	r.gauge.overflowed(sent + r.fixedSize())
	said := r.chat.Messages
	r.chat.Messages = said[:start]
	smaller := size(r.fit()) < sent
	r.chat.Messages = said
	return smaller
}

// replied reports whether the turn's messages before end contain an answer, so that the
// model may have nothing more to say: notes, a table or a chart were shown, or it said
// something and has read nothing since.
func (r *run) replied(end int) bool {
	said, shown, read := false, false, true
	for _, m := range r.chat.Messages[r.first:end] {
		switch {
		case m.Role == llm.User: // the question, or what asks an answer back
			said, shown, read = false, false, true
		case m.Role == llm.Assistant && strings.TrimSpace(m.Text+m.Refusal) != "":
			said, read = true, false
		case m.Role == llm.ToolRole && !m.Failed:
			t, _ := r.tools.find(m.CallName)
			switch {
			case m.CallName == presentNotes: // which may have found none of them
				shown = shown || len(r.env.Presented.All()) > 0
			case t.spec.Rich:
				shown = true
			default:
				read = true
			}
		}
	}
	return shown || said && !read
}

// stream reads one answer, emits it as it arrives, and keeps the conversation up to date:
// what was said so far is in it from start on.
func (r *run) stream(ctx context.Context, req *llm.Request, start int) (*answer, error) {
	a := &answer{}
	refused := false // before a word was said: that costs nothing
	r.chat.Whole, r.chat.Ended = false, ""
	defer func() {
		if a.usage != nil {
			r.gauge.learn(size(req.Messages)+toolsSize(r.outfit.tools), a.usage.Input)
		}
		if a.usage != nil || !refused {
			r.spend(a.usage)
		}
	}()
	for ev, err := range r.model.Stream(ctx, req) {
		if err != nil {
			refused = !a.begun()
			return a, err
		}
		if ctx.Err() != nil {
			return a, context.Cause(ctx)
		}
		shown := r.take(a, ev)
		r.chat.Messages = r.chat.Messages[:start]
		if a.begun() {
			r.chat.Messages = append(r.chat.Messages, a.message(r.by))
		}
		for _, e := range shown {
			r.emit(e)
		}
	}
	if ctx.Err() != nil {
		return a, context.Cause(ctx)
	}
	switch {
	case a.ended():
	case r.replied(start): // a word that no server refuses a question behind
		r.chat.Messages = append(r.chat.Messages[:start], llm.Message{Role: llm.Assistant, By: r.by, Text: resultsRead})
	default:
		return a, &llm.Error{Kind: llm.KindEmpty, Message: "the model ended its answer without saying anything"}
	}
	r.chat.Whole, r.chat.Ended = true, a.reason()
	return a, nil
}

// take adds a model event to the answer and returns the agent's events for it.
func (r *run) take(a *answer, ev llm.Event) []Event {
	switch ev.Type {
	case llm.EventText:
		a.text.WriteString(ev.Delta)
		return []Event{{Type: EventText, Delta: ev.Delta}}
	case llm.EventReasoning:
		a.reasoning.WriteString(ev.Delta)
		return []Event{{Type: EventReasoning, Delta: ev.Delta}}
	case llm.EventRefusal:
		a.refusal.WriteString(ev.Delta)
		return []Event{{Type: EventRefusal, Delta: ev.Delta}}
	case llm.EventToolBegun:
		return r.begun(ev.Call)
	case llm.EventToolCall:
		return r.takeCall(a, ev.Call)
	case llm.EventUsage:
		// Some servers count up in every chunk: the last one stands for all.
		a.usage = ev.Usage
	case llm.EventRetrying:
		r.spent.Unpriced = r.spent.Unpriced || a.begun() // its cost is not reported
		*a = answer{retried: true}
		if ev.Retry == nil {
			ev.Retry = &llm.Retry{}
		}
		return []Event{{Type: EventRetrying, Retry: ev.Retry}}
	case llm.EventEcho:
		a.echo = ev.Echo
	case llm.EventFinish:
		a.finish = ev.Finish
	}
	return nil
}

// begun reports the name of a call whose arguments are still arriving, except one that may
// be unfolded into others.
func (r *run) begun(c *llm.Call) []Event {
	if c == nil || packed(c.Name) {
		return nil
	}
	name := safeName(c.Name)
	if t, ok := r.tools.find(c.Name); ok {
		if _, wraps := t.Tool.(tools.Wrapper); wraps {
			return nil
		}
		name = t.spec.Name
	}
	return []Event{{Type: EventToolCallBegun, ID: c.ID, Name: name}}
}

func (r *run) takeCall(a *answer, c *llm.Call) []Event {
	if c == nil {
		return nil
	}
	list := []llm.Call{*c}
	if t, real := r.tools.find(c.Name); !real {
		list = unfold(*c)
	} else if w, wraps := t.Tool.(tools.Wrapper); wraps && c.Invalid == "" {
		list[0] = unwrap(*c, w)
	}
	var shown []Event
	for _, one := range list {
		made := r.newCall(one, a.calls)
		a.calls = append(a.calls, made)
		shown = append(shown, Event{
			Type: EventToolCall, ID: made.ID, Name: made.Name, Arguments: made.Arguments,
			Repaired: made.Repaired, Invalid: made.Invalid,
		})
	}
	return shown
}

// newCall finds the call's tool. Its id is kept (some providers want it back unchanged)
// unless it is missing or taken by another call of this answer.
func (r *run) newCall(c llm.Call, before []*call) *call {
	made := &call{Call: c, wanted: c.Name}
	taken := c.ID == ""
	for _, b := range before {
		taken = taken || b.ID == c.ID
	}
	if taken {
		made.ID = fmt.Sprintf("call_%d_%d", r.step, len(before)+1)
	}
	if len(made.Arguments) == 0 {
		made.Arguments = json.RawMessage("{}")
	}
	if t, ok := r.tools.find(c.Name); ok {
		made.tool, made.known = t, true
		made.Name = t.spec.Name
	} else {
		made.Name = safeName(c.Name)
	}
	return made
}

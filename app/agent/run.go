package agent

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"bowerbird/app/check"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Why a turn ended, beside what single providers say.
const (
	FinishStop      = "stop"
	FinishLength    = "length"         // the answer ran out of tokens; truncated
	FinishFiltered  = "content_filter" // a rule of content held it back; maybe all of it
	FinishSteps     = "max_steps"      // the steps were used up; truncated
	FinishRepeated  = "repeated_calls" // the model went in circles; truncated
	FinishCancelled = "cancelled"
	FinishError     = "error" // an error event stands before it
)

// run is one turn under way. All of it runs in the goroutine of Run's caller but
// the tools and the approver.
type run struct {
	*Agent
	told   outfit // the Agent's, as this chat needs it
	chat   *Conversation
	id     string
	env    *tools.Env
	yield  func(Event) bool
	cancel context.CancelFunc
	left   bool // the caller left the loop: nothing is yielded any more

	turnOf  Turn
	typed   bool   // the model reads values
	by      string // the model, as "provider:model"
	first   int    // where the turn starts in chat.Messages
	step    int
	from    int                  // where the step starts in chat.Messages
	results map[int]tools.Result // by index of the message that holds its text
	seen    repeats
	stop    string // why no further step may be made; "" while it may
	found   found
	mended  bool // the answer was asked back
	taken   taken
	spent   Spent
	before  map[string]before // by call: what became of it before the turn was cut off
}

// taken is an answer that was asked back. The user has read it: it stands again when
// nothing better comes.
type taken struct {
	message llm.Message
	reason  string // why it ended
}

func (a *Agent) newRun(c *Conversation, t Turn, yield func(Event) bool, cancel context.CancelFunc) *run {
	env := *t.Env
	env.Presented = &tools.Presented{}
	asked := []string{t.Question}
	for _, m := range c.Messages {
		if m.Role == llm.User {
			asked = append(asked, m.Text)
		}
	}
	told := a.told.offer(asked, a.tools.offer)
	env.Offered = make([]string, len(told.tools))
	for i, t := range told.tools {
		env.Offered[i] = t.Name
	}
	info := a.model.Info()
	return &run{
		Agent: a, told: told, chat: c, id: t.ID, env: &env, yield: yield, cancel: cancel,
		turnOf: t, typed: info.Typed, by: info.Provider + ":" + info.Name,
		results: make(map[int]tools.Result), seen: make(repeats),
	}
}

// emit hands an event out. A caller that left the loop gets none, and ends the turn.
func (r *run) emit(e Event) {
	if r.left {
		return
	}
	e.Turn = r.id
	if e.Step == 0 {
		e.Step = r.step
	}
	if !r.yield(e) {
		r.left = true
		r.cancel()
	}
}

// turn plays a turn from its question on.
func (r *run) turn(ctx context.Context) {
	r.chat.Settle()
	r.begin(len(r.chat.Messages))
	r.chat.Messages = append(r.chat.Messages, userMessage(r.turnOf))
	r.steps(ctx)
}

// begin says where in the conversation the turn starts.
func (r *run) begin(first int) {
	r.first = first
	r.chat.LeftOut = min(max(r.chat.LeftOut, 0), first)
	r.chat.Bare = min(max(r.chat.Bare, 0), first)
}

// steps is the loop: ask, run the calls, ask again, until the model answers without
// calls.
func (r *run) steps(ctx context.Context) {
	for {
		r.step++
		if r.step > r.opt.MaxSteps && r.stop == "" {
			r.stop = FinishSteps
		}
		r.from = len(r.chat.Messages)
		a, err := r.ask(ctx)
		switch {
		case ctx.Err() != nil:
			r.refuseCalls(a.calls, cancelledCall)
			if r.mended && !r.restated(r.from) {
				r.giveBack()
			}
			r.finish(FinishCancelled, false)
			return
		case err != nil:
			r.refuseCalls(a.calls, "not run: the model's answer broke off")
			if r.giveBack() {
				r.warn(err)
				r.finish(r.taken.reason, r.taken.reason == FinishLength)
				return
			}
			r.fail(err)
			return
		case r.stop != "":
			r.refuseCalls(a.calls, "not run: no steps are left in this turn")
			r.finish(r.stop, true)
			return
		case len(a.calls) > 0:
			r.runCalls(ctx, a.calls)
			if ctx.Err() != nil {
				if end := len(r.chat.Messages); r.mended && !r.restated(end) {
					r.step, r.from = r.step+1, end // what the calls did stays told
					r.giveBack()
				}
				r.finish(FinishCancelled, false)
				return
			}
		case !llm.Filtered(a.finish) && r.mend(a.text.String(), a.reason()):
		case r.stillStands() && r.giveBack():
			r.finish(r.taken.reason, r.taken.reason == FinishLength)
			return
		default:
			r.sayOnce()
			r.finish(a.reason(), llm.CutShort(a.finish))
			return
		}
	}
}

// mend asks for the answer again, once, where that is worth a second one: it refers to
// notes that were not presented, or speaks of what was read and refers to nothing. The
// text is taken back. What else is wrong with an answer is marked.
func (r *run) mend(text, ended string) bool {
	if r.mended || r.typed || r.step >= r.opt.MaxSteps {
		return false
	}
	report := check.Text(text, r.facts())
	var refs []string
	for _, m := range report.Marks {
		if m.Kind == check.Dangling && !slices.Contains(refs, m.Text) {
			refs = append(refs, m.Text)
		}
	}
	told, reason := "", ""
	switch {
	case len(refs) > 0:
		refs = refs[:min(len(refs), 20)]
		reason = strings.Join(refs, ", ") + ": no such note was presented"
		told = strings.NewReplacer("{refs}", strings.Join(refs, ", "), "{count}", strconv.Itoa(len(r.env.Presented.All()))).Replace(r.opt.Prompts.References)
	case len(r.found.notes) > 0 && report.Cited == 0 && report.Sentences > 0:
		reason = "notes were spoken of without a reference to one"
		told = r.opt.Prompts.Claims
	}
	if told == "" {
		return false
	}
	r.mended = true
	r.taken = taken{r.chat.Messages[len(r.chat.Messages)-1], ended}
	r.chat.Messages = append(r.chat.Messages, llm.Message{Role: llm.User, Text: told})
	r.emit(Event{Type: EventRetrying, Retry: &llm.Retry{Reason: reason}})
	return true
}

// sayOnce takes the answer back where the model had said the very same before it showed
// what it refers to.
func (r *run) sayOnce() {
	last := &r.chat.Messages[len(r.chat.Messages)-1]
	if last.Role != llm.Assistant {
		return
	}
	for _, m := range r.chat.Messages[r.first : len(r.chat.Messages)-1] {
		if m.Role == llm.Assistant && len(m.Calls) > 0 && last.Text != "" && strings.TrimSpace(m.Text) == strings.TrimSpace(last.Text) {
			last.Text = resultsRead
			r.emit(Event{Type: EventRetrying, Retry: &llm.Retry{}})
			return
		}
	}
}

// restated reports whether the messages before end state anything since the answer was
// asked back.
func (r *run) restated(end int) bool {
	facts := r.facts()
	for _, m := range slices.Backward(r.chat.Messages[r.first:end]) {
		if m.Role == llm.User {
			break
		}
		if m.Role != llm.Assistant || m.Text == resultsRead {
			continue
		}
		if r := check.Text(m.Text, facts); r.Sentences+r.Quotes+r.Numbers > 0 { // more than "done" or "sorry"
			return true
		}
	}
	return false
}

// stillStands reports whether the answer that was asked back is better than what came of
// that: silence, or nothing that rests on a note where its own references now lead to
// one. An answer that rests on none must not stand against "I found nothing".
func (r *run) stillStands() bool {
	if !r.mended || r.restated(len(r.chat.Messages)) {
		return false
	}
	last := r.chat.Messages[len(r.chat.Messages)-1]
	if last.Text == resultsRead || strings.TrimSpace(last.Text+last.Refusal) == "" {
		return true
	}
	before := check.Text(r.taken.message.Text, r.facts())
	return before.Cited > 0 && !slices.ContainsFunc(before.Marks, func(m check.Mark) bool { return m.Kind == check.Dangling })
}

// giveBack puts an answer that was asked back in the place of the step that came of
// that, and reports whether there is one.
func (r *run) giveBack() bool {
	if !r.mended || r.taken.message.Text == "" {
		return false
	}
	if len(r.chat.Messages) > r.from { // half of another, and calls that were not run
		r.emit(Event{Type: EventRetrying, Retry: &llm.Retry{}})
		r.chat.Messages = r.chat.Messages[:r.from]
	}
	r.chat.Messages = append(r.chat.Messages, r.taken.message)
	r.emit(Event{Type: EventText, Delta: r.taken.message.Text})
	return true
}

func (r *run) finish(reason string, truncated bool) {
	if !r.typed { // the built-in quotes, and cites what it quotes
		if report, said := r.checked(); said {
			r.emit(Event{Type: EventChecked, Checked: &report})
		}
	}
	e := Event{Type: EventFinish, Finish: reason, Trimmed: truncated}
	if spent := r.spent; spent.Calls > 0 {
		e.Usage = &spent.Usage
		if !spent.Unpriced {
			e.Cost = &spent.Cost
		}
		e.CostBy = r.pricedBy(e.Cost)
	}
	r.emit(e)
}

func (r *run) fail(err error) {
	e := r.warn(err)
	shown := *e
	shown.Message = r.opt.Redactor.Text(e.Message)
	r.emit(Event{Type: EventError, Err: &shown})
	r.finish(FinishError, false)
}

// warn writes a failure of the model's into the log, and returns it as an *llm.Error.
func (r *run) warn(err error) *llm.Error {
	var e *llm.Error
	if !errors.As(err, &e) {
		e = &llm.Error{Kind: llm.KindAPI, Message: err.Error(), Err: err}
	}
	r.opt.Logger.Warn("the model failed", "turn", r.id, "step", r.step, "kind", string(e.Kind), "status", e.Status, "message", e.Message)
	return e
}

// settle leaves the conversation whole, however the turn ended, also by a panic
// of the caller's.
func (r *run) settle() {
	r.chat.Settle()
	for i := range r.chat.Messages {
		r.chat.Messages[i].Value = nil
	}
}

package agent

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"sync"

	"bowerbird/app/check"
	"bowerbird/llm"
	"bowerbird/tools"
)

// Why a turn ended; providers may report further reasons.
const (
	FinishStop      = "stop"
	FinishLength    = "length"         // the answer ran out of tokens; truncated
	FinishFiltered  = "content_filter" // a rule of content held it back; maybe all of it
	FinishSteps     = "max_steps"      // the steps were used up; truncated
	FinishRepeated  = "repeated_calls" // the model went in circles; truncated
	FinishCancelled = "cancelled"
	FinishError     = "error" // an error event precedes it
)

// run is a turn in progress. It runs in the goroutine of Run's caller, except for the tools
// and the approver.
type run struct {
	*Agent
	tools  toolbox // the Agent's and those of the Toolset, as they are in this step
	outfit outfit  // the Agent's, as this chat needs it
	closed map[string]string
	asked  []string // the chat's questions
	chat   *Conversation
	id     string
	env    *tools.Env
	yield  func(Event) bool
	cancel context.CancelFunc
	left   bool // the caller left the loop: nothing is yielded any more

	turnOf     Turn
	typed      bool   // the model reads values
	by         string // the model, as "provider:model"
	first      int    // where the turn starts in chat.Messages
	step       int
	from       int                  // where the step starts in chat.Messages
	results    map[int]tools.Result // by index of the message that holds its text
	seen       repeats
	stop       string // why no further step may be made; "" while it may
	found      found
	askedAgain bool          // the answer was asked for again
	judged     *check.Report // of the answer that need not be asked for again
	withdrawn  withdrawn
	spent      Spent
	before     map[string]before // by call: what became of it before the turn was cut off

	asking   sync.Mutex      // held while a server's question is before the user
	progress chan Event      // of calls that run
	running  map[string]bool // their ids
}

// withdrawn is an answer that was asked for again. The user has read it, so it is restored
// if nothing better follows.
type withdrawn struct {
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
	info := a.model.Info()
	r := &run{
		Agent: a, asked: asked, chat: c, id: t.ID, env: &env, yield: yield, cancel: cancel,
		turnOf: t, typed: info.Typed, by: info.Provider + ":" + info.Name,
		results: make(map[int]tools.Result), seen: make(repeats),
		progress: make(chan Event, 16), running: make(map[string]bool),
	}
	r.offer(a.tools, nil)
	return r
}

// emit yields an event. A caller that left the loop gets none, and ends the turn.
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

// turn runs a turn from its question on.
func (r *run) turn(ctx context.Context) {
	r.chat.Settle()
	r.begin(len(r.chat.Messages))
	r.supply(ctx)
	r.chat.Messages = append(r.chat.Messages, r.userMessage())
	r.steps(ctx)
}

// begin sets where in the conversation the turn starts.
func (r *run) begin(first int) {
	r.first = first
	r.chat.LeftOut = min(max(r.chat.LeftOut, 0), first)
	r.chat.Bare = min(max(r.chat.Bare, 0), first)
}

// steps asks the model and runs its calls until it answers without any.
func (r *run) steps(ctx context.Context) {
	for {
		r.step++
		if r.step > r.opt.MaxSteps && r.stop == "" {
			r.stop = FinishSteps
		}
		r.from = len(r.chat.Messages)
		if r.step > 1 {
			r.supply(ctx)
		}
		a, err := r.ask(ctx)
		switch {
		case ctx.Err() != nil:
			r.refuseCalls(a.calls, cancelledCall)
			if r.askedAgain && !r.statesMore(r.from) {
				r.restore()
			}
			r.finish(FinishCancelled, false)
			return
		case err != nil:
			r.refuseCalls(a.calls, "not run: the model's answer broke off")
			if r.restore() {
				r.warn(err)
				r.finish(r.withdrawn.reason, r.withdrawn.reason == FinishLength)
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
				if end := len(r.chat.Messages); r.askedAgain && !r.statesMore(end) {
					r.step, r.from = r.step+1, end // what the calls showed stays
					r.restore()
				}
				r.finish(FinishCancelled, false)
				return
			}
		case !llm.Filtered(a.finish) && r.askAgain(a.text.String(), a.reason()):
		case r.firstIsBetter() && r.restore():
			r.finish(r.withdrawn.reason, r.withdrawn.reason == FinishLength)
			return
		default:
			r.dropRepetition()
			r.finish(a.reason(), llm.CutShort(a.finish))
			return
		}
	}
}

// askAgain asks for the answer again, once, if that is worth a second one: it cites notes
// that were not presented, or is about notes and cites none. The text is withdrawn. Other
// faults of an answer are only marked.
func (r *run) askAgain(text, ended string) bool {
	if r.askedAgain || r.typed || r.step >= r.opt.MaxSteps {
		return false
	}
	report := check.Text(text, r.facts())
	var refs []string
	for _, m := range report.Marks {
		if m.Kind == check.Dangling && !slices.Contains(refs, m.Text) {
			refs = append(refs, m.Text)
		}
	}
	prompt, reason := "", ""
	switch {
	case len(refs) > 0:
		refs = refs[:min(len(refs), 20)]
		reason = strings.Join(refs, ", ") + ": no such note was presented"
		prompt = strings.NewReplacer("{refs}", strings.Join(refs, ", "), "{count}", strconv.Itoa(len(r.env.Presented.All()))).Replace(r.opt.Prompts.References)
	case len(r.found.notes) > 0 && report.Cited == 0 && report.Sentences > 0:
		reason = "notes were spoken of without a reference to one"
		prompt = r.opt.Prompts.Claims
	}
	if prompt == "" {
		r.judged = &report
		return false
	}
	r.askedAgain = true
	r.withdrawn = withdrawn{r.chat.Messages[len(r.chat.Messages)-1], ended}
	r.chat.Messages = append(r.chat.Messages, llm.Message{Role: llm.User, Text: prompt})
	r.emit(Event{Type: EventRetrying, Retry: &llm.Retry{Reason: reason}})
	return true
}

// dropRepetition withdraws the answer if the model had said exactly the same before it
// presented its notes.
func (r *run) dropRepetition() {
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

// statesMore reports whether the messages before end state anything since the answer was
// asked for again.
func (r *run) statesMore(end int) bool {
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

// firstIsBetter reports whether the withdrawn answer is better than what followed: silence,
// or nothing that cites a note while its own citations are valid by now. An answer without
// citations must not replace "I found nothing".
func (r *run) firstIsBetter() bool {
	if !r.askedAgain || r.statesMore(len(r.chat.Messages)) {
		return false
	}
	last := r.chat.Messages[len(r.chat.Messages)-1]
	if last.Text == resultsRead || strings.TrimSpace(last.Text+last.Refusal) == "" {
		return true
	}
	before := check.Text(r.withdrawn.message.Text, r.facts())
	return before.Cited > 0 && !slices.ContainsFunc(before.Marks, func(m check.Mark) bool { return m.Kind == check.Dangling })
}

// restore puts the withdrawn answer in place of the current step, and reports whether there
// is one.
func (r *run) restore() bool {
	if !r.askedAgain || r.withdrawn.message.Text == "" {
		return false
	}
	if len(r.chat.Messages) > r.from { // half of another, and calls that were not run
		r.emit(Event{Type: EventRetrying, Retry: &llm.Retry{}})
		r.chat.Messages = r.chat.Messages[:r.from]
	}
	r.chat.Messages = append(r.chat.Messages, r.withdrawn.message)
	r.emit(Event{Type: EventText, Delta: r.withdrawn.message.Text})
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

// warn logs a failure of the model, and returns it as an *llm.Error.
func (r *run) warn(err error) *llm.Error {
	var e *llm.Error
	if !errors.As(err, &e) {
		e = &llm.Error{Kind: llm.KindAPI, Message: err.Error(), Err: err}
	}
	r.opt.Logger.Warn("the model failed", "turn", r.id, "step", r.step, "kind", string(e.Kind), "status", e.Status, "message", e.Message)
	return e
}

// settle leaves the conversation valid, however the turn ended, even by a panic of the
// caller.
func (r *run) settle() {
	r.chat.Settle()
	for i := range r.chat.Messages {
		r.chat.Messages[i].Value = nil
	}
}

// Spent sums up model calls, as far as their providers reported usage.
type Spent struct {
	Calls    int       // with reported usage
	Usage    llm.Usage // of these
	Cost     float64   // in US dollars, of those of which it is known
	Unpriced bool      // the cost of some call is unknown
}

// Add adds one model call; usage and cost are nil if unknown.
func (s *Spent) Add(usage *llm.Usage, cost *float64) {
	if usage != nil {
		s.Calls++
		s.Usage = sum(s.Usage, *usage)
	}
	if cost == nil {
		s.Unpriced = true
		return
	}
	s.Cost += *cost
}

func sum(a, b llm.Usage) llm.Usage {
	return llm.Usage{
		Input: a.Input + b.Input, Output: a.Output + b.Output, Total: a.Total + b.Total,
		Cached: a.Cached + b.Cached, Written: a.Written + b.Written, Thought: a.Thought + b.Thought,
	}
}

// spend adds a model call, and emits its usage if known.
func (r *run) spend(usage *llm.Usage) {
	var cost *float64
	if usage != nil && r.opt.Price != nil {
		if usd, known := r.opt.Price(*usage); known {
			cost = &usd
		}
	}
	r.spent.Add(usage, cost)
	if usage != nil {
		r.emit(Event{Type: EventUsage, Usage: usage, Cost: cost, CostBy: r.pricedBy(cost)})
	}
}

// pricedBy returns whose price a cost was computed with; "" for no cost.
func (r *run) pricedBy(cost *float64) string {
	if cost == nil {
		return ""
	}
	return r.opt.PriceFrom
}

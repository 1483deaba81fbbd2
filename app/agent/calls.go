package agent

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"bowerbird/llm"
	"bowerbird/tools"
)

// call is a tool call with the tool it means.
type call struct {
	llm.Call        // Name is the tool's own, or a safe form of what the model wrote
	wanted   string // the name as the model wrote it
	tool     tool
	known    bool
}

// presentNotes is the tool that numbers notes.
const presentNotes = "present_notes"

const cancelledCall = "not run: the turn was cancelled"

// outcome is the result of a call.
type outcome struct {
	result  tools.Result // nil when it failed
	text    string       // for the model
	failure string
	took    time.Duration
}

func failed(why string) outcome {
	return outcome{failure: why, text: errorText(why)}
}

// errorText is a failure as the model reads it.
func errorText(why string) string {
	return marshal(map[string]string{"error": why})
}

func marshal(v any) string {
	out, err := json.Marshal(v)
	if err != nil {
		return `{"error":"the error could not be written"}`
	}
	return string(out)
}

// runCalls runs a step's calls and appends one result for each, in order. Adjacent calls
// that only read run concurrently; every other call waits for those before it.
func (r *run) runCalls(ctx context.Context, calls []*call) {
	limit := typedResult
	if !r.typed {
		limit = r.gauge.result(len(calls))
	}
	refused := make([]string, len(calls))
	for i, c := range calls {
		refused[i] = r.unrunnable(c, i)
	}
	reads := func(i int) bool {
		spec := calls[i].tool.spec
		return refused[i] != "" || !spec.Ordered && (spec.Effect == tools.None || r.freeToRead(spec))
	}
	for i := 0; i < len(calls); {
		j := i + 1
		for reads(i) && j < len(calls) && reads(j) {
			j++
		}
		if reads(i) {
			r.runReads(ctx, calls[i:j], refused[i:j], limit)
		} else {
			r.record(calls[i], r.runOne(ctx, calls[i], limit))
		}
		i = j
	}
}

// refuseCalls records results for calls that will not be run.
func (r *run) refuseCalls(calls []*call, why string) {
	for _, c := range calls {
		r.record(c, failed(why))
	}
}

// unrunnable returns why a call cannot be run at all, "" if it can.
func (r *run) unrunnable(c *call, index int) string {
	switch {
	case r.before[c.ID].started:
		return outcomeUnknown
	case index >= MostCalls:
		return fmt.Sprintf("not run: at most %d calls are run in one step", MostCalls)
	case c.Invalid != "":
		return "not run: the arguments could not be read (" + c.Invalid + "); write them as one JSON object"
	case !c.known && r.closed[c.wanted] != "":
		return r.closed[c.wanted]
	case !c.known:
		why := fmt.Sprintf("there is no tool %q", cut(c.wanted, 80))
		if near := r.tools.nearest(c.wanted); len(near) > 0 {
			why += "; the most similar ones are " + strings.Join(near, ", ")
		}
		return why
	}
	return ""
}

// runReads runs calls concurrently, a few at a time, and records them in order.
func (r *run) runReads(ctx context.Context, calls []*call, refused []string, limit int) {
	r.taint(calls, refused)
	seats := make(chan struct{}, sideBySide)
	done := make([]chan outcome, len(calls))
	for i, c := range calls {
		done[i] = make(chan outcome, 1)
		if refused[i] != "" {
			done[i] <- failed(refused[i])
			continue
		}
		r.running[c.ID] = true
		go func() {
			select {
			case seats <- struct{}{}:
				defer func() { <-seats }()
				done[i] <- r.invoke(ctx, c, c.Arguments, limit)
			case <-ctx.Done():
				done[i] <- failed(cancelledCall)
			}
		}()
	}
	for i, c := range calls {
		r.record(c, r.await(ctx, done[i], cancelledCall))
	}
}

// runOne runs a call by itself, behind the gate.
func (r *run) runOne(ctx context.Context, c *call, limit int) outcome {
	if ctx.Err() != nil {
		return failed(cancelledCall)
	}
	if o, fine := r.check(ctx, c); !fine {
		return o
	}
	args, refusal := r.gate(ctx, c)
	if refusal != "" {
		return failed(refusal)
	}
	r.taint([]*call{c}, []string{""})
	if c.tool.spec.Effect != tools.None {
		// The chat is saved when this event arrives, so that no effect is ever unrecorded.
		if r.emit(Event{Type: EventToolStarted, ID: c.ID, Name: c.Name}); ctx.Err() != nil {
			return failed(cancelledCall)
		}
	}
	done := make(chan outcome, 1)
	r.running[c.ID] = true
	go func() { done <- r.invoke(ctx, c, args, limit) }()
	why := cancelledCall
	if c.tool.spec.Effect != tools.None {
		why = "cancelled while it ran: it may have taken effect"
	}
	return r.await(ctx, done, why)
}

// taint marks the conversation before tools run that return text by others. Their errors
// can contain such text too (names of people), and an unknown tool may return anything.
func (r *run) taint(calls []*call, refused []string) {
	for i, c := range calls {
		if refused[i] == "" && (c.tool.spec.Tainting || c.tool.spec.Effect > tools.Deletes) {
			r.chat.Taint()
		}
	}
}

// await returns the outcome, or a failure at once when ctx ends: a slow tool then finishes
// by itself, and its result is dropped. Until then it emits how far the calls are.
func (r *run) await(ctx context.Context, done <-chan outcome, why string) outcome {
	for {
		select {
		case o := <-done:
			return o
		case e := <-r.progress:
			if r.running[e.ID] {
				r.emit(e)
			}
			continue
		case <-ctx.Done():
		}
		select {
		case o := <-done:
			return o
		default:
			return failed(why)
		}
	}
}

// caller is what a call's tool can do while it runs.
func (r *run) caller(c *call) tools.Caller {
	return tools.Caller{Ask: r.askUser, Progress: func(p tools.Progress) {
		select {
		case r.progress <- Event{Type: EventProgress, ID: c.ID, Name: c.Name, Progress: &p}:
		default: // the next one says more
		}
	}}
}

// check lets a tool look at its arguments before anybody is asked: nobody should approve a
// call that can only fail, and what is approved should be what the tool reads. What it
// answers taints as the call would.
func (r *run) check(ctx context.Context, c *call) (o outcome, fine bool) {
	if c.tool.spec.Effect == tools.None {
		return outcome{}, true
	}
	defer r.recovered(c.tool, &o)
	if t, can := c.tool.Tool.(tools.Normalizer); can {
		args, err := t.Normalize(c.Arguments)
		if err != nil {
			r.taint([]*call{c}, []string{""})
			return failure(ctx, err), false
		}
		c.Arguments = args
	}
	return outcome{}, true
}

// recovered turns a panic of a tool into a failure. It must be deferred directly.
func (r *run) recovered(t tool, o *outcome) {
	if v := recover(); v != nil {
		r.opt.Logger.Error("a tool panicked", "tool", t.spec.Name, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		*o = failed(t.spec.Name + " broke inside; calling it the same way again will not help")
	}
}

// invoke runs a tool. Its panics become failures.
func (r *run) invoke(ctx context.Context, c *call, args json.RawMessage, limit int) (o outcome) {
	t, start := c.tool, r.env.Now()
	defer func() { o.took = r.env.Now().Sub(start) }()
	defer r.recovered(t, &o)
	result, err := t.Call(tools.WithCaller(ctx, r.caller(c)), r.env, args)
	if err != nil {
		return failure(ctx, err)
	}
	if result == nil {
		return failed(t.spec.Name + " gave no result")
	}
	return outcome{result: result, text: cut(result.ForModel(limit), limit)}
}

// failure phrases an error so that the model can correct itself.
func failure(ctx context.Context, err error) outcome {
	if ctx.Err() != nil {
		return failed("cancelled while it ran")
	}
	o := failed(err.Error())
	var arg *tools.ArgumentError
	if errors.As(err, &arg) {
		o.text = marshal(struct {
			Error    string          `json:"error"`
			Path     string          `json:"path"`
			Expected string          `json:"expected"`
			Got      string          `json:"got"`
			Schema   json.RawMessage `json:"schema,omitempty"`
		}{"the arguments of " + arg.Tool + " are not right; correct them and call again", arg.Path, arg.Expected, arg.Got, arg.Schema})
	}
	return o
}

// record appends a call's result to the conversation and emits it.
func (r *run) record(c *call, o outcome) {
	delete(r.running, c.ID)
	if o.result != nil && !r.typed { // the answer of a typed model is not checked
		r.found.take(c.Arguments, o.text)
	}
	if o.failure == "" || c.known && c.Invalid == "" {
		warning, stop := r.seen.note(c.Name, c.Arguments, o.text)
		o.text += warning
		if stop && r.stop == "" {
			r.stop = FinishRepeated
		}
	}
	m := llm.Message{
		Role: llm.ToolRole, CallID: c.ID, CallName: c.Name,
		Text: o.text, Failed: o.failure != "",
	}
	if r.typed && o.result != nil {
		m.Value = o.result
	}
	r.chat.Messages = append(r.chat.Messages, m)
	if o.result != nil {
		r.results[len(r.chat.Messages)-1] = o.result
	}
	r.emit(Event{
		Type: EventToolResult, ID: c.ID, Name: c.Name, Millis: o.took.Milliseconds(),
		Result: o.result, Failure: o.failure,
	})
	if e, ok := Shown(o.result); ok {
		e.ID, e.Name = c.ID, c.Name
		r.emit(e)
	}
}

// Shown returns the event of what a result shows to the user; ok is false if it shows
// nothing.
func Shown(result tools.Result) (e Event, ok bool) {
	switch v := result.(type) {
	case tools.PresentResult:
		return Event{Type: EventPresentNotes, Notes: &v}, true
	case tools.TableResult:
		return Event{Type: EventTable, Table: &v}, true
	case tools.ChartResult:
		return Event{Type: EventChart, Chart: &v}, true
	}
	return Event{}, false
}

// repeatedMark begins the warning behind a result.
const repeatedMark = "\n[This call was made "

// repeats counts calls with the same arguments and the same result: a model that goes in
// circles.
type repeats map[[sha256.Size]byte]int

// note counts a call, and returns a warning for the model, "" for none, and whether the
// turn must end.
func (r repeats) note(name string, arguments json.RawMessage, text string) (warning string, stop bool) {
	var args bytes.Buffer
	if json.Compact(&args, arguments) != nil {
		args.Write(arguments)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%q %q %q", name, args.Bytes(), text))
	r[key]++
	n := r[key]
	if n < warnAt {
		return "", false
	}
	return fmt.Sprintf(repeatedMark+"%d times with the same result. Do not make it again: use what you have.]", n), n >= stopAt
}

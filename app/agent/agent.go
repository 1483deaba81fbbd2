// Package agent runs a turn: it asks the model, runs the tools that the model calls,
// controls what they may do, and reports all of it as events.
//
// A turn is one question and everything until its answer ends; a step is one model call and
// the tool calls in it. After at most MaxSteps steps, one closing call is made without
// tools, so that there is always an answer.
//
// It promises that
//   - every tool call gets exactly one result, including invalid, unknown, refused and
//     cancelled ones, so that a conversation can always continue;
//   - calls run only after the stream that contains them has ended well;
//   - a tool that does more than read runs only after a person approved exactly the bytes
//     that it gets (see [Approver]); nothing that a model or a note says changes that;
//   - no secret that the [Redactor] knows is sent in a request;
//   - cancelling the context ends a turn at once and keeps what was said, and the same
//     conversation can be continued;
//   - a turn that was interrupted by the end of the program can be taken up from what was
//     saved ([Agent.Resume]), and does nothing twice.
//
// In a text, ^1 and ^2 cite the notes that present_notes numbered in this turn. The agent
// passes text on unchanged; a citation of no presented note is reported to the model while
// steps remain. The code that shows the text turns valid citations into links.
//
// It knows no window, no store and no provider; app/chats saves what it yields:
//
//	a, err := agent.New(agent.Options{Model: model, Tools: tools.BuiltinTools()})
//	for e := range a.Run(ctx, &conversation, agent.Turn{ID: id, Question: q, Env: env}) {
//		show(e)
//	}
package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"log/slog"

	"bowerbird/llm"
	"bowerbird/tools"
)

// The limits of a turn.
const (
	DefaultSteps = 8
	MostSteps    = 50
	// MostCalls is how many calls of one step are run; the others get a result that says
	// so.
	MostCalls = 128
	// sideBySide is how many read-only calls run at a time.
	sideBySide = 5
	// warnAt and stopAt are how often the same call may have the same result before the
	// model is warned, and before the turn ends.
	warnAt, stopAt = 3, 5
)

// Prompts are texts for the model, from assets/prompts. An empty one is left out.
type Prompts struct {
	System     string // who the assistant is, and its contract: the same for everybody
	Small      string // the same in few words, for a model with a small window; empty: System
	Closing    string // asks for an answer when the steps are used up
	References string // says that {refs} name no presented note, of which there are {count}
	Claims     string // says that an answer is about notes without referring to them
}

// Options configure an [Agent].
type Options struct {
	Model   llm.Model // required
	Tools   []tools.Tool
	Prompts Prompts
	// Approver asks the user. If it is nil, nothing that needs an approval runs.
	Approver Approver
	// Toolset supplies further tools; nil: there are none.
	Toolset Toolset
	// Permission returns what the user allowed a tool by hand; nil: nothing.
	Permission func(tools.Spec) Permission
	Redactor   *Redactor    // nil: one that knows the shapes of secrets, but no API keys
	Logger     *slog.Logger // nil: nothing is logged
	Gauge      *Gauge       // shared by agents of the model; nil: a new one
	MaxSteps   int          // 1 to MostSteps; 0 is DefaultSteps; llm.Info.Steps overrides it
	// Price returns what the tokens of one model call cost, in US dollars; nil: unknown.
	Price func(llm.Usage) (usd float64, known bool)
	// PriceFrom is "user" if the price was set by the user, "" if it is the provider's.
	PriceFrom string
}

// Agent runs turns. It may be used from any goroutine; between turns it only keeps what it
// learned about the model's size.
type Agent struct {
	opt    Options
	model  llm.Model // behind the redactor
	tools  toolbox
	outfit outfit
	gauge  *Gauge
}

// New returns an [Agent], or an error if an option is missing or out of range, or two tools
// have the same name.
func New(opt Options) (*Agent, error) {
	if opt.Model == nil {
		return nil, errors.New("agent: no model was given")
	}
	if opt.MaxSteps < 0 || opt.MaxSteps > MostSteps {
		return nil, fmt.Errorf("agent: %d steps a turn, want 1 to %d", opt.MaxSteps, MostSteps)
	}
	if opt.MaxSteps == 0 {
		opt.MaxSteps = DefaultSteps
	}
	if opt.Redactor == nil {
		opt.Redactor = NewRedactor()
	}
	if opt.Logger == nil {
		opt.Logger = slog.New(slog.DiscardHandler)
	}
	opt.Logger = slog.New(opt.Redactor.Handler(opt.Logger.Handler()))
	box, err := newToolbox(opt.Tools)
	if err != nil {
		return nil, err
	}
	model := opt.Redactor.Model(opt.Model)
	info := model.Info()
	opt.MaxSteps = cmp.Or(info.Steps, opt.MaxSteps)
	return &Agent{
		opt: opt, model: model, tools: box, gauge: cmp.Or(opt.Gauge, NewGauge(info)),
		outfit: newOutfit(info.Context, opt.Prompts, box.offer),
	}, nil
}

// Turn is one question.
type Turn struct {
	ID       string // names the turn in its events
	Question string // the user's words
	// Env is what tools may access; required, with Now and Zone. The turn sets Offered and
	// Presented.
	Env *tools.Env
	// Looking describes what the user has open, without text by others ("the profile of
	// npub1…"); "" for nothing.
	Looking string
}

// Run asks the model and yields events in order. The last one is a finish; a failure is an
// error event before it. Breaking out of the loop ends the turn as cancelling ctx does. Run
// appends to c as it goes: between two events, c is what should be saved. A conversation
// runs one turn at a time.
func (a *Agent) Run(ctx context.Context, c *Conversation, t Turn) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := a.newRun(c, t, yield, cancel)
		defer r.settle()
		r.turn(ctx)
	}
}

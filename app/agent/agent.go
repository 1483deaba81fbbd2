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
	// MostCalls is how many calls of one step are run; the rest get a result
	// that says so.
	MostCalls = 128
	// sideBySide is how many read-only calls run at a time.
	sideBySide = 5
	// warnAt and stopAt count the same call with the same result.
	warnAt, stopAt = 3, 5
)

// Prompts are the texts that the model is given, from assets/prompts. An empty
// one is left out.
type Prompts struct {
	System     string // who the assistant is, and its contract: the same for everybody
	Small      string // the same in few words, for a model with a small window; empty: System
	Closing    string // asks for an answer when the steps are used up
	References string // says that {refs} name no presented note, of which there are {count}
	Claims     string // says that an answer is about notes without referring to them
}

// Options say what an Agent works with.
type Options struct {
	Model   llm.Model // required
	Tools   []tools.Tool
	Prompts Prompts
	// Approver asks the user. Nil: nobody is there, and nothing that needs an
	// approval runs.
	Approver Approver
	// Standing tells which tools the user allows without being asked. It counts
	// for nothing in a chat that holds text by others.
	Standing func(tool string) bool
	Redactor *Redactor    // nil: cuts the patterns, knows no own secrets
	Logger   *slog.Logger // nil: nothing is logged
	Gauge    *Gauge       // of the model; nil: the agent's own
	MaxSteps int          // 1 to MostSteps; 0 is DefaultSteps. A model may have its own, see llm.Info
	// Price tells what the tokens of one model call cost, in US dollars; nil: no price
	// is known.
	Price func(llm.Usage) (usd float64, known bool)
	// PriceFrom is whose price that is, where it is not the server's: "user".
	PriceFrom string
}

// Agent runs turns. Its methods may be called from any goroutine; it keeps
// nothing of a turn but what it learned about the model's size.
type Agent struct {
	opt   Options
	model llm.Model // behind the redactor
	tools toolbox
	told  outfit
	gauge *Gauge
}

// New checks the options and returns an Agent.
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
		told: newOutfit(info.Context, opt.Prompts, box.offer),
	}, nil
}

// Turn is one question.
type Turn struct {
	ID       string // names the turn in its events
	Question string // the user's words
	// Env is what tools may see; required, with Now and Zone. Offered and
	// Presented are the turn's own.
	Env *tools.Env
	// Looking says what the user has open, in words without text by others
	// ("the profile of npub1…"); "" for nothing.
	Looking string
}

// Run asks the model and yields what happens, in order. The last event is a
// finish; a failure is an error event before it. Leaving the loop ends the turn
// as cancelling ctx does. Run appends to c as it goes: between two events c is
// what a save should hold. One conversation runs one turn at a time.
func (a *Agent) Run(ctx context.Context, c *Conversation, t Turn) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		r := a.newRun(c, t, yield, cancel)
		defer r.settle()
		r.turn(ctx)
	}
}

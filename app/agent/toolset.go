package agent

import (
	"context"
	"slices"

	"bowerbird/llm"
	"bowerbird/tools"
)

// Toolset supplies what a model can call beside [Options].Tools: the tools of MCP servers,
// and those that it finds them with. It serves one turn.
type Toolset interface {
	// Step returns the tools as they are now. It is asked before each model call and not
	// during one, so that nothing changes while an answer arrives. It may wait for servers
	// to start, at most until ctx ends.
	Step(ctx context.Context) Supply
	// Introduce returns what is sent to the model with a question about tools that no request
	// lists; "" for nothing. sent is what the model still reads of the chat. It comes after
	// the first Step.
	Introduce(question string, sent []llm.Message) string
}

// Supply is what a [Toolset] has in one step.
type Supply struct {
	Listed []tools.Tool // in every request, behind the other tools and in this order
	Hidden []tools.Tool // can be called, although no request lists them
	// Closed are tools that cannot be called yet: by name, what to do first.
	Closed map[string]string
}

// Listed returns what requests list of tools that never change. It is less than all for a
// model with a small window; 0 is unknown.
func Listed(window int, p Prompts, list []tools.Tool) ([]llm.Tool, error) {
	box, err := newToolbox(list)
	return newOutfit(window, p, box.offer).tools, err
}

// supply takes over what the Toolset has now.
func (r *run) supply(ctx context.Context) {
	if r.opt.Toolset == nil || r.typed || ctx.Err() != nil {
		return
	}
	now := r.opt.Toolset.Step(ctx)
	box, err := newToolbox(slices.Concat(r.opt.Tools, now.Listed, now.Hidden))
	if err != nil {
		r.opt.Logger.Error("the tools stay as they were", "turn", r.id, "step", r.step, "error", err.Error())
		return
	}
	r.closed = now.Closed
	r.offer(box, now.Listed)
}

// offer sets what can be called, and what the next requests list: the Agent's tools, and
// behind them listed, so that all requests of a chat begin alike.
func (r *run) offer(box toolbox, listed []tools.Tool) {
	r.tools = box
	r.outfit = r.Agent.outfit.offer(r.asked, box.offer)
	for _, t := range listed {
		r.outfit.tools = append(r.outfit.tools, offered(t.Spec()))
	}
	r.env.Offered = make([]string, len(r.outfit.tools))
	for i, t := range r.outfit.tools {
		r.env.Offered[i] = t.Name
	}
	r.outfit.hidden = slices.DeleteFunc(r.outfit.hidden, func(t llm.Tool) bool { return slices.Contains(r.env.Offered, t.Name) })
}

// unwrap returns the call that a call stands for, or the call itself if its arguments name
// none.
func unwrap(c llm.Call, w tools.Wrapper) llm.Call {
	name, inner, ok := w.Unwrap(c.Arguments)
	if !ok {
		return c
	}
	c.Name, c.Arguments, c.Extra = name, inner, nil
	return c
}

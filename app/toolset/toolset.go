// Package toolset supplies a turn with the tools that package offer plans: listed in every
// request, or found by other tools, so that requests stay small and begin alike however many
// there are:
//
//	set, err := toolset.New(toolset.Options{Tools: pool.Tools, Own: builtin, Model: "qwen3:8b", Local: true, Facts: facts})
//	a, err := agent.New(agent.Options{Model: model, Tools: set.Own(), Toolset: set})
//
// Tools that were found are described in messages, behind everything that a provider caches,
// and are called through another tool. So the list of a request never changes by a search.
package toolset

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"bowerbird/app/agent"
	"bowerbird/llm"
	"bowerbird/tools"
	"bowerbird/tools/offer"
)

// Options say what there is, and for which model.
type Options struct {
	// Tools returns the tools of the servers as they are now; nil: there are none. It may
	// wait for servers to start.
	Tools func(context.Context) []tools.Tool
	Own   []tools.Tool // those that never change
	// Brief is what requests list of Own if they list them, see [agent.Listed]; nil: all.
	Brief []llm.Tool
	Model string // its name
	Local bool   // it runs on this computer
	Facts offer.Model
	Wish  offer.Wish
	// Off reports what the user turned off; nil: nothing.
	Off func(name string) bool
	// Refused returns why the model's provider takes no request that lists a tool of a server;
	// "" if it does. Nil: it takes all.
	Refused func(tools.Spec) string
	// Decided is called with the strategy that the turn follows; nil: nobody is.
	Decided func(offer.Strategy)
}

// Set is the [agent.Toolset] of one turn.
type Set struct {
	opt  Options
	own  []tools.Tool          // for [agent.Options]
	rest map[string]tools.Tool // of Options.Own, hidden
	made map[string]tools.Tool // what finds and calls other tools

	mu       sync.Mutex
	strategy offer.Strategy // "" before the first step
	hidden   map[string]tools.Tool
	index    *offer.Index
	open     string // the category that was opened
}

// New returns the Set of a turn.
func New(opt Options) *Set {
	s := &Set{opt: opt, rest: make(map[string]tools.Tool), index: offer.NewIndex(nil)}
	s.made = s.finders()
	// What becomes of our own tools does not depend on servers that have yet to start.
	_, decisions := s.plan(nil)
	kept := make(map[string]bool)
	for _, d := range decisions {
		kept[d.Tool.Name] = d.Offered || d.Reason == offer.SmallWindow
	}
	for _, t := range opt.Own {
		if name := t.Spec().Name; kept[name] {
			s.own = append(s.own, t)
		} else if !is(opt.Off, name) {
			s.rest[name] = t
		}
	}
	return s
}

func is(fact func(string) bool, name string) bool { return fact != nil && fact(name) }

// Own returns those of the Options' own tools that requests list.
func (s *Set) Own() []tools.Tool { return s.own }

// Known returns what is known of our own tools, and of those that find and call others.
func (s *Set) Known() []offer.Tool {
	var all []offer.Tool
	for _, t := range s.opt.Own {
		spec := t.Spec()
		brief := slices.IndexFunc(s.opt.Brief, func(l llm.Tool) bool { return l.Name == spec.Name })
		if brief >= 0 {
			spec.Description, spec.Schema = s.opt.Brief[brief].Description, s.opt.Brief[brief].Schema
		}
		all = append(all, offer.Tool{Spec: spec, Small: brief < 0 && s.opt.Brief != nil})
	}
	for _, t := range s.made {
		all = append(all, offer.Tool{Spec: t.Spec()})
	}
	return all
}

// plan decides about our own tools and others.
func (s *Set) plan(others []tools.Tool) (offer.Strategy, []offer.Decision) {
	all := s.Known()
	for _, t := range others {
		other := offer.Tool{Spec: t.Spec()}
		if s.opt.Refused != nil {
			other.Refused = s.opt.Refused(other.Spec)
		}
		all = append(all, other)
	}
	for i := range all {
		all[i].Off = is(s.opt.Off, all[i].Spec.Name)
	}
	wish := s.opt.Wish
	if s.strategy != "" {
		wish.Strategy = s.strategy // for the whole turn
	}
	return offer.Plan(all, s.opt.Facts, wish)
}

// Step implements [agent.Toolset].
func (s *Set) Step(ctx context.Context) agent.Supply {
	var others []tools.Tool
	if s.opt.Tools != nil {
		others = s.opt.Tools(ctx)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	strategy, decisions := s.plan(others)
	if s.strategy == "" {
		s.strategy = strategy
		if s.opt.Decided != nil {
			s.opt.Decided(strategy)
		}
	}
	byName := maps.Clone(s.rest)
	for _, t := range others {
		byName[t.Spec().Name] = t
	}
	var supply agent.Supply
	s.hidden = make(map[string]tools.Tool)
	var specs []tools.Spec
	for _, d := range decisions {
		name := d.Tool.Name
		switch t := byName[name]; {
		case d.Reason == offer.Finder:
			supply.Listed = append(supply.Listed, s.made[name])
		case t == nil: // ours, and listed by the agent
		case d.Reason == offer.Listed:
			supply.Listed = append(supply.Listed, t)
		case d.Reason == offer.Hidden, d.Reason == offer.Closed:
			s.hidden[name] = t
			specs = append(specs, t.Spec())
			if category := offer.Category(t.Spec()); d.Reason == offer.Hidden || category == s.open {
				supply.Hidden = append(supply.Hidden, t)
			} else {
				if supply.Closed == nil {
					supply.Closed = make(map[string]string)
				}
				supply.Closed[name] = fmt.Sprintf("%s is not open; call %s with {\"name\":%q} first", name, offer.UseResource, category)
			}
		}
	}
	s.index = offer.NewIndex(specs)
	return supply
}

// Introduce implements [agent.Toolset]: the tools that fit the question best, as
// search_tools would find them, so that most questions need no search; where nothing is
// searched for by itself, how tools are found.
func (s *Set) Introduce(question string, sent []llm.Message) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.hidden) == 0 {
		return ""
	}
	described, recent := s.mentioned(sent)
	if !s.strategy.Introduces() {
		if slices.ContainsFunc(sent, func(m llm.Message) bool { return m.Role == llm.User && strings.Contains(m.Text, "\n<tools>\n") }) {
			return ""
		}
		return s.workflow()
	}
	n := offer.AtOnce(s.opt.Model, s.opt.Local)
	var fit []tools.Spec
	for _, h := range s.index.Search(question, n) {
		fit = append(fit, h.Spec)
	}
	for _, name := range recent { // the one used longest ago is given up first
		if len(fit) < n && !slices.ContainsFunc(fit, func(f tools.Spec) bool { return f.Name == name }) {
			fit = append(fit, s.hidden[name].Spec())
		}
	}
	fit = slices.DeleteFunc(fit, func(f tools.Spec) bool { return described[f.Name] })
	if len(fit) == 0 {
		return ""
	}
	return "<tools>\nThese tools may fit. Call them through execute_tool; search_tools finds others.\n" + list(fit).ForModel(maxIntroduced) + "\n</tools>"
}

// maxIntroduced bounds what Introduce adds to a question, in bytes.
const maxIntroduced = 12_000

// workflow says how tools are found that nothing describes.
func (s *Set) workflow() string {
	what := "tools in %d categories are not listed. 1. Find one with search_tools, or by list_categories and browse_category. 2. Read its parameters with get_tool. 3. Call it with execute_tool."
	if s.strategy.Opens() {
		what = "tools in %d resources are not listed. 1. Find a resource with list_resources. 2. Open it with use_resource, which describes its tools. 3. Call one with call_mcp_tool. With each question of the user all are closed again."
	}
	return fmt.Sprintf("<tools>\n%d "+what+"\n</tools>", len(s.hidden), len(s.categories()))
}

// mentioned returns which hidden tools messages describe, and which they describe or call,
// the latest first. The conversation is the only place where this is kept.
func (s *Set) mentioned(sent []llm.Message) (described map[string]bool, recent []string) {
	described = make(map[string]bool)
	note := func(name string) bool {
		if s.hidden[name] == nil {
			return false
		}
		recent = append(slices.DeleteFunc(recent, func(r string) bool { return r == name }), name)
		return true
	}
	for _, m := range sent {
		for _, c := range m.Calls {
			note(c.Name)
		}
		text := ""
		switch {
		case m.Role == llm.User:
			if at := strings.LastIndex(m.Text, "\n<tools>\n"); at >= 0 {
				text = m.Text[at:]
			}
		case m.CallName == offer.SearchTools || m.CallName == offer.GetTool:
			text = m.Text
		}
		for _, part := range strings.Split(text, `"name":"`)[min(1, len(text)):] {
			if name, _, _ := strings.Cut(part, `"`); note(name) {
				described[name] = true
			}
		}
	}
	slices.Reverse(recent)
	return described, recent
}

// categories returns the hidden tools by category.
func (s *Set) categories() map[string][]tools.Spec {
	all := make(map[string][]tools.Spec)
	for _, name := range slices.Sorted(maps.Keys(s.hidden)) {
		spec := s.hidden[name].Spec()
		all[offer.Category(spec)] = append(all[offer.Category(spec)], spec)
	}
	return all
}

// executor is a tool whose calls stand for calls of the tool that they name.
type executor struct{ tools.Tool }

// Unwrap implements [tools.Wrapper].
func (e executor) Unwrap(args json.RawMessage) (name string, inner json.RawMessage, ok bool) {
	var call struct {
		Name      string          `json:"name"`
		Params    json.RawMessage `json:"params"`
		Args      json.RawMessage `json:"args"`
		Arguments json.RawMessage `json:"arguments"` // what models call it elsewhere
	}
	if json.Unmarshal(args, &call) != nil || call.Name == "" || call.Name == e.Spec().Name {
		return "", nil, false
	}
	for _, raw := range []json.RawMessage{call.Params, call.Args, call.Arguments} {
		if len(raw) > 0 && string(raw) != "null" {
			return call.Name, raw, true
		}
	}
	return call.Name, json.RawMessage("{}"), true
}

package tools

import (
	"fmt"
	"slices"
	"strings"
)

// Registry is the one list of tools: prompt, schemas, routing and gate all read it. It is
// immutable.
type Registry struct {
	all    []Tool
	byName map[string]Tool
}

// NewRegistry returns a registry of the given tools; names must be unique.
func NewRegistry(ts ...Tool) (*Registry, error) {
	r := &Registry{all: slices.Clone(ts), byName: make(map[string]Tool, len(ts))}
	for _, t := range ts {
		name := t.Spec().Name
		if _, double := r.byName[name]; double {
			return nil, fmt.Errorf("two tools are called %q", name)
		}
		r.byName[name] = t
	}
	slices.SortFunc(r.all, func(a, b Tool) int { return strings.Compare(a.Spec().Name, b.Spec().Name) })
	return r, nil
}

// All returns the tools, sorted by name.
func (r *Registry) All() []Tool { return slices.Clone(r.all) }

// Get finds a tool by its exact name.
func (r *Registry) Get(name string) (Tool, bool) {
	t, ok := r.byName[name]
	return t, ok
}

// BuiltinTools returns the tools of this package, to be registered together with others.
func BuiltinTools() []Tool {
	return []Tool{
		New("aggregate", aggregateDoc, None, runAggregate),
		New("count", countDoc, None, runCount),
		New("coverage", coverageDoc, None, runCoverage),
		New("current_time", currentTimeDoc, None, runCurrentTime, Untainting()),
		New("find_profile", findProfileDoc, None, runFindProfile),
		New("get_note", getNoteDoc, None, runGetNote),
		New("get_profile", getProfileDoc, None, runGetProfile),
		New("get_thread", getThreadDoc, None, runGetThread),
		New("present_notes", presentNotesDoc, None, runPresentNotes, Untainting(), Ordered()),
		New("query", queryDoc, None, runQuery),
		New("random_uuid", randomUUIDDoc, None, runRandomUUID, Untainting()),
		New("render_chart", renderChartDoc, None, runRenderChart, Untainting(), Rich()),
		New("render_table", renderTableDoc, None, runRenderTable, Untainting(), Rich()),
	}
}

// Builtin returns the registry of all built-in tools.
func Builtin() *Registry {
	r, err := NewRegistry(BuiltinTools()...)
	if err != nil {
		panic("tools: " + err.Error()) // two files of this package use the same name
	}
	return r
}

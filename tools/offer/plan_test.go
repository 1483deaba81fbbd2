package offer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bowerbird/tools"
)

const million = 1 << 20 // a window that is never the reason

func own(n int) []Tool {
	var all []Tool
	for i := range n {
		all = append(all, Tool{Spec: tools.Spec{Name: fmt.Sprint("own_", i)}})
	}
	return all
}

func foreign(n int) []Tool {
	var all []Tool
	for i := range n {
		all = append(all, Tool{Spec: tools.Spec{Name: fmt.Sprint("mcp__s__tool_", i), Source: "mcp:s"}})
	}
	return all
}

// Rows 000-23 to 25 and 003-1, and "Which tools the model sees" of the design. Where they
// contradict each other, the design counts: 41 tools are deferred, not routed.
func TestWhichStrategyIsChosen(t *testing.T) {
	large := foreign(20)
	for i := range large {
		large[i].Spec.Schema = json.RawMessage(strings.Repeat("x", 6000)) // 1,500 tokens
	}
	for _, c := range []struct {
		name   string
		tools  []Tool
		window int
		wish   Wish
		want   Strategy
	}{
		{"8 in 8k", foreign(8), 8192, Wish{Limit: 40}, Direct},
		{"9 in 8k", foreign(9), 8192, Wish{Limit: 40}, Deferred},
		{"9 of our own in 8k", own(9), 8192, Wish{Limit: 40}, Discovery},
		{"8 of our own and 1 in 8k", slices.Concat(own(8), foreign(1)), 8192, Wish{Limit: 40}, Deferred},
		{"131 in 131k", foreign(131), 131000, Wish{Limit: 1000}, Direct},
		{"132 in 131k", foreign(132), 131000, Wish{Limit: 1000}, Deferred},
		{"40", foreign(40), million, Wish{Limit: 40}, Direct},
		{"41", foreign(41), million, Wish{Limit: 40}, Deferred},
		{"40 and three that belong to an answer", slices.Concat(foreign(40), []Tool{{Spec: tools.Spec{Name: "chart", Rich: true}}, {Spec: tools.Spec{Name: "table", Rich: true}}, {Spec: tools.Spec{Name: "show", Ordered: true}}}), million, Wish{Limit: 40}, Direct},
		{"41, one of them off", append(foreign(40), Tool{Spec: tools.Spec{Name: "x", Source: "mcp:s"}, Off: true}), million, Wish{Limit: 40}, Direct},
		{"1, limit 0", foreign(1), million, Wish{}, Routed},
		{"500, limit 10,000", foreign(500), million, Wish{Limit: 10000}, Direct},
		{"500, limit 10,000, 131k", foreign(500), 131072, Wish{Limit: 10000}, Deferred},
		{"32, window not known", foreign(32), 0, Wish{Limit: 40}, Direct},
		{"33, window not known", foreign(33), 0, Wish{Limit: 40}, Deferred},
		{"20 with long schemas in 131k", large, 131072, Wish{Limit: 40}, Deferred},
		{"none", nil, 8192, Wish{Limit: 40}, Direct},
		{"chosen", foreign(500), 8192, Wish{Strategy: Direct, Limit: 40}, Direct},
		{"chosen", foreign(1), million, Wish{Strategy: Deferred, Limit: 40}, Deferred},
		{"chosen", foreign(1), million, Wish{Strategy: Discovery, Limit: 40}, Discovery},
		{"chosen", foreign(1), million, Wish{Strategy: Routed, Limit: 40}, Routed},
		{"chosen, limit 0", foreign(1), million, Wish{Strategy: Direct}, Direct},
		{"13 of our own in 8k, of which 5 are left out", append(slices.Repeat([]Tool{{Spec: tools.Spec{Name: "x"}, Small: true}}, 5), own(8)...), 8192, Wish{Limit: 40}, Direct},
		{"as before", foreign(1), million, Wish{Limit: 40, Before: Deferred}, Deferred},
		{"too many since", foreign(41), million, Wish{Limit: 40, Before: Direct}, Deferred},
		{"chosen as auto", foreign(41), million, Wish{Strategy: Auto, Limit: 40}, Deferred},
	} {
		if got, _ := Plan(c.tools, Model{Window: c.window}, c.wish); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// finders are the tools that find and call the others.
func finders() []Tool {
	var all []Tool
	for _, name := range []string{BrowseCategory, CallMCPTool, ExecuteTool, GetTool, ListCategories, ListResources, SearchTools, UseResource} {
		all = append(all, Tool{Spec: tools.Spec{Name: name, Ordered: true}})
	}
	return all
}

func decided(all []Decision) map[string]Decision {
	m := make(map[string]Decision)
	for _, d := range all {
		m[d.Tool.Name] = d
	}
	return m
}

// Rows 000-1, 26; 003-2; 004-2, 5, 7, 10: what a request lists, by strategy.
func TestWhatEachStrategyLists(t *testing.T) {
	shows := Tool{Spec: tools.Spec{Name: "show", Ordered: true}}
	found := Tool{Spec: tools.Spec{Name: "mcp__s__found", Source: "mcp:s"}, Found: true}
	all := slices.Concat(own(1), foreign(1), []Tool{shows, found}, finders())
	for strategy, want := range map[Strategy]string{
		Direct:    "mcp__s__found own_0 mcp__s__tool_0 show",
		Deferred:  "execute_tool mcp__s__found own_0 search_tools show",
		Discovery: "browse_category execute_tool get_tool list_categories mcp__s__found search_tools show",
		Routed:    "call_mcp_tool list_resources show use_resource",
	} {
		_, decisions := Plan(all, Model{Window: million}, Wish{Strategy: strategy, Limit: 40})
		if len(decisions) != len(all) {
			t.Errorf("%s: %d decisions of %d tools", strategy, len(decisions), len(all))
		}
		var got []string
		for _, d := range decisions {
			if d.Offered {
				got = append(got, d.Tool.Name)
			}
		}
		if wanted := strings.Fields(want); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(wanted))) {
			t.Errorf("%s: %q, want %q", strategy, got, wanted)
		}
		if !slices.IsSortedFunc(decisions, func(a, b Decision) int { return strings.Compare(a.Tool.Name, b.Tool.Name) }) {
			t.Errorf("%s: not sorted", strategy)
		}
	}
}

// Rows 004-5, 7, 10: each gate alone closes, whatever the others are, and the reason that is
// given is that of the first that does.
func TestEachGateAloneKeepsAToolOut(t *testing.T) {
	for bits := range 1 << 8 {
		is := func(n int) bool { return bits>>n&1 == 1 }
		for _, kind := range []tools.Spec{{Name: "own"}, {Name: "mcp__s__x", Source: "mcp:s"}, {Name: "own", Rich: true}, {Name: SearchTools}} {
			tool := Tool{Spec: kind, Off: is(0), Barred: is(1), Changed: is(2), Unusable: is(3), Small: is(5)}
			if is(4) {
				tool.Refused = "no list of types"
			}
			model := Model{NoTools: is(6), Plain: is(7), Window: million}
			_, decisions := Plan(append(foreign(1), tool), model, Wish{Strategy: Deferred, Limit: 40})
			got := decided(decisions)[kind.Name]
			var want Reason
			switch {
			case is(6):
				want = NoTools
			case is(0):
				want = TurnedOff
			case is(1):
				want = Barred
			case is(3):
				want = Unusable
			case is(2):
				want = Changed
			case is(4):
				want = Refused
			case is(7) && kind.Rich:
				want = PlainText
			case is(5) && kind.Source == "" && kind.Name != SearchTools:
				want = SmallWindow
			case kind.Source != "":
				want = Hidden
			case kind.Name == SearchTools:
				want = Finder
			default:
				want = Listed
			}
			if offered := want == Listed || want == Finder; got.Reason != want || got.Offered != offered || (got.Detail != "") != (want == Refused) {
				t.Fatalf("%v, %+v, %+v: %v %s, want %s", kind.Name, tool, model, got.Offered, got.Reason, want)
			}
		}
	}
}

// Row 004-7: with nothing to find, nothing is listed that finds.
func TestWithoutHiddenToolsNothingFindsThem(t *testing.T) {
	for _, strategy := range []Strategy{Direct, Deferred} {
		hidden := foreign(1)
		hidden[0].Off = true
		_, decisions := Plan(slices.Concat(own(1), hidden, finders()), Model{}, Wish{Strategy: strategy, Limit: 40})
		if d := decided(decisions)[SearchTools]; d.Offered || d.Reason != Unneeded {
			t.Errorf("%s: %+v", strategy, d)
		}
	}
}

// Every reason has words, each its own.
func TestEveryReasonHasWords(t *testing.T) {
	seen := map[string]bool{}
	for r := Listed; r <= lastReason; r++ {
		if s := r.String(); s == "" || seen[s] {
			t.Errorf("reason %d: %q", r, s)
		} else {
			seen[s] = true
		}
	}
}

func BenchmarkPlanFiveHundredTools(b *testing.B) {
	var all []Tool
	for _, s := range manyTools(b) {
		all = append(all, Tool{Spec: s})
	}
	for b.Loop() {
		Plan(all, Model{Window: million}, Wish{Limit: DefaultLimit})
	}
}

package offer

import (
	"cmp"
	"slices"
	"strings"

	"bowerbird/tools"
)

// Strategy is how a model gets to know the tools.
type Strategy string

// The strategies.
const (
	// Auto is Direct while all tools fit, else Deferred, or Discovery if our own alone do not
	// fit. With a limit of 0 it is Routed.
	Auto Strategy = "auto"
	// Direct lists all tools in every request.
	Direct Strategy = "direct"
	// Deferred lists our own. Of the others, those that fit a question best are described
	// with it, and the model can search for more.
	Deferred Strategy = "deferred"
	// Discovery lists what finds tools, by category and by search, and nothing else but what
	// belongs to an answer.
	Discovery Strategy = "discovery"
	// Routed lists what opens a resource, our notes or a server, whose tools can then be
	// called until the turn ends.
	Routed Strategy = "routed"
)

// Strategies are those that can be chosen.
func Strategies() []Strategy { return []Strategy{Auto, Direct, Deferred, Discovery, Routed} }

// The tools that find and call the others.
const (
	SearchTools    = "search_tools"
	ExecuteTool    = "execute_tool"
	ListCategories = "list_categories"
	BrowseCategory = "browse_category"
	GetTool        = "get_tool"
	ListResources  = "list_resources"
	UseResource    = "use_resource"
	CallMCPTool    = "call_mcp_tool"
)

// rule is what a strategy lists. Whatever belongs to an answer is always listed.
type rule struct {
	own, others bool
	finders     []string
	closed      bool // what is hidden must be opened before it is called
}

var rules = map[Strategy]rule{
	Direct:    {own: true, others: true},
	Deferred:  {own: true, finders: []string{SearchTools, ExecuteTool}},
	Discovery: {finders: []string{ListCategories, BrowseCategory, SearchTools, GetTool, ExecuteTool}},
	Routed:    {finders: []string{ListResources, UseResource, CallMCPTool}, closed: true},
}

// Tool is a tool with what is known of it.
type Tool struct {
	Spec     tools.Spec
	Off      bool // the user turned it or its server off
	Barred   bool // the assistant may not use it
	Unusable bool // its schema asks for what is not supported
	Changed  bool // it is not what the user looked at
	Small    bool // ours, and left out because the model's window is small
	Found    bool // it is described in this chat
	// Refused is why the model's provider takes no request that lists it; "" if it does.
	Refused string
}

// Model is what is known of the model.
type Model struct {
	Window  int  // in tokens; 0 if unknown
	NoTools bool // it gets no tools
	Plain   bool // its answers are to be text alone
}

// Wish is what the user chose.
type Wish struct {
	Strategy Strategy // "" is Auto
	Limit    int      // the most tools that Auto lists
	// Before is the strategy of the chat so far: Auto keeps it while it can, so that
	// requests begin as those before did.
	Before Strategy
}

// DefaultLimit is the usual limit.
const DefaultLimit = 40

// Decision is whether a model gets to know a tool.
type Decision struct {
	Tool    tools.Spec
	Offered bool
	Reason  Reason
	Detail  string // Tool.Refused, if that is the reason
}

// Reason is why a tool is offered or not.
type Reason uint8

// The reasons. The first three are of tools that are offered.
const (
	Listed      Reason = iota
	Finder             // it finds or calls the hidden ones
	Found              // it fits a question of this chat
	Hidden             // it is found when a question needs it
	Closed             // its resource must be opened first
	TurnedOff          // Tool.Off
	Barred             // Tool.Barred
	Unusable           // Tool.Unusable
	Changed            // Tool.Changed
	Refused            // Tool.Refused
	SmallWindow        // Tool.Small
	PlainText          // it shows more than text
	NoTools            // Model.NoTools
	Unneeded           // it finds tools, and none is hidden that way

	lastReason = Unneeded
)

// String describes the reason in English.
func (r Reason) String() string {
	return []string{
		"listed in every request",
		"listed: it finds and calls the tools that are not",
		"described in this chat, since it fits a question",
		"not listed: there are too many tools, and it is found when a question needs it",
		"not listed: the model opens its group of tools first",
		"turned off in the settings",
		"not allowed for this assistant",
		"its arguments are described in a way that is not supported",
		"changed since you looked at it, so it is off until you do again",
		"the model's provider refuses its description",
		"not listed, because the model reads too little at a time; it works if the model calls it",
		"shows more than text, and answers are to be plain text",
		"the model gets no tools",
		"not needed: no tool is hidden that way",
	}[r]
}

// Plan decides for each tool whether a model gets to know it, and how: the strategy is never
// Auto. The decisions are sorted by the tools' names.
func Plan(all []Tool, m Model, w Wish) (Strategy, []Decision) {
	var usable []Tool
	for _, t := range all {
		if !finds(t.Spec.Name) && barred(t, m) == Listed {
			usable = append(usable, t)
		}
	}
	strategy := choose(usable, m.Window, w)
	rule := rules[strategy]
	hidden := slices.ContainsFunc(usable, func(t Tool) bool { return !rule.lists(t.Spec) })
	decisions := make([]Decision, 0, len(all))
	for _, t := range all {
		reason := barred(t, m)
		if reason == Listed {
			reason = rule.reason(t, hidden)
		}
		d := Decision{Tool: t.Spec, Offered: reason <= Found, Reason: reason}
		if reason == Refused {
			d.Detail = t.Refused
		}
		decisions = append(decisions, d)
	}
	slices.SortFunc(decisions, func(a, b Decision) int { return strings.Compare(a.Tool.Name, b.Tool.Name) })
	return strategy, decisions
}

// barred returns what rules a tool out whatever the strategy, Listed for nothing.
func barred(t Tool, m Model) Reason {
	for _, gate := range []struct {
		shut   bool
		reason Reason
	}{
		{m.NoTools, NoTools},
		{t.Off, TurnedOff},
		{t.Barred, Barred},
		{t.Unusable, Unusable},
		{t.Changed, Changed},
		{t.Refused != "", Refused},
		{m.Plain && t.Spec.Rich, PlainText},
	} {
		if gate.shut {
			return gate.reason
		}
	}
	return Listed
}

func (r rule) lists(s tools.Spec) bool {
	return r.others || s.Source == "" && r.own || Answers(s)
}

func (r rule) reason(t Tool, hidden bool) Reason {
	switch {
	case finds(t.Spec.Name) && hidden && slices.Contains(r.finders, t.Spec.Name):
		return Finder
	case finds(t.Spec.Name):
		return Unneeded
	case r.lists(t.Spec) && t.Small:
		return SmallWindow
	case r.lists(t.Spec):
		return Listed
	case r.closed:
		return Closed
	case t.Found:
		return Found
	}
	return Hidden
}

// Answers reports whether a tool belongs to an answer: it shows or numbers what is in it.
func Answers(s tools.Spec) bool { return s.Source == "" && (s.Rich || s.Ordered) }

// Category is what a tool is found under: that of our own, or its server as "mcp:NAME".
func Category(s tools.Spec) string { return cmp.Or(s.Source, s.Category, "other") }

// Opens reports whether tools must be opened by their category before they are called.
func (s Strategy) Opens() bool { return rules[s].closed }

// Introduces reports whether the tools that fit a question are described with it.
func (s Strategy) Introduces() bool { return s == Deferred }

// finds reports whether a tool is one that finds or calls the others.
func finds(name string) bool {
	for _, r := range rules {
		if slices.Contains(r.finders, name) {
			return true
		}
	}
	return false
}

// The limits of what Auto lists.
const (
	leastTokens = 200 // that a tool is counted with; its size counts if it is more
	perToken    = 4   // bytes
	mostShare   = 5   // a fifth of the window
	leastKnown  = 32 << 10
)

// choose returns the strategy for the tools that can be used.
func choose(usable []Tool, window int, w Wish) Strategy {
	switch {
	case w.Strategy != "" && w.Strategy != Auto:
		return w.Strategy
	case w.Limit == 0:
		return Routed
	}
	if window <= 0 {
		window = leastKnown
	}
	tokens, own, counted := 0, 0, 0
	for _, t := range usable {
		if t.Small {
			continue
		}
		n := max(leastTokens, (len(t.Spec.Name)+len(t.Spec.Description)+len(t.Spec.Schema))/perToken)
		tokens += n
		if t.Spec.Source == "" {
			own += n
		}
		if !Answers(t.Spec) {
			counted++
		}
	}
	switch {
	case w.Before != "" && w.Before != Direct:
		return w.Before
	case counted <= w.Limit && tokens*mostShare <= window:
		return Direct
	case own*mostShare <= window:
		return Deferred
	}
	return Discovery
}

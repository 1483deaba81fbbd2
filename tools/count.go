package tools

import (
	"context"
	_ "embed"

	"bowerbird/ndb/nostr"
)

//go:embed count.md
var countDoc string

// CountArgs are the arguments of count: query's filters.
type CountArgs struct {
	Context        string `json:"context,omitempty" enum:"home,profile,any" jsonschema:"whose notes, as in query"`
	Search         string `json:"search,omitempty" maxLength:"500" jsonschema:"as in query"`
	Author         string `json:"author,omitempty" jsonschema:"as in query"`
	Kind           Kinds  `json:"kind,omitempty" jsonschema:"a kind or a list; default 1"`
	Since          When   `json:"since,omitempty" jsonschema:"inclusive, as in query"`
	Until          When   `json:"until,omitempty" jsonschema:"inclusive, as in query"`
	Hashtag        string `json:"hashtag,omitempty" jsonschema:"with or without #"`
	Mentions       string `json:"mentions,omitempty" jsonschema:"as in query"`
	IncludeReplies bool   `json:"include_replies,omitempty" default:"false"`
}

// CountResult is the answer of count.
type CountResult struct {
	Scope   Scope `json:"scope"`
	Count   int   `json:"count"`
	Authors int   `json:"authors"`       // different people among the counted
	Own     bool  `json:"own,omitempty"` // the account is one of Authors
	// CountAtLeast means that counting ran out of time (Env.Timeout): there may be more
	// of both.
	CountAtLeast bool `json:"count_at_least,omitempty"`
}

func runCount(ctx context.Context, env *Env, a CountArgs) (CountResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	sel, err := env.selection(ctx, a)
	if err != nil {
		return CountResult{}, err
	}
	return sel.count(ctx)
}

func (s *selection) count(ctx context.Context) (res CountResult, err error) {
	res.Scope = s.scope
	authors := people{}
	res.CountAtLeast, err = s.heads(ctx, func(e *nostr.Event) {
		res.Count++
		authors[e.PubKey] = true
	})
	res.Authors, res.Own = len(authors), authors[s.env.Me]
	return res, err
}

// Partial reports whether there may be more than was counted.
func (r CountResult) Partial() bool { return r.CountAtLeast }

// ForModel implements Result.
func (r CountResult) ForModel(limit int) string {
	return Fit(limit, 0, func(_, _ int) any { return r })
}

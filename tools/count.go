package tools

import (
	"context"
	_ "embed"

	"bowerbird/ndb"
)

//go:embed count.md
var countDoc string

func countTool() Tool { return New("count", countDoc, None, runCount) }

// CountArgs are the arguments of count: query's filters.
type CountArgs struct {
	Context        string `json:"context,omitempty" enum:"home,profile,any" jsonschema:"whose notes; home when the user follows people, else any"`
	Search         string `json:"search,omitempty" maxLength:"500" jsonschema:"words, \"phrases\", -not, OR, #tag, from:, to:, kind:, is:reply, has:image, lang:, site:, since:, until:"`
	Author         string `json:"author,omitempty" jsonschema:"npub, nprofile, hex key, NIP-05 name or name"`
	Kind           Kinds  `json:"kind,omitempty" jsonschema:"a kind or a list; default 1"`
	Since          When   `json:"since,omitempty" jsonschema:"inclusive: unix seconds, RFC 3339, date, today, yesterday, 24h, 7d"`
	Until          When   `json:"until,omitempty" jsonschema:"inclusive, like since; a date means its end"`
	Hashtag        string `json:"hashtag,omitempty" jsonschema:"with or without #"`
	Mentions       string `json:"mentions,omitempty" jsonschema:"a person like author, or me: only what is addressed to them, replies too"`
	IncludeReplies bool   `json:"include_replies,omitempty" default:"false"`
}

// CountResult is the answer of count.
type CountResult struct {
	Scope   Scope `json:"scope"`
	Count   int   `json:"count"`
	Authors int   `json:"authors"` // different people among the counted
}

func runCount(ctx context.Context, env *Env, a CountArgs) (CountResult, error) {
	ctx, cancel := env.bounded(ctx)
	defer cancel()
	sel, err := env.selection(ctx, a)
	if err != nil {
		return CountResult{}, err
	}
	res, authors := CountResult{Scope: sel.scope}, people{}
	err = sel.each(ctx, func(e *ndb.Event) {
		res.Count++
		authors[e.PubKey] = true
	})
	res.Authors = len(authors)
	return res, err
}

// ForModel implements Result.
func (r CountResult) ForModel(limit int) string {
	return Fit(limit, 0, func(_, _ int) any { return r })
}

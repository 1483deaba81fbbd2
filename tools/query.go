package tools

import (
	"cmp"
	"context"
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"bowerbird/ndb"
)

//go:embed query.md
var queryDoc string

// The bounds of query's limit.
const (
	defaultLimit = 50
	maxLimit     = 200
)

// QueryArgs are the arguments of query.
type QueryArgs struct {
	Context        string `json:"context,omitempty" enum:"home,profile,any" jsonschema:"whose notes; home when the user follows people, else any"`
	Search         string `json:"search,omitempty" maxLength:"500" jsonschema:"words, \"phrases\", -not, OR, #tag, from:, to:, kind:, is:reply, has:image, lang:, site:, since:, until:"`
	Author         string `json:"author,omitempty" jsonschema:"npub, nprofile, hex key, NIP-05 name or name"`
	Kind           Kinds  `json:"kind,omitempty" jsonschema:"a kind or a list; default 1"`
	Since          When   `json:"since,omitempty" jsonschema:"inclusive: unix seconds, RFC 3339, date, yesterday, last week, 3 days ago, 24h"`
	Until          When   `json:"until,omitempty" jsonschema:"inclusive, like since; a day or a week means its end"`
	Hashtag        string `json:"hashtag,omitempty" jsonschema:"with or without #"`
	Mentions       string `json:"mentions,omitempty" jsonschema:"a person like author, or me: only what is addressed to them, replies too"`
	IncludeReplies bool   `json:"include_replies,omitempty" default:"false"`
	Counters       bool   `json:"counters,omitempty" default:"false" jsonschema:"also show replies, reactions, reposts, zaps of each note"`
	Limit          int    `json:"limit,omitempty" default:"50" jsonschema:"1 to 200; more is cut to 200"`
	Cursor         string `json:"cursor,omitempty" jsonschema:"from the answer before, to go on"`
	Order          string `json:"order,omitempty" enum:"newest,best" default:"newest" jsonschema:"best: those that fit the words of search best first, new ones before old"`
}

// filters are the arguments that count and query share.
func (a QueryArgs) filters() CountArgs {
	return CountArgs{
		Context: a.Context, Search: a.Search, Author: a.Author, Kind: a.Kind, Since: a.Since, Until: a.Until,
		Hashtag: a.Hashtag, Mentions: a.Mentions, IncludeReplies: a.IncludeReplies,
	}
}

// QueryResult is the answer of query.
type QueryResult struct {
	Scope Scope `json:"scope"`
	// Total is how many notes match in total, whatever the page. Counting stops when the
	// call's time is up (Env.Timeout); then TotalAtLeast is set.
	Total        int             `json:"total"`
	TotalAtLeast bool            `json:"total_at_least,omitempty"`
	Returned     int             `json:"returned"`
	Truncated    bool            `json:"truncated"` // more match: continue with Cursor
	Cursor       string          `json:"cursor"`
	Notice       string          `json:"notice,omitempty"` // what was done differently from the request
	Coverage     CoverageSummary `json:"coverage"`
	Own          bool            `json:"own,omitempty"` // the account wrote some of Notes, reposts and reactions apart
	Notes        []Note          `json:"notes"`

	bind     binding
	ranked   *ndb.RankedPage // with order best; else nil
	counters bool
}

func runQuery(ctx context.Context, env *Env, a QueryArgs) (QueryResult, error) {
	reading, cancel := env.bounded(ctx)
	defer cancel()
	sel, err := env.selection(reading, a.filters())
	if err != nil {
		return QueryResult{}, err
	}
	res := QueryResult{Scope: sel.scope, counters: a.Counters}
	if res.bind, err = bind(env, sel.scope.Context, a); err != nil {
		return QueryResult{}, err
	}
	limit, notice := clampLimit(a.Limit, defaultLimit, maxLimit)
	res.Notice = notice
	page, err := res.page(reading, sel, a, limit)
	if err != nil {
		return QueryResult{}, err
	}
	if page.damaged {
		res.Notice = strings.TrimSpace(res.Notice + " Some notes could not be read from the disk and are left out.")
	}
	// The page is complete: the rest, names and coverage, is quick, and must not fail
	// because counting used up the time.
	if err := res.fill(ctx, env, page); err != nil {
		return QueryResult{}, err
	}
	if res.Total == 0 && manyWords(a.Search) {
		res.Notice = strings.TrimSpace(res.Notice + " No note holds all of these words: search for fewer words, or join them with OR.")
	}
	res.Coverage, err = sel.coverage(ctx, res.span(sel.filter.Since, sel.filter.Until), res.Total)
	return res, err
}

// manyWords reports whether a search has several words: models write them as if a search
// understood questions.
func manyWords(search string) bool {
	words := slices.DeleteFunc(strings.Fields(search), func(w string) bool { return strings.ContainsAny(w, ":#-") })
	return len(words) > 1 && !slices.Contains(words, "OR") && !strings.Contains(search, `"`)
}

// page reads the page that was asked for, in the order that was.
func (r *QueryResult) page(ctx context.Context, sel *selection, a QueryArgs, limit int) (notePage, error) {
	if a.Order == orderBest {
		var after *ndb.RankCursor
		if a.Cursor != "" {
			var err error
			if after, err = r.bind.parseRanked(a.Cursor); err != nil {
				return notePage{}, err
			}
		}
		page, ranked, err := sel.best(ctx, after, limit)
		r.ranked = ranked
		return page, err
	}
	if a.Cursor == "" {
		return sel.page(ctx, nil, limit)
	}
	after, err := r.bind.parse(a.Cursor)
	if err != nil {
		return notePage{}, err
	}
	return sel.page(ctx, after, limit)
}

// orderBest is the order by score.
const orderBest = "best"

// fill copies the contents of a page.
func (r *QueryResult) fill(ctx context.Context, env *Env, page notePage) error {
	var err error
	if r.Notes, err = env.noteViews(ctx, page.events); err != nil {
		return err
	}
	r.Own = slices.ContainsFunc(r.Notes, func(n Note) bool { return n.PubKey == env.Me.String() && !WithoutWords(n.NoteKind) })
	r.Returned, r.Total, r.TotalAtLeast, r.Truncated = len(r.Notes), page.total, page.atLeast, page.more
	if r.Truncated {
		r.Cursor = r.cursorBehind(r.Notes[len(r.Notes)-1])
	}
	return nil
}

// span is the time span of the result: without since, if there are more notes, it reaches
// back to the oldest one shown.
func (r *QueryResult) span(since, until *int64) span {
	s := span{from: since, to: until}
	if since == nil && r.Truncated && len(r.Notes) > 0 {
		oldest := slices.MinFunc(r.Notes, func(a, b Note) int { return cmp.Compare(a.CreatedAtUnix, b.CreatedAtUnix) })
		s.from = &oldest.CreatedAtUnix
	}
	return s
}

// clampLimit clamps a limit to its range, and says so if it had to.
func clampLimit(limit, standard, most int) (int, string) {
	switch {
	case limit == 0:
		return standard, ""
	case limit < 1:
		return 1, fmt.Sprintf("limit %d was raised to 1 (1 to %d)", limit, most)
	case limit > most:
		return most, fmt.Sprintf("limit %d was cut to %d (1 to %d)", limit, most, most)
	}
	return limit, ""
}

// queryForModel is QueryResult as a model reads it.
type queryForModel struct {
	Scope        *Scope           `json:"scope,omitempty"`
	Total        int              `json:"total"`
	TotalAtLeast bool             `json:"total_at_least,omitempty"`
	Returned     int              `json:"returned"`
	LeftOut      int              `json:"left_out,omitempty"` // for lack of space; Cursor continues there
	Truncated    bool             `json:"truncated"`
	Cursor       string           `json:"cursor,omitempty"`
	Notice       string           `json:"notice,omitempty"`
	Coverage     *CoverageSummary `json:"coverage,omitempty"`
	Notes        []compactNote    `json:"notes"`
}

// ForModel implements Result. If not all notes fit, the cursor continues after the last
// one shown.
func (r QueryResult) ForModel(limit int) string {
	c := newCompactor(r.Notes)
	return Fit(limit, len(r.Notes), func(show, text int) any {
		left := len(r.Notes) - show
		a := queryForModel{
			Total: r.Total, TotalAtLeast: r.TotalAtLeast, Returned: show, LeftOut: left,
			Truncated: r.Truncated || left > 0, Cursor: r.Cursor, Notes: make([]compactNote, 0, show),
		}
		if left > 0 {
			a.Cursor = ""
			if show > 0 {
				a.Cursor = r.cursorBehind(r.Notes[show-1])
			}
		}
		if text > leanText {
			a.Scope, a.Coverage, a.Notice = &r.Scope, &r.Coverage, r.Notice
		}
		for i := range show {
			a.Notes = append(a.Notes, c.note(i, text, r.counters))
		}
		return a
	})
}

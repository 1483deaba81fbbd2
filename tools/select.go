package tools

import (
	"context"

	"bowerbird/ndb/nostr"
)

// Selection is what a query is about, for a reader that goes through the notes page by
// page: the window. What matches Filter and is shown is what count counts and query
// returns.
type Selection struct {
	Filter nostr.Filter
	// Shown is the test beyond the filter: muted and private notes, and replies that were
	// not requested, are not shown.
	Shown func(*nostr.Event) bool
}

// Select reads a query as query and count do. Errors that the caller can correct are an
// *ArgumentError.
func (env *Env) Select(ctx context.Context, a CountArgs) (Selection, error) {
	s, err := env.selection(ctx, a)
	if err != nil {
		return Selection{}, err
	}
	return Selection{Filter: s.filter, Shown: s.matches}, nil
}

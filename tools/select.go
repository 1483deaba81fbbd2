package tools

import (
	"context"

	"bowerbird/ndb/nostr"
)

// Selection is what a question is about, for who reads the notes page by page: the
// window. What matches Filter and is shown is what count counts and query returns.
type Selection struct {
	Filter nostr.Filter
	// Shown is the test beyond the filter: what the reader has muted, what is
	// private, and replies that were not asked for, are not shown.
	Shown func(*nostr.Event) bool
}

// Select reads a question as query and count do. Errors that the asker can mend
// are an *ArgumentError.
func (env *Env) Select(ctx context.Context, a CountArgs) (Selection, error) {
	s, err := env.selection(ctx, a)
	if err != nil {
		return Selection{}, err
	}
	return Selection{Filter: s.filter, Shown: s.matches}, nil
}

package app

import (
	"context"

	"bowerbird/ndb"
)

// ReadPlace is where somebody stopped reading a list of notes.
type ReadPlace struct {
	First ReadNote `json:"first"` // the newest note that stood in the list
	Top   ReadNote `json:"top"`   // the one at the upper edge
	// Above is how much of Top was above the edge, in points.
	Above float32 `json:"above"`
}

// ReadNote is a note of a list. Its time leads near where it stood once the note
// itself is gone.
type ReadNote struct {
	ID ndb.ID `json:"id"`
	At int64  `json:"at"` // unix seconds
}

// keyPlace is where the places of a list are kept, for each reader.
func (a *App) keyPlace(list string) string { return "place:" + list + ":" + a.Me().String() }

// ReadPlace returns where the reader stopped in a list; the zero value where they
// never did.
func (a *App) ReadPlace(ctx context.Context, list string) (ReadPlace, error) {
	var p ReadPlace
	err := a.state.Load(ctx, a.keyPlace(list), &p)
	return p, err
}

// KeepReadPlace remembers where the reader stands in a list.
func (a *App) KeepReadPlace(ctx context.Context, list string, p ReadPlace) error {
	return a.state.Save(ctx, a.keyPlace(list), p)
}

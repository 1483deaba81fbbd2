package app

import (
	"context"
	"fmt"

	"bowerbird/app/notesync"
	"bowerbird/ndb"
)

// syncSpace is how much of the disk must be free for notes to be fetched: twice what
// the store needs to write at all, so that what is the user's own can still be kept
// when fetching has stopped.
const syncSpace = 512 << 20

// roomToSync returns ndb.ErrNoSpace when too little of the disk is free to fetch more,
// or why nothing can be kept at all.
func (a *App) roomToSync() error {
	if a.cannotWrite != nil {
		return a.cannotWrite
	}
	free, err := a.opt.freeSpace(a.opt.Places.Notes)
	if err != nil || free >= syncSpace { // where it cannot be told, the store's own bound holds
		return nil
	}
	return fmt.Errorf("%w: %d MB are left; fetching stops below %d MB and goes on when there is more", ndb.ErrNoSpace, free>>20, syncSpace>>20)
}

// whileRoom returns a context that ends when the disk fills up, and a Progress that
// looks at each stored batch whether it does; then is called first.
func (a *App) whileRoom(ctx context.Context, then func(notesync.Progress)) (context.Context, func(notesync.Progress), context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, func(p notesync.Progress) {
		if then != nil {
			then(p)
		}
		if err := a.roomToSync(); err != nil {
			cancel(err)
		}
	}, cancel
}

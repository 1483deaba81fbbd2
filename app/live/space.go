package live

import (
	"context"
	"fmt"

	"bowerbird/app/notesync"
	"bowerbird/ndb"
)

// LeastFree is how much of the disk must be free for notes to be fetched: twice what
// the store needs to write at all, so that what is the user's own can still be kept
// when fetching has stopped.
const LeastFree = 512 << 20

// roomToSync returns ndb.ErrNoSpace when too little of the disk is free to fetch more,
// or why nothing can be kept at all.
func (l *Live) roomToSync() error {
	if l.opt.CannotWrite != nil {
		return l.opt.CannotWrite
	}
	free, err := l.opt.FreeSpace()
	if err != nil || free >= LeastFree { // where it cannot be told, the store's own bound holds
		return nil
	}
	return fmt.Errorf("%w: %d MB are left; fetching stops below %d MB and goes on when there is more", ndb.ErrNoSpace, free>>20, LeastFree>>20)
}

// whileRoom returns a context that ends when the disk fills up, and a Progress that
// looks at each stored batch whether it does; then is called first.
func (l *Live) whileRoom(ctx context.Context, then func(notesync.Progress)) (context.Context, func(notesync.Progress), context.CancelCauseFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	return ctx, func(p notesync.Progress) {
		if then != nil {
			then(p)
		}
		if err := l.roomToSync(); err != nil {
			cancel(err)
		}
	}, cancel
}

package live

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"time"

	"bowerbird/app/notesync"
	"bowerbird/ndb"
)

// networkEvery is how often it is looked whether the network has changed. Asking for
// the addresses costs some 50 microseconds.
const networkEvery = 10 * time.Second

// watchNetwork asks everything again when this computer gets other addresses: when a
// cable, a wireless network or a VPN came. What waits for minutes after the network
// was lost goes on then, and need not be told.
func (l *Live) watchNetwork(ctx context.Context) {
	opt := l.opt
	ticks := time.NewTicker(opt.NetworkEvery)
	defer ticks.Stop()
	for was := opt.Addresses(); ; {
		select {
		case <-ticks.C:
		case <-ctx.Done():
			return
		}
		now := opt.Addresses()
		if now != was && now != "" {
			opt.Logger.Info("the network has changed", "addresses", now)
			l.Retry()
		}
		was = now
	}
}

// addresses names those of this computer in the networks that it is in; "" for none.
func addresses() string {
	all, err := net.InterfaceAddrs()
	if err != nil {
		return ""
	}
	var names []string
	for _, a := range all {
		if ip, ok := a.(*net.IPNet); ok && ip.IP.IsGlobalUnicast() {
			names = append(names, a.String())
		}
	}
	slices.Sort(names)
	return strings.Join(names, " ")
}

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
